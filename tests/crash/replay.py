# SPDX-License-Identifier: Apache-2.0
"""Power is cut: what the binary did is replayed onto a disk that loses any part of what was not synced, and recovered."""
import multiprocessing
import os
import pathlib
import shutil

import disk
import fixture
import tracing
import tree

MOST = 400  # states of one command that are recovered, beside those at its end; there are up to 5000
MOST_QUICK = 40


class Scene:
    """One recorded command: what it began with, the states that a power cut leaves, and what it promised when it ended (`end`: "old" or
    "new"). failure: name and number of the call that fails with EIO; code: what the command then has to exit with."""

    def __init__(self, name, made, source, words, end, failure=None, code=0):
        self.name, self.made, self.words, self.end, self.failure, self.code = name, made, words, end, failure, code
        self.root = made.room / f"replay-{name}"
        fixture.copy(source, self.root)

    def states(self, quick):
        before = self.root.with_name(self.root.name + "-before")
        fixture.copy(self.root, before)
        more = ("-e", f"inject={self.failure[0]}:error=EIO:when={self.failure[1]}") if self.failure else ()
        done, calls = tracing.recording(self.words, self.root, more)
        if done.returncode != self.code:
            raise fixture.Broken(f"{self.name}: exit {done.returncode} instead of {self.code}: {done.stderr}")
        shutil.rmtree(self.root)
        before.rename(self.root)
        return disk.power_cuts(self.root, calls, quick, MOST_QUICK if quick else MOST)


def promised(scene, root):
    """Once the command has ended, what it said stays said, whatever power does."""
    wrong = fixture.differences(getattr(scene.made, scene.end), fixture.state(root))
    if wrong:
        return fixture.lost("\n".join([f"it had ended, and the state is not the {scene.end} one", *wrong]))
    asked = fixture.run("apply", scene.made.room / "new.yaml", root=root)
    if asked.returncode != 0:
        return fixture.lost("it had ended, and the next apply cannot go on", asked)
    return fixture.Verdict(scene.end, "")


def judged(point):
    name, what, is_last, found = point
    scene, root = SCENES[name], ROOM / f"worker-{os.getpid()}"
    shutil.rmtree(root, ignore_errors=True)
    disk.write_out(found, root)
    mark = fixture.fingerprint(root)
    return name, what, mark, promised(scene, root) if is_last else fixture.recovered(scene.made, root)


def number_of(made, source, words, name, share):
    """Which of the calls of one name stands at this share of them all."""
    root = made.room / "counted"
    fixture.copy(source, root)
    numbers = [call.number for call in tracing.recording(words, root)[1] if call.name == name]
    return numbers[int((len(numbers) - 1) * share)]


def scenes(made):
    apply = ("apply", made.room / "new.yaml")
    late = number_of(made, made.old_tree, apply, "renameat", 0.9)
    early = number_of(made, made.old_tree, apply, "fchown", 0.2)  # while files are staged
    fresh = fixture.Fixture(made.room / "fresh", None, fixture.OLD)
    many = fixture.Fixture(made.room / "many", fixture.OLD, fixture.many_files())
    all_scenes = [
        Scene("apply", made, made.old_tree, apply, "new"),
        Scene("late-failure", made, made.old_tree, apply, "old", ("renameat", late), 4),
        Scene("early-failure", made, made.old_tree, apply, "old", ("fchown", early), 4),
        Scene("rollback-of-half", made, tree.half_applied(made), ("rollback",), "old"),
        Scene("rollback-of-all", made, made.new_tree, ("rollback",), "old"),
        Scene("first", fresh, fresh.old_tree, ("apply", fresh.room / "new.yaml"), "new"),
        Scene("many", many, many.old_tree, ("apply", many.room / "new.yaml"), "new"),
    ]
    return {scene.name: scene for scene in all_scenes}


def test(made, quick):
    """Whether all is well; `quick` leaves subsets out."""
    global SCENES, ROOM
    SCENES, ROOM = scenes(made), pathlib.Path(made.room)
    count = tree.Count("replay")

    def points():
        """Ends by itself: a Pool that is left with results under way can hang (its reader stops, and a worker waits to write)."""
        for name, scene in SCENES.items():
            for what, is_last, found in scene.states(quick):
                if quick and len(count.losses) >= 3:
                    return  # that is failure enough
                yield name, what, is_last, found

    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
        for name, what, mark, verdict in pool.imap(judged, points(), chunksize=8):
            count.add(name, what, mark, verdict)
    return count.told()
