"""Plays with the real binary: every function test_* of the modules here gets a Place, and is one test.

After its `def` stand the seconds that it takes, and `always` where no run leaves it out.
"""
import importlib
import pathlib
import re
import shutil
import tempfile
import traceback

HERE = pathlib.Path(__file__).parent
TIME = re.compile(r"^def test_(\w+)\(place\):  # (\d+) s(, always)?$", re.M)


def times():
    """(name, seconds, whether no run leaves it out) of each, as its first line says. Loads no module."""
    return [(f"{path.stem[5:]}.{name}", int(seconds), bool(always))
            for path in sorted(HERE.glob("case_*.py")) for name, seconds, always in TIME.findall(path.read_text())]


def tests():
    found = {}
    for path in sorted(HERE.glob("case_*.py")):
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
