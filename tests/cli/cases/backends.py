"""Whose files a spec's interfaces become: what a tree's presets say, and a back end chosen by hand that is not there."""
from cases.specs import NM, PORT
from cases.trees import tree

AUTO = f"""version: 1
ipoib:
  - name: mlx4_ib0
    match: {{port_guid: "{PORT}"}}
    mode: datagram
    ipv4: {{method: manual, addresses: [192.0.2.1/24]}}
"""
UNITS = "usr/lib/systemd/system"
PROGRAMS = {"NetworkManager.service": "usr/sbin/NetworkManager", "systemd-networkd.service": "usr/lib/systemd/systemd-networkd"}
PRESETS = "usr/lib/systemd/system-preset"
PROFILE = "etc/NetworkManager/system-connections/mlx4_ib0.nmconnection"
RHEL = 'ID=rhel\nVERSION_ID="9.4"\nPRETTY_NAME="Red Hat Enterprise Linux 9.4 (Plow)"\n'


def image(box, *units, machine_id="uninitialized\n"):
    """A tree of RHEL 9 that has not booted yet, with those units and with RHEL's presets."""
    root = tree(box, (PRESETS, "usr/sbin"))
    (root / "etc/os-release").write_text(RHEL)
    (root / "etc/machine-id").write_text(machine_id)
    (root / PRESETS / "90-default.preset").write_text("enable NetworkManager.service\nenable sshd.service\n")
    (root / PRESETS / "99-default-disable.preset").write_text("disable *\n")
    for unit in units:
        (root / UNITS / unit).write_text("[Unit]\n[Install]\nWantedBy=multi-user.target\n")
        (root / PROGRAMS[unit]).write_text("")
    box.write("spec.yaml", AUTO)
    return root


def first_line(box, root, *words):
    return box.run("plan", "spec.yaml", "--root", root, *words).expect(0).out.splitlines()[0]


def test_a_tree_takes_the_manager_that_presets_enable(box):
    root = image(box, "NetworkManager.service")
    reason = f"it is the only network manager installed here, and presets enable it at the first boot (/{PRESETS}/90-default.preset)"
    plan = box.run("plan", "spec.yaml", "--root", root).expect(0)
    assert plan.out.splitlines()[0].endswith(f"back end networkmanager: {reason}"), plan.out
    assert plan.err == "", plan.err
    assert f"  networkmanager is installed, and presets enable it at the first boot (/{PRESETS}/90-default.preset)\n" in \
        box.run("show", "--root", root).expect(0).out
    facts = box.run("show", "--root", root, "-o", "json").expect(0).json["facts"]
    assert facts["first_boot"] is True and facts["installed"] == ["networkmanager"], facts
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    assert (root / PROFILE).exists() and "backend:" not in box.run("show", "--root", root, "--as-spec").expect(0).out, "auto was applied"
    (root / "etc/rdmastate/applied.yaml").unlink()  # without the spec that was applied, the host alone tells
    assert "backend: networkmanager" in box.run("show", "--root", root, "--as-spec").expect(0).out
    box.run("verify", "spec.yaml", "--root", root).expect(0)


def test_presets_choose_among_several(box):
    root = image(box, "NetworkManager.service", "systemd-networkd.service")
    assert first_line(box, root).endswith(
        f"back end networkmanager: of the network managers installed here presets enable it alone at the first boot (/{PRESETS}/90-default.preset)")
    (root / PRESETS / "80-site.preset").write_text("enable systemd-networkd.service\n")
    assert first_line(box, root).endswith(
        "back end none: no network manager is enabled here, and presets enable more than one (networkmanager, networkd)")
    (root / PRESETS / "80-site.preset").write_text("disable NetworkManager.service\n")
    assert first_line(box, root).endswith("back end none: nobody else configures interfaces here")


def test_what_is_enabled_wins_over_presets(box):
    root = image(box, "NetworkManager.service", "systemd-networkd.service")
    (root / "etc/systemd/system/multi-user.target.wants/systemd-networkd.service").symlink_to(f"/{UNITS}/systemd-networkd.service")
    assert "back end networkd: it is enabled (" in first_line(box, root)


def test_without_a_first_boot_presets_are_a_warning(box):
    root = image(box, "NetworkManager.service", machine_id="5d0c1f7e2a634b7c9c61a2c8f0e4b7d3\n")
    plan = box.run("plan", "spec.yaml", "--root", root).expect(0)
    assert plan.out.splitlines()[0].endswith(
        f"back end networkmanager: it is the only network manager installed here, and presets enable it (/{PRESETS}/90-default.preset)"), plan.out
    assert "warning: network.backend: nothing enables NetworkManager.service in this tree but presets" in plan.err, plan.err
    assert "hint: systemctl --root=DIR preset NetworkManager.service" in plan.err, plan.err
    (root / "etc/machine-id").unlink()
    assert box.run("plan", "spec.yaml", "--root", root).expect(0).err == ""


def test_a_back_end_that_is_not_there_is_a_warning(box):
    root = image(box)
    for backend, package in (("networkmanager", "NetworkManager"), ("networkd", "systemd-networkd")):
        box.write("spec.yaml", AUTO.replace("ipoib:", f"network: {{backend: {backend}}}\nipoib:"))
        for command in ("plan", "apply"):
            done = box.run(command, "spec.yaml", "--root", root).expect(0)
            assert f"spec.yaml:2:20: warning: network.backend: {backend} is not installed in this tree" in done.err, done.err
            assert f"hint: install the package {package}, or choose another back end" in done.err, done.err
    (root / "usr/lib/systemd/systemd-networkd").write_text("")
    assert box.run("plan", "spec.yaml", "--root", root).expect(0).err == ""


def test_a_record_holds_who_is_installed(box):
    def with_programs(record):
        record["files"]["/usr/sbin/NetworkManager"] = {"content": "", "mode": "0755", "uid": 0, "gid": 0}
    box.write("spec.yaml", NM.replace("networkmanager", "networkd").replace("connected", "datagram").replace("65520", "2044"))
    for change, installed in ((None, []), (with_programs, ["networkmanager"])):
        path = box.host(change)
        box.run("show", "--host", path, "--record", "record.json").expect(0)
        for host in (path, "record.json"):
            assert box.run("show", "--host", host, "-o", "json").expect(0).json["facts"]["installed"] == installed
            assert "networkd is not installed on this host" in box.run("plan", "spec.yaml", "--host", host).err
