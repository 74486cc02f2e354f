"""The collection as a user has it: built as a tarball, and installed from it, offline, into a directory of its own.

That is outside of every checkout, since ansible-test would ask git which files there are. RDMASTATE_ANSIBLE_STAGE names one
that stays.
"""
import atexit
import os
import pathlib
import shutil
import subprocess
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
SOURCE = TOP / "ansible"
STAGE = pathlib.Path(os.environ.get("RDMASTATE_ANSIBLE_STAGE") or tempfile.mkdtemp(prefix="rdmastate-ansible."))
if "RDMASTATE_ANSIBLE_STAGE" not in os.environ:
    atexit.register(shutil.rmtree, STAGE, ignore_errors=True)
BINARY = pathlib.Path(os.environ.get("RDMASTATE_BIN", TOP / "build/release/agent/cli/rdmastate")).resolve()
INSTALLED = STAGE / "ansible_collections/rdmastate/core"
PYTHON = "/usr/bin/python3"  # Debian's own, which ansible-core is for


def environment(**more):
    """The environment of ansible-core and its tools: nothing of the user's, nothing below the user's home, English, no colour."""
    kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "TMPDIR") if name in os.environ}
    return {**kept, "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(STAGE / "home"), "LC_ALL": "C.UTF-8",
            "ANSIBLE_COLLECTIONS_PATH": str(STAGE), "ANSIBLE_NOCOLOR": "1", "PYTHONDONTWRITEBYTECODE": "1",
            "ANSIBLE_LOCALHOST_WARNING": "0", "ANSIBLE_PYTHON_INTERPRETER": PYTHON, **more}


def run(*words, cwd=STAGE, env=None, timeout=900):
    """What a command printed, both streams in one, and its exit code."""
    done = subprocess.run([str(word) for word in words], cwd=cwd, env=env or environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=timeout)
    return done.returncode, done.stdout


def must(*words, **more):
    code, out = run(*words, **more)
    if code != 0:
        raise SystemExit(f"{' '.join(map(str, words))} ended with {code}:\n{out}")
    return out


def install():
    """Builds and installs anew. Returns the tarball."""
    shutil.rmtree(STAGE, ignore_errors=True)
    (STAGE / "home").mkdir(parents=True)
    must("ansible-galaxy", "collection", "build", SOURCE, "--output-path", STAGE)
    (tarball,) = STAGE.glob("rdmastate-core-*.tar.gz")
    must("ansible-galaxy", "collection", "install", "--offline", tarball, "-p", STAGE)
    (INSTALLED / "tests/integration/integration_config.yml").write_text(f"rdmastate_executable: {BINARY}\n")
    return tarball
