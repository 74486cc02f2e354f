"""The plan as text and as JSON: what one says follows from the other, so that a case need not show both."""
import difflib
import re

import yaml

CAUSES = {"wanted": "", "forgotten": "rdmastate made it and the spec no longer names it",
          "released": "released: the spec no longer names it; it keeps its value and is no longer kept at boot",
          "goes-with": "it goes with what is removed, and comes back if that is undone",
          "adopted": "a foreign file for what this spec names: taken over (--adopt), kept in the run",
          "taken-up": "it carries rdmastate's mark and no ledger is there to have it: taken up again",
          "purged": "rdmastate did not make it and the spec does not name it: purged"}
NEXT_BOOT = ("itself", "as-spec", "differs", "absent", "unknown")  # from the best to the worst
DURABLE = ("file", "nm_profile", "networkd_file", "entry", "group", "initrd", "unit", "login_limit")  # kinds that a boot leaves as they are
NOTES = ("pending", "blocked", "after", "unseen", "warning")
UNTIL = {"reboot", "unit", "owner", "package", "hardware", "account"}  # what a pending one waits for
STEP = {"line", "from", "to", "changes", "disruption"}
DISRUPTIONS = ("none", "link", "service", "module", "fabric")  # from the least to the most
BOOT_FILE = "/etc/rdmastate/boot.json"
ITEM = {"kind", "key", "title", "cause", "next_boot"}
INDENT = " " * 6
HUNK = re.compile(r"@@ -(\d+),(\d+) \+(\d+),(\d+) @@")


def same(got, wanted, what):
    if got != wanted and isinstance(got, str) and isinstance(wanted, str):
        lines = difflib.unified_diff(wanted.splitlines(True), got.splitlines(True), "wanted", "got")
        raise AssertionError(f"{what}:\n{''.join(lines)}")
    assert got == wanted, f"{what}:\n  got    {got!r}\n  wanted {wanted!r}"


def patched_text(before, diff):
    """`before` with a unified diff applied to it."""
    lines, made, at, broken = before.splitlines(), [], 0, False
    for line in diff:
        hunk = HUNK.fullmatch(line)
        if hunk:
            begin = max(int(hunk.group(1)) - 1, 0)
            made, at = made + lines[at:begin], begin
        elif line.startswith("\\"):
            broken = made[-1:] == [last[1:]] and last[0] != "-"
        else:
            last = line
            if line[0] in " -":
                same(lines[at], line[1:], "a line that the diff has of what was there")
                at += 1
            made += [line[1:]] if line[0] in " +" else []
    made += lines[at:]
    return "\n".join(made) + ("" if broken or not made else "\n")


