# SPDX-License-Identifier: Apache-2.0
"""Trees before one command that kills and faults break, with the state before it and the state that it makes."""
import fixture
from breaker import calls_of
from cases.trees import tree
from support.harness import Box

SPECS = {"old.yaml": fixture.OLD, "new.yaml": fixture.NEW, "empty.yaml": "version: 1\n", "many.yaml": fixture.many_files()}
ALLOWED = ("--max-disruption", "module")
# What was run before, and the command: a first apply, one over another, one that forgets all, one that takes over, the way back.
COMMANDS = {"first": ([], ("apply", "new.yaml")), "change": (["old.yaml"], ("apply", "new.yaml", *ALLOWED)), "back": (["old.yaml", "new.yaml"], ("rollback",)),
            "forget": (["new.yaml"], ("apply", "empty.yaml", *ALLOWED)), "many": (["new.yaml"], ("apply", "many.yaml", *ALLOWED)),
            "adopt": ([], ("apply", "old.yaml", "--adopt")), "first back": (["new.yaml"], ("rollback",))}
THEIRS = {"etc/modules-load.d/rdmastate.conf": "ib_iser\n", "etc/udev/rules.d/70-rdmastate-ipoib.rules": "# theirs\n", "etc/modprobe.d/rdmastate-options.conf": "# theirs\n"}


class Scene:
    """room: the tree and the specs; old, new: its states; calls: what the command does, by the names that are asked for."""

    def __init__(self, room, name, names):
        self.name, self.room, (before, self.command) = name, room, COMMANDS[name]
        box = Box(room)
        root = tree(box)
        fixture.make_tree(root)
        for path, text in SPECS.items():
            box.write(path, text)
        if name == "adopt":
            for path, text in THEIRS.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
        for spec in before:
            box.run("apply", spec, *ALLOWED, "--root", root).expect(0)
        self.old = fixture.state(root)
        fixture.copy(room, room.parent / "done")
        done = Box(room.parent / "done")
        self.calls = calls_of(done, names, *self.command, "--root", done.dir / "tree")
        self.new = fixture.state(done.dir / "tree")
        assert self.old != self.new, name

    def fresh(self, one):
        """A copy for one try; where it is."""
        fixture.copy(self.room, one.box.dir / "in")
        return one.box.dir / "in"


def every(room, names):
    scenes = []
    for number, name in enumerate(COMMANDS):
        (room / str(number)).mkdir()
        scenes.append(Scene(room / str(number), name, names))
    return scenes


def judged(scene, root, allowed):
    """Fails unless the tree is in one of these states: "old", "new"."""
    there = fixture.state(root)
    for word in allowed:
        if there == getattr(scene, word):
            return word
    lines = [f"{scene.name}: the state is none of: {', '.join(allowed)}"]
    for word in allowed:
        lines += [f"from {word}:", *fixture.differences(getattr(scene, word), there)[:8]]
    raise AssertionError("\n".join(lines))
