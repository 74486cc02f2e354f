"""The plan as text and as JSON: what one says follows from the other, so that a case need not show both."""
import difflib
import re

import yaml

from golden.plan_text import INDENT, NOTES, ON_DISK, Changed, after_steps, bytes_in, text_of
from golden.seen import BOOT

DURABLE = (*ON_DISK, "unit", "login_limit")  # kinds that a boot leaves as they are
NEXT_BOOT = ("itself", "as-spec", "differs", "absent", "unknown")  # from the best to the worst
UNTIL = {"reboot", "unit", "owner", "package", "hardware", "account"}  # what a pending one waits for
STEP = {"line", "from", "to", "changes", "disruption"}
DISRUPTIONS = ("none", "link", "service", "module", "fabric")  # from the least to the most
ITEM = {"kind", "key", "title", "cause", "next_boot"}
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


FOLLOWS = {"links": "enabled"}  # a field of how another one is reached, which is not told by itself


def check_changes(step):
    """They are what differs between `from` and `to`, but for what the key says."""
    if step["to"] is None:
        return same(step["changes"], [], "changes of what goes")
    for one in step["changes"]:
        same((one["from"], one["to"]), (looked_up(step["from"], one["field"]), looked_up(step["to"], one["field"])), one["field"])
    was, becomes = step["from"] or {}, step["to"]
    differ = {name for name in becomes if was.get(name) != becomes[name]}
    told = {re.split(r"[.\[]", one["field"])[0] for one in step["changes"]}
    left = {name for name in differ - told if str(becomes[name]) not in step["key"] and FOLLOWS.get(name) not in told}
    assert told <= differ and not left, (step["title"], told, differ)


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


def check_changed(step, body):
    """The lines about a file, a line in a file of others, or what is made of others, that is there and becomes another."""
    by_name = next((field for field in ("holds", "files") if field in step["to"]), None)  # of an initrd, and of a unit
    if by_name:
        was, becomes = step["from"][by_name], step["to"][by_name]
        gone, new = [one for one in was if one and one not in becomes], [one for one in becomes if was.get(one) != becomes[one]]
        return same(body, [f"-{one}" for one in gone] + [f"+{one}" for one in new], step["title"])
    attributes = [one for one in step["changes"] if "type" in step["to"] and one["field"] != "content"]
    heads = [f"{one['field']}: {one['from'] or 'unset'} -> {one['to'] or 'unset'}" for one in attributes]
    same(body[:len(heads)], heads, step["title"])
    same(patched_text(bytes_in(step["from"]), body[len(heads):]), bytes_in(step["to"]), f"the diff of {step['title']}")


def check_text(plan, lines):
    """The text is what the data says, line for line; where something changes, the lines lead from what was to what becomes."""
    wanted, at = text_of(plan), 0
    for line in wanted:
        if isinstance(line, Changed):
            end = next((end for end in range(at, len(lines)) if not lines[end].startswith(INDENT)), len(lines)) - line.lines_behind
            check_changed(line.step, [one.removeprefix(INDENT) for one in lines[at:end]])
            at = end
        else:
            same("\n".join(lines[at:at + 1]), line, f"line {at + 1} of the plan")
            at += 1
    same(lines[at:], [], "lines behind the total")


def check_data(item, is_step):
    """What the data has of it beside the text."""
    same(item.get("pending_until", "") in (UNTIL if "pending" in item else {""}), True, f"what {item['title']} waits for")
    same(set(item) - {"path", "columns", "touches", "never", "pending_until", "last_round", "comes_along", *NOTES}, ITEM | (STEP if is_step else set()), item["title"])
    assert "never" not in item or "blocked" in item, item["title"]
    assert "comes_along" not in item or "after" in item, item["title"]
    same(item["title"].split(" ")[0], item["kind"], item["title"])
    check_next_boot(item)
    if is_step:
        check_changes(item)


def check_path(path, spec):
    """The place that an item names is in the spec."""
    at = spec
    for number, word in re.findall(r"\[(\d+)\]|([^.\[]+)", path or ""):
        at = at[int(number)] if number else at[word if word in at else int(word)]


def check_summary(plan):
    items = plan["steps"] + plan["other"]
    count = {name: sum(name in item for item in items) for name in ("pending", "blocked", "unseen")}
    count["unseen"] = max(count["unseen"], plan["summary"]["unseen"])  # files that cannot be read are in the text alone
    more = any("after" in item for item in items)
    most = max((step["disruption"] for step in plan["steps"]), key=DISRUPTIONS.index, default="none")
    waiting, along = after_steps(plan)
    same(plan["summary"], {"steps": len(plan["steps"]), "waiting": waiting, "coming_along": along, **count, "refused": len(plan["refusals"]), "more_rounds": more, "disruption": most,
                           "reboot_required": any(item.get("pending_until") == "reboot" for item in items)}, "summary")
    same([step["key"] for step in plan["steps"] if "last_round" in step], [step["key"] for step in plan["steps"] if more and step["key"] == BOOT], "last round")
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
    told = [line for line in lines if not line.startswith("  ? unseen: ")]
    check_text(plan, told)
    items, spec = plan["steps"] + plan["other"], yaml.load(seen.spec, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    for at, item in enumerate(items):
        check_data(item, at < len(plan["steps"]))
        check_path(item.get("path"), spec)
    same(len(lines) - len(told), plan["summary"]["unseen"] - sum("unseen" in item for item in items), "files that cannot be read")


def check_totals(seen):
    """One total: what the plan closes with, what apply says that it did, and what history counts."""
    if not seen.rounds or seen.is_undone:
        return
    done = int(re.search(r"^Applied: (\d+) steps?, run ", seen.applied.out, re.M).group(1))
    same(seen.history[0]["steps"], done, "steps as history and apply count them")
    planned = int(re.match(r"(\d+) steps?\b", seen.planned.out.splitlines()[-1]).group(1))
    same(planned, len(seen.plan["steps"]) + after_steps(seen.plan)[0], "the plan's total")
    moved = {(step["kind"], step["key"]) for steps in seen.rounds for step in steps}
    by_themselves = [item["title"] for item in seen.plan["other"] if "comes_along" in item and (item["kind"], item["key"]) in moved]
    same(by_themselves, [], "steps that were to come with others")
    same(done, planned, "steps as plan and apply count them")
