"""Plays with the real binary: every function test_* of the modules here gets a Place, and is one test."""
import importlib
import pathlib
import shutil
import tempfile
import traceback


def tests():
    found = {}
    for path in sorted(pathlib.Path(__file__).parent.glob("case_*.py")):
        module = importlib.import_module(f"plays.{path.stem}")
        found.update({f"{path.stem[5:]}.{name[5:]}": test for name, test in vars(module).items() if name.startswith("test_")})
    return found


def one(test):
    """What went wrong; None when nothing did."""
    from plays.place import Place
    directory = tempfile.mkdtemp(prefix="rdmastate-play.")
    try:
        test(Place(directory))
        return None
    except Exception:  # a broken test is a failed one, and the rest still run
        return traceback.format_exc()
    finally:
        shutil.rmtree(directory, ignore_errors=True)
