#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Power cuts at every flush of a logged disk: power.py LOG [--seed N].

The guest's scenario crash-power applied, undid and rolled back with /etc and /var/lib on two file systems of a disk
whose every write is in LOG (rig: `# logged:`), and marked in it where each of those began and ended. Here the disk is
made as it was at each flush between such marks, and between flushes with any subset of the writes that no flush had
settled yet; the journals are replayed, rdmastate recovers as its unit does at boot, and the tree must be what it was
before or what it was to become: type, mode, owner and bytes of every file. The last window is a control: an apply whose
syncs were all left out, of which points must be lost.
"""
import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import power_log
import power_tree

MARK_SECTOR = 8                 # between the partition table and the first partition
MARK = re.compile(rb"@@mark (\S+) (begins|ends)\n")
SUBSETS = 3                     # random ones, between two flushes


class Window:
    """From one mark to the other: entries[first:last]."""

    def __init__(self, name, first):
        self.name, self.first, self.last = name, first, None


def windows(entries):
    """The windows of a log, in their order; a mark is one write to a sector that no partition has."""
    found, opened = [], {}
    for at, entry in enumerate(entries):
        if entry.offset != MARK_SECTOR * power_log.UNIT or not entry.data:
            continue
        said = MARK.match(entry.data)
        if not said:
            continue
        name, what = (word.decode() for word in said.groups())
        if what == "begins":
            opened[name] = Window(name, at)
            found.append(opened[name])
        else:
            opened[name].last = at
    if not found or any(window.last is None for window in found):
        sys.exit("power: the log has no marks, or one without its end")
    return found


def points(entries, window, disk, chance):
    """Yields (what, content) for each disk that a cut in this window may leave; disk is at the window's first entry and
    is moved to its last."""
    pending = []
    for at in range(window.first, window.last):
        entry = entries[at]
        pending += [entry] if entry.size else []
        if not entry.settles:
            continue
        for _ in range(SUBSETS if len(pending) > 1 else 0):
            kept = [one for one in pending if chance.random() < 0.5]
            if 0 < len(kept) < len(pending):
                were = [one.write_to(disk) for one in kept]
                yield f"entry {at}, {len(kept)} of {len(pending)} writes", disk
                for one, was in zip(reversed(kept), reversed(were)):
                    disk[one.offset:one.offset + one.size] = was
        for one in pending:
            one.write_to(disk)
        if pending:
            yield f"entry {at}", disk
        pending = []
    for one in pending:
        one.write_to(disk)


class Judge:
    """Recovers each point and counts how it ended. work: the directory in which images and trees are made."""

    def __init__(self, rdmastate, work):
        self.rdmastate, self.work = rdmastate, work
        self.points = self.old = self.new = 0
        self.lost = []

    def recover(self, window, tree):
        """What the unit does at boot; a rollback that was cut is run once more. Returns what failed."""
        commands = [["apply", "--boot"]] + ([["rollback"]] if window.name.startswith("rollback") else [])
        for command in commands:
            done = subprocess.run([self.rdmastate, *command, "--root", tree], stdin=subprocess.DEVNULL, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if done.returncode and "was taken back already" not in done.stdout:
                return [f"rdmastate {' '.join(command)} ended with {done.returncode}:", *done.stdout.splitlines()[-6:]]
        return []

    def judge(self, window, what, tree, before, after):
        self.points += 1
        trouble = self.recover(window, tree)
        seen = power_tree.of_others(power_tree.look(tree))
        if not trouble and seen == before:
            self.old += 1
        elif not trouble and seen == after:
            self.new += 1
        else:
            self.lost.append((f"{window.name}, {what}", trouble + power_tree.differences(seen, before)))


def one_window(judge, entries, window, disk, chance):
    """Judges each point of the window whose files differ from those of the point before it. disk: as points() takes it."""
    def seen_in(content):
        with tempfile.TemporaryDirectory(dir=judge.work) as work:
            return power_tree.look(power_tree.extract(content, pathlib.Path(work)))

    after_disk = bytearray(disk)
    for entry in entries[window.first:window.last]:
        if entry.size:
            entry.write_to(after_disk)
    neighbour = seen_in(disk)
    before, after = map(power_tree.of_others, (neighbour, seen_in(after_disk)))
    if window.name.startswith("rollback"):
        before, after = after, after    # whatever was reached: one command takes back what is left
    for what, content in points(entries, window, disk, chance):
        with tempfile.TemporaryDirectory(dir=judge.work) as work:
            tree = power_tree.extract(content, pathlib.Path(work))
            state = power_tree.look(tree)
            if state != neighbour:
                neighbour = state
                judge.judge(window, what, tree, before, after)


def fast_place():
    """In memory where that is possible: recovery syncs, and here nobody will pull the plug."""
    return next((place for place in ("/dev/shm", "/tmp") if os.access(place, os.W_OK)), ".")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("log", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("RDMASTATE_SEED") or 1),
                        help="of the random subsets ($RDMASTATE_SEED, or 1)")
    parser.add_argument("--work", type=pathlib.Path, default=fast_place(), help="where images are made (%(default)s)")
    return parser.parse_args()


def main():
    args = arguments()
    entries = power_log.read_log(args.log)
    judge, control = (Judge(os.environ["RDMASTATE_BIN"], args.work) for _ in range(2))
    chance = random.Random(args.seed)
    disk = bytearray(max(entry.offset + entry.size for entry in entries))
    at = 0
    for window in windows(entries):
        for entry in entries[at:window.first]:
            if entry.size:
                entry.write_to(disk)
        judges = control if window.name.startswith("unsynced") else judge
        had, lost = judges.points, len(judges.lost)
        one_window(judges, entries, window, disk, chance)
        at = window.last
        print(f"  {window.name}: {judges.points - had} points, {len(judges.lost) - lost} lost, "
              f"of {window.last - window.first} requests to the disk")
    if not control.lost:
        print("lost: an apply without its syncs was not found out: this disk proves nothing")
    for what, lines in judge.lost[:10]:
        print(f"lost: {what}", *lines, sep="\n    ")
    print(f"crash (power): {judge.points} points, {len(judge.lost)} lost, {judge.old} ended old, {judge.new} ended new")
    return 0 if judge.old and judge.new and not judge.lost and control.lost else 1


if __name__ == "__main__":
    sys.exit(main())