def table_of(columns):
    """Spec, live and next boot of each field, as the text has them."""
    if not columns:
        return []
    rows = [("", "spec", "live", "next boot")]
    rows += [(c["field"], c["spec"] + (" (default)" if c["default"] else ""), c["live"], c["next_boot"]) for c in columns]
    widths = [max(low, *(len(row[at]) for row in rows)) for at, low in enumerate((5, 4, 4))]
    return ["  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[3]]) for row in rows]


def said_of(value):
    """A value as `changes` has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(said_of, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {said_of(one)}' for key, one in value.items())}}}"
    return None if value is None else str(value)


def looked_up(state, field):
    """`holds["/a.b"]`, `ports.1` or `name` of a state."""
    value = state
    for quoted, word in re.findall(r'\["([^"]*)"\]|([^.\[]+)', field):
        value = (value or {}).get(quoted or word)
    return said_of(value)


def check_changes(step):
    """They are what differs between `from` and `to`, but for what the key says."""
    if step["to"] is None:
        return same(step["changes"], [], "changes of what goes")
    for one in step["changes"]:
        same((one["from"], one["to"]), (looked_up(step["from"], one["field"]), looked_up(step["to"], one["field"])), one["field"])
    was, becomes = step["from"] or {}, step["to"]
    differ = {name for name in becomes if was.get(name) != becomes[name]}
    told = {re.split(r"[.\[]", one["field"])[0] for one in step["changes"]}
    assert told <= differ and all(str(becomes[name]) in step["key"] for name in differ - told), (step["title"], told, differ)


def bytes_in(state):
    """What the text diffs: a file's bytes, a link's target, or an entry's line."""
    if not state or "line" in state:
        return (state or {}).get("line", "") + "\n" if state else ""
    return f"-> {state['content']}\n" if state["type"] == "symlink" else state.get("content", "")


def check_body(step, body):
    """The lines about what is moved on a disk."""
    state = step["to"] or step["from"]
    if "holds" in state:
        was, becomes = step["from"]["holds"], step["to"]["holds"]
        gone, new = [one for one in was if one not in becomes], [one for one in becomes if was.get(one) != becomes[one]]
        return same(body, [f"-{one}" for one in gone] + [f"+{one}" for one in new], step["title"])
    if not {"type", "line"} & state.keys():
        return same(body, [], step["title"])
    is_changed = "type" in state and step["from"] and step["to"]
    attributes = [one for one in step["changes"] if is_changed and one["field"] != "content"]
    heads = [f"{one['field']}: {one['from'] or 'unset'} -> {one['to'] or 'unset'}" for one in attributes]
    same(body[:len(heads)], heads, step["title"])
    if state.get("type") != "directory":
        same(patched_text(bytes_in(step["from"]), body[len(heads):]), bytes_in(step["to"]), f"the diff of {step['title']}")


def check_next_boot(item):
    """The worst of its fields. What is durable, is not wanted any more or is only warned of is so by itself, but where a warning
    names the file of others that counts."""
    if "columns" in item:
        return same(item["next_boot"], max((column["next_boot"] for column in item["columns"]), key=NEXT_BOOT.index), item["title"])
    assert item["next_boot"] in NEXT_BOOT, item["next_boot"]
    if item["kind"] in DURABLE and item["next_boot"] != "itself":
        return same((item["next_boot"] in ("differs", "unknown"), " is read " in item.get("warning", "")), (True, True), item["title"])
    goes = item["cause"] != "wanted" or item.get("to", "?") is None
    by_itself = item["kind"] in DURABLE or goes or item.keys() - ITEM == {"path", "warning"}
    same(item["next_boot"] == "itself", by_itself, f"next boot of {item['title']}")


MUCH_GOES = re.compile(r"The spec (asks for nothing|no longer names most of what rdmastate made)(: \d+ of \d+ resources go)?\.")


def check_head(item, is_step, line):
    """Its sign and title, and what it disrupts."""
    if not is_step:
        return same(line, f"  ! {item['title']}", "what is no step")
    sign = "-" if item["to"] is None else "~" if item["from"] else "+"
    tail = "" if item["disruption"] == "none" else f"  [disrupts: {item['disruption']}]"
    same(re.sub(r"^(  . )[a-z]+ ", r"\1", line), f"  {sign} {item['title']}{tail}", "a step")
    same(line, f"  {sign} {item['line']}{tail}", "a step's line")


def check_item(item, is_step, lines, refused):
    """`lines` are what the text says of it, last the sentences of why it is refused."""
    same(item.get("pending_until", "") in (UNTIL if "pending" in item else {""}), True, f"what {item['title']} waits for")
    same(set(item) - {"path", "columns", "touches", "never", "pending_until", "last_round", *NOTES}, ITEM | (STEP if is_step else set()), item["title"])
    assert "never" not in item or "blocked" in item, item["title"]
    same(item["title"].split(" ")[0], item["kind"], item["title"])
    check_next_boot(item)
    check_head(item, is_step, lines[0])
    if is_step:
        check_changes(item)
    rest = [line.removeprefix(INDENT) for line in lines[1:]]
    above = [CAUSES[item["cause"]]] if CAUSES[item["cause"]] else []
    above += table_of(item.get("columns"))
    below = [f"also disturbed: {', '.join(item['touches'])}"] if "touches" in item else []
    below += [f"{name}{'' if name == 'after' else ':'} {item[name]}" for name in NOTES if name in item]
    below += [f"refused: {sentence}" for sentence in refused]
    same(rest[:len(above)], above, item["title"])
    same(rest[len(rest) - len(below):], below, item["title"])
    body = rest[len(above):len(rest) - len(below)]
    check_body(item, body) if is_step else same(body, [], item["title"])


def check_path(path, spec):
    """The place that an item names is in the spec."""
    at = spec
    for number, word in re.findall(r"\[(\d+)\]|([^.\[]+)", path or ""):
        at = at[int(number)] if number else at[word if word in at else int(word)]


def count_line(plan):
    steps, waiting = len(plan["steps"]), sum("after" in item for item in plan["other"])
    counts = [(waiting, "after them"), *((plan["summary"][what], what) for what in ("pending", "blocked", "unseen", "refused"))]
    return ", ".join([f"{steps} step{'' if steps == 1 else 's'}", *(f"{number} {what}" for number, what in counts if number)]) + "."


def split_items(lines):
    """Each line with what is indented under it."""
    made = []
    for line in lines:
        made[-1].append(line) if line.startswith(INDENT) and made else made.append([line])
    return made


def check_summary(plan):
    items = plan["steps"] + plan["other"]
    count = {name: sum(name in item for item in items) for name in ("pending", "blocked", "unseen")}
    count["unseen"] = max(count["unseen"], plan["summary"]["unseen"])  # files that cannot be read are in the text alone
    more = any("after" in item for item in items)
    most = max((step["disruption"] for step in plan["steps"]), key=DISRUPTIONS.index, default="none")
    same(plan["summary"], {"steps": len(plan["steps"]), **count, "refused": len(plan["refusals"]), "more_rounds": more, "disruption": most,
                           "reboot_required": any(item.get("pending_until") == "reboot" for item in items)}, "summary")
    same([step["key"] for step in plan["steps"] if "last_round" in step], [step["key"] for step in plan["steps"] if more and step["key"] == BOOT_FILE], "last round")
    same([one["sentence"] for one in plan["refusals"]], plan["refused"], "both forms of what is refused")
    names = [(item["kind"], item["key"]) for item in items]
    assert len(names) == len(set(names)), "a key twice"


def check_plan(seen):
    plan = seen.plan
    if not plan:
        return same((seen.planned.code, seen.planned.out, seen.applied.code), (3, "", 3), "a spec that is refused")
    same(set(plan) - {"backend_reason"}, {"format_version", "id", "backend", "steps", "other", "notes", "refused", "refusals", "summary", "diagnostics"}, "the plan")
    check_summary(plan)
    assert all(one["message"] in seen.planned.err for one in plan["diagnostics"]), plan["diagnostics"]
    head, *lines = seen.planned.out.splitlines()
    much = [head] if MUCH_GOES.fullmatch(head) else []
    same([note for note in plan["notes"] if not note.startswith("unseen: ")], much, "notes")
    if much:
        head, *lines = lines
    reason = f": {plan['backend_reason']}" if "backend_reason" in plan else ""
    assert re.fullmatch(r"Plan for recorded host host\.json \(.*\), back end " + re.escape(plan["backend"] + reason), head), head
    texts, spec = split_items(lines), yaml.load(seen.spec, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    for at, item in enumerate(plan["steps"] + plan["other"]):
        refused = [one["sentence"] for one in plan["refusals"] if (one.get("kind"), one.get("key")) == (item["kind"], item["key"])]
        check_item(item, at < len(plan["steps"]), texts[at], refused)
        check_path(item.get("path"), spec)
    tail = [line for text in texts[len(plan["steps"]) + len(plan["other"]):] for line in text]
    refused = [f"  refused: {one['sentence']}" for one in plan["refusals"] if "key" not in one]
    unseen = plan["summary"]["unseen"] - sum("unseen" in item for item in plan["steps"] + plan["other"])
    same(tail[unseen:-1], refused, "refused")
    warned = any("warning" in item for item in plan["steps"] + plan["other"])
    nothing = not plan["refused"] and not warned and not any(value for name, value in plan["summary"].items() if name != "disruption")
    same(tail[-1], "Nothing to do: the host is as the spec says." if nothing else count_line(plan), "the last line")
