"""Extended attributes in a tree: a label is kept by what is changed, comes back by rollback; what is new has the one that the policy of the tree says."""
import os
import pathlib
import shutil
import struct

from cases.specs import NM, PORT_ONLY
from cases.trees import RUNS, state, tree

ON_DISK = True  # a tmpfs has no attributes of users before Linux 6.6
LABEL = b"system_u:object_r:{}_t:s0"
# vfs_cap_data of version 2 (linux/capability.h): cap_net_raw, effective and permitted.
CAPABILITY = struct.pack("<IIIII", 0x02000001, 1 << 13, 0, 0, 0)
PROFILES = "etc/NetworkManager/system-connections"
FOREIGN = f"{PROFILES}/Wired.nmconnection"
SPEC = NM + """modules: {load: [ib_ipoib], options: {ib_ipoib: {recv_queue_size: 512}}}
memlock: {group: rdma, members: [hpcuser], soft: 64GiB, hard: unlimited, services: [slurmd.service]}
nfs: {server: {rdma_port: 20050}}
"""
CHANGED = SPEC.replace("recv_queue_size: 512", "recv_queue_size: 1024").replace("65520", "4092").replace("64GiB", "32GiB").replace("20050", "20051")
# Changed by the first apply: entries in somebody's file, a profile of the name of ours, a file of ours that is there before.
OTHERS = {"etc/group": "root:x:0:\nhpcuser:x:1000:\n", "etc/gshadow": "root:*::\nhpcuser:!::\n", "etc/nfs.conf": "[nfsd]\nthreads=9\n",
          FOREIGN: "[connection]\nid=Wired\ntype=infiniband\ninterface-name=mlx4_ib0\n",
          "etc/modprobe.d/rdmastate-options.conf": "# somebody's\n", "etc/security/limits.d/95-rdmastate.conf": "* - memlock 1\n"}


def xattrs(path):
    return {name: os.getxattr(path, name, follow_symlinks=False) for name in os.listxattr(path, follow_symlinks=False)}


def label_of(path):
    return LABEL.replace(b"{}", pathlib.Path(path).name.replace("-", "_").encode())


def labelled(root):
    """Each path has a label of its own; regular files have what else an attribute may be."""
    for path in (root, *root.rglob("*")):
        os.setxattr(path, "security.selinux", label_of(path), follow_symlinks=False)
        if path.is_symlink():
            os.setxattr(path, "trusted.note", b"of a link", follow_symlinks=False)
            continue
        os.setxattr(path, "trusted.note", path.name.encode() + b"\0\xff")
        os.setxattr(path, "user.note", b"")
        if path.is_file():
            os.setxattr(path, "security.capability", CAPABILITY)


def seen(root):
    """What every path is, with its attributes; runs are ours."""
    found = state(root)
    return {key: (*value, xattrs(root / key)) for key, value in found.items()}


def with_labels(box, distribution="debian", version="12"):
    root = tree(box, [PROFILES, "etc/modprobe.d", "etc/security/limits.d", "etc/nfs.conf.d"])
    (root / "etc/os-release").write_text(f'ID={distribution}\nVERSION_ID="{version}"\n')
    (root / "etc/passwd").write_text("root:x:0:0::/root:/bin/bash\nhpcuser:x:1000:1000::/:/bin/bash\n")
    for path, text in OTHERS.items():
        (root / path).write_text(text)
        (root / path).chmod(0o600 if "Network" in path or "shadow" in path else 0o644)
    labelled(root)
    return root


def identities(root):
    return {str(p.relative_to(root)): (p.lstat().st_ino, p.lstat().st_mtime_ns, p.lstat().st_ctime_ns) for p in root.rglob("*") if not p.is_dir() and RUNS not in str(p)}


def goes_around(box, root):
    before, untouched = seen(root), identities(root)
    box.write("spec.yaml", SPEC)
    box.run("apply", "spec.yaml", "--adopt", "--root", root).expect(0)
    made = seen(root)
    kept = [path for path in before if path in made]
    changed = [path for path in kept if made[path][:4] != before[path][:4]]
    assert {"etc/group", "etc/gshadow", "etc/modprobe.d/rdmastate-options.conf", "etc/security/limits.d/95-rdmastate.conf"} <= set(changed), changed
    assert FOREIGN in changed, "taken over where it is"
    for path in kept:
        assert made[path][4] == before[path][4], (path, "its attributes", before[path][4], made[path][4])
    after = identities(root)
    for path in kept:
        if path in untouched and path not in changed:
            assert after[path] == untouched[path], (path, "was touched")
    for path in set(made) - set(before):
        strange = {name for name in made[path][4] if name.startswith(("security.", "trusted.", "user."))}
        assert not strange, (path, "a new one has what nobody gave it", made[path][4])
    return before, made


