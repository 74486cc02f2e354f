"""ACLs in a tree: a directory's default ACL opens nothing that is made in it, and what a file has stays and comes back."""
import os
import random
import struct

from cases.specs import NM
from cases.trees import RUNS
from cases.xattrs import CHANGED, SPEC, identities, seen, with_labels

ON_DISK = True
ACCESS, DEFAULT = "system.posix_acl_access", "system.posix_acl_default"
SPECS = {"spec.yaml": SPEC, "changed.yaml": CHANGED, "empty.yaml": "version: 1\n", "ports.yaml": NM}
UNDEFINED = 0xFFFFFFFF


def acl(owner, user, group, mask, other):
    """As setfacl(1) stores it: one named user beside the owner, the group, the mask and everybody else."""
    entries = ((1, owner, UNDEFINED), (2, user, 1000), (4, group, UNDEFINED), (0x10, mask, UNDEFINED), (0x20, other, UNDEFINED))
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


def specs(box):
    for name, text in SPECS.items():
        box.write(name, text)


def directories(root):
    return sorted(p for p in root.rglob("*") if p.is_dir() and not p.is_symlink() and RUNS not in str(p))


def files(root):
    return sorted(p for p in root.rglob("*") if p.is_file() and not p.is_symlink() and RUNS not in str(p))


def lends(path):
    os.setxattr(path, DEFAULT, acl(7, 7, 5, 7, 5))


def differing(before, now):
    return {k: (before.get(k), now.get(k)) for k in before.keys() | now.keys() if before.get(k) != now.get(k)}


def test_a_default_acl_opens_nothing(box):
    root = with_labels(box)
    specs(box)
    for path in directories(root):
        lends(path)
    before = seen(root)
    box.run("apply", "spec.yaml", "--adopt", "--root", root).expect(0)
    for path, value in seen(root).items():
        if path not in before or "shadow" in path:
            assert ACCESS not in value[4] and (path in before or DEFAULT not in value[4]), (path, value)
    first = identities(root)
    assert "Nothing to do" in box.run("apply", "spec.yaml", "--root", root).expect(0).out
    assert identities(root) == first
    box.run("rollback", "--root", root).expect(0)
    assert seen(root) == before, differing(before, seen(root))


def test_an_acl_of_a_file_of_ours_stays(box):
    root = with_labels(box)
    specs(box)
    box.run("apply", "spec.yaml", "--adopt", "--root", root).expect(0)
    for path in files(root):
        os.setxattr(path, ACCESS, acl(6, 7, 4, 7, 4))
    before = seen(root)
    box.run("apply", "changed.yaml", "--root", root).expect(0)
    for path, value in seen(root).items():
        assert path not in before or ACCESS not in before[path][4] or ACCESS in value[4], (path, value)
    first = identities(root)
    assert "Nothing to do" in box.run("apply", "changed.yaml", "--root", root).expect(0).out
    assert identities(root) == first
    box.run("rollback", "--root", root).expect(0)
    assert seen(root) == before, differing(before, seen(root))


def somebody(draw, root):
    """What another program does to one path."""
    if draw.random() < 0.5:
        return lends(draw.choice(directories(root)))
    path = draw.choice(files(root) + directories(root))
    return os.setxattr(path, ACCESS, acl(*(draw.choice((4, 6, 7)) for _ in range(5))))


def test_random_sequences(box):
    draw = random.Random(int(os.environ.get("RDMASTATE_SEED", "1")))
    specs(box)
    root = with_labels(box)
    box.run("apply", "ports.yaml", "--adopt", "--root", root).expect(0)
    for _ in range(24):
        for _ in range(draw.randrange(3)):
            somebody(draw, root)
        before = seen(root)
        spec = draw.choice(sorted(SPECS))
        if "Nothing to do" in box.run("apply", spec, "--adopt", "--root", root).expect(0).out:
            assert seen(root) == before
        elif draw.random() < 0.6:
            box.run("rollback", "--root", root).expect(0)
            assert seen(root) == before, (spec, differing(before, seen(root)))
