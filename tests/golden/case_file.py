"""A golden case: one file, whose first texts are written by hand and whose others RDMASTATE_ACCEPT=1 writes."""
import json
import pathlib

import yaml

from support import harness, txtar

HERE = pathlib.Path(__file__).resolve().parent
BY_HAND = ("spec.yaml", "host", "before.yaml", "options")
BASE = "base"  # of the text `host`: the recorded host on which the rest of it is laid


def patched(base, patch):
    """`base` with `patch` laid on it: objects merge, null removes, "+links" appends to the list "links", `0:` is a list's first."""
    if isinstance(base, list) and isinstance(patch, dict):
        return [patched(one, patch[at]) if at in patch else one for at, one in enumerate(base)]
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


class Case:
    """What a case's file says. `by_hand`: its text up to what is accepted; `shown`: the accepted texts by their names."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.name = self.path.stem
        text = self.path.read_bytes().decode()
        text += "" if text.endswith("\n") else "\n"
        self.about, texts = txtar.parse(text)
        self.shown = {name: one for name, one in texts.items() if name not in BY_HAND}
        given = [name for name in texts if name in BY_HAND]
        assert self.about.strip(), f"{path}: nothing says what the case is about"
        ordered = [name for name in BY_HAND if name in texts]
        assert list(texts)[:len(given)] == given == ordered, f"{path}: its texts stand in this order: {list(texts)}"
        self.by_hand = text[:text.index(f"\n-- {next(iter(self.shown))} --\n") + 1] if self.shown else text
        self.spec, self.before = texts["spec.yaml"], texts.get("before.yaml")
        self.options = texts.get("options", "").split()
        self._host = texts["host"]

    def host(self):
        """The recorded host that the case begins with, before what `before` does to it."""
        patch = yaml.load(self._host, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        base = json.loads((harness.TOP / patch.pop(BASE)).read_text())
        return patched(base, patch)


def named(name):
    return Case(HERE / f"{name}.txtar")


def names():
    return sorted(path.stem for path in HERE.glob("*.txtar"))
