"""memlock and permissions in a tree: the group's files by the byte, and what systemd's own programs make of what is written."""
import pathlib
import shutil
import subprocess

from cases.trees import state, tree, without_home

SPEC = """version: 1
memlock: {group: rdma, members: [hpcuser, ldapuser], soft: 64GiB, hard: unlimited, services: [slurmd.service, "user@.service"]}
permissions: {umad: {group: ibdiag, mode: "0660"}}
"""
PASSWD = "root:x:0:0:root:/root:/bin/bash\nsvc:x:999:998::/:/usr/sbin/nologin\nhpcuser:x:1000:1000:,,,:/home/hpcuser:/bin/bash"
GROUP = "root:x:0:\nibdiag:x:997:\nhpcuser:x:1000:\n"
GSHADOW = "root:*::\nibdiag:!::\nhpcuser:!::\n"
DROP_IN = "etc/systemd/system/{}.d/50-rdmastate-memlock.conf"


def with_accounts(box):
    root = tree(box)
    for name, text, mode in (("passwd", PASSWD, 0o644), ("group", GROUP, 0o644), ("gshadow", GSHADOW, 0o640)):
        (root / "etc" / name).write_text(text)
        (root / "etc" / name).chmod(mode)
    return root


def applied(box, spec=SPEC):
    root = with_accounts(box)
    box.write("spec.yaml", spec)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    return root


def test_files_by_the_byte(box):
    root = applied(box)
    assert (root / "etc/group").read_text() == GROUP + "rdma:x:996:hpcuser\n"
    assert (root / "etc/gshadow").read_text() == GSHADOW + "rdma:!*::hpcuser\n"
    assert (root / "etc/gshadow").stat().st_mode & 0o7777 == 0o640
    assert (root / "etc/passwd").read_text() == PASSWD, "users are never made"
    limits = (root / "etc/security/limits.d/95-rdmastate.conf").read_text()
    assert limits.endswith("@rdma soft memlock 67108864\n@rdma hard memlock unlimited\n"), limits
    for unit in ("slurmd.service", "user@.service"):
        text = (root / DROP_IN.format(unit)).read_text()
        assert text.endswith("[Service]\nLimitMEMLOCK=68719476736:infinity\n"), text
    rules = (root / "etc/udev/rules.d/70-rdmastate-umad.rules").read_text()
    assert rules.endswith('SUBSYSTEM=="infiniband_mad", KERNEL=="umad*", GROUP="ibdiag", MODE="0660"\n'), rules


def test_there_and_back(box):
    root = with_accounts(box)
    before = state(root)
    box.write("spec.yaml", SPEC)
    box.write("empty.yaml", "version: 1\n")
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    first = state(root, identity=True)
    done = box.run("plan", "spec.yaml", "--root", root).expect(0)
    assert "ldapuser is no user here" in done.out and "0 steps, 1 pending" in done.out, done.out
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    assert state(root, identity=True) == first, "the second apply touched something"
    box.run("apply", "empty.yaml", "--root", root).expect(0)
    assert without_home(state(root)) == before
    box.run("rollback", "--root", root).expect(0)
    box.run("apply", "empty.yaml", "--root", root).expect(0)
    assert without_home(state(root)) == before


def test_rollback(box):
    root = with_accounts(box)
    before = state(root)
    box.write("spec.yaml", SPEC)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    box.run("rollback", "--root", root).expect(0)
    assert state(root) == before, "rollback leaves something"


def test_a_user_that_comes_is_a_member_next_time(box):
    root = applied(box)
    (root / "etc/passwd").write_text(PASSWD + "\nldapuser:x:1001:1001::/:/bin/bash\n")
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    assert (root / "etc/group").read_text() == GROUP + "rdma:x:996:hpcuser,ldapuser\n"
    box.run("verify", "spec.yaml", "--root", root).expect(0)


def test_the_tree_tells_its_spec(box):
    root = applied(box)
    shown = box.run("show", "--as-spec", "--root", root).expect(0).out
    box.write("again.yaml", shown)
    done = box.run("plan", "again.yaml", "--root", root).expect(0)
    assert "0 steps" in done.out, shown + done.out
    for text in ("group: rdma", "soft: 64GiB", "hard: unlimited", "slurmd.service", "group: ibdiag"):
        assert text in shown, shown


