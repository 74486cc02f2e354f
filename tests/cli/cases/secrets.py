"""Secrets of others that stand in files which we move: no command tells them, no file that others may read holds them."""
import json
import os
import pathlib
import stat

from cases.specs import NM
from cases.trees import RUNS, tree

HUSH = "Hush-hush-7f3a91"
PROFILES = "etc/NetworkManager/system-connections"
OURS, FOREIGN, OTHER = f"{PROFILES}/mlx4_ib0.nmconnection", f"{PROFILES}/Wired.nmconnection", f"{PROFILES}/wifi.nmconnection"
SECRETS = f"""
[802-1x]
identity=me
password={HUSH}
private-key-password={HUSH}

[wifi-security]
psk={HUSH}
leap-password={HUSH}

[vpn-secrets]
anything={HUSH}
"""
NETPLAN = f"""network:
  version: 2
  ethernets:
    mlx4_ib0:
      auth: {{key-management: 802.1x, identity: me, password: "{HUSH}"}}
  wifis:
    wlan0:
      access-points:
        home:
          password: "{HUSH}
            {HUSH}"
"""
# Each as a person or a pipeline would ask; SPEC and PLAN are the files, SAVED is written.
LOOKS = (("check", "spec.yaml"), *(("plan", "spec.yaml", *more) for more in ((), ("--adopt",), ("--adopt", "--color", "always"), ("--replace",))),
         *((("plan", "spec.yaml", "--adopt", "-o", form)) for form in ("json", "github", "junit")),
         *((("verify", "spec.yaml", "-o", form)) for form in ("text", "json", "github", "junit")), ("show",), ("show", "-o", "json"),
         ("show", "--as-spec"), ("show", "--as-spec", "--explain"), ("history",), ("history", "-o", "json"))


def profile(interface, identity="0"):
    return (f"[connection]\nid={interface}\nuuid=1c5b1a0e-93b1-4a8e-8a41-5b1d4c8e9a5{identity}\ntype=infiniband\ninterface-name={interface}\n\n[infiniband]\n"
            f"transport-mode=datagram\n\n[ipv4]\nmethod=auto\n{SECRETS}")


def put(root, path, text, mode=0o600):
    at = root / path
    at.parent.mkdir(parents=True, exist_ok=True)
    at.write_text(text)
    at.chmod(mode)


def with_profiles(box):
    root = tree(box, [PROFILES])
    put(root, OURS, profile("mlx4_ib0"))
    put(root, FOREIGN, profile("mlx4_ib0", "1"))
    put(root, OTHER, profile("wlan0", "2"))
    return root


def silent(done):
    assert HUSH not in done.out + done.err, (done.command, [line for line in (done.out + done.err).splitlines() if HUSH in line])
    return done


def is_open(path, top):
    """Whether somebody else may read it: by its mode, and that of every directory from the top."""
    way = [path, *(p for p in path.parents if top in p.parents)]
    return bool(path.stat().st_mode & 0o077) and all(p.stat().st_mode & 0o011 for p in way[1:])


def leaks(box, *theirs):
    """Files that hold the secret, but for those that held it before, as [path, may others read it]."""
    found = [path for path in box.dir.rglob("*") if path.is_file() and not path.is_symlink() and HUSH.encode() in path.read_bytes()]
    return {str(path.relative_to(box.dir)): is_open(path, box.dir) for path in found if str(path.relative_to(box.dir)) not in theirs}


def looked_at(box, *where):
    for words in LOOKS:
        silent(box.run(*words, *(where if words[0] != "check" else ())))


def private_runs(box, root):
    for folder, _directories, files in os.walk(root / RUNS / "runs"):
        assert stat.S_IMODE(pathlib.Path(folder).stat().st_mode) == 0o700, folder
        assert {stat.S_IMODE(pathlib.Path(folder, name).stat().st_mode) for name in files} <= {0o600}, folder


