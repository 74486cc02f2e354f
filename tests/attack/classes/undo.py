# SPDX-License-Identifier: Apache-2.0
"""Sequences of applies, rollbacks and releases, with ACLs and attributes, and others who edit in between. A rollback gives
back what was before its apply: bytes, owner, mode, attributes; what others changed elsewhere stays as they left it."""
import os

import fixture
from cases import xattrs
from cases.acls import SPECS, lends, specs, somebody
from cases.specs import GUIDE, NM
from cases.xattrs import seen, with_labels

TRIES = 500
ON_DISK = True  # attributes of users
STEPS = 14
MORE = {"guide.yaml": GUIDE, "nm.yaml": NM, "old.yaml": fixture.OLD, "new.yaml": fixture.NEW, "empty.yaml": "version: 1\n", "changed.yaml": xattrs.CHANGED}
THEIRS = ("etc/theirs.conf", "etc/modules-load.d/theirs.conf", "etc/modprobe.d/theirs.conf")


def somebody_elsewhere(one, root):
    """Who writes files that no spec names, after an apply: they stay through its rollback."""
    path = root / one.random.choice(THEIRS)
    path.write_text(f"# {one.random.random()}\n")
    path.chmod(one.random.choice((0o600, 0o644, 0o755)))
    os.chown(path, one.random.choice((0, 1, 7)), 0)
    one.counts["edits"] += 1
    return str(path.relative_to(root))


def compare(wanted, there, what):
    assert there == wanted, what + "\n" + "\n".join(fixture.differences(wanted, there))


def apply_and_back(one, root, names):
    """One apply, what somebody does then, and its rollback in most cases; or it stays."""
    before, name = seen(root), one.random.choice(names)
    done = one.speaks_plainly(one.box.run("apply", name, "--adopt", "--max-disruption", "module", "--root", root))
    assert done.code in (0, 1, 6), (name, done.code, done.err)
    if "Applied" not in done.out:
        return compare(before, seen(root), f"{name}: nothing was applied, exit {done.code}")
    one.counts["applies"] += 1
    if one.random.random() < 0.35:
        return None
    edited = {somebody_elsewhere(one, root)} if one.random.random() < 0.4 else set()
    now = seen(root)
    one.box.run("rollback", "--root", root).expect(0)
    one.counts["rollbacks"] += 1
    return compare(before | {path: now[path] for path in edited}, seen(root), f"rollback of {name}")


def attempt(one):
    specs(one.box)
    for name, text in MORE.items():
        one.box.write(name, text)
    root = with_labels(one.box, *one.random.choice((("debian", "12"), ("rhel", "8.10"), ("rhel", "9.4"), ("sles", "15.6"))))
    if one.random.random() < 0.5:
        for folder in [path for path in root.rglob("*") if path.is_dir() and one.random.random() < 0.3]:
            lends(folder)
    for _ in range(STEPS):
        if one.random.random() < 0.3:
            somebody(one.random, root)
        apply_and_back(one, root, [*SPECS, *MORE])
