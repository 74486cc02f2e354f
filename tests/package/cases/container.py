# SPDX-License-Identifier: Apache-2.0
"""The Containerfile of examples/roads, and the spec for many hosts that its chapter shows, by this machine's buildah (Debian 12), on an image of a Debian 13."""
import json
import pathlib
import re
import shutil
import time

from buildah import Buildah, held
from builders import builders
from inside import OUTSIDE, good
from published import TOP, deb

DEEP = True
ON_DISK = True  # some copies of a Debian
ROADS = TOP / "examples/roads"
FACTS = TOP / "examples/hosts/minimal.json"
# As the chapter has it for Debian: the package in BASE.
BASE = """ARG BASE
FROM ${BASE}
COPY rdmastate*.deb /tmp/
RUN apt-get -y install /tmp/rdmastate*.deb
"""
# The chapter's commands, given from outside. Its $1 is the root.
BY_HAND = """set -e
cp "$1/mnt/context/host.yaml" "$1/etc/rdmastate/host.yaml"
chmod 0600 "$1/etc/rdmastate/host.yaml"
"$1/usr/bin/rdmastate" apply "$1/etc/rdmastate/host.yaml" --root "$1" --bake --facts "$1/mnt/context/facts.json" >&2
chroot "$1" systemctl --quiet enable rdmastate-apply.service
rm -rf /mnt/upper/run
tar -C /mnt/upper -cf "$1/mnt/by-hand.tar" .
"""
ON_BASE = "localhost/base"
HOST_YAML = "etc/rdmastate/host.yaml"


def chapter_spec():
    """Of "One image for hosts whose GUIDs differ": it tells the port by its device, so the bake needs the facts."""
    [spec] = re.findall(r"^```yaml\n(version: 1\n.*?)^```", (ROADS / "README.md").read_text(), re.M | re.S)
    return spec


def context(box, name, spec, facts):
    """A folder that is built from: the Containerfile, and beside it what it copies."""
    where = box.write(f"{name}/host.yaml", spec).parent
    shutil.copy(ROADS / "image/Containerfile", where)
    if facts:
        shutil.copy(FACTS, where / "facts.json")
    return where


def base(box):
    """buildah, with the image that BASE names."""
    buildah = Buildah(box.dir / "store")
    buildah.from_tree(builders(), "localhost/debian")
    box.write("base/Containerfile", BASE)
    shutil.copy(deb(), box.dir / "base")
    buildah.build(box.dir / "base", ON_BASE, "localhost/debian")
    return buildah


def network_calls(log, program):
    """Of every process in which the program was started, and of its children; there has to be one."""
    ours, found = set(), []
    for pid, call in re.findall(r"^(\d+) +(.*)$", log.read_text(errors="replace"), re.M):
        if call.startswith(f'execve("{program}"') and " = -1 " not in call:
            ours.add(pid)
        elif pid in ours and (child := re.search(r"(?:fork|clone3?)\b.*= (\d+)$", call)):
            ours.add(child[1])
        elif pid in ours and re.match(r"(?:socket|connect|bind|send|recv)", call):
            found.append(call)
    assert ours, f"{program} was never started"
    return found


def baked(buildah, image):
    """The digest of what the Containerfile added to its base, and that. Debian 12's buildah (1.28) empties the folder that a RUN mounted something on:
    so this does not compare /run."""
    digest, files = buildah.last_layer(image)
    return digest, {name: what for name, what in files.items() if not name.startswith("run/")}


def by_hand(buildah, box):
    """What the chapter's commands leave on the same base where no builder runs them."""
    _, tree = buildah.container(ON_BASE)
    good(BY_HAND, box.dir, OUTSIDE, tree)
    return held(box.dir / "by-hand.tar")


def refused(buildah, where):
    """A port that is told by its device needs the facts, as the chapter says: there is no image."""
    try:
        told = buildah.build(where, "localhost/refused", ON_BASE)
    except AssertionError as trouble:
        told = str(trouble)
    assert "--facts" in told and "localhost/refused" not in buildah("images"), told


def in_sync(buildah, image):
    """In the image nothing differs and nothing is to do."""
    made, tree = buildah.container(image)
    assert (pathlib.Path(tree) / "run").is_dir(), "the image has no /run to mount on"
    run = ("run", "--isolation", "chroot", "--volume", f"{FACTS}:/mnt/facts.json", made, "--", "rdmastate")
    same = (f"/{HOST_YAML}", "--root", "/", "--facts", "/mnt/facts.json")
    buildah(*run, "verify", *same)
    assert json.loads(buildah(*run, "plan", *same, "-o", "json"))["steps"] == []


def test_bake(box):
    """Two builds make the same bytes, those that the agent makes from outside, without a socket; the image is in sync."""
    buildah, where = base(box), context(box, "context", chapter_spec(), facts=True)
    log = box.dir / "strace"
    told = buildah.build(where, "localhost/first", ON_BASE, under=("strace", "-f", "--seccomp-bpf", "-qq", "-o", log, "-e", "trace=%network,%process"))
    assert network_calls(log, "/usr/bin/rdmastate") == [], told
    time.sleep(1.1)  # a time that is kept would differ
    buildah.build(where, "localhost/second", ON_BASE)
    digest, files = baked(buildah, "localhost/first")
    assert (digest, files) == baked(buildah, "localhost/second")
    assert files == by_hand(buildah, box)
    assert files[HOST_YAML][0] == "0o600" and not any("facts" in name or name.startswith("var/") for name in files), files
    in_sync(buildah, "localhost/first")
    buildah.build(where, "localhost/again", "localhost/first")
    assert set(baked(buildah, "localhost/again")[1]) <= {HOST_YAML}, "a second bake wrote something"

    buildah.build(context(box, "guid", (TOP / "examples/minimal.yaml").read_text(), facts=False), "localhost/guid", ON_BASE)
    assert {"etc/modules-load.d/rdmastate.conf", HOST_YAML} <= set(baked(buildah, "localhost/guid")[1])
    refused(buildah, context(box, "without-facts", chapter_spec(), facts=False))
