"""No value of a spec becomes anything but that value in a file: each is refused where it stands, or its owner reads it back.

For each template a spec with a text of a random kind in one place, and the same spec with a plain one: what the file's own
program reads of the two is the same but for that text. RDMASTATE_SEED repeats a run.
"""
import os
import random
import re
import shutil
import tempfile

import yaml

from cases import examples
from cases.trees import RUNS, state
from support.harness import HOSTS, TOP, Box
from support.owners import values
from support.owners.table import OWNERS

SEED = int(os.environ.get("RDMASTATE_SEED") or random.SystemRandom().randrange(1 << 32))
TEXTS_PER_PLACE, TYPED_PER_PLACE = 10, 2
SLOT = re.compile(r"qv\dx")


def put(value, old, new):
    """A spec or what was read of it, with a text in another's place."""
    if isinstance(value, str):
        return value.replace(old, new)
    if isinstance(value, (list, tuple)):
        return [put(one, old, new) for one in value]
    if isinstance(value, dict):
        return {put(k, old, new): put(v, old, new) for k, v in value.items()}
    return value


def put_all(value, places):
    for number, (old, _) in enumerate(places):
        value = put(value, old, f"\0{number}\0")
    for number, (_, new) in enumerate(places):
        value = put(value, f"\0{number}\0", new)
    return value


def leaves(value):
    if isinstance(value, dict):
        for one in value.values():
            yield from leaves(one)
    elif isinstance(value, list):
        for one in value:
            yield from leaves(one)
    elif isinstance(value, str):
        yield value


class Fuzz:
    def __init__(self, box, owner, number):
        self.box, self.owner = box, owner
        self.random = random.Random(f"{SEED} {number}")
        self.spec = {"version": 1} | yaml.safe_load(owner.spec)
        self.slots = sorted(set(SLOT.findall(yaml.safe_dump(self.spec))))
        self.where = ["--facts", "facts.json"] if owner.facts else []
        self.trees, self.given = {}, {}
        self.empty = self.tree("empty")
        self.before = state(self.empty)
        self.reader = owner.reads(box)

    def tree(self, name):
        root = examples.tree(self.box, name, *self.owner.layout)
        for path in ("etc/systemd/network", "etc/network/interfaces.d", "etc/NetworkManager/system-connections", "etc/netplan", "etc/rdma"):
            (root / path).mkdir(parents=True, exist_ok=True)
        for path, text in self.owner.files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
            (root / path).chmod(0o600)
        return root

    def places(self, old, new):
        """All that is put into this spec: the value, and where all trees are read at once plain names that no other one has."""
        others = [slot for slot in self.slots if slot != old] if self.owner.alone and self.trees else []
        return [(old, new), *((slot, f"q{len(self.trees)}{slot[2:]}") for slot in others)]

    def refused(self, old, new):
        """Whether it is refused, in the tree where nothing is written then; else the tree is kept for its owner."""
        places = self.places(old, new)
        self.box.write("spec.yaml", yaml.safe_dump(put_all(self.spec, places), sort_keys=False, width=10000))
        done = self.box.run("apply", "spec.yaml", "--root", self.empty, *self.where)
        what = f"{self.owner.templates}: {new!r} for {old} (RDMASTATE_SEED={SEED})"
        if done.code == 3:
            assert re.search(r"^spec\.yaml:\d+:\d+: ", done.err, re.M), (what, done.err)
            assert state(self.empty) == self.before and not (self.empty / RUNS).exists(), (what, "refused, and something was written")
            return True
        assert done.code == 0 or done.code == 1 and "blocked: " in done.err, (what, done.code, done.err)
        key = f"tree{len(self.trees)}"
        os.rename(self.empty, self.box.dir / key)
        self.trees[key], self.given[key] = self.box.dir / key, places
        self.empty = self.tree(f"empty{len(self.trees)}")
        return False

    def judge(self):
        """Every tree's reading against that of the plain one."""
        names = {key: [put_all(name, self.given[key]) for name in self.owner.names] for key in self.trees}
        read = {key: put(one, str(self.trees[key]), "ROOT") for key, one in self.reader(self.trees, names).items()}
        plain = next(iter(read.values()))
        for key, places in self.given.items():
            old, new = places[0]
            wanted = in_order(put_all(plain, [(slot, self.owner.as_read.get(slot, str)(text)) for slot, text in places]))
            found = in_order(read[key])
            assert found == wanted, f"{self.owner.templates}: {new!r} for {old} is read as something else (RDMASTATE_SEED={SEED})\nread:   {found}\nwanted: {wanted}"
        return plain

    def run(self):
        assert not self.refused("\0", "\0"), "the plain spec"
        of = self.slots if self.owner.of is None else self.owner.of
        used = set()
        for slot in of:
            for new in values.some(self.random, TEXTS_PER_PLACE):
                if not self.owner.skip(new) and not (self.owner.alone and new in used):  # one name cannot be two interfaces'
                    self.refused(slot, new)
                used.add(new)
        rest = {key: value for key, value in self.spec.items() if key != "network"}  # another back end: the files of another owner
        for plain in sorted({leaf for leaf in leaves(rest) if not SLOT.search(leaf)}):
            for new in self.random.sample(values.NO_WORDS, TYPED_PER_PLACE):
                self.refused(plain, new)
        plain = self.judge()
        unread = {slot for slot in of if slot not in str(plain)}
        assert unread == set(self.owner.unseen), (self.owner.templates, "its owner does not read", unread, plain)


def in_order(value):
    """Lists of lists in one order: what stands first may be the smaller text."""
    if isinstance(value, (list, tuple)):
        return sorted((in_order(one) for one in value), key=str)
    return value


def fuzzed(number):
    def test(_box):
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
            os.chmod(folder, 0o755)  # a manager without rights reads in it
            box = Box(folder)
            box.write("facts.json", box.run("show", "--host", HOSTS / "minimal.json", "-o", "json").expect(0).out)
            Fuzz(box, OWNERS[number], number).run()
    return test


def more_tests():
    return {f"{number:02}_{'_and_'.join(owner.templates) or 'entries'}": fuzzed(number) for number, owner in enumerate(OWNERS)}


def test_every_template_has_its_owner(_box):
    print(f"owners_fuzz: RDMASTATE_SEED={SEED}")
    templates = {path.name for path in (TOP / "templates").iterdir() if not path.name.startswith("completion.")}  # which shells read
    read = {name for owner in OWNERS for name in owner.templates}
    assert templates == read, f"without an owner: {templates - read}; of no template: {read - templates}"
