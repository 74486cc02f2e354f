"""tests/golden/README.md: the table of rules names cases that are there and say what it says, and each rule."""
import inspect
import re

from cases import facts, include, saved_plans
from golden.case_file import named
from support.harness import TOP

GOLDEN = TOP / "tests/golden"
WRONG = TOP / "tests/cli/wrong"
MODULES = {"facts": facts, "include": include, "saved_plans": saved_plans}


def rows():
    found = []
    for line in (GOLDEN / "README.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if line.startswith("|") and re.fullmatch(r"[TD]?\d+", cells[0]):
            assert len(cells) == 4, f"not four cells: {line}"
            found.append(cells)
    return found


def text_of(case, box):
    """What the case says; an AssertionError where there is no such case."""
    kind, name = case.split(" ", 1)
    if kind == "explain":
        return box.run("explain", name).expect(0).out
    if kind == "cli":
        module, test = name.split(".")
        return inspect.getsource(getattr(MODULES[module], "test_" + test))
    path = {"golden": GOLDEN / f"{name}.txtar", "wrong": WRONG / f"{name}.txt"}[kind]
    assert path.exists(), f"the table names {case}, and there is no {path}"
    return named(name).shown["plan"] if kind == "golden" else path.read_text()


def test_every_rule_has_its_sentence(box):
    for number, _, case, says in rows():
        if case == "-":
            assert len(says) > 20, f"rule {number}: neither a case nor a reason"
            continue
        assert says in text_of(case, box), f"rule {number}: {case} does not say: {says}"


def test_every_rule_is_in_the_table(_box):
    numbers = {row[0] for row in rows()}
    for group, last in (("", 25), ("T", 12), ("D", 21)):
        missing = [f"{group}{n}" for n in range(1, last + 1) if f"{group}{n}" not in numbers]
        assert not missing, f"not in the table: {missing}"
    assert len(numbers) == 58, sorted(numbers)
