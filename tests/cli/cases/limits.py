"""What a tree or its kernel does not let us do: said before or undone, never half done."""
import contextlib
import errno
import fcntl
import os
import pathlib
import shutil
import struct
import subprocess

from cases.specs import NM
from cases.trees import state, tree
from support.harness import TOP

SPEC = "version: 1\nmodules: {load: [ib_umad]}\n"
PLACE = "etc/modules-load.d"
PROFILES = "etc/NetworkManager/system-connections"
ON_DISK = True
BREAKER = TOP / "build/release/tests/crash/breaker"
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


def test_a_special_file_is_nobodys_to_remove(box):
    """It could not be made again: neither where a file of ours was, nor a directory."""
    for spec, path in {SPEC: f"{PLACE}/rdmastate.conf", NM: f"{PROFILES}/mlx4_ib0.nmconnection", "version: 1\nnfs: {server: {rdma_port: 20050}}\n": "etc/nfs.conf.d"}.items():
        root = tree(box, [PROFILES])
        box.write("spec.yaml", spec)
        box.write("empty.yaml", "version: 1\n")
        box.run("apply", "spec.yaml", "--root", root).expect(0)
        subprocess.run(["rm", "-r", root / path], check=True)
        os.mkfifo(root / path)
        done = box.run("apply", "empty.yaml", "--root", root).expect(1)
        assert f"/{path} is a special file (a FIFO, socket or device), which rdmastate never makes: move it away" in done.err, done.err
        assert (root / path).is_fifo()
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


def live(box, before, after, *words):
    """An apply of nothing on this host, with a /run of its own."""
    box.write("spec.yaml", "version: 1\n")
    script = f'mount -t tmpfs none /run; mkdir -m 755 /run/rdmastate; {before}; "$0" "$@"; code=$?; {after}; exit $code'
    return box.run("apply", "spec.yaml", *words, under=(*IN_A_RUN_OF_ITS_OWN, script))


def test_a_lock_that_is_another_file_too(box):
    done = live(box, "echo mine >/run/victim; ln /run/victim /run/rdmastate/lock", "cat /run/victim")
    assert done.code == 1 and "/run/rdmastate/lock, which is not a regular file with one name" in done.err, (done.code, done.err)
    assert done.out == "mine\n", done.out


def test_a_run_that_has_not_said_who_it_is_is_waited_for(box):
    """At boot the runs of events begin and end while rdmastate-apply.service looks who holds the lock."""
    done = live(box, "(flock 9; sleep 0.5) 9>/run/rdmastate/lock & while flock -n /run/rdmastate/lock true; do :; done", "wait")
    assert done.code == 0 and "at work" not in done.err, (done.code, done.err)


def test_a_wait_for_hardware_ends_when_the_lock_is_free(box):
    """The hardware that it waited for starts runs of its own."""
    held = "(flock 9; echo $$ >&9; sleep 4) 9>/run/rdmastate/lock & sleep 1"
    for words, code in (((), 7), (("--wait", "60s"), 0)):
        done = live(box, held, "wait", *words)
        assert done.code == code and ("at work (process " in done.err) == (code == 7), (done.code, done.err)


def test_a_lock_with_a_long_text(box):
    done = live(box, "seq 1000 >/run/rdmastate/lock; exec 9</run/rdmastate/lock; flock 9", "exec 9<&-")
    assert done.code == 7 and "another rdmastate is at work: wait" in done.err, (done.code, done.err)


def test_another_run_at_work_is_told_as_data(box):
    root = tree(box)
    box.write("spec.yaml", SPEC)
    for words in (("apply", "spec.yaml"), ("release",), ("rollback",), ("confirm",)):
        data = box.run(*words, "--root", root, "-o", "json", under=("flock", root)).expect(7).json
        assert data["busy"] == "another_run" and data["changed"] is False and "is at work (process " in data["message"], data


@contextlib.contextmanager
def locked_by(user, root):
    """The root directory's lock, held by a process of that user."""
    holder = subprocess.Popen(["setpriv", "--reuid", user, "--clear-groups", "flock", "--no-fork", root, "sh", "-c", "echo held; exec sleep 600"], stdout=subprocess.PIPE)
    assert holder.stdout.readline() == b"held\n"
    try:
        yield
    finally:
        holder.kill()
        holder.wait()


def beside():
    return {path for path in pathlib.Path("/run/rdmastate").glob("tree-*")}


def test_a_strangers_lock_keeps_nobody_out(box):
    root = tree(box)
    for directory in (root, *root.parents):
        if directory.stat().st_uid == os.geteuid():
            directory.chmod(directory.stat().st_mode | 0o055)
    box.write("spec.yaml", SPEC)
    with locked_by("nobody", root):
        there = beside()
        box.run("apply", "spec.yaml", "--root", root).expect(0)
        (lock,) = beside() - there
    try:
        assert lock.stat().st_mode & 0o7777 == 0o600
        box.run("rollback", "--root", root, under=("flock", lock)).expect(7)  # from then on both are taken
        box.run("rollback", "--root", root).expect(0)
    finally:
        lock.unlink()
    with locked_by("root", root):
        box.run("apply", "spec.yaml", "--root", root).expect(7)
    assert beside() == there


def failing(number, *calls):
    """Runs a command so that these system calls fail: NAME:N the N-th of that name, NAME:N+ those behind it too."""
    return (BREAKER, str(number), *calls, "--")


