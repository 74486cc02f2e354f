# SPDX-License-Identifier: Apache-2.0
"""A spec whose values mean harm, in one or two places. Each is refused where it stands, or the files have not a line, a key or
a section more than with a plain value, and nothing that drives a terminal or a parser."""
import copy
import shutil

import yaml

import fixture
from cases import examples
from cases.hostile import is_shown_harmless, leaves, on_networkd, on_networkmanager, rendered, with_leaf
from support.harness import TOP, Box

TRIES = 10800
PIECES = ("a", "x1", "\n", "\r", "\r\n", "\0", "\x1b[2J", "\x7f", "\u0085", "\u2028", "\u202e", "\ufeff", "\\", "\\\n", '"', "'", "`id`", "$(id)", "${IFS}", "%n", "%%", "%i",
          "#", ";", "=", ":", ",", "|", "&", "[x]", "]", "{", "}", "{{{x}}}", "..", "/", "../../etc", "@", "*", "?", "~", "--adopt", "-", "+", " ", "\t", "  ", "0", "é",
          "\nExecStart=/bin/sh", "]\n[Service]", '", RUN+="/bin/sh', "\n* - memlock 1", "x" * 300)
LAYOUTS = {"networkd": (("debian", "12", "networkd"), on_networkd), "networkmanager": (("rhel", "9.4", "networkmanager"), on_networkmanager),
           "debian": (("debian", "12", "networkmanager"), on_networkmanager), "suse": (("sles", "15.6", "networkmanager"), on_networkmanager),
           "old": (("rhel", "8.10", "networkmanager"), on_networkmanager)}


def made_by(box, spec, name):
    """The lines of each file that a spec makes in a copy of the tree, and how the apply ended."""
    fixture.copy((box.dir / "tree").resolve(), box.dir / name)
    box.write("spec.yaml", yaml.safe_dump(spec, allow_unicode=False, sort_keys=False))
    done = box.run("apply", "spec.yaml", "--root", box.dir / name, "--facts", "facts.json")
    lines = rendered(box.dir / name)
    shutil.rmtree(box.dir / name)
    return done, lines


def texts(spec):
    """The places of all words in it, keys of maps not among them."""
    for path in leaves(spec):
        one = spec
        for key in path:
            one = one[key]
        if isinstance(one, str) and path[0] != "network":
            yield path


def prepare(room):
    made = {}
    for name, (layout, spec) in LAYOUTS.items():
        box = Box(room / name)
        box.dir.mkdir()
        box.write("facts.json", box.run("show", "--host", TOP / "examples/hosts/minimal.json", "-o", "json").expect(0).out)
        examples.tree(box, "plain", *layout).rename(box.dir / "tree")
        done, lines = made_by(box, spec(), "plain")
        assert done.code in (0, 1), (name, done.err)
        made[name] = box.dir, spec(), list(texts(spec())), {path: len(one) for path, one in lines.items()}
    return made


MILD = tuple(piece for piece in PIECES if piece.isprintable())


def hostile(chance):
    """In most cases short, and of what a sloppy check would let through."""
    return "".join(chance.choices(MILD if chance.random() < 0.7 else PIECES, k=chance.choice((1, 1, 1, 2, 4))))


def attempt(one):
    made, spec, places, plain = one.made[one.random.choice(sorted(one.made))]
    box, put = Box(one.box.dir), {}
    for name in ("tree", "facts.json"):
        (box.dir / name).symlink_to(made / name)
    changed = copy.deepcopy(spec)
    for path in one.random.sample(places, one.random.choice((1, 1, 2))):
        old = changed
        for key in path:
            old = old[key]
        put[path] = one.random.choice((hostile(one.random), old + hostile(one.random), hostile(one.random) + old))
        changed = with_leaf(changed, path, put[path])
    done, lines = made_by(box, changed, "made")
    is_shown_harmless(one.speaks_plainly(done))
    one.counts["refused" if done.code == 3 else "taken"] += 1
    if done.code == 3:
        assert "spec.yaml:" in done.err, (put, done.err)
        return
    assert done.code in (0, 1, 6), (put, done.code, done.err)
    for file, text in lines.items():
        accounts = file in ("etc/group", "etc/gshadow")  # a group of another name is one that is made
        assert len(text) <= plain.get(file, len(text)) + accounts, (put, file, text)
        assert not any(c in line for c in "\r\x7f\x1b\0" for line in text), (put, file, text)
