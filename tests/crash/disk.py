# SPDX-License-Identifier: Apache-2.0
"""A disk that keeps what was synced and, of the rest, whatever it likes: what POSIX promises and no more.

fsync(2) of a file makes its bytes, mode, owner and attributes durable, but not its name; fsync of a directory makes the names
in it durable, and its own mode and owner. Everything else may be there after a power cut or not, each change by itself and
in no order, a write also in part. A rename within a directory is one change. Real file systems keep more than that.
"""
import os
import pathlib
import random
import re
import stat

import fixture
import tracing

SEED = os.environ.get("RDMASTATE_SEED", "")  # of what is taken at random; printed by tests/run
ALL_SUBSETS = 6  # of so many changes all subsets are tried
AT_RANDOM = 8    # of more of them so many random ones, beside none, all, each alone and all but each


class Node:
    """An inode. `body`: a file's bytes, a link's target, a directory's names."""

    def __init__(self, kind, mode, uid=0, gid=0, attributes=(), body=b""):
        self.kind, self.mode, self.uid, self.gid, self.attributes, self.body = kind, mode, uid, gid, dict(attributes), body

    def copy(self):
        return Node(self.kind, self.mode, self.uid, self.gid, self.attributes, dict(self.body) if self.kind == stat.S_IFDIR else self.body)


class Change:
    """Of one inode: `node` is its number, that of the directory where a name changes. data: of a file's bytes, which fdatasync syncs
    alone. effect(nodes) makes it; torn(nodes) makes a part of it, None where it is there or not."""

    def __init__(self, node, data, effect, torn=None):
        self.node, self.data, self.effect, self.torn, self.durable = node, data, effect, torn, False