def goes_there_and_back(box, root, theirs):
    """Apply with --adopt and rollback, under a umask that hides nothing; what is there then by every way of looking."""
    before = {path: ((root / path).read_bytes(), stat.S_IMODE((root / path).stat().st_mode)) for path in theirs}
    names = [f"tree/{path}" for path in theirs]
    looked_at(box, "--root", root)
    silent(box.run("plan", "spec.yaml", "--adopt", "--root", root, "--out", "saved.plan")).expect(0)
    assert not leaks(box, *names), leaks(box, *names)
    silent(box.run("apply", "--plan", "saved.plan", "--root", root)).expect(0)
    looked_at(box, "--root", root)
    held = leaks(box, *names)
    assert held and not any(held.values()) and all(path.startswith(f"tree/{RUNS}/runs/") for path in held), held
    private_runs(box, root)
    silent(box.run("show", "--root", root, "--record", "record.json"))
    silent(box.run("rollback", "--root", root)).expect(0)
    looked_at(box, "--root", root)
    private_runs(box, root)
    assert before == {path: ((root / path).read_bytes(), stat.S_IMODE((root / path).stat().st_mode)) for path in theirs}, "rollback"


def under_every_umask(test):
    def all_of_them(box):
        for mask in (0o000, 0o022, 0o077):
            old = os.umask(mask)
            try:
                test(box)
            finally:
                os.umask(old)
            os.system(f"rm -rf '{box.dir}'/*")
    return all_of_them


def profiles(box):
    root = with_profiles(box)
    box.write("spec.yaml", NM)
    silent(box.run("apply", "spec.yaml", "--root", root)).expect(6)
    goes_there_and_back(box, root, (OURS, FOREIGN, OTHER))


def netplan(box):
    root = tree(box, ["etc/netplan", "etc/systemd/network"])
    put(root, "etc/netplan/01-all.yaml", NETPLAN.replace("mlx4_ib0", "enp1s0"))
    put(root, "etc/netplan/90-rdmastate.yaml", NETPLAN)
    box.write("spec.yaml", NM.replace("backend: networkmanager", "backend: netplan").replace("mode: connected", "mode: datagram").replace("65520", "2044"))
    goes_there_and_back(box, root, ("etc/netplan/01-all.yaml", "etc/netplan/90-rdmastate.yaml"))


test_profiles = under_every_umask(profiles)
test_netplan = under_every_umask(netplan)
test_profiles.__module__ = test_netplan.__module__ = __name__


def test_one_that_was_put_into_a_file_of_ours(box):
    """nmcli would do that: the plan says that something is to go, and not what."""
    root = tree(box, [PROFILES])
    box.write("spec.yaml", NM)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    text = (root / OURS).read_text()
    put(root, OURS, text + SECRETS)
    plan = silent(box.run("plan", "spec.yaml", "--root", root)).expect(0).out
    assert "-password=(a secret, not shown)" in plan and "-identity=me" in plan, plan
    looked_at(box, "--root", root)
    silent(box.run("show", "--root", root, "--record", "record.json")).expect(0)
    assert not leaks(box, f"tree/{OURS}"), leaks(box, f"tree/{OURS}")
    silent(box.run("apply", "spec.yaml", "--root", root)).expect(0)
    assert (root / OURS).read_text() == text
    silent(box.run("rollback", "--root", root)).expect(0)
    assert (root / OURS).read_text() == text + SECRETS


SUBNET_MANAGERS = """version: 1
network: {backend: none}
subnet_manager:
  run: true
  instances: [{port_guid: "0xf4521403007bcba1", priority: 3}, {port_guid: "0x0002c903003178f1"}]
"""


