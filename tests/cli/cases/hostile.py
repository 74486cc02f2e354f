"""Input that means harm, and surroundings that nobody thought of: nothing outside the tree is touched, nothing crashes,
nothing is written that the spec does not say."""
import copy
import json
import os
import pathlib
import shutil
import stat
import subprocess

import yaml

from cases import examples
from cases.specs import GUIDE, NM
from cases.trees import RUNS, state, tree
from support.harness import BINARY, TOP

DOCUMENTED = range(8)
BOOT = "etc/rdmastate/boot.json"
LEDGER = "etc/rdmastate/ledger.json"
ROUND = f"{RUNS}/runs/000001/round-01.json"
POISON = (None, True, -1, 1e300, "", "../../../../outside/x", "/outside/x", "a\nb", "a\0b", "%n%s", "x" * 70000, [], {}, [[]])


def outside(box):
    """What nobody may touch: a directory beside the tree, with a file in it."""
    folder = box.dir / "outside"
    folder.mkdir()
    (folder / "x").write_text("mine\n")
    return folder


def untouched(folder):
    return os.listdir(folder) == ["x"] and (folder / "x").read_text() == "mine\n"


def leaves(value, path=()):
    """The path of everything in a JSON or YAML value, containers too."""
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in pairs:
        yield from leaves(one, (*path, key))


def with_leaf(value, path, new):
    if not path:
        return new
    changed = copy.deepcopy(value)
    at = changed
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = new
    return changed


def leaf(value, path):
    for step in path:
        value = value[step]
    return value


def speaks_plainly(done, what):
    assert done.code in DOCUMENTED, (what, done.code, done.err[-2000:])
    assert "internal error" not in done.err, (what, done.err[-2000:])
    assert done.code in (0, 2) or done.err.strip(), (what, "failed and said nothing")


def applied_tree(box, spec=GUIDE):
    root = tree(box)
    box.write("spec.yaml", spec)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    return root


