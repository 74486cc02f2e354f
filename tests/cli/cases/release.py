"""release: what rdmastate made stays, and is nobody's."""
import json

from cases.exit_codes import applied
from cases.specs import GUIDE
from cases.trees import state, tree

APPLIED = "/etc/rdmastate/applied.yaml"
BOOT = "/etc/rdmastate/boot.json"
LEDGER = "/etc/rdmastate/ledger.json"
LINK = "/etc/systemd/system/multi-user.target.wants/rdmastate.service"
SOFT = GUIDE + "soft_devices: [{name: rxe0, type: rxe, netdev: enp1s0}]\n"
EMPTY = "version: 1\nnetwork: {backend: none}\n"


def model_of(path):
    return json.loads(path.read_text())


def without_runs(model):
    # A directory is named where nothing in it is.
    files = {k: v for k, v in model["files"].items() if not k.startswith("/var/lib/rdmastate") and not v.get("directory")}
    return model | {"files": files}


def test_all_is_let_go_and_nothing_moves(box):
    after = applied(box)
    before = model_of(after)
    done = box.run("release", "--host", after, "--record", "free.json").expect(0)
    free = box.dir / "free.json"
    count = len(json.loads(before["files"][LEDGER]["content"])["entries"])
    assert done.err.count("released: ") == count - 2, done.err  # boot.json and the unit's link go
    assert f"{count - 2} resources are no longer rdmastate's" in done.out, done.out
    left, was = without_runs(model_of(free)), without_runs(before)
    gone = was["files"].keys() - left["files"].keys()
    assert gone == {BOOT, LEDGER, LINK}, gone
    assert {k: v for k, v in was["files"].items() if k not in gone} == left["files"]
    assert {k: v for k, v in was.items() if k != "files"} == {k: v for k, v in left.items() if k != "files"}
    # A spec that names nothing removes nothing now; the one that made it all finds it there but for the boot.
    box.write("empty.yaml", EMPTY)
    assert "Nothing to do" in box.run("apply", "empty.yaml", "--host", free, "--record", "x.json").expect(0).out
    steps = box.run("plan", "spec.yaml", "--host", free, "-o", "json").expect(0).json["steps"]
    assert {s["key"] for s in steps} == {BOOT, LINK}, steps


def test_one_section_is_let_go(box):
    after = applied(box, SOFT)
    entries = lambda path, file: json.loads(model_of(path)["files"][file]["content"])
    done = box.run("release", "soft_devices", "--host", after, "--record", "free.json").expect(0)
    free = box.dir / "free.json"
    assert "soft_device" in done.err and "ipoib_link" not in done.err, done.err
    kept = entries(free, BOOT)["resources"]
    assert kept and all(e["section"] == "ipoib" for e in kept), kept
    assert not any(e.get("section") == "soft_devices" for e in entries(free, LEDGER)["entries"])
    assert any(e.get("section") == "ipoib" for e in entries(free, LEDGER)["entries"])
    # The rest is still rdmastate's: it goes when the spec no longer names it, and what was let go stays.
    box.write("empty.yaml", EMPTY)
    box.run("apply", "empty.yaml", "--host", free, "--record", "empty.json").expect(0)
    last = model_of(box.dir / "empty.json")
    assert any(d["name"] == "rxe0" for d in last["rdma"]), last["rdma"]
    assert not any(link["name"] == "mlx4_ib0.8002" for link in last["links"])


LOST = "the next boot will not have this, unless another program sets it: "


def test_what_the_next_boot_will_not_have_is_said(box):
    after = applied(box, SOFT)
    told = lambda *words: {line.removeprefix(LOST) for line in box.run("release", *words, "--host", after, "--record", "x.json").expect(0).err.splitlines() if line.startswith(LOST)}
    entries = json.loads(model_of(after)["files"][BOOT]["content"])["resources"]
    everything = told()
    assert len(everything) == len(entries) and "soft_device rxe0 (rxe over enp1s0)" in everything, everything
    assert any(one.startswith("ipoib_link mlx4_ib0.8002") for one in everything), everything
    assert {one.split()[0] for one in told("soft_devices")} == {"module", "soft_device"}
    assert told("modules") == set()  # its file stays


def test_a_section_that_is_not_made_at_boot_leaves_the_boot_file(box):
    after = applied(box)
    box.run("release", "modules", "--host", after, "--record", "free.json").expect(0)
    changed = {k for k, v in model_of(box.dir / "free.json")["files"].items()
               if not k.startswith("/var/lib/rdmastate") and model_of(after)["files"].get(k) != v}
    assert changed == {LEDGER}, changed


def test_it_is_a_run_that_rollback_takes_back(box):
    after = applied(box)
    box.run("release", "--host", after, "--record", "free.json").expect(0)
    box.run("rollback", "--host", "free.json", "--record", "back.json").expect(0)
    assert without_runs(model_of(box.dir / "back.json")) == without_runs(model_of(after))


def test_where_nothing_is_ours_nothing_is_done(box):
    host = box.host()
    before = model_of(host)
    for words in ([], ["ipoib"]):
        done = box.run("release", *words, "--host", host, "--record", "x.json").expect(0)
        assert "Nothing of it is rdmastate's" in done.out and model_of(box.dir / "x.json") == before, done.out
    assert "SECTION" in box.run("release", "frobnicate", "--host", host, "--record", "x.json").expect(1).err


def test_dry_run_says_what_would_go_and_changes_nothing(box):
    after = applied(box)
    before = after.read_text()
    would = box.run("release", "--dry-run", "--host", after, "-o", "json").expect(0).json
    assert would["changed"] is True and would["run"] == "" and after.read_text() == before
    told = box.run("release", "ipoib", "--dry-run", "--host", after).expect(0).out
    assert "would be released: ipoib_link mlx4_ib0" in told and "would no longer be rdmastate's" in told, told
    done = box.run("release", "--host", after, "--record", "free.json", "-o", "json").expect(0).json
    assert done["released"] == would["released"] != [] and done["changed"] is True, done
    for words in (["--dry-run"], ["--record", "x.json"]):
        none = box.run("release", *words, "--host", "free.json", "-o", "json").expect(0).json
        assert (none["released"], none["changed"]) == ([], False), none


def test_in_a_tree(box):
    root = tree(box)
    box.write("spec.yaml", GUIDE)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    made = state(root)
    done = box.run("release", "--root", root, "-o", "json").expect(0).json
    assert done["run"] == "000002" and done["changed"], done
    assert made.keys() - state(root).keys() == {path[1:] for path in (APPLIED, BOOT, LEDGER, LINK)}
