# SPDX-License-Identifier: Apache-2.0
"""The tree that the crash suite breaks, the two specs between which it is broken, and the judge of what is left."""
import collections
import hashlib
import os
import pathlib
import re
import shutil
import stat
import subprocess

TOP = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("RDMASTATE_BIN", TOP / "build/release/agent/cli/rdmastate")).resolve()
RUNS = "var/lib/rdmastate"
LABEL = "security.selinux"
HUGE = 64 << 20  # bytes of a file that nobody compares

# What is there before: applied first, so that the old state is an applied one.
OLD = """version: 1
network: {backend: none}
modules: {load: [ib_ipoib, ib_umad], options: {ib_ipoib: {recv_queue_size: 512}}}
ipoib:
  - name: mlx4_ib0
    match: {port_guid: "f452:1403:007b:cba1"}
    mode: datagram
    ipv4: {method: manual, addresses: [192.0.2.1/24]}
memlock: {group: rdma, members: [hpcuser], soft: 1GiB, hard: 1GiB, services: [slurmd.service]}
nfs:
  server: {rdma_port: 20050}
  client: {mounts: [{source: "server.example.com:/a", target: /mnt/a}]}
"""
# Changes and removes what OLD has, and makes what it has not: files, links, directories, entries, groups, the ledger.
NEW = """version: 1
network: {backend: none}
modules: {load: [ib_ipoib], block: [rds_rdma]}
ipoib:
  - name: mlx4_ib0
    match: {port_guid: "f452:1403:007b:cba1"}
    mode: datagram
    ipv4: {method: manual, addresses: [192.0.2.2/24]}
  - {parent: mlx4_ib0, pkey: 0x8002, ipv4: {method: manual, addresses: [198.51.100.1/24]}}
memlock: {group: verbs, members: [hpcuser], soft: 1GiB, hard: unlimited, services: [mpid.service]}
permissions: {umad: {group: ibdiag}}
nfs:
  server: {rdma_port: 20051}
  client: {mounts: [{source: "server.example.com:/b", target: /mnt/b, automount: true}, {source: "server.example.com:/long", target: "/mnt/@LONG@"}]}
"""
NEW = NEW.replace("@LONG@", "b" * 230)  # so that the names of temporary files are cut


def many_files():
    """OLD and more mounts than are synced one by one."""
    more = "".join(f', {{source: "server.example.com:/{i}", target: /mnt/many{i}}}' for i in range(24))
    return OLD.replace("target: /mnt/a}", "target: /mnt/a}" + more)


FILES = {  # path: text, mode, owner
    "etc/os-release": ('ID="rhel"\nVERSION_ID="8.10"\nPRETTY_NAME="Red Hat Enterprise Linux 8.10 (Ootpa)"\n', 0o644, 0),
    "etc/machine-id": ("5d0c1f7e2a634b7c9c61a2c8f0e4b7d3\n", 0o444, 0),
    "etc/passwd": ("root:x:0:0:root:/root:/bin/bash\nhpcuser:x:1000:1000::/home/hpcuser:/bin/bash\n", 0o644, 0),
    "etc/group": ("root:x:0:\nibdiag:x:997:\nhpcuser:x:1000:", 0o644, 0),  # without a newline at its end
    "etc/gshadow": ("root:::\nibdiag:!::\nhpcuser:!::\n", 0o000, 0),
    "etc/nfs.conf": ("[general]\n[nfsd]\n# rdma=nfsrdma\nthreads=8\n", 0o640, 7),
    "etc/modules-load.d/other.conf": ("ib_iser\n", 0o644, 0),
}
LABELS = {"etc/group": b"system_u:object_r:etc_t:s0\0", "etc/nfs.conf": b"system_u:object_r:nfs_conf_t:s0\0"}
DIRECTORIES = ["etc/modules-load.d", "etc/modprobe.d", "etc/security/limits.d", "etc/udev/rules.d", "usr/lib/systemd/system",
               "etc/systemd/system/multi-user.target.wants", "var/lib", "run", "tmp"]


class Broken(Exception):
    """The suite itself cannot do its work."""


def run(*words, root=None, before=()):
    """One run of the binary, with `before` in front of it; no output is looked at but for a report."""
    where = ["--root", str(root)] if root else []
    return subprocess.run([*before, BINARY, *map(str, words), *where], capture_output=True, text=True, timeout=120, errors="replace")


def expect(code, *words, root):
    done = run(*words, root=root)
    if done.returncode != code:
        raise Broken(f"{' '.join(map(str, words))}: exit {done.returncode} instead of {code}\n{done.stdout}{done.stderr}")


def make_tree(root):
    for path in DIRECTORIES:
        (root / path).mkdir(parents=True, exist_ok=True)
    for path, (text, mode, owner) in FILES.items():
        (root / path).write_text(text)
        os.chown(root / path, owner, owner)
        (root / path).chmod(mode)
    for path, label in LABELS.items():
        os.setxattr(root / path, LABEL, label)


def xattrs(path):
    return tuple((name, os.getxattr(path, name, follow_symlinks=False)) for name in sorted(os.listxattr(path, follow_symlinks=False)))


