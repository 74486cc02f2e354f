"""A plan's text, made of its data: written a second time, so that neither can be wrong alone."""
import json
import re

from golden.seen import BOOT

INDENT = " " * 6
ON_DISK = ("file", "nm_profile", "networkd_file", "ifupdown_file", "netplan_file", "entry", "zone_port", "group", "initrd")  # kinds that are bytes in a file
LIST = "also disturbed: "   # names; those of alike items are listed one after the other
NOTES = ("pending", "blocked", "after", "unseen", "warning")
CAUSES = {"wanted": "", "forgotten": "rdmastate made it and the spec no longer names it",
          "released": "released: the spec no longer names it; it keeps its value and is no longer kept at boot",
          "goes-with": "it goes with what is removed, and comes back if that is undone",
          "adopted": "a foreign file for what this spec names: taken over (--adopt), kept in the run",
          "taken-up": "it carries rdmastate's mark and no ledger is there to have it: taken up again",
          "purged": "rdmastate did not make it and the spec does not name it: purged"}
MARKS = {"+": "create", "~": "change", "-": "remove", ">": "after a step of this plan", "&": "comes with a step of this plan",
         "*": "pending: no step of this plan does it", "x": "blocked: this host cannot have it", "#": "refused: apply changes nothing",
         "?": "unseen: this user may not read it", "!": "warning", "=": "stays as it is"}
MARK_OF = {"blocked": "x", "unseen": "?", "after": ">", "pending": "*", "warning": "!"}
OUR_MARK = "# Managed by rdmastate"


class Changed:
    """The lines of a step that changes something, which a case's text has: `lines_behind` more are about it."""

    def __init__(self, step, lines_behind):
        self.step, self.lines_behind = step, lines_behind


def bytes_in(state):
    """What the text diffs: a file's bytes, a link's target, or an entry's line."""
    if not state or "line" in state:
        return (state or {}).get("line", "") + "\n" if state else ""
    return f"-> {state['content']}\n" if state["type"] == "symlink" else state.get("content", "")


def count_resources(state):
    return len(json.loads(state["content"])["resources"]) if state and state.get("content") else 0


def opensm_lines(before):
    """What a step does to an OpenSM that runs."""
    if not before["runs"]:
        return ["restart: it lost its port when the adapter's driver was loaded again"]
    word, paths = ("restart", "unread_until_restart") if "unread_until_restart" in before else ("SIGHUP", "unread_until_sighup")
    return [f"{word}: it reads {', '.join(before[paths])} again"]


def body_of(step):
    """The lines of what comes or goes as a whole; None: it changes, or has no lines."""
    if step["kind"] == "opensm_unit":
        return opensm_lines(step["from"]) if step["from"] and step["to"] else []
    state, sign = step["to"] or step["from"], "-" if step["to"] is None else "+"
    if step["key"] == BOOT:
        now, before = count_resources(step["to"]), f", {count_resources(step['from'])} before" if step["from"] else ""
        return [f"{now} resource{'' if now == 1 else 's'} for the next boot{before}"]
    if not {"type", "line", "holds", "files"} & state.keys() or (step["to"] or {}).get("type") == "directory":
        return []
    if step["from"] and step["to"]:
        return None
    text = bytes_in(state)
    lines = [sign + line for line in text.splitlines() if line and not line.startswith(OUR_MARK)]
    return lines + ([] if text.endswith("\n") or not text else ["\\ No newline at end of file"])


class ItemText:
    def __init__(self, item, refused):
        self.item, self.is_step = item, "to" in item
        self.title = item["title"].removeprefix(item["kind"] + " ")
        self.what = item["line"].removesuffix(" " + self.title) if self.is_step else item["kind"]
        self.disruption = item.get("disruption", "none")
        self.columns = item.get("columns", [])
        self.body = body_of(item) if self.is_step else []
        self.is_whole = self.is_step and not (item["from"] and item["to"])
        self.notes = [(LIST, ", ".join(item["touches"]))] if "touches" in item else []
        labels = {"after": "comes with " if "comes_along" in item else "after "}
        self.notes += [(labels.get(name, f"{name}: "), item[name]) for name in NOTES if name in item]
        self.notes += [("refused: ", sentence) for sentence in refused]
        self.mark = "#" if refused else self._mark()
        self.is_felt = item["kind"] not in ON_DISK or self.disruption != "none"

    def _mark(self):
        if self.is_step:
            return "-" if self.item["to"] is None else "~" if self.item["from"] else "+"
        mark = next((mark for name, mark in MARK_OF.items() if name in self.item), "=")
        return "&" if mark == ">" and "comes_along" in self.item else mark

    def head(self):
        return self.mark, self.what, self.disruption, self.item["cause"]


