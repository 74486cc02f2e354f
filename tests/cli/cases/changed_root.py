"""In a chroot and in an installer's %post: what moves this host is refused, and --root / makes the tree's files."""
import subprocess

from support.harness import BINARY

SPEC = "version: 1\nmodules: {load: [ib_ipoib]}\n"
# A tree of its own on a file system of its own, entered from a process 1 of our own. $1: what is done there, by its shell.
MAKE = r"""
set -e
tree=$(pwd)/tree
mount -t tmpfs none "$tree"
mkdir -p "$tree/proc" "$tree/etc/modules-load.d" "$tree/var/lib" "$tree/run" "$tree/usr/bin" "$tree/tmp"
for folder in bin lib lib64 usr/lib usr/lib64; do
    [ -d "/$folder" ] || continue
    mkdir -p "$tree/$folder"
    mount --bind "/$folder" "$tree/$folder"
done
cp "$0" "$tree/usr/bin/rdmastate"
cp spec.yaml "$tree/spec.yaml"
printf 'ID=debian\nVERSION_ID="12"\n' > "$tree/etc/os-release"
printf '5d0c1f7e2a634b7c9c61a2c8f0e4b7d3\n' > "$tree/etc/machine-id"
code=0
case $1 in
proc) mount -t proc proc "$tree/proc" ;;
bare) # The sanitizers' search for leaks ends a program that has no /proc, where their options stand too.
    mkdir "$tree/proc/self"
    printf 'ASAN_OPTIONS=detect_leaks=0\0' > "$tree/proc/self/environ"
    ;;
esac
shift
chroot "$tree" /usr/bin/rdmastate "$@" || code=$?
cat "$tree/etc/modules-load.d/"* 2>/dev/null || true
exit $code
"""


def inside(box, proc, *words):
    box.write("spec.yaml", SPEC)
    (box.dir / "tree").mkdir(exist_ok=True)
    command = ["unshare", "--mount", "--pid", "--fork", "--mount-proc", "sh", "-c", MAKE, BINARY, proc, *words]
    return subprocess.run([str(word) for word in command], cwd=box.dir, capture_output=True, text=True, timeout=60)


def test_what_moves_or_judges_a_host_is_refused_with_the_hint(box):
    for words in (["apply", "/spec.yaml"], ["plan", "/spec.yaml"], ["verify", "/spec.yaml"], ["apply", "--boot"], ["rollback"], ["release"]):
        done = inside(box, "proc", *words)
        assert done.returncode == 6, (words, done)
        assert "/ is another directory than process 1 has for its root" in done.stderr and "write --root /" in done.stderr, done.stderr
        assert done.stdout == "", done.stdout


def test_where_proc_is_not_mounted_it_is_taken_for_one(box):
    done = inside(box, "bare", "apply", "/spec.yaml")
    assert done.returncode == 6 and "since /proc is not mounted" in done.stderr and "--root /" in done.stderr, done


def test_root_makes_the_trees_files(box):
    for proc in ("proc", "bare"):
        done = inside(box, proc, "apply", "/spec.yaml", "--root", "/")
        assert done.returncode == 0, done
        assert "\nib_ipoib\n" in done.stdout, done.stdout


def test_the_root_of_a_host_that_runs_is_no_tree(box):
    box.write("spec.yaml", "version: 1\n")
    for words in (["plan", "spec.yaml", "--root", "/"], ["apply", "spec.yaml", "--root", "//"], ["show", "--root", "/"]):
        done = box.run(*words, under=("unshare", "--mount", "--pid", "--fork", "--mount-proc")).expect(1)
        assert "to configure this host leave --root out, and where it becomes an image say --bake" in done.err, done.err


def test_what_asks_no_host_is_answered(box):
    done = inside(box, "bare", "check", "/spec.yaml")
    assert done.returncode == 0 and done.stdout.startswith("/spec.yaml: good"), done


def test_a_namespace_of_its_own_is_no_chroot(box):
    box.write("spec.yaml", "version: 1\n")
    done = box.run("plan", "spec.yaml", under=("unshare", "--mount", "--pid", "--fork", "--mount-proc"))
    assert done.code == 0, done.err
