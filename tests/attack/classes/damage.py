# SPDX-License-Identifier: Apache-2.0
"""A state file of ours is damaged: cut, bits turned, types changed, keys twice, too deep, too large, or something else in
its place. Every command ends as documented and names what is wrong; what is foreign stays as it is."""
import json
import os

import fixture
from cases.trees import tree

TRIES = 8000
SPECS = {"old.yaml": fixture.OLD, "new.yaml": fixture.NEW, "empty.yaml": "version: 1\n"}
COMMANDS = [("apply", "old.yaml"), ("apply", "new.yaml"), ("apply", "empty.yaml"), ("plan", "new.yaml"), ("verify", "old.yaml"), ("rollback",),
            ("rollback", "--force"), ("history",), ("confirm",), ("release",), ("apply", "--boot"), ("verify", "--boot"), ("show",),
            ("apply", "--plan", "saved.json")]
ODD = (None, True, -1, 1e300, 2**70, "", "../../../outside", "a\nb", "a\0b", "%n", "x" * 70000, [], {}, [[]])
RUNS = "var/lib/rdmastate"


def prepare(room):
    """A tree with a second run, unfinished in every other try, and a plan that was saved."""
    from support.harness import Box
    box = Box(room / "damaged")
    box.dir.mkdir()
    root = tree(box)
    for path, (text, mode, owner) in fixture.FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
        (root / path).chmod(mode)
        os.chown(root / path, owner, owner)
    for name, text in SPECS.items():
        box.write(name, text)
    box.run("apply", "old.yaml", "--root", root).expect(0)
    box.run("apply", "new.yaml", "--root", root, "--max-disruption", "module").expect(0)
    box.run("plan", "old.yaml", "--root", root, "--out", "saved.json").expect(0)
    return box.dir


def state_files(root):
    files = [root / "etc/rdmastate/ledger.json", root / "etc/rdmastate/boot.json", root / "../saved.json"]
    return files + [path for path in sorted((root / RUNS).rglob("*")) if path.is_file()]


def leaves(value, path=()):
    yield path
    for key, one in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from leaves(one, (*path, key))


def with_odd_leaf(text, chance):
    held = json.loads(text)
    *way, last = chance.choice([path for path in leaves(held) if path])
    at = held
    for key in way:
        at = at[key]
    if isinstance(at, dict) and chance.random() < 0.3:
        at[chance.choice(["", "kind", "x" * 300, "../x"])] = at.pop(last)
    else:
        at[last] = chance.choice(ODD)
    return json.dumps(held).encode()


def damaged(text, chance):
    """Bytes that are near to `text`."""
    at, size = chance.randrange(len(text) + 1), chance.choice((1, 2, 40, 4000))
    ways = [lambda: text[:at], lambda: text[:at] + text[at + size:], lambda: text[:at] + chance.randbytes(size) + text[at:],
            lambda: text[:at] + bytes([chance.randrange(256)]) + text[at + 1:], lambda: b"", lambda: text + text, lambda: b"\0" * len(text),
            lambda: text[:at] + b"[" * 200000, lambda: text[:at] + text[max(0, at - size):], lambda: text.replace(b"\n", b"\r\n")]
    try:
        json.loads(text)
        ways += [lambda: with_odd_leaf(text, chance)] * 8
    except ValueError:
        pass
    return chance.choice(ways)()


def something_else(path, chance):
    """Puts something else in the place of the file: a directory, a FIFO, a link, or nothing."""
    path.unlink()
    make = chance.choice([path.mkdir, lambda: os.mkfifo(path), lambda: path.symlink_to("/nowhere/at/all"), lambda: path.symlink_to(path.name),
                          lambda: path.symlink_to(path.parents[len(path.parents) - 3] / "outside"), lambda: None])
    make()


def damage(root, chance):
    path = chance.choice(state_files(root))
    if chance.random() < 0.15:
        something_else(path, chance)
    else:
        path.write_bytes(damaged(path.read_bytes(), chance))
    return path


def attempt(one):
    """Two commands after one another, since a person tries something else."""
    fixture.copy(one.made, one.box.dir / "in")
    room = one.box.dir / "in"
    root, outside = room / "tree", room / "outside"
    outside.write_text("mine\n")
    if one.number % 2:
        progress = max((root / RUNS / "runs").glob("*/progress"))
        progress.write_text(progress.read_text().removesuffix("finished\n"))
        one.counts["of an unfinished run"] += 1
    others = {path: fixture.entry(root / path) for path in ("etc/passwd", "etc/machine-id", "etc/modules-load.d/other.conf")}
    path = damage(root, one.random)
    for command in one.random.sample(COMMANDS, 2):
        before = fixture.state(root)
        done = one.speaks_plainly(one.box.run(*command, "--root", root, cwd=room))
        # What ends so has changed nothing; only an apply may have done a part (1).
        assert not (done.code in (1, 3, 6, 7) and fixture.state(root) != before and command[0] != "apply"), (path, done.code, done.command, done.err)
        one.counts[f"ended {done.code}"] += 1
    now = {name: fixture.entry(root / name) for name in others}
    assert now == others and outside.read_text() == "mine\n", (path, fixture.differences(others, now))