def own_words(title, other):
    """Words that the other title has not, the longest first."""
    others = re.split(r"[ ()]+", other)
    return sorted((word for word in re.split(r"[ ()]+", title) if word and word not in others), key=len, reverse=True)


def starred(text, names):
    for name in names:
        text = re.sub(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", "*", text)
    return text


def common(one, in_one, other, in_other):
    """What two items say alike, "*" standing for what each one's title says; None where they do not."""
    if in_one == in_other:
        return in_one
    text = starred(in_one, own_words(one.title, other.title))
    return text if text == starred(in_other, own_words(other.title, one.title)) else None


def shape(columns):
    return [(column["field"], column["next_boot"], column["default"], column["live"] == "absent") for column in columns]


def wanted_text(column):
    return column["spec"] + (" (default)" if column["default"] else "")


def change_text(column):
    is_moved = column["live"] not in ("absent", "-", column["spec"])
    return f"{column['field']} {column['live'] + ' -> ' if is_moved else ''}{wanted_text(column)}"


def column_lines(columns):
    """Spec, live and next boot of each field."""
    if not columns:
        return []
    boot = columns[0]["next_boot"]
    one_boot = all(column["next_boot"] == boot for column in columns)
    if one_boot and all(column["live"] == "absent" for column in columns):
        when = " and at the next boot" if boot == "absent" else f", next boot {boot}"
        return [f"absent now{when}; spec: " + ", ".join(f"{column['field']} {wanted_text(column)}" for column in columns)]
    if one_boot:
        return ["; ".join(f"{change_text(column)}{' now' if column['live'] == column['spec'] else ''}" for column in columns) + f"; next boot {boot}"]
    rows = [("", "spec", "live", "next boot")]
    rows += [(column["field"], wanted_text(column), column["live"], column["next_boot"]) for column in columns]
    widths = [max(low, *(len(row[at]) for row in rows)) for at, low in enumerate((0, 4, 4))]
    return ["  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[3]]) for row in rows]


class Group:
    """Items that the text tells as one."""

    def __init__(self, first):
        self.items, self.first, self.notes = [first], first, [text for _, text in first.notes]

    def take(self, other):
        first = self.first
        if first.head() != other.head() or shape(first.columns) != shape(other.columns):
            return False
        if None in (first.body, other.body) or len(first.body) != len(other.body):
            return False
        unlike = sum(a != b for a, b in zip(first.body, other.body))
        if first.body and not (first.is_whole and other.is_whole and 2 * unlike <= len(first.body)):
            return False
        if [label for label, _ in first.notes] != [label for label, _ in other.notes]:
            return False
        notes = [LIST if label == LIST else common(first, a, other, b) for (label, a), (_, b) in zip(first.notes, other.notes)]
        if None in notes or (len(self.items) > 1 and notes != self.notes):
            return False
        self.items.append(other)
        self.notes = notes
        return True

    def column(self, at):
        """One column as all have it; None: each has its own."""
        found = None
        for other in self.items[1:]:
            cells = [common(self.first, self.first.columns[at][cell], other, other.columns[at][cell]) for cell in ("spec", "live")]
            is_so = self.first.columns[at]["spec"] == self.first.columns[at]["live"]
            if None in cells or found not in (None, cells) or (cells[0] == cells[1]) != is_so:
                return None
            found = cells
        return dict(self.first.columns[at], spec=found[0], live=found[1]) if found else self.first.columns[at]

    def one_by_one(self, columns):
        for item in self.items:
            own = [change_text(column) for column, shared in zip(item.columns, columns) if not shared]
            own += [line[1:] for line, model in zip(item.body, self.first.body) if line != model]
            folder, name = self.first.title.rpartition("/")[0], item.title.rpartition("/")
            beside = item.body and item is not self.first and item.title.startswith("/") and name[0] == folder
            same = ": the same" if item.body and item is not self.first and not own else ""
            yield (name[2] if beside else item.title) + (f": {', '.join(own)}" if own else same)
            yield from [*item.body, "The others have the same lines, except these:"] if item is self.first and item.body else []

    def lines(self):
        columns = [self.column(at) for at in range(len(self.first.columns))]
        together = len(self.items) == 1 or (None not in columns and all(item.body == self.first.body for item in self.items))
        titles = ", ".join(item.title for item in self.items)
        many = f" ({len(self.items)})" + (f": {titles}" if together else "")
        tail = "" if self.first.disruption == "none" else f"  [disrupts: {self.first.disruption}]"
        yield f"  {self.first.mark} {self.first.what}{' ' + self.first.title if len(self.items) == 1 else many}{tail}"
        yield from (INDENT + line for line in self.below(columns, together) if isinstance(line, str))
        if self.first.body is None:
            yield Changed(self.first.item, len(self.notes))
        yield from (f"{INDENT}{label}{self.listed(at) if label == LIST else text}" for at, ((label, _), text) in enumerate(zip(self.first.notes, self.notes)))

    def listed(self, at):
        """The names of all, each once."""
        return ", ".join(dict.fromkeys(name for item in self.items for name in item.item["touches"]))

    def below(self, columns, together):
        yield from filter(None, [CAUSES[self.first.item["cause"]]])
        yield from [] if together else self.one_by_one(columns)
        own = [f"{column['field']} {column['next_boot']}" for column, shared in zip(self.first.columns, columns) if not shared]
        yield from [f"next boot: {', '.join(own)}"] if own else []
        yield from column_lines([column for column in columns if column])
        yield from self.first.body or [] if together else []


def groups_of(texts):
    groups = []
    for text in texts:
        if not groups or not groups[-1].take(text):
            groups.append(Group(text))
    return groups


def after_steps(plan):
    """How many items are steps of a later round, and how many the step brings that they come after."""
    along = [("comes_along" in item) for item in plan["other"] if "after" in item]
    return along.count(False), along.count(True)


def count_line(plan):
    now, (waiting, along) = len(plan["steps"]), after_steps(plan)
    parts = f" ({now} now, {waiting} after them)" if waiting else ""
    taken = sum(item["cause"] == "adopted" for item in plan["other"])
    counts = [(along, f"come{'s' if along == 1 else ''} with them"), (taken, "taken over"), *((plan["summary"][what], what) for what in ("pending", "blocked", "unseen", "refused"))]
    total = f"{now + waiting} step{'' if now + waiting == 1 else 's'}{parts}"
    return ", ".join([total, *(f"{number} {what}" for number, what in counts if number)])


def is_nothing(plan):
    items = plan["steps"] + plan["other"]
    return not plan["refused"] and not any(value for name, value in plan["summary"].items() if name != "disruption") and not any(
        "warning" in item or item["cause"] == "adopted" for item in items)


def text_of(plan):
    """The lines behind the plan's head, but for files that cannot be read."""
    kinds = [item["kind"] for item in plan["other"]]
    shown = plan["steps"] + sorted(plan["other"], key=lambda item: kinds.index(item["kind"]))
    refused = [[one["sentence"] for one in plan["refusals"] if (one.get("kind"), one.get("key")) == (item["kind"], item["key"])] for item in shown]
    texts = [ItemText(item, sentences) for item, sentences in zip(shown, refused)]
    felt, files = [text for text in texts if text.is_felt], [text for text in texts if not text.is_felt]
    both = bool(felt and files)
    for title, part in (("Running host:", felt), ("Files:", files)):
        yield from [title] if both else []
        for group in groups_of(part):
            yield from group.lines()
    yield from (f"  # refused: {one['sentence']}" for one in plan["refusals"] if "key" not in one)
    if is_nothing(plan):
        yield "Nothing to do: the host is as the spec says."
        return
    there = {text.mark for text in texts} | {"#" for one in plan["refusals"] if "key" not in one}
    if plan["summary"]["unseen"] > sum("unseen" in item for item in plan["other"]):
        there.add("?")  # of files that cannot be read
    legend = "".join(f"   {mark} {means}" for mark, means in MARKS.items() if mark in there)
    yield from ["Marks:" + legend] if legend else []
    yield count_line(plan) + (", so apply changes nothing" if plan["refusals"] else "") + "."
