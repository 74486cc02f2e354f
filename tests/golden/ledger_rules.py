"""The run's record and the ledger: what they hold follows from the plan, and from each other."""
import hashlib
import json
import pathlib

from golden.boot_rules import entries_of
from golden.plan_rules import same
from golden.seen import BOOT, LEDGER, RUNS, content
from golden.shown import changed_files

HOME = "/etc/rdmastate"
WHOLE_FILES = ("file", "nm_profile", "networkd_file", "ifupdown_file", "netplan_file")  # what is changed of these counts as made: they are wholly ours then
KEPT = ("nm_profile", "networkd_file")  # what is taken over of these keeps its own bytes: they are only changed
COPIES = ("initrd", "unit_files")  # made of files that the ledger has


def directories(host):
    """A record names those that are empty; the others follow from what is in them."""
    named = {path for path, entry in host["files"].items() if entry.get("directory")}
    return named | {str(way) for path in host["files"] for way in pathlib.PurePath(path).parents}


def check_directories(seen):
    """Those that come and go are the plan's, but for a daemon's in /run."""
    was, now = directories(seen.before), directories(seen.after)
    of_plan = {step["key"]: step["to"] for step in seen.moved() if (step["to"] or step["from"]).get("type") == "directory"}
    made = {path for path in now - was if not path.startswith((RUNS, "/run/"))}
    same(made, {path for path, to in of_plan.items() if to}, "new directories")
    same(was - now, {path for path, to in of_plan.items() if not to}, "directories that are gone")


def check_run(seen):
    """Its first round is the plan, but for boot.json where more rounds come: that is the last one's."""
    same(bool(seen.rounds), "Applied" in seen.applied.out or seen.is_undone, "whether there is a run")
    if not seen.rounds:
        return same(changed_files(seen.before["files"], seen.after["files"]), {}, "what is changed without a run")
    more = seen.plan["summary"]["more_rounds"]
    steps = [step for step in seen.plan["steps"] if not more or step["key"] != BOOT]
    wanted = [{name: step[name] for name in ("kind", "key", "from", "to")} for step in steps]
    check_directories(seen)
    recorded = [step for step in seen.rounds[0] if step["from"] != step["to"] and step["key"] != LEDGER]
    same(recorded, wanted, "the first round")
    same([step["title"] for step in seen.told][:len(steps)], [step["title"] for step in steps], "what history calls the steps of the first round")


