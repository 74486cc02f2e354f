"""What others configured of OpenSM: named, taken over, given back, and told as a spec, on an image as on a host."""
import shutil

from cases.trees import state, tree, without_home

PORT, OTHER = "0xf4521403007bcba1", "0x0002c903003178f1"
THEIRS = "# by hand\nrouting_engine ftree,updn\nlmc 2\nsubnet_prefix 0xfe80000000000007\n"
CONF = "etc/rdma/opensm.conf"
LINK = "etc/systemd/system/network.target.wants/opensm.service"


def spec(*instances):
    return f"version: 1\nnetwork: {{backend: none}}\nsubnet_manager:\n  run: true\n  instances: [{', '.join(instances)}]\n"


ONE = spec(f'{{port_guid: "{PORT}", priority: 14}}')
TWO = spec(f'{{port_guid: "{PORT}", priority: 14}}', f'{{port_guid: "{OTHER}"}}')


def image(box, entries="#GUIDS=\n", **configs):
    root = tree(box, ("etc/rdma", "etc/sysconfig", "etc/systemd/system/network.target.wants"))
    (root / "etc/os-release").write_text('ID=rhel\nVERSION_ID="9.4"\n')
    (root / "etc/sysconfig/opensm").write_text(entries)
    for number, text in configs.items():
        (root / (CONF + number.replace("_", "."))).write_text(text)
    return root


def test_an_image_is_asked_for_too(box):
    root = image(box, **{"": THEIRS})
    box.write("spec.yaml", TWO)
    said = box.run("plan", "spec.yaml", "--root", root, "-o", "json").expect(6).json
    assert [(one["allowed_by"], f"lmc 2 of /{CONF}" in one["sentence"], one["key"]) for one in said["refusals"]] == [("--adopt", True, f"/{CONF}.1")], said["refusals"]
    for option in ("--adopt", "--allow-fabric"):
        box.run("plan", "spec.yaml", "--root", root, option).expect(0)


def taken_over(box, root, configs):
    box.run("apply", "spec.yaml", "--root", root, "--adopt").expect(0)
    made = sorted(root.glob(CONF + ".*"))
    assert len(made) == configs and all(path.read_text().startswith(THEIRS) for path in made)
    assert f"guid {PORT}" in made[0].read_text() and "sm_priority 14\n" in made[0].read_text()
    assert "Nothing to do" in box.run("apply", "spec.yaml", "--root", root).expect(0).out
    return made


def test_taken_over_it_stays_and_comes_back(box):
    for text, configs in ((TWO, {"": THEIRS}), (ONE, {"": THEIRS}), (ONE, {"_4": f"{THEIRS}guid {PORT} # the first\n"})):
        root = image(box, **configs)
        before = state(root)
        box.write("spec.yaml", text)
        box.run("apply", "spec.yaml", "--root", root).expect(6)
        assert state(root) == before
        for _ in range(2):  # there, back, and there again
            made = taken_over(box, root, 2 if text == TWO else 1)
            box.run("rollback", "--root", root).expect(0)
            assert without_home(state(root)) == before
        taken_over(box, root, len(made))
        box.write("spec.yaml", text.replace("priority: 14", "priority: 3"))
        box.run("apply", "spec.yaml", "--root", root).expect(0)
        assert "sm_priority 3\n" in made[0].read_text() and made[0].read_text().startswith(THEIRS)
        shutil.rmtree(root)


def test_a_command_of_others_wins_no_more(box):
    root = tree(box, ("etc/default", "etc/opensm", "etc/systemd/system/opensm@.service.d"))
    (root / "etc/default/opensm").write_text("PORTS=ALL\n")
    drop_in = root / "etc/systemd/system/opensm@.service.d/local.conf"
    drop_in.write_text("[Service]\nExecStart=\nExecStart=/usr/sbin/opensm --guid %I -R dnup\n")
    box.write("spec.yaml", ONE)
    said = box.run("apply", "spec.yaml", "--root", root).expect(6).err
    assert "options -R dnup of /etc/systemd/system/opensm@.service.d/local.conf goes out of force" in said, said
    box.write("spec.yaml", ONE.replace(", priority: 14", ""))
    box.run("apply", "spec.yaml", "--root", root).expect(0)


def test_a_spec_tells_what_it_has_words_for(box):
    theirs = THEIRS + "sm_priority 5\nm_key 0x0123456789abcdef\nconsole loopback\nmax_wire_smps 16\n"
    root = image(box, f'GUIDS="{PORT} {OTHER}"\n', **{"": theirs})
    (root / LINK).symlink_to("/usr/lib/systemd/system/opensm.service")
    told = box.run("show", "--root", root, "--as-spec").expect(0).out
    assert told.count("priority: 5") == 2 and "subnet_prefix: 0xfe80000000000001" in told, told
    assert told.count("routing_engine: ftree,updn") + told.count('routing_engine: "ftree,updn"') == 2, told
    assert told.count("lmc: ") == 2 and told.count("max_wire_smps: ") == 2, told
    assert f"# left out: m_key (a secret, not shown) of /{CONF}: a spec cannot say it" in told, told
    assert f"# left out: console loopback of /{CONF}: a spec cannot say it" in told, told
    box.write("told.yaml", told)
    said = box.run("apply", "told.yaml", "--root", root).expect(6).err
    assert "m_key (a secret, not shown) of" in said and "lmc" not in said, said
    box.run("apply", "told.yaml", "--root", root, "--adopt").expect(0)
    assert "Nothing to do" in box.run("apply", "told.yaml", "--root", root).expect(0).out
    again = box.run("show", "--root", root, "--as-spec").expect(0).out
    assert "priority: 5" in again and "subnet_prefix: 0xfe80000000000001" in again, again


def test_verify_fails_where_it_does_not_announce_itself(box):
    def change(mask):
        def made(model):
            model["files"].update({
                "/usr/lib/systemd/system/opensm@.service": {"content": "[Service]\nExecStart=/usr/sbin/opensm --guid %I\n"},
                "/sys/class/infiniband_mad/abi_version": {"content": "5\n"},
                "/sys/class/infiniband/mlx4_1/ports/1/cap_mask": {"content": mask}})
            model["systemd"] = {"units": {f"opensm@{PORT}.service": {"main_pid": 812}}}
        return made
    box.write("spec.yaml", spec(f'{{port_guid: "{PORT}"}}'))
    for mask, code in (("0x0251486a\n", 0), ("0x02514868\n", 2)):
        box.run("apply", "spec.yaml", "--host", box.host(change(mask), base="minimal.json"), "--record", "after.json").expect(0)
        said = box.run("verify", "spec.yaml", "--host", "after.json").expect(code)
        assert ("no subnet manager is announced (IsSM) on mlx4_1 port 1" in said.out + said.err) == (code == 2), said.out + said.err