def test_a_temporary_file_that_stays_is_no_clean_end(box):
    root = tree(box)
    box.write("spec.yaml", SPEC)
    before = state(root)
    done = box.run("apply", "spec.yaml", "--root", root, under=failing(errno.EIO, "renameat:2", "unlinkat:1+")).expect(5)
    assert "removing " in done.err and ".rdmastate-" in done.err and "Mend the cause and run: rdmastate rollback" in done.err, done.err
    assert "as it was before" not in done.err and state(root) != before
    box.run("rollback", "--root", root).expect(0)
    assert state(root) == before


def test_what_could_not_be_taken_back_counts_as_changed(box):
    root = tree(box)
    box.write("spec.yaml", SPEC)
    data = box.run("apply", "spec.yaml", "--root", root, "-o", "json", under=failing(errno.EIO, "renameat:2", "unlinkat:1+")).expect(5).json
    assert data["changed"] is True and data["moved"] == 0 and data["exit_code"] == 5, data
    box.run("rollback", "--root", root).expect(0)
    clean = box.run("apply", "spec.yaml", "--root", root, "-o", "json", under=failing(errno.EIO, "renameat:2")).expect(4).json
    assert clean["changed"] is False and clean["message"], clean


def test_a_rollback_that_may_not_look_any_more_says_so(box):
    """A file that was moved and cannot be read again is unseen: not back, as an absent one would be."""
    root = tree(box)
    (root / "etc/os-release").write_text('ID=rhel\nVERSION_ID="8.10"\n')
    (root / "etc/nfs.conf").write_text("[nfsd]\nthreads=8\n")
    before = state(root)
    box.write("spec.yaml", "version: 1\nnfs: {server: {rdma_port: 20049}}\n")
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    calls, told = box.dir / "calls", 0
    box.run("verify", "spec.yaml", "--root", root, under=(BREAKER, "list", calls, "flistxattr", "--"))
    for call in range(1, 3 * len(calls.read_text().split())):
        done = box.run("rollback", "--root", root, under=failing(errno.EPERM, f"flistxattr:{call}+"))
        told += "entry nfsd.rdma in /etc/nfs.conf: /etc/nfs.conf may not be read here" in done.err
        if done.code == 5:
            box.run("rollback", "--root", root)
        assert state(root) == before, (call, done.code, done.err)
        box.run("apply", "spec.yaml", "--root", root).expect(0)
    assert told > 0


def test_a_root_that_is_gone_ends_an_apply(box):
    root = tree(box)
    box.write("spec.yaml", SPEC)
    calls = box.dir / "calls"
    box.run("plan", "spec.yaml", "--root", root, under=(BREAKER, "list", calls, "openat2", "--"))
    codes = set()
    for call in range(1, 3 * len(calls.read_text().split())):
        done = box.run("apply", "spec.yaml", "--root", root, under=failing(errno.ENOENT, f"openat2:{call}+"))
        assert done.code in range(8), done.code
        codes.add(done.code)
        box.run("rollback", "--root", root)
    assert codes & {1, 4}, codes


def test_a_rollback_that_cannot_be_made_durable_awaits_another(box):
    root = tree(box)
    box.write("spec.yaml", SPEC)
    before = state(root)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    done = box.run("rollback", "--root", root, under=failing(errno.EIO, "fsync:1+")).expect(5)
    assert f"syncing the directory {root}/etc/" in done.err and "Mend the cause and run: rdmastate rollback" in done.err, done.err
    box.run("rollback", "--root", root).expect(0)
    assert state(root) == before


def with_profiles(box):
    root = tree(box, [PROFILES])
    box.write("spec.yaml", SPEC)
    return root


def unseen_once(box, root):
    """An apply for each file that it opens, which it may not; those that name the folder of profiles."""
    for number in range(1, 400):
        done = box.run("apply", "spec.yaml", "--root", root, under=failing(errno.EACCES, f"openat2:{number}"))
        if f"unseen: /{PROFILES} may configure an interface" in done.err:
            yield done
        if done.code == 0 and "Applied" in done.out:
            box.run("rollback", "--root", root).expect(0)


def test_beside_what_may_not_be_read_nothing_is_moved(box):
    root = with_profiles(box)
    before = state(root)
    found = next(unseen_once(box, root)).expect(1)
    assert "nothing was changed" in found.err and state(root) == before, found.err


def test_and_it_is_named_where_nothing_is_to_do(box):
    root = with_profiles(box)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    assert "Nothing was done" in next(unseen_once(box, root)).expect(1).out


def test_more_than_a_thousand_missing_devices_are_one_item(box):
    """A number and one sentence. x4 is also a part of mlx4_0, which the sentence names, and no reason to stand alone."""
    devices = "".join(f'  - {{match: {{node_guid: "0002:c903:0000:{number:04x}"}}, name: x{number}}}\n' for number in range(1200))
    box.write("spec.yaml", "version: 1\nnetwork: {backend: none}\ndevices:\n" + devices)
    plan = box.run("plan", "spec.yaml", "--host", box.host()).out
    [line] = [line for line in plan.splitlines() if line.startswith("  x ")]
    assert line.startswith("  x rdma_device (1200): x0 (") and plan.endswith(", 1200 blocked.\n"), plan[:400]
    assert plan.count("there is no RDMA device with") == 1, plan[:400]
