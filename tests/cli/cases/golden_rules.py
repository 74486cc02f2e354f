"""What a golden case leaves out is checked all the same: whatever is changed in what it saw makes it fail."""
import copy
import json

from golden.case_file import named
from golden.cases import check_left_out, written
from golden.seen import BOOT, LEDGER, Seen

# Its plan, files, ledger and boot file are all left out where they can be, and one entry of its boot file is so already.
CASE = "mode-and-mtu"
RULES, UNIT = "/etc/udev/rules.d/70-rdmastate-ipoib.rules", "/etc/systemd/system/multi-user.target.wants/rdmastate.service"


def edit_json(path, change):
    """A change of a JSON file of the host afterwards."""
    def edit(seen):
        data = json.loads(seen.after["files"][path]["content"])
        change(data)
        text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
        if path == BOOT:
            lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in data["resources"])
            text = f'{{"format_version":1,"made_by":"rdmastate","resources":[\n{lines}\n]}}\n'
        seen.after["files"][path]["content"] = text
    return edit


def step(number, **changes):
    return lambda seen: seen.plan["steps"][number].update(changes)


def file(path, **changes):
    return lambda seen: seen.after["files"].setdefault(path, {"content": "", "mode": "0644", "uid": 0, "gid": 0}).update(changes)


def without(path):
    return lambda seen: seen.after["files"].pop(path)


def link_of(seen):
    return next(one for one in seen.plan["steps"] if one["kind"] == "ipoib_link")


CHANGES = {
    "a file is missing": without(RULES),
    "the usual link is missing": without(UNIT),
    "the usual link leads elsewhere": file(UNIT, link="/dev/null"),
    "a file more": file("/etc/modprobe.d/more.conf", content="x\n"),
    "a directory more": lambda seen: seen.after["files"].update({"/etc/more": {"directory": True, "mode": "0755", "uid": 0, "gid": 0}}),
    "a file of others is gone": without("/etc/fstab"),
    "another mode": file(RULES, mode="0600"),
    "another owner": file(RULES, gid=4),
    "another byte": file(RULES, content="# none\n"),
    "no ledger": without(LEDGER),
    "another mode of the ledger": file(LEDGER, mode="0666"),
    "an entry less in the ledger": edit_json(LEDGER, lambda data: data["entries"].pop()),
    "a field more in the ledger": edit_json(LEDGER, lambda data: data["entries"][0].update(more=1)),
    "another digest": edit_json(LEDGER, lambda data: data["entries"][0].update(digest="0" * 64)),
    "another origin": edit_json(LEDGER, lambda data: data["entries"][-1].update(origin="changed")),
    "another section": edit_json(LEDGER, lambda data: data["entries"][-1].update(section="nfs")),
    "no boot file": without(BOOT),
    "another mode of the boot file": file(BOOT, mode="0600"),
    "an entry less in the boot file": edit_json(BOOT, lambda data: data["resources"].pop(0)),
    "an entry less of what is so already": edit_json(BOOT, lambda data: data["resources"].pop(1)),
    "another value in the boot file": edit_json(BOOT, lambda data: data["resources"][0]["state"].update(mtu=2044)),
    "another value of what is so already": edit_json(BOOT, lambda data: data["resources"][2]["state"].update(mode="connected")),
    "a field less in the boot file": edit_json(BOOT, lambda data: data["resources"][0]["state"].pop("mtu")),
    "a field less of what is so already": edit_json(BOOT, lambda data: data["resources"][2]["state"].pop("mode")),
    "another section in the boot file": edit_json(BOOT, lambda data: data["resources"][0].update(section="nfs")),
    "a step less": lambda seen: seen.plan["steps"].pop(),
    "another key": step(0, key="/etc/other"),
    "another kind": step(0, kind="nm_profile"),
    "another title": step(0, title="file /etc/other"),
    "another cause": step(0, cause="adopted"),
    "no such place in the spec": step(0, path="modules.lod"),
    "another disruption": lambda seen: link_of(seen).update(disruption="none"),
    "nothing disturbed": lambda seen: link_of(seen).pop("touches"),
    "another value wanted": lambda seen: link_of(seen)["to"].update(mtu=2044),
    "another value before": lambda seen: link_of(seen)["from"].update(mtu=1500),
    "a change less": lambda seen: link_of(seen)["changes"].pop(),
    "another column": lambda seen: link_of(seen)["columns"][0].update(live="ib9"),
    "a field more in the plan": step(0, more=1),
    "no next boot": step(0, next_boot="?"),
    "another count": lambda seen: seen.plan["summary"].update(pending=1),
    "another disruption of the whole": lambda seen: seen.plan["summary"].update(disruption="service"),
    "no reboot": lambda seen: seen.plan["summary"].update(reboot_required=not seen.plan["summary"]["reboot_required"]),
    "another line": step(0, line="write file /etc/other"),
    "another round": step(0, last_round=True),
    "a note": lambda seen: seen.plan["notes"].append("The spec asks for nothing."),
    "a diagnostic": lambda seen: seen.plan["diagnostics"].append({"message": "no such thing"}),
    "a refusal": lambda seen: seen.plan["refused"].append("no"),
    "another back end": lambda seen: seen.plan.update(backend="networkd"),
    "another step recorded": lambda seen: seen.rounds[0].remove(seen.moved()[0]),
}


def trouble_with(case, seen, box):
    box.write("after.json", json.dumps(seen.after))
    try:
        assert written(case, seen) == case.path.read_bytes().decode(), "the case shows it"
        check_left_out(case, seen, box)
    except Exception as error:  # what a rule trips over is a failed case too
        return str(error) or repr(error)
    return None


def test_whatever_is_changed_fails(box):
    case = named(CASE)
    known = Seen(case, box)
    assert trouble_with(case, known, box) is None
    missed = []
    for what, change in CHANGES.items():
        seen = copy.deepcopy(known)
        change(seen)
        if trouble_with(case, seen, box) is None:
            missed.append(what)
    assert not missed, f"nobody saw: {missed}"