def bytes_of(path, size):
    return path.read_bytes() if size < HUGE else size


def entry(path):
    """All that makes two files equal: type, mode, owner, attributes, bytes."""
    info = path.lstat()
    body = os.readlink(path) if stat.S_ISLNK(info.st_mode) else bytes_of(path, info.st_size) if stat.S_ISREG(info.st_mode) else None
    return stat.S_IFMT(info.st_mode), stat.S_IMODE(info.st_mode), info.st_uid, info.st_gid, xattrs(path), body


def state(root):
    """Every path but the runs."""
    seen = {}
    for folder, directories, files in os.walk(root):
        if os.path.relpath(folder, root) == "var/lib":
            directories[:] = [name for name in directories if name != "rdmastate"]
        for name in directories + files:
            path = pathlib.Path(folder, name)
            seen[str(path.relative_to(root))] = entry(path)
    return seen


def differences(wanted, there):
    lines = [f"{path} is gone" for path in sorted(wanted.keys() - there.keys())]
    lines += [f"{path} is too many" for path in sorted(there.keys() - wanted.keys())]
    lines += [f"{path} is {there[path]} instead of {wanted[path]}" for path in sorted(wanted.keys() & there.keys()) if wanted[path] != there[path]]
    return lines


TEMPORARY = re.compile(rb"\.rdmastate-[0-9a-f]{16}")
TIME = re.compile(rb'"time": [^,\n]*')


def fingerprint(root):
    """A digest of the whole tree, runs included, less what differs from one apply to the next: temporary names and times."""
    lines = []
    for folder, directories, files in os.walk(root):
        for name in directories + files:
            path = pathlib.Path(folder, name)
            shown = TEMPORARY.sub(b".rdmastate-X", os.fsencode(path.relative_to(root)))
            kind, *meta, body = entry(path)
            lines.append((shown, kind, meta, TIME.sub(b"", body) if isinstance(body, bytes) else body))
    return hashlib.sha256(repr(sorted(lines, key=repr)).encode()).digest()


def copy(source, target):
    shutil.rmtree(target, ignore_errors=True)
    subprocess.run(["cp", "-a", source, target], check=True)


class Fixture:
    """A directory with the tree as the old spec left it (None: as it was before any) and as the new one makes it of that."""

    def __init__(self, room, old, new):
        self.room = pathlib.Path(room)
        self.room.mkdir(exist_ok=True)
        self.old_tree, self.new_tree = self.room / "old", self.room / "new"
        make_tree(self.old_tree)
        if old:
            (self.room / "old.yaml").write_text(old)
            expect(0, "apply", self.room / "old.yaml", root=self.old_tree)
        copy(self.old_tree, self.new_tree)
        (self.room / "new.yaml").write_text(new)
        expect(0, "apply", self.room / "new.yaml", root=self.new_tree)
        self.old, self.new = state(self.old_tree), state(self.new_tree)

    def proves_something(self):
        """That NEW makes, changes and removes; a suite between two equal states would find nothing."""
        made, gone = self.new.keys() - self.old.keys(), self.old.keys() - self.new.keys()
        changed = {path for path in self.old.keys() & self.new.keys() if self.old[path] != self.new[path]}
        for paths in (made, gone):
            kinds = {(self.new if paths is made else self.old)[path][0] for path in paths}
            if kinds != {stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK}:
                raise Broken(f"files, directories and links should be made and removed: {sorted(paths)}")
        if not changed >= {"etc/group", "etc/gshadow", "etc/nfs.conf", "etc/rdmastate/ledger.json", "etc/rdmastate/boot.json"}:
            raise Broken(f"entries, a group, the ledger and boot.json should change: {sorted(changed)}")


Verdict = collections.namedtuple("Verdict", "end why")  # end: "old", "new" or "lost"


def lost(why, *runs):
    return Verdict("lost", "\n".join([why, *(f"exit {one.returncode}: {one.stderr}{one.stdout}" for one in runs)]))


def taken_back(fixture, root, asked):
    """What one rollback makes of an unfinished run: the old state, entirely."""
    back = run("rollback", root=root)
    wrong = differences(fixture.old, state(root))
    if back.returncode != 0 or wrong:
        return lost("\n".join(["rollback does not bring the old state back", *wrong]), asked, back)
    return Verdict("old", "")


def recovered(fixture, root):
    """What an administrator gets who finds the tree so, by the next apply or, where that says so, by rollback."""
    found = state(root)
    asked = run("apply", fixture.room / "new.yaml", root=root)
    if asked.returncode == 7:
        return taken_back(fixture, root, asked)
    ends = [name for name in ("old", "new") if found == getattr(fixture, name)]
    if not ends:
        return lost("\n".join(["apply takes a mixture for a state", *differences(fixture.old, found)[:20]]), asked)
    if asked.returncode != 0 or state(root) != fixture.new:
        return lost(f"apply does not make the new state of the {ends[0]} one", asked)
    if ends == ["new"] and "Nothing to do" not in asked.stdout:
        return lost("apply finds something to do in the new state", asked)
    return Verdict(ends[0], "")