def test_there_and_back(box):
    root = with_labels(box)
    before, made = goes_around(box, root)
    first = identities(root)
    assert "Nothing to do" in box.run("apply", "spec.yaml", "--root", root).expect(0).out
    assert seen(root) == made and identities(root) == first, "the second apply touched something"
    box.run("rollback", "--root", root).expect(0)
    assert seen(root) == before, {k: (before.get(k), seen(root).get(k)) for k in before if before.get(k) != seen(root).get(k)}


def test_one_key_in_a_file_of_others(box):
    root = with_labels(box, "rhel", "8.10")
    before, made = goes_around(box, root)
    assert made["etc/nfs.conf"][3] != before["etc/nfs.conf"][3]
    box.run("rollback", "--root", root).expect(0)
    assert seen(root) == before


POLICY = """# of a test
/etc(/.*)?\tsystem_u:object_r:etc_t:s0
/etc/modprobe\\.d/.*\t--\tsystem_u:object_r:modules_conf_t:s0
/etc/systemd/system(/.*)?\t--\tsystem_u:object_r:not_of_a_file_t:s0
/etc/systemd/system(/.*)?\t-l\tsystem_u:object_r:systemd_unit_link_t:s0
/etc/rdmastate(/.*)?\t-d\tsystem_u:object_r:our_folder_t:s0
/etc/rdmastate/boot\\.json\t--\t<<none>>
/var/lib(/.*)?\tsystem_u:object_r:var_lib_t:s0
"""
LOCAL = "/etc/rdmastate/ledger\\.json\t--\tsystem_u:object_r:of_this_site_t:s0\n"
BY_POLICY = {"etc/modprobe.d/rdmastate-options.conf": "modules_conf_t", "etc/modules-load.d/rdmastate.conf": "etc_t", "etc/rdmastate": "our_folder_t",
             "etc/systemd/system/multi-user.target.wants/rdmastate.service": "systemd_unit_link_t", "etc/rdmastate/boot.json": None,
             "etc/rdmastate/ledger.json": "of_this_site_t", "var/lib/rdmastate": "var_lib_t", f"{RUNS}/runs/000001/progress": "var_lib_t"}
WITH_LINK = PORT_ONLY.replace("load: [ib_ipoib, ib_umad]", "load: [ib_ipoib], options: {ib_ipoib: {recv_queue_size: 512}}")


def with_policy(box, config="SELINUX=enforcing\nSELINUXTYPE=targeted\n"):
    root = tree(box, ["etc/modprobe.d", "etc/selinux/targeted/contexts/files"])
    (root / "etc/selinux/config").write_text("# SELINUX= is one of three words\n" + config)
    (root / "etc/selinux/targeted/contexts/files/file_contexts").write_text(POLICY)
    (root / "etc/selinux/targeted/contexts/files/file_contexts.local").write_text(LOCAL)
    box.write("spec.yaml", WITH_LINK)
    return root


def types(root, paths=BY_POLICY):
    """The types of the labels, as libselinux writes a label: with a NUL at its end. By path, None: no label."""
    found = {path: xattrs(root / path).get("security.selinux") for path in paths}
    assert all(label is None or label.endswith(b":s0\0") for label in found.values()), found
    return {path: label and label.split(b":")[2].decode() for path, label in found.items()}


def test_what_is_new_is_labelled_by_the_policy_of_the_tree(box):
    root = with_policy(box)
    before = seen(root)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    assert types(root) == BY_POLICY
    assert {path: value for path, value in seen(root).items() if path in before} == before, "what was there is labelled"
    made = seen(root)
    assert "Nothing to do" in box.run("apply", "spec.yaml", "--root", root).expect(0).out and seen(root) == made
    box.run("rollback", "--root", root).expect(0)
    assert seen(root) == before
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    os.setxattr(root / "etc/modprobe.d/rdmastate-options.conf", "security.selinux", b"a:b:mine_t:s0\0")
    box.write("spec.yaml", WITH_LINK.replace("512", "1024"))
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    assert types(root) == {**BY_POLICY, "etc/modprobe.d/rdmastate-options.conf": "mine_t"}, "a label is kept"