def test_the_key_of_a_subnet(box):
    """--adopt copies it into configurations that nobody else may read either."""
    root = tree(box, ["etc/rdma", "etc/sysconfig"])
    (root / "etc/os-release").write_text('ID=rhel\nVERSION_ID="9.4"\n')
    theirs = "etc/rdma/opensm.conf"
    put(root, theirs, f"m_key {HUSH}\nsm_key 0x0000000000000001\nlmc 2\n")
    box.write("spec.yaml", SUBNET_MANAGERS)
    said = silent(box.run("apply", "spec.yaml", "--root", root)).expect(6).err
    assert f"lmc 2 of /{theirs}, m_key (a secret, not shown) of /{theirs} go out of force" in said, said
    looked_at(box, "--root", root)
    silent(box.run("show", "--root", root, "--record", "record.json"))
    assert not leaks(box, f"tree/{theirs}"), leaks(box, f"tree/{theirs}")
    silent(box.run("apply", "spec.yaml", "--adopt", "--root", root)).expect(0)
    looked_at(box, "--root", root)
    held = leaks(box, f"tree/{theirs}")
    assert {f"tree/{theirs}.1", f"tree/{theirs}.2"} <= set(held) and not any(held.values()), held
    assert "Nothing to do" in silent(box.run("apply", "spec.yaml", "--root", root)).expect(0).out
    silent(box.run("rollback", "--root", root)).expect(0)
    assert not (root / f"{theirs}.1").exists() and HUSH in (root / theirs).read_text()


def test_a_record_says_which_keys_of_a_subnet_are_not_the_usual_ones(box):
    def with_key(model):
        model["files"]["/usr/lib/os-release"] = {"content": 'ID=rhel\nVERSION_ID="9.4"\n', "mode": "0644", "uid": 0, "gid": 0}
        model["files"]["/etc/rdma/opensm.conf"] = {"content": f"m_key {HUSH}\nsm_key 0x0000000000000001\nsa_key 7\n", "mode": "0600", "uid": 0, "gid": 0}
    host = box.host(with_key)
    box.run("show", "--host", host, "--record", "record.json").expect(0)
    kept = json.loads((box.dir / "record.json").read_text())["files"]["/etc/rdma/opensm.conf"]["content"]
    assert kept == "m_key (a secret, not shown)\nsm_key 0x0000000000000001\nsa_key (a secret, not shown)\n", kept
    facts = [box.run("show", "--host", path, "-o", "json").expect(0).json["facts"]["opensm"] for path in (host, "record.json")]
    assert facts[0] == facts[1] and set(facts[0][0]["settings"]) == {"m_key", "sa_key"}, facts


def test_a_file_that_cannot_be_read_is_not_quoted(box):
    root = tree(box, ["etc/netplan", PROFILES])
    put(root, "etc/netplan/01-all.yaml", NETPLAN + f"   broken: [{HUSH}\n  password: '{HUSH}\n")
    put(root, FOREIGN, f"interface-name=mlx4_ib0\npsk={HUSH}\n[connection\npassword={HUSH}\n")
    box.write("spec.yaml", NM)
    looked_at(box, "--root", root)
    for back_end in ("netplan", "networkmanager"):
        box.write("spec.yaml", NM.replace("backend: networkmanager", f"backend: {back_end}"))
        silent(box.run("apply", "spec.yaml", "--adopt", "--root", root))


def test_a_record_is_private_and_its_plans_are_silent(box):
    """A record holds no secret by itself; of one that was written by hand it goes where the record goes, and nobody else may read that."""
    def with_secret(model):
        model["files"][f"/{OURS}"] = {"content": profile("mlx4_ib0"), "mode": "0600", "uid": 0, "gid": 0}
    host = box.host(with_secret)
    host.chmod(0o600)
    box.write("spec.yaml", NM)
    old = os.umask(0)
    try:
        looked_at(box, "--host", host)
        silent(box.run("show", "--host", host, "--record", "shown.json")).expect(0)
        assert not leaks(box, "host.json"), leaks(box, "host.json")
        silent(box.run("plan", "spec.yaml", "--adopt", "--host", host, "--out", "saved.plan")).expect(0)
        assert not leaks(box, "host.json")
        silent(box.run("apply", "spec.yaml", "--adopt", "--host", host, "--record", "after.json"))
        assert leaks(box, "host.json") == {"after.json": False}
        silent(box.run("rollback", "--host", "after.json", "--record", "back.json")).expect(0)
        assert leaks(box, "host.json", "after.json") == {"back.json": False}
        assert json.loads((box.dir / "back.json").read_text())["files"][f"/{OURS}"]["content"] == profile("mlx4_ib0")
    finally:
        os.umask(old)


