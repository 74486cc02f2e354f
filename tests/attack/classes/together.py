# SPDX-License-Identifier: Apache-2.0
"""Several commands at once on one tree, some of them killed. Each ends as documented; what is left is what one order of
them makes, entirely, or a run that the next command names and rollback takes back."""
import signal
import subprocess
import time

import fixture
from cases.trees import tree
from support.harness import BINARY, Box, Done

TRIES = 1400
SPECS = {"old.yaml": fixture.OLD, "new.yaml": fixture.NEW, "empty.yaml": "version: 1\n",
         "load.yaml": "version: 1\nmodules: {load: [ib_umad, ib_iser]}\n"}
APPLY = [("apply", name, "--max-disruption", "module") for name in SPECS]
COMMANDS = [*APPLY, *APPLY, ("rollback",), ("plan", "new.yaml"), ("verify", "old.yaml"), ("show",), ("history",), ("confirm",), ("packages", "new.yaml"),
            ("apply", "--boot"), ("plan", "old.yaml", "--out", "saved.json"), ("apply", "new.yaml", "--confirm-within", "1s")]


def fresh(room):
    root = tree(Box(room))
    fixture.make_tree(root)
    for name, text in SPECS.items():
        (room / name).write_text(text)
    return root


def ends_of(room):
    """What each spec makes, on whichever other it follows."""
    ends = {}
    for name in SPECS:
        (room / name.removesuffix(".yaml")).mkdir()
        root = fresh(room / name.removesuffix(".yaml"))
        Box(room / name.removesuffix(".yaml")).run(*APPLY[list(SPECS).index(name)], "--root", root).expect(0)
        ends[name] = fixture.state(root)
    return ends


def prepare(room):
    ends = ends_of(room)
    (room / "first").mkdir()
    fresh(room / "first")
    return room / "first", ends


def all_at_once(one, room, commands):
    """Each begins a little later than the one before it; now and then one is killed."""
    started = []
    for command in commands:
        started.append(subprocess.Popen([BINARY, *command, "--root", room / "tree"], cwd=room, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        time.sleep(one.random.choice((0, 0, 0.001, 0.003, 0.008)))
    killed = one.random.choice(started) if one.random.random() < 0.2 else None
    if killed and killed.poll() is None:
        killed.send_signal(one.random.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGINT)))
        one.counts["killed"] += 1
    for command, child in zip(commands, started):
        out, err = child.communicate(timeout=60)
        if child is not killed:
            done = one.speaks_plainly(Done([*command], child.returncode, out.decode(), err.decode()))
            one.counts["busy"] += done.code == 7


def without_books(state):
    """Which order it was also shows in what rdmastate keeps for itself and, in a group's number and place, in /etc/group."""
    return {path: entry for path, entry in state.items() if not path.startswith(("etc/rdmastate", "etc/group", "etc/gshadow", "run/"))}


def attempt(one):
    first, ends = one.made
    room = one.box.dir / "in"
    fixture.copy(first, room)
    before = fixture.state(room / "tree")
    for _ in range(2):
        all_at_once(one, room, [one.random.choice(COMMANDS) for _ in range(one.random.randrange(2, 6))])
    settle(one, room)
    last = one.random.choice(list(SPECS))
    one.box.run("apply", last, "--max-disruption", "module", "--root", room / "tree", cwd=room).expect(0)
    now = without_books(fixture.state(room / "tree"))
    assert now == without_books(ends[last]), "\n".join(fixture.differences(without_books(ends[last]), now))
    assert "Nothing to do" in one.box.run("apply", last, "--root", room / "tree", cwd=room).expect(0).out
    one.box.run("apply", "empty.yaml", "--max-disruption", "module", "--root", room / "tree", cwd=room).expect(0)
    left = fixture.differences(without_books(before), without_books(fixture.state(room / "tree")))
    assert not left, "\n".join(left)


def settle(one, room):
    """What a run that died or that nobody confirmed needs, as the messages say it."""
    for _ in range(3):
        done = one.speaks_plainly(one.box.run("apply", "load.yaml", "--root", room / "tree", cwd=room))
        if done.code != 7:
            return done.expect(0)
        one.counts["taken back first"] += 1
        one.box.run("rollback", "--root", room / "tree", cwd=room).expect(0)
    raise AssertionError("still busy after three rollbacks")