def test_systemd_sysusers_makes_the_group_and_no_user(box):
    """In an image without /etc/group, as it boots for the first time."""
    root = with_accounts(box)
    (root / "etc/group").unlink()
    (root / "etc/gshadow").unlink()
    (root / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/bash\n")
    box.write("spec.yaml", SPEC.split("permissions")[0])
    done = box.run("apply", "spec.yaml", "--root", root).expect(0)
    assert "systemd-sysusers makes it" in done.out + done.err, done.out + done.err
    subprocess.run([shutil.which("systemd-sysusers"), f"--root={root}"], check=True, capture_output=True, timeout=60)
    groups = [line.split(":")[0] for line in (root / "etc/group").read_text().splitlines()]
    assert "rdma" in groups, groups
    assert (root / "etc/passwd").read_text() == "root:x:0:0:root:/root:/bin/bash\n", "a user was made"


def test_systemd_sysusers_leaves_our_group_alone(box):
    root = applied(box)
    group, gshadow = ((root / "etc" / name).read_text() for name in ("group", "gshadow"))
    subprocess.run([shutil.which("systemd-sysusers"), f"--root={root}"], check=True, capture_output=True, timeout=60)
    assert (root / "etc/group").read_text() == group and (root / "etc/gshadow").read_text() == gshadow


def judged(root, drop_in):
    """What systemd-analyze says of a unit with this drop-in."""
    units = root / "usr/lib/systemd/system"
    (units / "slurmd.service").write_text("[Unit]\nDescription=Slurm node daemon\n[Service]\nExecStart=/bin/true\n")
    folder = units / "slurmd.service.d"
    folder.mkdir(exist_ok=True)
    (folder / "50-rdmastate-memlock.conf").write_text(drop_in)
    done = subprocess.run([shutil.which("systemd-analyze"), "verify", "--man=no", units / "slurmd.service"],
                          capture_output=True, text=True, timeout=60, env={"SYSTEMD_UNIT_PATH": f"{units}:", "SYSTEMD_LOG_LEVEL": "warning"})
    return [line for line in (done.stdout + done.stderr).splitlines() if "50-rdmastate-memlock" in line]


def test_systemd_reads_the_drop_in(box):
    root = applied(box)
    text = (root / DROP_IN.format("slurmd.service")).read_text()
    assert judged(root, text) == []
    assert judged(root, text.replace("infinity", "unlimited")), "a value that systemd refuses goes unseen"


def test_hostile_names_reach_no_file(box):
    names = ["a\\nb", "a:b", "a,b", "a b", "a%ib", "@a", "a\\\"b", "../a", "-a", ""]
    for i, name in enumerate(names):
        root = box.dir / "tree"
        if root.exists():
            shutil.rmtree(root)
        root = with_accounts(box)
        before = state(root)
        for text in (f'memlock: {{group: "{name}", soft: 1GiB, hard: 1GiB}}', f'memlock: {{services: ["{name}.service"], soft: 1GiB, hard: 1GiB}}',
                     f'memlock: {{group: rdma, members: ["{name}"], soft: 1GiB, hard: 1GiB}}', f'permissions: {{umad: {{group: "{name}"}}}}'):
            if name in ("a:b", "-a") and "services" in text:
                continue  # a unit may be called so
            box.write("spec.yaml", f"version: 1\n{text}\n")
            box.run("apply", "spec.yaml", "--root", root).expect(3)
        assert state(root) == before, name


def test_two_groups_that_are_made_have_two_numbers(box):
    root = tree(box)
    (root / "etc/group").write_text("root:x:0:\n")
    (root / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\n")
    box.write("spec.yaml", "version: 1\nmemlock: {group: rdma, soft: 1GiB, hard: 1GiB}\npermissions: {umad: {group: fabric}}\n")
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    assert sorted((root / "etc/group").read_text().splitlines()) == ["fabric:x:999:", "rdma:x:998:", "root:x:0:"]
    assert "Nothing to do" in box.run("apply", "spec.yaml", "--root", root).expect(0).out
