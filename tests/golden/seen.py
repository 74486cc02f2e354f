"""What plan and apply said and did in a case."""
import json
import re

RUNS = "/var/lib/rdmastate"
LEDGER, BOOT = "/etc/rdmastate/ledger.json", "/etc/rdmastate/boot.json"


def content(host, path):
    return host["files"].get(path, {}).get("content")


def prepared(case, box):
    """The host that the case begins with."""
    host = box.write("host.json", json.dumps(case.host()))
    if case.before is None:
        return host
    box.write("before.yaml", case.before)
    done = box.run("apply", "before.yaml", "--host", host, "--record", "prepared.json")
    assert done.code in (0, 1), done.err
    (box.dir / "prepared.json").rename(host)
    return host


def tells(line, step):
    """Whether the line says that the step is done, alone or among those that are alike: "  done  load module (2): a, b"."""
    title = step["title"].removeprefix(step["kind"] + " ")
    what = re.escape(step["line"].removesuffix(title).rstrip())
    return re.match(rf"  done  {what} (\(\d+\): (.*, )?)?{re.escape(title)}(, |$)", line) is not None


class Seen:
    """`planned` and `applied` are the commands, `plan` is the plan as data, `before` and `after` are the hosts, `rounds` what apply
    recorded of its steps, round by round; none where it made no run. `history` is what that command says of the runs, newest first, and `told`
    what it says of the steps of the newest."""

    def __init__(self, case, box):
        host = prepared(case, box)
        box.write("spec.yaml", case.spec)
        words = ("spec.yaml", "--host", "host.json", *case.options)
        self.spec = case.spec
        self.planned = box.run("plan", *words, "--detailed-exitcode")
        self.applied = box.run("apply", *words, "--record", "after.json")
        self.plan = {} if self.planned.code == 3 else box.run("plan", *words, "-o", "json").json
        self.plan.pop("facts", None)
        self.before = json.loads(host.read_text())
        record = box.dir / "after.json"
        self.after = json.loads(record.read_text()) if record.exists() else self.before
        self.is_undone = "undoing what was done" in self.applied.err
        self.rounds = self._rounds()
        self.history = box.run("history", "-o", "json", "--host", "after.json").json["runs"] if self.rounds else []
        self.told = box.run("history", self.history[0]["run"], "-o", "json", "--host", "after.json").json["steps"] if self.rounds else []

    def _rounds(self):
        new = self.after["files"].keys() - self.before["files"].keys()
        made = sorted(path for path in new if path.startswith(RUNS) and "/round-" in path)
        assert len({path.rsplit("/", 1)[0] for path in made}) <= 1, made
        return [json.loads(content(self.after, path))["steps"] for path in made]

    def items(self):
        """What the plan has, by kind and key."""
        return {(item["kind"], item["key"]): item for item in self.plan.get("steps", []) + self.plan.get("other", [])}

    def done(self, step):
        """Whether apply says that it did a step of the plan, and did not take it back."""
        return not self.is_undone and any(tells(line, step) for line in self.applied.err.splitlines())

    def moved(self):
        """The steps of the run as they stand, but for what was only kept to be put back on undo, for the ledger's, and for what
        a daemon would do: that is behind the ledger's, and nobody's to list."""
        last = next((at for at, steps in enumerate(self.rounds) if any(step["key"] == LEDGER for step in steps)), len(self.rounds))
        steps = [] if self.is_undone else [step for steps in self.rounds[:last + 1] for step in steps]
        return [step for step in steps if step["from"] != step["to"] and step["key"] != LEDGER]
