# SPDX-License-Identifier: Apache-2.0
"""Which of many tests run: parts of equal length, and what of them fits into a time.

Nothing here is by chance: the same items, number of parts and commit give the same choice.
"""
import math


class Item:
    """One test that can run by itself. name: KIND/NAME. seconds: that it keeps the machine busy, when others of its kind
    run beside it. always: the default run never leaves it out. deep: only --deep has it."""

    def __init__(self, name, seconds, always=False, deep=False):
        self.name, self.seconds, self.always, self.deep = name, seconds, always, deep
        self.kind, self.short = name.split("/", 1)


def parts(items, count):
    """As many lists of about the same length: the longest item goes first, each to the list with the least to do."""
    lists, sums = [[] for _ in range(count)], [0.0] * count
    for item in sorted(items, key=lambda one: (-one.seconds, one.name)):
        least = sums.index(min(sums))
        lists[least].append(item)
        sums[least] += item.seconds
    return lists


def length(items):
    return sum(item.seconds for item in items)


class Cut:
    """What of `items` runs in `budget` seconds: those that always do, and one part of the others, which the number of the
    commit names; of so many parts that each fits; then what of the parts behind it still does. chosen: the items that run;
    later: those that another commit's part has; deep: those that only --deep has. reasons: sentences of what is left out, by
    name."""

    def __init__(self, items, budget, number):
        first = [item for item in items if item.always]
        left = budget - length(first)
        others = [item for item in items if not item.always and not item.deep]
        fit = [item for item in others if item.seconds <= left]
        self.budget, self.count = budget, _count_of_parts(fit, left)
        self.part = number % self.count
        lists = parts(fit, self.count)
        taken = _filled(lists[self.part:] + lists[:self.part], left)
        self.chosen = sorted(first + taken, key=lambda one: one.name)
        taken = {item.name for item in self.chosen}
        self.later = [item for item in fit if item.name not in taken]
        self.deep = [item for item in items if not item.always and item not in fit]

    def names(self):
        return [item.short for item in self.chosen]

    def reasons(self):
        told = []
        if self.later:
            told.append(f"{len(self.later)} of other parts (this commit has part {self.part + 1} of {self.count}): {_listed(self.later)}")
        if self.deep:
            told.append(f"{len(self.deep)} too long or too slow for {self.budget} s, in --deep alone: {_listed(self.deep)}")
        return told


def _filled(lists, seconds):
    """The first list, and of the others in their order what there is time for."""
    taken = list(lists[0])
    for item in (item for one in lists[1:] for item in one):
        if length(taken) + item.seconds <= seconds:
            taken.append(item)
    return taken


def _count_of_parts(items, seconds):
    """The least number of parts of which none is longer; each item by itself would fit."""
    count = max(1, math.ceil(length(items) / max(seconds, 1)))
    while items and max(map(length, parts(items, count))) > seconds:
        count += 1
    return count


def _listed(items):
    return ", ".join(sorted(item.short for item in items))
