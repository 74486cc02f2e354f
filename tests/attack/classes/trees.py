# SPDX-License-Identifier: Apache-2.0
"""A tree that means harm: links out of it and in circles, FIFOs, devices without end, directories for files, foreign bytes in
the files that are read. Nothing outside is read or written, nothing hangs, what is said drives no terminal, what could not be
done changed nothing, and rollback gives back what was."""
import os
import re
import shutil
import socket
import stat

import fixture
from cases import xattrs
from cases.hostile import is_shown_harmless
from cases.specs import GUIDE, NM

TRIES = 9000
LAYOUTS = (("debian", "12"), ("rhel", "8.10"), ("rhel", "9.4"), ("sles", "15.6"), ("ubuntu", "24.04"))
SPECS = {"guide.yaml": GUIDE, "nm.yaml": NM, "old.yaml": fixture.OLD, "new.yaml": fixture.NEW, "spec.yaml": xattrs.SPEC}
SECRET = b"SENTINEL-OUTSIDE"
WORDS = (b"[connection]\ninterface-name=mlx4_ib0\nid=\x1b[2J\n", b"[Match]\nName=*\n[Network]\nDHCP=yes\n", b"rdma:x:99999999999999:\n", b"::::\n", b"\xff\xfe\0\0",
         b"[nfsd\nrdma=\n\\\n", b"options ib_ipoib recv_queue_size=\n", b"\n" * 5000, b"x" * 100000, b"[a]\n" * 2000, b"root:x:0:\n" * 3000, b"\"'`$(id)`\n",
         b"ID=debian\nVERSION_ID=\"\x1b]2;x\x07\"\n", b"LABEL=x\\\n" * 400, b"\xe2\x80\xae\xc2\x9b\n")


def prepare(room):
    """For each layout a tree as it is, and the paths that an apply of any spec writes there or looks at."""
    from support.harness import Box
    made = []
    for number, layout in enumerate(LAYOUTS):
        box = Box(room / str(number))
        box.dir.mkdir()
        root = xattrs.with_labels(box, *layout)
        for name, text in SPECS.items():
            box.write(name, text)
        paths = set(fixture.state(root))
        for name in SPECS:
            fixture.copy(root, box.dir / "other")
            box.run("apply", name, "--adopt", "--root", box.dir / "other", "--max-disruption", "module")
            paths |= set(fixture.state(box.dir / "other"))
            paths |= {str(path.relative_to(box.dir / "other")) for path in (box.dir / "other/var/lib").rglob("*")}
        shutil.rmtree(box.dir / "other")
        made.append((box.dir, sorted(paths)))
    return made


def target_of_link(one, room, path):
    outside = room / "outside"
    return one.random.choice([str(outside / "file"), str(outside), "/" * 3 + "etc", os.path.relpath(outside / "file", (room / "tree" / path).parent), "../" * 30 + str(outside),
                              path.split("/")[-1], "/", ".", "..", "/etc/passwd", "/proc/self/mem", "/dev/zero", "nowhere", "x" * 200, "a/../b", "/etc/tricky/x"])


def put(one, room, path):
    """Something else at this path of the tree."""
    at = room / "tree" / path
    if not at.parent.resolve().is_relative_to((room / "tree").resolve()):
        return  # this hand would be the one that writes outside
    if at.is_dir() and not at.is_symlink():
        shutil.rmtree(at)
    elif os.path.lexists(at):
        at.unlink()
    at.parent.mkdir(parents=True, exist_ok=True)
    ways = {"links": lambda: at.symlink_to(target_of_link(one, room, path)), "fifos": lambda: os.mkfifo(at),
            "devices": lambda: os.mknod(at, 0o666 | stat.S_IFCHR, os.makedev(1, one.random.choice((3, 5, 7, 8)))),
            "directories": lambda: (at.mkdir(), (at / "in it").write_text("x")), "files": lambda: at.write_bytes(b"".join(one.random.choices(WORDS, k=2))),
            "sockets": lambda: bound(at), "hard links": lambda: os.link(room / "tree/etc/machine-id", at), "gone": lambda: None}
    what = one.random.choices(list(ways), (8, 2, 2, 2, 8, 1, 1, 1))[0]
    one.counts[what] += 1
    ways[what]()
    if what == "files":
        at.chmod(one.random.choice((0, 0o600, 0o644, 0o777)))
        os.chown(at, one.random.choice((0, 1000)), 0)


def bound(at):
    with socket.socket(socket.AF_UNIX) as one:
        os.chdir(at.parent)
        one.bind(at.name[:100])


def run(one, room, *words):
    done = one.speaks_plainly(one.box.run(*words, "--root", room / "tree", cwd=room))
    is_shown_harmless(done)
    assert SECRET.decode() not in done.out + done.err, ("it shows what is outside", done.command)
    one.counts[f"ended {done.code}"] += 1
    return done


OURS = re.compile(r"(^|/)(runs|rdmastate|\d{6})(/|$)")
HOME = "var/lib"  # where rdmastate makes its own directory


def way_home(root):
    """The paths of the directories above it, as a process sees them for which `root` is "/": a link may be planted there."""
    found, here, left = set(), "", HOME.split("/")
    for _ in range(40):
        if not left:
            break
        here = os.path.normpath(f"/{here}/{left.pop(0)}").lstrip("/")
        found.add(here)
        if (root / here).is_symlink():
            target = os.readlink(root / here)
            here, left = ("" if target.startswith("/") else os.path.dirname(here)), [*filter(None, target.split("/")), *left]
    return found


def entries(root):
    """The tree's state, less what rdmastate keeps for itself and the directories above that, which it makes where they are missing."""
    away = way_home(root)
    return {path: entry for path, entry in fixture.state(root).items() if path not in away and not OURS.search(path)}


def apply_and_back(one, room):
    before, spec = entries(room / "tree"), one.random.choice(list(SPECS))
    done = run(one, room, "apply", spec, "--max-disruption", "module", *(["--adopt"] if one.random.random() < 0.7 else []))
    now = entries(room / "tree")
    if "Applied" not in done.out:
        assert done.code == 5 or now == before, (spec, done.code, done.err, fixture.differences(before, now))
        return
    if done.code == 0:
        again = run(one, room, "apply", spec, "--max-disruption", "module")
        assert again.code == 0 and "Nothing to do" in again.out, (spec, again.out, again.err)
    back = run(one, room, "rollback")
    assert back.code == 0 and entries(room / "tree") == before, (spec, back.code, back.err, fixture.differences(before, entries(room / "tree")))


def attempt(one):
    made, paths = one.random.choice(one.made)
    room = one.box.dir / "in"
    fixture.copy(made, room)
    (room / "outside").mkdir()
    (room / "outside/file").write_bytes(SECRET + b"\n")
    outside = fixture.state(room / "outside")
    for path in one.random.choices(paths, k=one.random.randrange(1, 5)):
        try:
            put(one, room, path)
        except (OSError, RuntimeError):  # another one stands in the way, or goes in a circle
            pass
    for words in one.random.sample((("plan", "nm.yaml"), ("verify", "spec.yaml"), ("show",), ("show", "--as-spec"), ("history",), ("show", "--record", "r.json")), 2):
        run(one, room, *words)
    apply_and_back(one, room)
    now = fixture.state(room / "outside")
    assert now == outside, "outside: " + "\n".join(fixture.differences(outside, now))
