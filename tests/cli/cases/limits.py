"""What a tree or its kernel does not let us do: said before or undone, never half done."""
import contextlib
import fcntl
import os
import shutil
import struct

from cases.trees import state, tree

SPEC = "version: 1\nmodules: {load: [ib_umad]}\n"
PLACE = "etc/modules-load.d"
ON_DISK = True
FS_IOC_GETFLAGS, FS_IOC_SETFLAGS, FS_APPEND_FL = 0x80086601, 0x40086602, 0x20


@contextlib.contextmanager
def flagged(path, more):
    fd = os.open(path, os.O_RDONLY)
    flags = struct.unpack("i", fcntl.ioctl(fd, FS_IOC_GETFLAGS, b"\0" * 4))[0]
    fcntl.ioctl(fd, FS_IOC_SETFLAGS, struct.pack("i", flags | more))
    try:
        yield
    finally:
        fcntl.ioctl(fd, FS_IOC_SETFLAGS, struct.pack("i", flags))
        os.close(fd)


def without_place(box):
    root = tree(box)
    (root / PLACE / "other.conf").unlink()
    (root / PLACE).rmdir()
    box.write("spec.yaml", SPEC)
    return root


def test_a_file_that_may_not_grow_is_an_error_like_a_full_disk(box):
    root = tree(box)
    box.write("spec.yaml", SPEC)
    before = state(root)
    codes = set()
    for most in range(0, 3000, 60):
        done = box.run("apply", "spec.yaml", "--root", root, under=("prlimit", f"--fsize={most}"))
        codes.add(done.code)
        assert done.code == 0 or "File too large" in done.err, (most, done.code, done.err)
        if done.code in (0, 5):
            box.run("rollback", "--root", root).expect(0)
        assert state(root) == before, most
    assert codes >= {0, 4}, codes


def test_a_directory_that_only_grows_gets_nothing(box):
    root = tree(box)
    box.write("spec.yaml", SPEC)
    before = state(root)
    with flagged(root / PLACE, FS_APPEND_FL):
        done = box.run("apply", "spec.yaml", "--root", root).expect(4)
        assert "append-only" in done.err, done.err
        assert state(root) == before


def test_where_a_directory_is_to_be_there_is_something_else(box):
    for name, make in {"file": lambda path: path.write_text("mine\n"), "special file (a FIFO, socket or device)": os.mkfifo,
                       "symlink": lambda path: path.symlink_to("/nowhere")}.items():
        root = without_place(box)
        make(root / PLACE)
        before = state(root)
        plan = box.run("plan", "spec.yaml", "--root", root).expect(0).out
        assert f"blocked: /{PLACE} is a {name} where rdmastate needs a directory" in plan, plan
        assert f"blocked: it needs file /{PLACE}/" in plan and "0 steps" in plan, plan
        box.run("apply", "spec.yaml", "--root", root).expect(1)
        assert state(root) == before
        shutil.rmtree(root)


def test_a_symlink_to_a_directory_is_as_good_as_one(box):
    root = without_place(box)
    (root / "etc/elsewhere").mkdir()
    (root / PLACE).symlink_to("elsewhere")
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    assert "ib_umad" in (root / "etc/elsewhere/rdmastate.conf").read_text()
    again = box.run("apply", "spec.yaml", "--root", root).expect(0)
    assert "Nothing to do" in again.out, again.out
    box.run("rollback", "--root", root).expect(0)
    assert list((root / "etc/elsewhere").iterdir()) == [] and (root / PLACE).is_symlink()


IN_A_RUN_OF_ITS_OWN = ("unshare", "--mount", "sh", "-c")


def live(box, before, after):
    """An apply of nothing on this host, with a /run of its own."""
    box.write("spec.yaml", "version: 1\n")
    script = f'mount -t tmpfs none /run; mkdir -m 755 /run/rdmastate; {before}; "$0" "$@"; code=$?; {after}; exit $code'
    return box.run("apply", "spec.yaml", under=(*IN_A_RUN_OF_ITS_OWN, script))


def test_a_lock_that_is_another_file_too(box):
    done = live(box, "echo mine >/run/victim; ln /run/victim /run/rdmastate/lock", "cat /run/victim")
    assert done.code == 1 and "/run/rdmastate/lock, which is not a regular file with one name" in done.err, (done.code, done.err)
    assert done.out == "mine\n", done.out


def test_a_lock_with_a_long_text(box):
    done = live(box, "seq 1000 >/run/rdmastate/lock; exec 9</run/rdmastate/lock; flock 9", "exec 9<&-")
    assert done.code == 7 and "another rdmastate is at work: wait" in done.err, (done.code, done.err)


def test_another_run_at_work_is_told_as_data(box):
    root = tree(box)
    box.write("spec.yaml", SPEC)
    for words in (("apply", "spec.yaml"), ("release",), ("rollback",)):
        data = box.run(*words, "--root", root, "-o", "json", under=("flock", root)).expect(7).json
        assert data["busy"] == "another_run" and data["changed"] is False and "is at work (process " in data["message"], data