def test_a_bake_labels_each_path_that_it_makes(box):
    """And keeps no run, so there is no other."""
    root = with_policy(box)
    before = seen(root)
    box.run("apply", "spec.yaml", "--root", root, "--bake").expect(0)
    made = seen(root).keys() - before.keys()
    left = {path: label for path, label in BY_POLICY.items() if not path.startswith("var/lib")}
    assert types(root, made) == {**left, "etc/rdmastate/applied.yaml": "etc_t", "etc/udev/rules.d/70-rdmastate-ipoib.rules": "etc_t"}
    assert {path: value for path, value in seen(root).items() if path in before} == before, "what was there is labelled"
    assert not (root / RUNS).exists()


def test_without_a_policy_nothing_is_labelled(box):
    (box.dir / "broken").mkdir()
    box.write("broken/libselinux.so.1", "no library")
    none = dict.fromkeys(BY_POLICY)
    for config, env in (("SELINUX=disabled\nSELINUXTYPE=targeted\n", {}), ("SELINUXTYPE=mls\n", {}), ("SELINUXTYPE=../selinux/targeted\n", {}), ("", {}),
                        ("SELINUXTYPE=targeted\n", {"LD_LIBRARY_PATH": str(box.dir / "broken")})):
        root = with_policy(box, config)
        box.run("apply", "spec.yaml", "--root", root, env=env).expect(0)
        assert types(root) == none, config
        shutil.rmtree(root)


def test_no_link_of_a_tree_leads_to_the_policy_of_another(box):
    root = with_policy(box)
    box.write("outside/file_contexts", "/.*\tsystem_u:object_r:of_the_host_t:s0\n")
    place = root / "etc/selinux/targeted/contexts/files/file_contexts"
    place.unlink()
    place.symlink_to(box.dir / "outside/file_contexts")
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    assert types(root) == dict.fromkeys(BY_POLICY)


def test_labels_that_came_later_are_kept(box):
    """restorecon or an image's builder labels what an apply made; the next one changes, removes and takes back."""
    root = with_labels(box)
    box.write("spec.yaml", SPEC)
    box.run("apply", "spec.yaml", "--adopt", "--root", root).expect(0)
    labelled(root)
    before = seen(root)
    first = identities(root)
    assert "Nothing to do" in box.run("apply", "spec.yaml", "--root", root).expect(0).out, "a label is no difference"
    assert seen(root) == before and identities(root) == first
    box.write("changed.yaml", CHANGED)
    box.write("empty.yaml", "version: 1\n")
    for spec in ("changed.yaml", "empty.yaml"):
        box.run("apply", spec, "--root", root).expect(0)
        now = seen(root)
        for path in set(now) & set(before):
            assert now[path][4] == before[path][4], (spec, path, before[path][4], now[path][4])
        box.run("rollback", "--root", root).expect(0)
        assert seen(root) == before, (spec, [k for k in before if before[k] != seen(root).get(k)])


def test_an_interrupted_apply_gives_them_back(box):
    root = with_labels(box)
    before = seen(root)
    box.write("spec.yaml", SPEC)
    box.run("apply", "spec.yaml", "--adopt", "--root", root).expect(0)
    progress = root / RUNS / "runs/000001/progress"
    progress.write_text(progress.read_text().removesuffix("finished\n"))
    box.run("rollback", "--root", root).expect(0)
    assert seen(root) == before, [k for k in before if before[k] != seen(root).get(k)]


def test_an_attribute_is_kept_as_it_is_in_a_record(box):
    def with_label(model):
        model["files"]["/etc/modprobe.d"] = {"directory": True, "mode": "0755", "uid": 0, "gid": 0}
        model["files"]["/etc/modprobe.d/rdmastate-options.conf"] = {"content": "# x\n", "mode": "0644", "uid": 0, "gid": 0, "xattrs": {"security.selinux": "a:b:c"}}
    host = box.host(with_label)
    box.write("spec.yaml", "version: 1\nmodules: {options: {ib_ipoib: {recv_queue_size: 512}}}\n")
    box.run("apply", "spec.yaml", "--adopt", "--host", host, "--record", "after.json").expect(0)
    assert '"a:b:c"' in (box.dir / "after.json").read_text()