class Disk:
    """The state of a tree, and what one recording did to it, call by call. Inodes by number: `first` as the recording began, `now` as
    all calls so far left them, `_born` those made since, as they were made."""

    def __init__(self, root):
        self.root, self.first, self.changes = os.fsencode(root), {}, []
        self.top = self._load(pathlib.Path(root))
        self.now = {number: node.copy() for number, node in self.first.items()}

    def _load(self, path):
        kind, mode, uid, gid, attributes, body = fixture.entry(path)
        if kind == stat.S_IFDIR:
            body = {os.fsencode(name): self._load(path / name) for name in sorted(os.listdir(path))}
        body = os.fsencode(body) if kind == stat.S_IFLNK else body
        return self._new(self.first, Node(kind, mode, uid, gid, attributes, body))

    def _new(self, nodes, node):
        self.last = getattr(self, "last", 0) + 1
        nodes[self.last] = node
        return self.last

    def _at(self, path):
        number = self.top
        for name in path[len(self.root):].split(b"/"):
            if name:
                number = self.now[number].body[name]
        return number

    def _change(self, node, effect, data=False, torn=None):
        effect(self.now)
        self.changes.append(Change(node, data, effect, torn))

    def _make(self, directory, name, node):
        number = self._new({}, node)

        def effect(nodes):
            nodes.setdefault(number, node.copy())
            nodes[directory].body[name] = number
        self._born = getattr(self, "_born", {})
        self._born[number] = node
        self._change(directory, effect)

    def _sync(self, chosen):
        for change in self.changes:
            change.durable = change.durable or chosen(change)

    def do(self, call):
        if call.failed or (call.name == "fsync" and ">(deleted)" in call.args):  # a directory that was removed since
            return
        try:
            getattr(self, "_" + call.name, self._unknown)(call, re.sub(r"<[^>]*>", "", call.args))
        except KeyError as error:
            raise fixture.Broken(f"the model of a disk has no {error}, which is asked for by {call}: {call.args[-200:]}") from None

    def _unknown(self, call, _):
        raise fixture.Broken(f"the model of a disk does not know {call}")

    def _openat(self, call, args):
        directory, name = self._at(call.at[0]), call.texts[0]
        if "O_TRUNC" in args or (name in self.now[directory].body and "O_EXCL" in args):
            raise fixture.Broken(f"the model of a disk does not know {call}")
        if name not in self.now[directory].body:
            self._make(directory, name, Node(stat.S_IFREG, int(args.rsplit(",", 1)[1], 8)))

    def _mkdirat(self, call, args):
        self._make(self._at(call.at[0]), call.texts[0], Node(stat.S_IFDIR, int(args.rsplit(",", 1)[1], 8), body={}))

    def _symlinkat(self, call, _):
        self._make(self._at(call.at[0]), call.texts[1], Node(stat.S_IFLNK, 0o777, body=call.texts[0]))

    def _write(self, call, _):
        number, text = self._at(call.at[0]), call.texts[0]
        at = len(self.now[number].body)  # written from the beginning, or appended

        def effect(nodes, part=text):
            body = nodes[number].body
            nodes[number].body = body[:at].ljust(at, b"\0") + part + body[at + len(part):]
        self._change(number, effect, data=True, torn=lambda nodes: effect(nodes, text[:len(text) // 2]))

    def _renameat(self, call, _):
        directory, (old, new) = self._at(call.at[0]), call.texts
        if call.at[0] != call.at[1]:
            raise fixture.Broken(f"the model of a disk does not know {call}")
        number = self.now[directory].body[old]

        def effect(nodes):
            if nodes[directory].body.get(old) == number:
                del nodes[directory].body[old]
            nodes.setdefault(number, self._born[number].copy())
            nodes[directory].body[new] = number
        self._change(directory, effect)

    def _unlinkat(self, call, _):
        directory, name = self._at(call.at[0]), call.texts[0]
        self._change(directory, lambda nodes: nodes[directory].body.pop(name, None))

    def _dress(self, number, **values):
        def effect(nodes):
            for key, value in values.items():
                setattr(nodes[number], key, value)
        self._change(number, effect)

    def _fchmod(self, call, args):
        self._dress(self._at(call.at[0]), mode=int(args.rsplit(",", 1)[1], 8))

    def _fchown(self, call, args):
        uid, gid = args.split(",")[1:3]
        self._dress(self._at(call.at[0]), uid=int(uid), gid=int(gid))

    def _fchownat(self, call, args):
        uid, gid = args.split(",")[2:4]
        self._dress(self.now[self._at(call.at[0])].body[call.texts[0]], uid=int(uid), gid=int(gid))

    def _fsetxattr(self, call, _):
        number, (name, value) = self._at(call.at[0]), call.texts
        self._change(number, lambda nodes: nodes[number].attributes.update({name.decode(): value}))

    def _fsync(self, call, _):
        number = self._at(call.at[0])
        self._sync(lambda change: change.node == number)

    def _fdatasync(self, call, _):
        number = self._at(call.at[0])
        self._sync(lambda change: change.node == number and change.data)

    def _syncfs(self, _call, _args):
        self._sync(lambda change: True)

    def _sync_file_range(self, _call, _args):
        """Starts what nothing waits for."""

    def after(self, kept, torn=None):
        """The inodes after a power cut that kept, beside what is durable, the changes of these numbers."""
        nodes = {number: node.copy() for number, node in self.first.items()}
        for number, change in enumerate(self.changes):
            if change.durable or number in kept:
                if change.node not in nodes:
                    nodes[change.node] = self._born[change.node].copy()
                (change.torn if number == torn and change.torn else change.effect)(nodes)
        return nodes


def units(disk):
    """The changes that are not durable yet, as sets that go together: one file's bytes, one file's other changes, one name."""
    together, alone = {}, []
    for number, change in enumerate(disk.changes):
        if change.durable:
            continue
        node = disk.now.get(change.node)
        if node is not None and node.kind == stat.S_IFDIR:
            alone.append({number})
        else:
            together.setdefault((change.node, change.data), set()).add(number)
    return [*together.values(), *alone]


def subsets(disk, quick, seed):
    """(kept changes, torn change or None) of every power cut that is tried at this point."""
    open_units = units(disk)
    every = set().union(*open_units)
    if len(open_units) <= (3 if quick else ALL_SUBSETS):
        for mask in range(1 << len(open_units)):
            yield set().union(*(unit for i, unit in enumerate(open_units) if mask >> i & 1)), None
    else:
        yield from ((set(), None), (every, None))
        for unit in open_units:
            yield from ((unit, None), (every - unit, None))
        dice = random.Random(f"{SEED} {seed}")
        for _ in range(0 if quick else AT_RANDOM):
            yield set().union(*(unit for unit in open_units if dice.random() < 0.5)), None
    for unit in open_units:
        if disk.changes[max(unit)].data:
            yield every, max(unit)


def entries(nodes, top):
    """Path to what stands there, as a frozen tree that can be compared."""
    found, queue = {}, [(b"", top)]
    while queue:
        path, number = queue.pop()
        node = nodes[number]
        body = None if node.kind == stat.S_IFDIR else node.body
        found[path] = (node.kind, node.mode, node.uid, node.gid, tuple(sorted(node.attributes.items())), body)
        if body is None:
            queue += [(path + b"/" + name, child) for name, child in node.body.items()]
    return found


def write_out(found, root):
    """Makes the tree at `root`, which is not there."""
    for path, (kind, mode, uid, gid, attributes, body) in sorted(found.items()):
        at = os.fsencode(root) + path
        if kind == stat.S_IFDIR:
            os.mkdir(at)
        elif kind == stat.S_IFLNK:
            os.symlink(body, at)
        else:
            with open(at, "wb") as file:
                file.write(body)
        os.chown(at, uid, gid, follow_symlinks=False)
        for name, value in attributes:
            os.setxattr(at, name, value, follow_symlinks=False)
        if kind != stat.S_IFLNK:
            os.chmod(at, mode)


def hinted(entry, path):
    """A progress file without the lines before its last: nobody reads them."""
    return (*entry[:-1], entry[-1].rstrip(b"\n").rsplit(b"\n", 1)[-1]) if path.endswith(b"/progress") else entry


def every_cut(root, calls, quick):
    """(what was done last, is it the end, entries) for every state that a power cut may leave, each once."""
    disk, seen = Disk(root), set()
    for at, call in enumerate(calls):
        disk.do(call)
        is_last = at == len(calls) - 1
        for kept, torn in subsets(disk, quick, at):
            found = entries(disk.after(kept, torn), disk.top)
            key = hash((is_last, tuple(sorted((path, hinted(entry, path)) for path, entry in found.items()))))
            if key not in seen:
                seen.add(key)
                yield f"{call}, kept {sorted(kept)}, torn {torn}", is_last, found


def power_cuts(root, calls, quick, most):
    """Those of every_cut() at the command's end, and at most `most` of the others, in order; for mutants (`quick`) always the same."""
    cuts = list(every_cut(root, calls, quick))
    before_end = [at for at, cut in enumerate(cuts) if not cut[1]]
    chosen = set(random.Random(len(calls) if quick else f"{SEED} {len(calls)}").sample(before_end, min(most, len(before_end))))
    return [cut for at, cut in enumerate(cuts) if cut[1] or at in chosen]
