"""boot.json: what it holds follows from the plan and the run, but for what is so already, which a case names."""
import json

from golden.plan_rules import said_of, same
from golden.seen import BOOT, content

MODULES = "/etc/modules-load.d/rdmastate.conf"
OWNED = ("ipoib_link", "address", "route")  # made at boot on back end none; else whoever owns the interfaces is awaited
AT_BOOT = ("rdma_device", "link_types", "roce_port", "port_mtu", "qos_port", "virtual_functions", "soft_device")


def entries_of(text):
    """Its entries by kind and key."""
    return {(one["kind"], one["key"]): one for one in (json.loads(text)["resources"] if text else [])}


def text_in_plan(seen, path):
    """A file's text as the plan has it, also where that is refused; else as it stands."""
    step = seen.items().get(("file", path))
    return content(seen.after, path) if step is None else (step["to"] or {}).get("content")


def boot_file(seen):
    return text_in_plan(seen, BOOT)


def text_of(entries):
    lines = [json.dumps(one, separators=(",", ":"), ensure_ascii=False) for one in entries]
    return '{"format_version":1,"made_by":"rdmastate","resources":[\n' + ",\n".join(lines) + "\n]}\n" if lines else None


def is_named(name, seen):
    """Whether boot.json is what makes it at the next boot, or waits for who does."""
    kind, key = name
    if kind == "module":
        return key not in (text_in_plan(seen, MODULES) or "").splitlines()
    return kind in AT_BOOT or kind in OWNED


def is_asked_for(item):
    """Whether anything of it can ever be: what cannot is written nowhere."""
    never = item.get("never")
    left = {column["field"] for column in item.get("columns", [])} - set(never or [])
    return never is None or bool(never and left)


def planned(seen):
    """What is to be made at boot of what the plan or the run tells of."""
    told = {name for name, item in seen.items().items()
            if item["cause"] == "wanted" and item["next_boot"] != "itself" and is_asked_for(item)}
    told |= {(step["kind"], step["key"]) for step in seen.moved() if step["to"]}
    return {name for name in told if is_named(name, seen)}


def let_go_by_owner(seen):
    """What was awaited of an interface whose owner's file goes."""
    files = [step["key"].rsplit("/", 1)[-1] for step in seen.plan["steps"] if step["kind"] in ("nm_profile", "networkd_file") and not step["to"]]
    removed = {name.removeprefix("60-rdmastate-").rsplit(".", 1)[0] for name in files}
    old = entries_of(content(seen.before, BOOT))
    links = [key for (kind, key), one in old.items() if kind == "ipoib_link" and "awaited_from" in one
             and one["state"].get("name") in removed]
    return {(kind, key) for kind, key in old if any(key == link or key.startswith(link + " ") for link in links)}


def gone(seen):
    """What it had and has no more."""
    left = let_go_by_owner(seen)
    left |= {name for name, item in seen.items().items() if item["cause"] == "released"}
    left |= {(step["kind"], step["key"]) for step in seen.plan["steps"] if not step["to"]}
    return left | {(step["kind"], step["key"]) for step in seen.moved() if not step["to"]}


def not_told(seen):
    """The entries that follow from nothing that the plan or the run says: what is so already, or may be missing."""
    old, told = entries_of(content(seen.before, BOOT)), planned(seen)
    return {name: one for name, one in entries_of(boot_file(seen)).items() if name not in told and one != old.get(name)}


def so_already(seen):
    """The same as a case names them: with the fields that their keys do not say. Their values are live (check_boot_file)."""
    for (kind, key), one in not_told(seen).items():
        fields = [field for field, value in one["state"].items() if said_of(value) not in key]
        yield f"{kind} {key}" + (f" ({', '.join(fields)})" if fields else "")


def check_state(one, seen):
    """Field by field what the plan says of the spec, or else what the run moved it to, or what its key says, or what it said
    before: a field that is so now and for the next boot is none of the plan's."""
    name = (one["kind"], one["key"])
    said = entries_of(content(seen.before, BOOT)).get(name, {"state": {}})["state"]
    item, to = seen.items().get(name, {}), next((step["to"] for step in seen.moved() if (step["kind"], step["key"]) == name), {})
    columns = {column["field"]: column["spec"] for column in item.get("columns", [])}
    missing = [column["field"] for column in item.get("columns", []) if not column["default"] and column["field"] not in one["state"]]
    same(missing, [field for field in item.get("never", []) if field in missing], (name, "fields"))
    same([field for field in item.get("never", []) if field in one["state"]], [], (name, "what can never be"))
    for field, value in one["state"].items():
        if field in columns:
            same(said_of(value), columns[field], (name, field))
        elif field in to:
            same(value if not isinstance(value, dict) else {**to[field], **value}, to[field], (name, field))
        elif value != said.get(field):
            assert not columns and not to or said_of(value) in one["key"] or said_of(value) in item.get("title", ""), (name, field, value)
    if "path" in item:
        same(one["section"], item["path"].split(".")[0].split("[")[0], (name, "section"))


def check_entries(seen):
    """They are what is told of, what was there, and what the case lists; and say what the plan says."""
    entries, old = entries_of(boot_file(seen)), entries_of(content(seen.before, BOOT))
    same(set(entries), planned(seen) | (old.keys() - gone(seen)) | not_told(seen).keys(), "what the boot file names")
    others = [(item["kind"], item["key"]) for item in seen.plan["other"]]
    awaits = ["awaited_from" in one for one in entries.values()]
    same(awaits, sorted(awaits), "what is made stands before what is awaited")
    for kind in (False, True):
        names = {name for name, one in entries.items() if ("awaited_from" in one) == kind}
        same([name for name in entries if name in others and name in names], [name for name in others if name in names], "the boot file's order")
    for one in entries.values():
        if one["kind"] in OWNED:
            same("awaited_from" in one, seen.plan["backend"] != "none", (one["key"], "who makes it"))
        check_state(one, seen)


def check_boot_file(seen, box, is_shown):
    """`is_shown`: the case has it whole, so that nothing has to follow."""
    if not seen.plan:
        return
    same(boot_file(seen), text_of(entries_of(boot_file(seen)).values()), "the boot file's form")
    if not is_shown:
        check_entries(seen)
    if not seen.rounds or seen.is_undone:
        return same(content(seen.after, BOOT), content(seen.before, BOOT), "a boot file that nothing was moved for")
    same(content(seen.after, BOOT), boot_file(seen), "the boot file")
    if boot_file(seen):
        again = box.run("apply", "--boot", "--host", "after.json", "--record", "booted.json")
        assert again.code == 0 and "Nothing to do" in again.out, f"the boot file is not what is so:\n{again.out}{again.err}"
