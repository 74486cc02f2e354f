# SPDX-License-Identifier: Apache-2.0
"""What ran of everything at a commit, where, and whether it passed: results/COMMIT.jsonl in the user's cache folder.

One line per test: item, passed, seconds, when, where (`default`, or `deep I/N`), seed. A line with `all` names what there
is to run. Lines are added, never changed: what was run last counts.
"""
import collections
import datetime
import json
import re

TOLD = re.compile(rb"^(ok|FAIL) (\S+?):? ([\d.]+)(?=[:\s])", re.M)


class Results:
    """where: what its lines say of the run that writes them."""

    def __init__(self, place, commit, where="", seed=None):
        self.commit, self.where, self.seed = commit or "no-commit", where, seed
        self.path = place / "results" / f"{self.commit}.jsonl"

    def lines(self):
        if not self.path.exists():
            return []
        return [json.loads(line) for line in self.path.read_text().splitlines() if line.endswith("}")]

    def _add(self, line):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def expect(self, items):
        """What there is to run at this commit, said once."""
        names = sorted(item.name for item in items)
        if names not in [line["all"] for line in self.lines() if "all" in line]:
            self._add({"all": names})

    def note(self, item, passed, seconds):
        now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
        self._add({"item": item, "passed": passed, "seconds": round(seconds, 1), "when": now, "where": self.where, "seed": self.seed})

    def last(self):
        """By item, its last line."""
        return {line["item"]: line for line in self.lines() if "item" in line}

    def passed(self):
        return {name for name, line in self.last().items() if line["passed"]}


class Follower:
    """Notes what the runner of a stage tells line by line (`ok NAME SECONDS`), as it comes: a run that is ended has what
    it did."""

    def __init__(self, results):
        self.results, self.read = results, collections.Counter()

    def look(self, stage, log):
        if not stage.kind or not log.exists():
            return
        with open(log, "rb") as file:
            file.seek(self.read[stage.name])
            text = file.read()
        whole = text[:text.rfind(b"\n") + 1]
        self.read[stage.name] += len(whole)
        for word, name, seconds in TOLD.findall(whole):
            self.results.note(f"{stage.kind}/{name.decode()}", word == b"ok", float(seconds))


def table(results, everything=None):
    """Lines for people: by kind how many ran and passed, where; then what failed and what is missing, by name. everything:
    what there is to run, where the results do not say so themselves."""
    lines, last = results.lines(), results.last()
    everything = next((line["all"] for line in reversed(lines) if "all" in line), everything or sorted(last))
    kinds = collections.defaultdict(list)
    for name in everything:
        kinds[name.split("/")[0]].append(name)
    told = [f"results at {results.commit}", f"{'kind':10}{'all':>5}{'passed':>8}{'failed':>8}{'missing':>9}{'seconds':>9}  where"]
    for kind, names in sorted(kinds.items()):
        told.append(_row(kind, [last.get(name) for name in names]))
    told.append(_row("everything", [last.get(name) for name in everything]))
    for word, these in (("failed", [n for n in everything if n in last and not last[n]["passed"]]),
                        ("missing", [n for n in everything if n not in last])):
        if these:
            told.append(f"{word}: {', '.join(these)}")
    return told


def _row(kind, ran):
    known = [line for line in ran if line]
    passed = sum(line["passed"] for line in known)
    where = ", ".join(sorted({line["where"] for line in known}, key=lambda text: (len(text), text)))
    return (f"{kind:10}{len(ran):5}{passed:8}{len(known) - passed:8}{len(ran) - len(known):9}"
            f"{sum(line['seconds'] for line in known):9.0f}  {where}")
