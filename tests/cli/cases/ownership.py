"""Whose is it: files of others where ours would stand are named, taken over when asked, and come back as they were."""
import os

from cases.specs import NM
from cases.trees import state, tree

SPEC = """version: 1
network: {backend: networkmanager}
modules: {load: [ib_umad]}
ipoib:
  - name: mlx4_ib0
    mode: connected
    ipv4: {method: manual, addresses: [192.0.2.1/24]}
"""
PROFILE = "etc/NetworkManager/system-connections/mlx4_ib0.nmconnection"
LIST = "etc/modules-load.d/rdmastate.conf"
# As `nmcli connection add con-name mlx4_ib0` leaves it, with what an administrator gave it since.
BY_HAND = """# see the rack plan
[connection]
id=mlx4_ib0
uuid=11111111-1111-5111-8111-111111111111
type=infiniband
autoconnect=false
interface-name=mlx4_ib0
zone=internal

[infiniband]
transport-mode=connected

[ipv4]
address1=192.0.2.1/24
method=manual

[ipv6]
method=ignore

[x-site]
owner=ops
"""


def by_hand(box, text=BY_HAND):
    root = tree(box, ["etc/NetworkManager/system-connections"])
    (root / PROFILE).write_text(text)
    (root / PROFILE).chmod(0o600)
    (root / LIST).write_text("ib_iser\n")
    (root / LIST).chmod(0o640)
    box.write("spec.yaml", SPEC)
    return root


def test_files_of_others_are_named_and_not_touched(box):
    root = by_hand(box)
    before = state(root, identity=True)
    done = box.run("apply", "spec.yaml", "--root", root).expect(6)
    for path in (PROFILE, LIST):
        assert f"/{path} is there already and not rdmastate's" in done.err, done.err
    assert "--adopt" in done.err and state(root, identity=True) == before


def test_taken_over_they_keep_what_no_field_says_and_come_back(box):
    root = by_hand(box)
    before = state(root)
    box.run("apply", "spec.yaml", "--adopt", "--root", root).expect(0)
    made = (root / PROFILE).read_text()
    assert all(line in made.splitlines() for line in BY_HAND.splitlines()), made
    second = state(root, identity=True)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    assert state(root, identity=True) == second, "the second apply is silent, and needs no --adopt"
    box.write("spec.yaml", SPEC.replace("192.0.2.1", "192.0.2.2"))
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    changed = (root / PROFILE).read_text()
    assert "zone=internal" in changed and "192.0.2.2/24" in changed and "192.0.2.1/24" not in changed, changed
    box.run("rollback", "--root", root).expect(0)
    assert (root / PROFILE).read_text() == made
    root = box.dir / "tree"
    assert before.keys() <= state(root).keys()


def test_the_original_comes_back_by_rollback(box):
    root = by_hand(box)
    before = state(root)
    box.run("apply", "spec.yaml", "--adopt", "--root", root).expect(0)
    box.run("rollback", "--root", root).expect(0)
    assert {k: v for k, v in state(root).items() if k in before} == before


def test_a_bonds_port_is_refused_by_its_line(box):
    root = by_hand(box, BY_HAND.replace("zone=internal", "controller=bond0\nport-type=bond"))
    done = box.run("apply", "spec.yaml", "--adopt", "--root", root).expect(6)
    assert "controller=bond0" in done.err and "port of another interface" in done.err, done.err


def test_as_spec_says_what_it_leaves_out(box):
    root = by_hand(box)
    (root / "etc/systemd/system/multi-user.target.wants/NetworkManager.service").symlink_to("/usr/lib/systemd/system/NetworkManager.service")
    told = box.run("show", "--as-spec", "--root", root).expect(0).out
    assert "autoconnect, zone" in told and "[x-site] owner" in told and "ops" not in told, told


def test_without_a_ledger_ours_are_taken_up_again(box):
    root = tree(box)
    box.write("spec.yaml", "version: 1\nmodules: {load: [ib_umad]}\n")
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    (root / "etc/rdmastate/ledger.json").unlink()
    box.write("spec.yaml", "version: 1\nmodules: {load: [ib_umad, ib_ipoib]}\n")
    told = box.run("plan", "spec.yaml", "--root", root).expect(0).out
    assert "taken up again" in told, told
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    box.write("spec.yaml", "version: 1\n")
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    assert not (root / LIST).exists()


def test_a_directory_that_others_filled_stays_and_so_do_those_above(box):
    root = tree(box)
    box.write("spec.yaml", NM)
    box.write("empty.yaml", "version: 1\n")
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    theirs = root / "etc/NetworkManager/system-connections/theirs"
    theirs.write_text("theirs\n")
    box.run("apply", "empty.yaml", "--root", root).expect(0)
    assert os.listdir(theirs.parent) == ["theirs"]
    assert "Nothing to do" in box.run("apply", "empty.yaml", "--root", root).expect(0).out
    theirs.unlink()
    box.run("apply", "empty.yaml", "--root", root).expect(0)
    assert not (root / "etc/NetworkManager").exists(), "it goes with the first apply that finds it empty"


def test_a_directory_that_others_filled_keeps_no_rollback_from_its_end(box):
    root = tree(box)
    box.write("spec.yaml", NM)
    before = state(root)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    theirs = root / "etc/NetworkManager/theirs"
    theirs.write_text("theirs\n")
    done = box.run("rollback", "--root", root).expect(0)
    assert "file /etc/NetworkManager/ stays: others keep files in it" in done.err, done.err
    theirs.unlink()
    theirs.parent.rmdir()
    assert state(root) == before
    box.run("apply", "spec.yaml", "--root", root).expect(0)


def test_a_file_that_others_changed_keeps_its_directory_and_nobody_from_the_next_apply(box):
    root = tree(box)
    box.write("spec.yaml", NM)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    profile = root / "etc/NetworkManager/system-connections/mlx4_ib0.nmconnection"
    profile.chmod(0o640)
    done = box.run("rollback", "--root", root).expect(5)
    assert "was changed by another program since" in done.err and "Mend the cause" not in done.err, done.err
    assert box.run("apply", "spec.yaml", "--root", root).expect(0).out.startswith("Applied")


def test_a_file_for_entries_comes_back_as_others_left_it(box):
    root = tree(box, ["etc/sysconfig"])
    (root / "etc/os-release").write_text('ID=rhel\nVERSION_ID="9.4"\n')
    box.write("spec.yaml", 'version: 1\nnetwork: {backend: none}\nsubnet_manager: {run: true, instances: [{port_guid: "f452:1403:007b:cba1", priority: 3}], '
                           "partitions: [{name: a, pkey: 0x8002, members: {ALL: full}}]}\n")
    box.write("empty.yaml", "version: 1\n")
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    file = root / "etc/sysconfig/opensm"
    file.chmod(0o600)
    os.chown(file, 0, 42)
    before = state(root)
    box.run("apply", "empty.yaml", "--root", root).expect(0)
    assert not file.exists()
    box.run("rollback", "--root", root).expect(0)
    assert state(root) == before
