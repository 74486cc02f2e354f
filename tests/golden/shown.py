"""What a case shows of what was planned and written: all that does not follow from the rest of its file."""
import functools
import json
import tempfile

from golden.boot_rules import so_already
from golden.case_file import named
from golden.plan_text import OUR_MARK
from golden.seen import BOOT, LEDGER, RUNS, Seen
from support.harness import Box

USUAL = "guide-none"  # the case that shows the usual files, for the others
USUAL_FILES = ("/etc/modules-load.d/rdmastate.conf", "/etc/udev/rules.d/70-rdmastate-ipoib.rules",
               "/etc/systemd/system/multi-user.target.wants/rdmastate.service")
AS_USUAL, AS_PLANNED = f"      (as in {USUAL})\n", "(as planned)\n"
FILES, REMOVED = "files", "removed"


def slim(entry, known):
    """A record names uid and gid and modes that hand-written hosts leave out: no difference."""
    if known is None:
        return entry
    merged = {"uid": 0, "gid": 0, "mode": "0755" if known.get("directory") else "0644", **known}
    if "link" in known:
        merged.pop("mode", None)
    return known if merged == entry else entry


def changed_files(before, after):
    """What is made, changed or (None) gone, by its path. Directories are left to the plan."""
    made = {}
    for path in sorted(before.keys() | after.keys()):
        was = before.get(path)
        now = slim(after[path], was) if path in after else None
        if not path.startswith(RUNS) and was != now and not (now or was).get("directory"):
            made[path] = now
    return made


def unusual(entry):
    """What a file's mode and owner are, where they are not 0644 and root's."""
    if "link" in entry:
        return ""
    words = [f"{name} {entry[name]}" for name, usual in (("mode", "0644"), ("uid", 0), ("gid", 0)) if entry.get(name, usual) != usual]
    return f"# {', '.join(words)}\n" if words else ""


def bytes_of(entry):
    return f"-> {entry['link']}\n" if "link" in entry else entry.get("content", "")


def described(entry):
    """A file as a case shows it: what is not the usual about it, and its bytes."""
    assert not entry.get("content", "").startswith(("# mode ", "# uid ", "# gid ", "-> ")), "such a file cannot be shown"
    return unusual(entry) + bytes_of(entry)


def files_planned(seen):
    """What the plan shows of each file that apply then says is done: its bytes, or None for one that goes."""
    planned = {}
    for step in seen.plan.get("steps", []):
        state = step["to"] or step["from"]
        if {"type", "content"} <= state.keys() and seen.done(step):
            link = state["type"] == "symlink"
            planned[step["key"]] = step["to"] and (f"-> {state['content']}\n" if link else state["content"])
    return planned


def files_shown(case, seen):
    """Of the changed files those that the plan does not show, and those that the case shows all the same."""
    made, planned, texts = changed_files(seen.before["files"], seen.after["files"]), files_planned(seen), {}
    for path, entry in made.items():
        name = f"{FILES if entry else REMOVED}{path}"
        text = described(entry) if entry else ""
        if name in case.shown and case.shown[name] != unusual(entry or {}) + AS_PLANNED:
            texts[name] = text
        elif path in (LEDGER, BOOT) and not unusual(entry or {}):
            continue
        elif path not in planned or planned[path] != (entry and bytes_of(entry)):
            texts[name] = text
        elif entry and unusual(entry):
            texts[name] = unusual(entry) + AS_PLANNED
    same = [path for path, text in planned.items() if path not in made and path not in seen.before["files"]]
    assert not same, f"planned and done, and not there: {same}"
    return texts


@functools.cache
def usual_bodies(anew):
    """The usual files: as their case shows them, or, where that is to be accepted too, as they are made now."""
    if not anew:
        return {path: named(USUAL).shown[f"{FILES}{path}"] for path in USUAL_FILES}
    with tempfile.TemporaryDirectory() as directory:
        files = Seen(named(USUAL), Box(directory)).after["files"]
        return {path: described(files[path]) for path in USUAL_FILES}


def new_file(path, text):
    """How the plan shows a file that is made."""
    return f"  + write file {path}\n" + "".join(f"      +{line}\n" for line in text.splitlines() if not line.startswith(OUR_MARK))


def shows_boot_file(case):
    return bool({f"{FILES}{BOOT}", f"{REMOVED}{BOOT}"} & case.shown.keys())


def plan_shown(case, seen, usual):
    text = seen.planned.out
    if case.name != USUAL:
        for path, body in usual.items():
            text = text.replace(new_file(path, body), f"  + write file {path}\n{AS_USUAL}")
    more = [] if shows_boot_file(case) else list(so_already(seen))
    if more:  # which follows from nothing that the plan says
        text = text.replace(" for the next boot", f" for the next boot (with {', '.join(more)})", 1)
    return (text + seen.planned.err + f"[plan exits {seen.planned.code}]\n\n" +
            seen.applied.err + seen.applied.out + f"[apply exits {seen.applied.code}]\n")


def texts(case, seen, usual):
    """The accepted texts of a case's file, by their names. `usual`: usual_bodies()."""
    made = {"plan": plan_shown(case, seen, usual)}
    if "plan.json" in case.shown:
        made["plan.json"] = json.dumps(seen.plan, indent=1, ensure_ascii=False) + "\n"
    return {**made, **files_shown(case, seen)}
