"""The golden cases: what is planned and written for a spec on a host. tests/golden/run says what a case holds."""
import json
import pathlib
import shutil

from support import golden, harness

HERE = pathlib.Path(__file__).resolve().parent
RUNS = "/var/lib/rdmastate"


def patched(base, patch):
    if not isinstance(patch, dict) or not isinstance(base, dict):
        return patch
    made = dict(base)
    for key, value in patch.items():
        if key.startswith("+"):
            made[key[1:]] = made.get(key[1:], []) + value
        elif value is None:
            made.pop(key, None)
        else:
            made[key] = patched(made.get(key), value)
    return made


def host_of(case, box):
    model = json.loads((harness.TOP / (case / "host").read_text().strip()).read_text())
    patch = case / "host.patch.json"
    if patch.exists():
        model = patched(model, json.loads(patch.read_text()))
    return box.write("host.json", json.dumps(model))


def prepared(case, box):
    """The host that the case begins with."""
    host = host_of(case, box)
    if not (case / "before.yaml").exists():
        return host
    box.write("before.yaml", (case / "before.yaml").read_text())
    done = box.run("apply", "before.yaml", "--host", host, "--record", "prepared.json")
    assert done.code in (0, 1), done.err
    (box.dir / "prepared.json").rename(host)
    return host


def described(entry):
    """A file as the golden tree shows it: its bytes, and what is not the usual about it."""
    if "link" in entry:
        return f"-> {entry['link']}\n"
    mode = "" if entry.get("mode") == "0644" else f"# mode {entry.get('mode')}\n"
    return mode + entry.get("content", "")


def changed_files(before, after):
    made = {}
    for path in sorted(before.keys() | after.keys()):
        was, now = before.get(path), after.get(path)
        if path.startswith(RUNS) or was == now or (now or was).get("directory"):
            continue
        made[path.lstrip("/") + ("" if now else ".removed")] = described(now) if now else ""
    return made


def compare_files(folder, made):
    if golden.accepting():
        shutil.rmtree(folder, ignore_errors=True)
    for path, text in made.items():
        golden.compare(folder / path, text)
    known = {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()} if folder.exists() else set()
    assert known == set(made), f"files differ: {known ^ set(made)}"


def check(case, box):
    host = prepared(case, box)
    box.write("spec.yaml", (case / "spec.yaml").read_text())
    more = (case / "options").read_text().split() if (case / "options").exists() else []
    words = ("spec.yaml", "--host", "host.json", *more)
    plan = box.run("plan", *words, "--detailed-exitcode")
    apply = box.run("apply", *words, "--record", "after.json")
    text = plan.out + plan.err + f"[plan exits {plan.code}]\n\n" + apply.err + apply.out + f"[apply exits {apply.code}]\n"
    golden.compare(case / "plan.txt", text)
    data = {} if plan.code == 3 else box.run("plan", *words, "-o", "json").json
    data.pop("facts", None)
    golden.compare(case / "plan.json", json.dumps(data, indent=1, ensure_ascii=False) + "\n")
    after = json.loads((box.dir / "after.json").read_text()) if (box.dir / "after.json").exists() else json.loads(host.read_text())
    # As the program writes a host, so that only real differences differ.
    box.run("show", "--host", host, "--record", "shown.json")
    before = json.loads(host.read_text())
    compare_files(case / "files", changed_files(before["files"], {p: slim(v, before["files"].get(p)) for p, v in after["files"].items()}))


def slim(entry, known):
    """A record names uid and gid and modes that hand-written hosts leave out: no difference."""
    if known is None:
        return entry
    merged = {"uid": 0, "gid": 0, "mode": "0755" if known.get("directory") else "0644", **known}
    if "link" in known:
        merged.pop("mode", None)
    return known if merged == entry else entry


def cases():
    return {p.name: (lambda box, p=p: check(p, box)) for p in sorted(HERE.iterdir()) if (p / "spec.yaml").exists()}