def tampered(box, file, commands, interrupted=False):
    """Each leaf of a JSON file of ours, poisoned in turn; and the file cut short."""
    root = applied_tree(box)
    folder = outside(box)
    if interrupted:
        progress = root / RUNS / "runs/000001/progress"
        progress.write_text(progress.read_text().removesuffix("finished\n"))
    saved = box.dir / "saved"
    shutil.copytree(root, saved, symlinks=True)
    text = (root / file).read_text()
    held = json.loads(text)
    texts = [text[:n] for n in range(0, len(text), max(1, len(text) // 12))] + ["\xff\xfe", "[" * 5000, '{"a":' * 5000]
    for number, path in enumerate(leaves(held)):
        texts.append(json.dumps(with_leaf(held, path, POISON[number % len(POISON)])))
        texts.append(json.dumps(with_leaf(held, path, POISON[(number * 5 + 3) % len(POISON)])))
    for new in texts:
        shutil.rmtree(root)
        shutil.copytree(saved, root, symlinks=True)
        (root / file).write_text(new, encoding="latin-1")
        for words in commands:
            speaks_plainly(box.run(*words, "--root", root), (words, new[:300]))
    assert untouched(folder)
    return len(texts)


def test_a_tampered_ledger(box):
    box.write("empty.yaml", "version: 1\n")
    assert tampered(box, LEDGER, [("plan", "spec.yaml"), ("apply", "empty.yaml"), ("release",)]) > 50


def test_a_tampered_boot_file(box):
    assert tampered(box, BOOT, [("verify", "--boot"), ("apply", "--boot"), ("release", "ipoib")]) > 50


def test_a_tampered_run(box):
    assert tampered(box, ROUND, [("rollback",)], interrupted=True) > 50


def test_a_run_that_is_not_whole_was_not_taken_back(box):
    """Something else in its place, or without what it has recorded: it is named, and nothing is said of it."""
    root = applied_tree(box)
    folder, odd = root / RUNS / "runs", {"no directory": lambda path: (shutil.rmtree(path), path.write_text("x")),
                                         "missing, and the run has begun": lambda path: (path / "round-01.json").unlink(),
                                         "missing, and round-02.json is there": lambda path: (path / "round-01.json").rename(path / "round-02.json")}
    saved = box.dir / "saved"
    shutil.copytree(folder, saved)
    before = state(root)
    for sentence, harm in odd.items():
        shutil.rmtree(folder)
        shutil.copytree(saved, folder)
        harm(folder / "000001")
        for words in (("rollback",), ("apply", "spec.yaml"), ("confirm",)):
            done = box.run(*words, "--root", root).expect(1)
            assert "/runs/000001" in done.err and f"it is damaged: it is {sentence}" in done.err, (words, done.err)
        assert "damaged: " in box.run("history", "--root", root).expect(0).out
        assert state(root) == before, sentence


def test_what_is_no_run_is_not_the_newest(box):
    root = applied_tree(box)
    for name in ("7", "0000002", "0009000000", "9" * 30, "000002.bak"):
        (root / RUNS / "runs" / name).mkdir()
    (root / RUNS / "runs/999999").mkdir()  # which a run may be called
    box.write("empty.yaml", "version: 1\n")
    assert "run 1000000." in box.run("apply", "empty.yaml", "--root", root).expect(0).out
    assert "Run 1000000 is taken back" in box.run("rollback", "--root", root).expect(0).out


def test_a_ledger_whose_key_is_no_path_is_named(box):
    root = applied_tree(box)
    held = json.loads((root / LEDGER).read_text())
    at = next(number for number, entry in enumerate(held["entries"]) if entry["kind"] == "file")
    for key in ("", "x" * 70000, "etc/passwd", "/a\0b", "/" + "x/" * 3000):
        (root / LEDGER).write_text(json.dumps(with_leaf(held, ("entries", at, "key"), key)))
        done = box.run("plan", "spec.yaml", "--root", root).expect(1)
        assert f"/{LEDGER}: entries[{at}].key: expected an absolute path, got " in done.err and len(done.err) < 1000, done.err[:2000]


def test_a_run_that_names_what_is_outside(box):
    root = applied_tree(box)
    folder = outside(box)
    held = json.loads((root / ROUND).read_text())
    for key in ("/../outside/x", f"/..{folder}/x", "outside/x", "", "/", "/etc/../../outside/x"):
        step = next(s for s in held["steps"] if s["kind"] == "file" and s["from"] is None)
        (root / ROUND).write_text(json.dumps(with_leaf(held, ("steps", held["steps"].index(step), "key"), key)))
        speaks_plainly(box.run("rollback", "--force", "--root", root), key)
        assert untouched(folder), key


def test_a_run_whose_states_leave_out_fields_is_damaged(box):
    root = tree(box)
    for name, text in (("passwd", "root:x:0:0::/root:/bin/sh\n"), ("group", "root:x:0:\n"), ("gshadow", "root:*::\n")):
        (root / "etc" / name).write_text(text)
    box.write("spec.yaml", "version: 1\nmemlock: {group: rdma, soft: 1GiB, hard: 1GiB}\n")
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    held = json.loads((root / ROUND).read_text())
    number = next(i for i, step in enumerate(held["steps"]) if step["kind"] == "group")
    progress = root / RUNS / "runs/000001/progress"
    progress.write_text(progress.read_text().removesuffix("finished\n"))
    for state in ({}, {"gid": 7}):
        (root / ROUND).write_text(json.dumps(with_leaf(held, ("steps", number, "from"), state)))
        done = box.run("rollback", "--force", "--root", root).expect(5)
        assert "group rdma: the state that was recorded has no line" in done.err, done.err
    (root / ROUND).write_text(json.dumps(held))
    box.run("rollback", "--root", root).expect(0)


def test_a_tampered_record(box):
    host = box.host()
    box.write("spec.yaml", GUIDE)
    held = json.loads(host.read_text())
    paths = list(leaves(held))
    for number, path in enumerate(paths[::max(1, len(paths) // 250)]):
        box.write("bad.json", json.dumps(with_leaf(held, path, POISON[number % len(POISON)])))
        speaks_plainly(box.run("plan", "spec.yaml", "--host", "bad.json"), path)


TERMINAL = "\x1b]2;mine\x07\u009b2J"


def with_commands(value):
    """Copies of it, in each another word with a terminal's commands behind it."""
    for path in leaves(value):
        if isinstance(leaf(value, path), str):
            yield with_leaf(value, path, leaf(value, path) + TERMINAL)


def is_shown_harmless(done):
    """Whether the commands are shown, as escapes; none of them may stand there as they are, on both streams."""
    said = done.out + done.err
    assert not any(ord(c) < 32 and c not in "\n\t" or 127 <= ord(c) < 160 for c in said), done
    return "\\x1b]2;mine\\x07" in said


def test_what_a_host_says_of_itself_drives_no_terminal(box):
    box.write("spec.yaml", GUIDE)
    held, shown = json.loads((TOP / "examples/hosts/rhel-guide.json").read_text()), 0
    commands = (("apply", "--adopt", "--max-disruption", "module", "spec.yaml"), ("plan", "spec.yaml"), ("show",))
    for number, changed in enumerate(with_commands(held)):
        record = box.write("host.json", json.dumps(changed))
        shown += sum(is_shown_harmless(box.run(*words, "--host", record)) for words in commands[number % 3:])
    assert shown > 30


def test_what_a_run_says_drives_no_terminal(box):
    root, shown = applied_tree(box), 0
    for changed in with_commands(json.loads((root / ROUND).read_text())):
        (root / ROUND).write_text(json.dumps(changed))
        shown += sum(is_shown_harmless(box.run(*words, "--root", root)) for words in (("history",), ("history", "000001")))
    assert shown > 10


def test_a_name_drives_no_terminal(box):
    for words in (("check", TERMINAL), ("history", "--root", TERMINAL), ("show", "--host", TERMINAL), ("explain", TERMINAL), (TERMINAL,)):
        assert is_shown_harmless(box.run(*words)), words


def planted(box, path, to):
    """A tree in which a path that apply writes is a link already."""
    shutil.rmtree(box.dir / "tree", ignore_errors=True)
    root = tree(box)
    at = root / path
    if at.is_dir():
        shutil.rmtree(at)
    at.parent.mkdir(parents=True, exist_ok=True)
    at.symlink_to(to)
    return root


def test_links_planted_where_we_write(box):
    folder = outside(box)
    box.write("spec.yaml", GUIDE)
    for path in ("etc/rdmastate", "var/lib/rdmastate", "var/lib/rdmastate/runs", "etc/modules-load.d", "etc/modules-load.d/rdmastate.conf",
                 "etc/udev/rules.d", BOOT, LEDGER, "etc/systemd/system/multi-user.target.wants/rdmastate.service"):
        for to in (folder, "../" * 12 + str(folder)[1:], folder / "x", "../" * 12 + str(folder)[1:] + "/x", "/proc/self/root" + str(folder)):
            root = planted(box, path, to)
            speaks_plainly(box.run("apply", "spec.yaml", "--root", root), (path, to))
            speaks_plainly(box.run("rollback", "--root", root), (path, to))
            assert untouched(folder), (path, to, os.listdir(folder))


def test_surroundings_change_nothing(box):
    """umask, PATH, locale, time zone, directory and descriptors of whoever starts it."""
    box.write("spec.yaml", NM)
    trees = {}
    odd = {"umask": (["/bin/sh", "-c", 'umask 077; exec "$@"', "sh"], {}), "open": (["/bin/sh", "-c", 'umask 0; exec "$@"', "sh"], {}),
           "bare": (["/usr/bin/env", "-i"], {}), "path": ([], {"PATH": "", "HOME": "/nowhere", "TMPDIR": "/nowhere"}),
           "turkish": ([], {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "Pacific/Apia"}),
           "german": ([], {"LC_ALL": "de_DE.ISO-8859-1", "LANGUAGE": "de"}),
           "closed": (["/bin/sh", "-c", 'exec "$@" <&- 2>&-', "sh"], {}), "usual": ([], {})}
    for name, (before, env) in odd.items():
        root = tree(box)
        done = subprocess.run([*before, BINARY, "apply", box.dir / "spec.yaml", "--root", root], cwd="/", env={**os.environ, **env}, capture_output=True)
        assert done.returncode == 0, (name, done.stderr)
        trees[name] = state(root)
        for folder, directories, files in os.walk(root / RUNS):
            modes = {stat.S_IMODE(pathlib.Path(folder, one).stat().st_mode) for one in files}
            assert modes <= {0o600}, (name, folder)
        assert (root / RUNS / "runs").stat().st_mode & 0o777 == 0o700, name
        shutil.rmtree(root)
    assert all(one == trees["usual"] for one in trees.values()), [n for n, one in trees.items() if one != trees["usual"]]


def test_a_clock_set_back_changes_no_order(box):
    root = applied_tree(box)
    before = state(root)
    text = (root / ROUND).read_text()
    later = json.loads(text) | {"time": 1 << 40}
    (root / ROUND).write_text(json.dumps(later))
    os.utime(root / ROUND, (1 << 33, 1 << 33))
    box.write("port.yaml", GUIDE.replace("65520", "2044").replace("mode: connected", "mode: datagram"))
    box.run("apply", "port.yaml", "--root", root).expect(0)
    assert "Run 000002 is taken back" in box.run("rollback", "--root", root).expect(0).out
    assert state(root) == before


# Nothing a spec says may become a line, a key or a section of its own in what is rendered.
BENIGN = "quiet"
HOSTILE = ("a\nb", "a\rb", "x]\n[Service]\nExecStart=/bin/sh", "a\"b", "a'b", "\\", "%n%s%u", "$(id)`id`${IFS}", "a=b", "a: b", "a #x", "a;b|c&d", "[x]", "{{{x}}}",
           "../../../../etc/shadow", "--adopt", "a b", "\tx", "\x1b[31m", "\u202ex\u2028", "x" * 300)


def strings(value):
    """The first text of each field: what its neighbours in a list are is judged by the same table."""
    seen = set()
    for at in leaves(value):
        one = value
        for key in at:
            one = one[key]
        field = tuple(key for key in at if not isinstance(key, int))
        if isinstance(one, str) and field not in seen:
            seen.add(field)
            yield at, one


def rendered(root):
    """The lines of each file that apply made, but for our own books."""
    return {path: text.split("\n") for path, text in
            ((str(p.relative_to(root)), p.read_bytes().decode("utf-8", "surrogateescape")) for p in root.rglob("*") if p.is_file() and not p.is_symlink())
            if not path.startswith((RUNS, "etc/rdmastate"))}


def judged(box, root, spec, what):
    """What a spec makes in a fresh copy of a tree; None where it is refused as it should be."""
    shutil.rmtree(box.dir / "made", ignore_errors=True)
    shutil.copytree(root, box.dir / "made", symlinks=True)
    box.write("spec.yaml", yaml.safe_dump(spec, allow_unicode=False, sort_keys=False))
    done = box.run("apply", "spec.yaml", "--root", box.dir / "made", "--facts", "facts.json")
    speaks_plainly(done, what)
    assert done.code in (0, 1, 3, 6), (what, done.err)
    return rendered(box.dir / "made") if done.code in (0, 1) else None


def on_networkd():
    spec = yaml.safe_load((TOP / "examples/every-field.yaml").read_text())
    del spec["include"]
    return spec


def on_networkmanager():
    """NetworkManager's own interfaces, and what RHEL has elsewhere."""
    return on_networkd() | {"network": {"backend": "networkmanager"}, "ipoib": yaml.safe_load(NM)["ipoib"], "devices": []}


def injected(box, layout, spec):
    box.write("facts.json", box.run("show", "--host", TOP / "examples/hosts/minimal.json", "-o", "json").expect(0).out)
    root = examples.tree(box, "injected", *layout)
    folder = outside(box)
    plain = {path: len(lines) for path, lines in judged(box, root, spec, "as it stands").items()}
    taken = []
    for path, _ in strings(spec):
        for bad in HOSTILE if path[0] != "network" else ():
            made = judged(box, root, with_leaf(spec, path, bad), (path, bad))
            if made is None:
                continue
            taken.append((path, bad))
            for file, lines in made.items():  # a value may be dropped (ALL of a map), but never become a line more
                assert len(lines) <= plain.get(file, len(lines)), (path, bad, file, lines)
                assert not any(c in line for c in "\r\x7f\x1b\0" for line in lines), (path, bad, file)
    assert untouched(folder)
    return taken


def test_no_value_becomes_a_line_of_its_own(box):
    taken = injected(box, ("debian", "12", "networkd"), on_networkd())
    assert {path[0] for path, _ in taken} >= {"devices", "soft_devices", "nfs"}, taken


def test_nor_on_rhel(box):
    assert injected(box, ("rhel", "9.4", "networkmanager"), on_networkmanager())


def test_huge_json_is_refused_for_little(box):
    """However deep or long a file of ours is, it costs neither the stack nor much memory, and the message is short."""
    root = applied_tree(box)
    many = 100  # pieces: this process stays small, since what a child is counted for begins with what its parent had
    wide = ["".join(f'"key {n}": {n},' for n in range(first, first + 400)) for first in range(0, 400 * many, 400)]
    for pieces in (['{"a":' * 1000] * many + ["1"] + ["}" * 1000] * many, ["{", *wide, '"last": 0}'],
                   ["[" * 300_000] * many, ["[", *["0," * 50_000] * many, "0]"]):
        with open(root / LEDGER, "w") as file:
            file.writelines(pieces)
        for words in (("plan", "spec.yaml"), ("apply", "spec.yaml"), ("release",)):
            done = box.run(*words, "--root", root).expect(1)
            assert "ledger.json: " in done.err and "internal" not in done.err and len(done.err) < 2000, done.err[:3000]
            peak, code = box.peak_kib(*words, "--root", root)
            assert code == 1 and peak < 400 << 10, (pieces[0][:20], peak)


def test_a_wrong_type_is_named_with_its_place(box):
    root = applied_tree(box)
    held = json.loads((root / BOOT).read_text())
    cases = ((("resources", 0, "key"), 7, "resources[0].key: expected a string, got 7"),
             (("resources", 0, "kind"), "rocket", "resources[0].kind: 'rocket' is no kind that this version knows"),
             (("resources",), {}, "resources: expected a list, got {}"),
             (("format_version",), 2**40, "format_version: expected a whole number from 0 to 4294967295, got 1099511627776"),
             (("resources", 0, "state"), ["x" * 70_000], "resources[0].state: expected a map, got ["))
    for path, new, sentence in cases:
        (root / BOOT).write_text(json.dumps(with_leaf(held, path, new)))
        done = box.run("apply", "--boot", "--root", root)
        assert done.code == 1 and f"/{BOOT}: " in done.err and sentence in done.err and len(done.err) < 2000, done.err[:3000]
