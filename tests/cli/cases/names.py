"""Interfaces that exchange their names: all of them, and back."""
import json

from golden.case_file import named
from golden.seen import prepared


def names(path):
    """Each port's interface: hardware address to name."""
    return {link["address"]: link["name"] for link in json.loads(path.read_text())["links"] if link["type"] == 32}


def test_names_go_round_and_come_back(box):
    case = named("interfaces-swapped")
    host = prepared(case, box)
    before = names(host)
    box.write("spec.yaml", case.spec)
    box.run("apply", "spec.yaml", "--host", host, "--record", "after.json").expect(0)
    after = names(box.dir / "after.json")
    assert sorted(after.values()) == sorted(before.values()) and all(after[a] != before[a] for a in before), after
    assert "Nothing to do" in box.run("apply", "spec.yaml", "--host", "after.json", "--record", "again.json").expect(0).out
    box.run("rollback", "--host", "after.json", "--record", "back.json").expect(0)
    assert names(box.dir / "back.json") == before
