"""Golden files: compared always, rewritten only where RDMASTATE_ACCEPT=1 is set, and never in CI."""
import difflib
import os
import pathlib


def accepting():
    if os.environ.get("RDMASTATE_ACCEPT") != "1":
        return False
    if os.environ.get("CI"):
        raise SystemExit("RDMASTATE_ACCEPT is refused where CI is set: accept at home, and read what you accept")
    return True


def compare(path, got):
    """Fails with a diff where `got` is not what the file says; with RDMASTATE_ACCEPT=1 writes the file instead."""
    path = pathlib.Path(path)
    if accepting():
        if not path.exists() or path.read_bytes() != got.encode():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(got.encode())
        return
    if not path.exists():
        raise AssertionError(f"{path} does not exist: run with RDMASTATE_ACCEPT=1 and read it\n{got}")
    want = path.read_bytes().decode()
    if got != want:
        lines = difflib.unified_diff(want.splitlines(True), got.splitlines(True), str(path), "got")
        raise AssertionError("".join(lines))
