# SPDX-License-Identifier: Apache-2.0
"""In a tree: the binary dies, or is refused, at every call that changes, makes or syncs a file, and the tree is recovered."""
import multiprocessing
import os
import pathlib
import shutil

import fixture
import tracing

KILL = tracing.KILL
REFUSALS = ("ENOSPC", "EIO", "EPERM")
# A disk that is full stays full, and one that cannot sync does not heal, however it is asked.
SYNCS = ("fsync", "fdatasync")
LASTING = {"write": "ENOSPC+", **{name: "EIO+" for name in SYNCS}}


class Case:
    """One command that is broken, in a copy of one tree."""

    def __init__(self, name, source, words, failures):
        self.name, self.source, self.words, self.failures = name, source, words, failures
        self.calls = []

    def record(self, room):
        root = room / f"record-{self.name}"
        fixture.copy(self.source, root)
        done, self.calls = tracing.recording(self.words, root)
        shutil.rmtree(root)
        if done.returncode != 0 or not self.calls:
            raise fixture.Broken(f"{self.name}: unharmed it should succeed: exit {done.returncode}: {done.stderr}")
        return self

    def points(self, every):
        """Grouped by failure, so that neighbours stand side by side. The run's last line is always among them."""
        calls = [call for at, call in enumerate(self.calls) if at % every == 0 or call.name == "fdatasync"]
        for failure in self.failures:
            for call in calls:
                if failure != "lasting" or call.name in LASTING:
                    yield self, call, LASTING[call.name] if failure == "lasting" else failure


def ended_dead(case, done, root):
    if done.returncode not in (137, -9):
        return fixture.lost("it did not die", done)
    return fixture.recovered(FIXTURE, root)


def ended_by_itself(case, done, root):
    """What the exit code says, and then what is there."""
    found, verdict = fixture.state(root), fixture.recovered(FIXTURE, root)
    if verdict.end == "lost":
        return fixture.lost(verdict.why, done)
    is_apply = case.words[0] == "apply"
    as_old, as_new = found == FIXTURE.old, found == FIXTURE.new
    says = {0: as_new if is_apply else as_old, 4: is_apply and as_old, 1: as_old or not is_apply, 5: True}
    if not says.get(done.returncode, False):
        return fixture.lost("the exit code says otherwise: " + "; ".join(fixture.differences(FIXTURE.old, found)[:10]), done)
    return verdict


def numbers_of(call, failure):
    """Which call fails, by name; of a disk that does not heal (EIO+) the syncs of either name from this call on."""
    return tracing.from_here(call, SYNCS) if failure == "EIO+" else {call.name: call.number}


def judged(point):
    case, call, failure = point
    root = ROOM / f"worker-{os.getpid()}"
    fixture.copy(case.source, root)
    done = tracing.failing(case.words, root, numbers_of(call, failure), failure)
    mark = fixture.fingerprint(root)
    verdict = (ended_dead if failure == KILL else ended_by_itself)(case, done, root)
    return case.name, failure, str(call), mark, verdict


def half_applied(made):
    """A tree whose apply died past its middle: what the rollback that dies is to take back."""
    source = made.room / "half"
    fixture.copy(made.old_tree, source)
    words = ("apply", made.room / "new.yaml")
    _, calls = tracing.recording(words, made.room / "half")
    fixture.copy(made.old_tree, source)
    renames = [call for call in calls if call.name == "renameat"]
    tracing.failing(words, source, {"renameat": renames[len(renames) * 3 // 4].number}, KILL)
    if fixture.state(source) in (made.old, made.new):
        raise fixture.Broken("a half applied tree should be neither old nor new")
    return source


def cases(made):
    words = ("apply", made.room / "new.yaml")
    return [Case("apply", made.old_tree, words, (KILL, *REFUSALS, "lasting")).record(made.room),
            Case("rollback-of-half", half_applied(made), ("rollback",), (KILL, "EIO")).record(made.room),
            Case("rollback-of-all", made.new_tree, ("rollback",), (KILL, "EIO")).record(made.room)]


class Count:
    """Points whose state is not their neighbour's, and how they ended."""

    def __init__(self, part):
        self.part, self.ends, self.losses, self.before = part, {"old": 0, "new": 0, "lost": 0}, [], None

    def add(self, group, what, mark, verdict):
        if verdict.end == "lost":
            self.losses.append((f"{group}: {what}", verdict.why))
        if verdict.end == "lost" or self.before != (group, mark):
            self.ends[verdict.end] += 1
        self.before = (group, mark)

    def told(self):
        """Prints the count; whether nothing was lost and both ends were seen."""
        for what, why in self.losses[:10]:
            print(f"LOST {what}\n" + "".join(f"    {line[:400]}\n" for line in why.splitlines()[:30]), end="")
        print(f"crash ({self.part}): {sum(self.ends.values())} points, {self.ends['lost']} lost, {self.ends['old']} ended old, "
              f"{self.ends['new']} ended new", flush=True)
        return not self.losses and self.ends["old"] > 0 and self.ends["new"] > 0


def test(made, quick):
    """Whether all is well; `quick` breaks at every fifth call only."""
    global FIXTURE, ROOM
    FIXTURE, ROOM = made, pathlib.Path(made.room)
    points = [point for case in cases(made) for point in case.points(5 if quick else 1)]
    count = Count("tree")
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
        for name, failure, call, mark, verdict in pool.imap(judged, points, chunksize=4):
            count.add(f"{name}, {failure}", call, mark, verdict)
    return count.told()