def digest(state):
    return hashlib.sha256(json.dumps(state, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()


def entry_of(step, origin, section):
    entry = {"kind": step["kind"], "key": step["key"], "origin": origin, "digest": digest(step["to"])}
    return {**entry, "section": section} if section else entry


def holds_theirs(step):
    """A file that keeps bytes of somebody else's: all that is rdmastate's own has its mark."""
    first = step["to"].get("content", "").split("\n")[0]
    is_ours = first.startswith("# Managed by rdmastate") or '"made_by":"rdmastate"' in first
    return step["kind"] == "file" and step["to"]["type"] == "regular" and not is_ours


def entry_after(step, old, items):
    """What the ledger has of something that was moved; `old` is what it had."""
    item = items.get((step["kind"], step["key"]), {})
    kept = (item.get("cause") == "adopted" and step["kind"] in KEPT) or holds_theirs(step)
    changed = kept or (step["from"] is not None and step["kind"] not in WHOLE_FILES)
    path = item.get("path", "")
    return entry_of(step, old["origin"] if old else "changed" if changed else "made", path.split(".")[0].split("[")[0])


def comes_at_boot(one, items):
    """A soft device that cannot be made yet and boot.json names."""
    item = items.get((one["kind"], one["key"]), {})
    return one["kind"] == "soft_device" and any(column["live"] == "absent" for column in item.get("columns", []))


def went_with_its_server(seen, name, items):
    """A listener or an export that nobody asks for any more, and that is not there: it has no step, and the ledger forgets it."""
    nfsd = seen.before.get("nfsd", {"listeners": []})
    listens = [f"{one['transport']} {one['port']}" for one in nfsd["listeners"]]
    exports = [f"{one['path']} {one['host']}" for one in nfsd.get("exports", [])]
    return name[0] in ("nfs_listener", "nfs_export") and name not in items and name[1] not in listens + exports


def made_late(name, item, entries):
    """A listener or an export of a server that does not run yet, or an OpenSM that cannot start yet: it comes by the file that was written.
    A port of a firewalld that does not run, and an OpenSM, by the entry or link of rdmastate alone."""
    if name[0] == "firewall_port" and ("zone_port", name[1]) not in entries:
        return False
    if name[0] == "opensm_unit" and not any(kind == "entry" and "opensm" in key or ".wants/" in key for kind, key in entries):
        return False
    return name[0] in ("nfs_listener", "nfs_export", "opensm_unit", "firewall_port") and item["cause"] == "wanted" and {"pending", "after"} & item.keys() and name not in entries


def late_state(name, item):
    if name[0] == "opensm_unit":
        return {"runs": True}
    if name[0] == "firewall_port":
        return {"port": name[1].split(" ")[1]}
    if name[0] == "nfs_export":
        path, _, host = name[1].rpartition(" ")
        return {"path": path, "host": host, **{one["field"]: one["spec"] for one in item["columns"] if one["field"] == "options"}}
    transport, port = name[1].split(" ")
    return {"transport": transport, "port": int(port)}


def gone_with_its_server(name, seen, items):
    """A listener or an export that the spec no longer names, and that no step takes away: its server does not run, so it is not there."""
    return name[0] in ("nfs_listener", "nfs_export") and name not in items and "server:" not in seen.spec


def taken_up(seen, item):
    """A file with rdmastate's mark, of a lost ledger, that is as it shall be."""
    file = seen.before["files"][item["key"]]
    usual = {"mode": "0644", "uid": 0, "gid": 0}
    state = {"type": "regular", **{name: file.get(name, usual[name]) for name in usual}, "content": file["content"], "xattrs": {}}
    return entry_of({"kind": item["kind"], "key": item["key"], "to": state}, "made", item.get("path", "").split(".")[0].split("[")[0])


def is_foreign_rest(step, old_entry):
    """A unit of others that the spec wants stopped, and that a step only disables."""
    return step["kind"] == "unit" and step["to"].get("enabled") is False and old_entry is None


def wanted_entries(seen):
    old = json.loads(content(seen.before, LEDGER) or '{"entries": []}')
    entries, items = {(entry["kind"], entry["key"]): entry for entry in old["entries"]}, seen.items()
    for name in (name for name, item in items.items() if item["cause"] == "released"):
        entries.pop(name, None)
    for name in [name for name in entries if went_with_its_server(seen, name, items)]:
        entries.pop(name)
    for name in [name for name in entries if gone_with_its_server(name, seen, items)]:
        entries.pop(name)
    for step in seen.moved():
        name = (step["kind"], step["key"])
        old_entry = entries.pop(name, None)
        if step["to"] and step["key"] != HOME and step["kind"] not in COPIES and not is_foreign_rest(step, old_entry):
            entries[name] = entry_after(step, old_entry, items)
    for name, item in items.items():
        if item["cause"] == "taken-up" and "to" not in item:
            entries[name] = taken_up(seen, item)
    for name, item in items.items():
        if made_late(name, item, entries):
            step = {"kind": name[0], "key": name[1], "to": late_state(name, item)}
            entries[name] = entry_of(step, "made", item["path"].split(".")[0].split("[")[0])
    for name, one in entries_of(content(seen.after, BOOT)).items():
        if name not in entries and comes_at_boot(one, items):
            entries[name] = entry_of({**one, "to": one["state"]}, "made", one["section"])
    return [entries[name] for name in sorted(entries)]


def check_ledger(seen):
    """It has what was moved, and what it had, but for what went and what was released."""
    if not seen.rounds or seen.is_undone:
        return same(content(seen.after, LEDGER), content(seen.before, LEDGER), "a ledger that nothing was moved for")
    entries, machine = wanted_entries(seen), content(seen.after, "/etc/machine-id").strip()
    wanted = {"format_version": 1, "id": seen.plan["id"], "machine_id": machine, "entries": entries}
    same(content(seen.after, LEDGER), json.dumps(wanted, indent=1, ensure_ascii=False) + "\n" if entries else None, "the ledger")
