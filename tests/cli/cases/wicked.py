"""wicked's files in a tree, there and back, and read by a POSIX shell and a reader of their own."""
import pathlib

from cases.specs import GUIDE, PORT
from cases.trees import goes_around, state, tree
from support.owners import network

FOLDER = "etc/sysconfig/network"
SPEC = GUIDE.replace("backend: none", "backend: wicked")
METHODS = f"""version: 1
network: {{backend: wicked}}
ipoib:
  - {{name: mlx4_ib0, match: {{port_guid: "{PORT}"}}, umcast: false, ipv4: {{method: auto}}, ipv6: {{method: manual, addresses: ["2001:db8::1/64"], gateway: "2001:db8::ff"}}}}
  - {{parent: mlx4_ib0, pkey: 0x8003, mode: connected, umcast: true, ipv6: {{method: disabled}}}}
  - {{parent: mlx4_ib0, pkey: 0x8004, ipv4: {{method: manual, addresses: [192.0.2.1/24], routes: [{{to: default}}]}}, ipv6: {{method: auto}}}}
"""


def read(box, spec):
    root = tree(box, [FOLDER])
    box.write("spec.yaml", spec)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    return {name: rest for name, *rest in network.wicked_of(pathlib.Path(root))}


BOND = """version: 1
network: {backend: wicked}
ipoib:
  - {name: store0, mode: datagram}
  - {name: store1, mode: datagram}
bonds:
  - {name: bond0, ports: [store0, store1], primary: store1, ipv4: {method: manual, addresses: [192.0.2.1/24], gateway: 192.0.2.254}}
"""


def run_by_wicked(box, files):
    """A tree in which wicked is enabled, with these files of others."""
    root = tree(box, [FOLDER])
    (root / "etc/systemd/system/multi-user.target.wants/wicked.service").symlink_to("/usr/lib/systemd/system/wicked.service")
    for name, text in files.items():
        (root / FOLDER / name).write_text(text)
    return root


def said(lists):
    return {key.rsplit("/", 1)[1]: value for key, value in lists}


def test_there_and_back(box):
    _, made = goes_around(box, SPEC, [FOLDER])
    names = {name for name in made if name.startswith(f"{FOLDER}/")}
    assert names == {f"{FOLDER}/{name}" for name in (
        "ifcfg-mlx4_ib0", "ifsysctl-mlx4_ib0", "ifcfg-mlx4_ib0.8002", "ifroute-mlx4_ib0.8002", "ifsysctl-mlx4_ib0.8002")}, names


def test_a_shell_assigns_what_the_spec_says(box):
    ports = read(box, SPEC)
    assert ports["mlx4_ib0"][0] == {"STARTMODE": "'auto'", "BOOTPROTO": "'static'", "IPOIB": "'yes'", "MTU": "'65520'", "IPOIB_MODE": "'connected'",
                                    "IPADDR_0": "'192.0.2.1/24'"}, ports
    values, routes, sysctls = ports["mlx4_ib0.8002"]
    assert values == {"STARTMODE": "'auto'", "BOOTPROTO": "'static'", "IPOIB": "'yes'", "IPOIB_DEVICE": "'mlx4_ib0'", "IPOIB_PKEY": "'8002'",
                      "IPOIB_MODE": "'datagram'", "IPADDR_0": "'198.51.100.1/24'", "IPADDR_1": "'2001:db8:1::1/64'"}, values
    assert routes == [["203.0.113.0/24", "198.51.100.254", "-", "mlx4_ib0.8002", "metric", "50"]], routes
    assert said(sysctls) == {"disable_ipv6": "0", "accept_ra": "0"}, sysctls


def test_methods(box):
    ports = read(box, METHODS)
    values, routes, sysctls = ports["mlx4_ib0"]
    assert (values["BOOTPROTO"], values["IPOIB_UMCAST"], values["IPADDR_0"]) == ("'dhcp4'", "'disallowed'", "'2001:db8::1/64'") and "IPOIB_MODE" not in values
    assert routes == [["default", "2001:db8::ff", "-", "mlx4_ib0"]] and said(sysctls)["accept_ra"] == "0"
    values, routes, sysctls = ports["mlx4_ib0.8003"]
    assert (values["IPOIB_MODE"], values["IPOIB_UMCAST"]) == ("'connected'", "'allowed'") and not routes and said(sysctls)["disable_ipv6"] == "1"
    values, routes, sysctls = ports["mlx4_ib0.8004"]
    assert routes == [["0.0.0.0/0", "-", "-", "mlx4_ib0.8004"]] and said(sysctls) == {"disable_ipv6": "0", "accept_ra": "1"}


def test_a_bond_there_and_back(box):
    goes_around(box, BOND, [FOLDER])


def test_a_bond_as_a_shell_reads_it(box):
    files = read(box, BOND)
    values, routes, sysctls = files["bond0"]
    assert values == {"STARTMODE": "'auto'", "BOOTPROTO": "'static'", "BONDING_MASTER": "'yes'", "BONDING_SLAVE_0": "'store0'", "BONDING_SLAVE_1": "'store1'",
                      "BONDING_MODULE_OPTS": "'mode=active-backup fail_over_mac=active miimon=100 primary=store1'", "MTU": "'2044'", "IPADDR_0": "'192.0.2.1/24'"}, values
    assert routes == [["default", "192.0.2.254", "-", "bond0"]] and said(sysctls) == {"disable_ipv6": "0", "accept_ra": "0"}, files
    for port in ("store0", "store1"):
        assert files[port] == [{"STARTMODE": "'hotplug'", "BOOTPROTO": "'none'", "IPOIB": "'yes'", "IPOIB_MODE": "'datagram'"}, [], []], files


def test_others_bond_is_left_out_and_its_ports_are_told(box):
    root = run_by_wicked(box, {
        "ifcfg-bond0": "STARTMODE=auto\nBOOTPROTO=dhcp\nBONDING_MASTER=yes\nBONDING_SLAVE_0=ib0\nBONDING_MODULE_OPTS='mode=active-backup miimon=100'\n",
        "ifcfg-ib0": "STARTMODE=hotplug\nBOOTPROTO=none\nIPOIB_MODE=connected\nIPADDR=192.0.2.9/24\n",
        "ifcfg-ib1": "STARTMODE=hotplug\nBOOTPROTO=none\nIPOIB_MODE=connected\n",
    })
    told = box.run("show", "--as-spec", "--root", root).expect(0).out
    for line in ("name: ib0", "mode: connected", "ifcfg-bond0: a bond is read from what is live, and this is a tree", "ifcfg-ib1: no field of a spec says its BOOTPROTO"):
        assert line in told, (line, told)
    assert "192.0.2.9" not in told and "name: ib1" not in told, told


def test_others_bond_keeps_its_port_and_its_file(box):
    root = tree(box, [FOLDER])
    (root / FOLDER / "ifcfg-bond0").write_text("BONDING_MASTER=yes\nBONDING_SLAVE_0=store0\n")
    box.write("port.yaml", "version: 1\nnetwork: {backend: wicked}\nipoib: [{name: store0, mode: datagram}]\n")
    refused = box.run("apply", "port.yaml", "--root", root).expect(6)
    assert "ifcfg-bond0 (wicked) configures store0, which this spec names" in refused.err, refused.err
    box.write("bond.yaml", BOND)
    refused = box.run("apply", "bond.yaml", "--root", root, "--adopt").expect(6)
    assert "takes over no file of a bond that somebody else made" in refused.err, refused.err


def test_foreign_files_are_told_as_a_spec(box):
    root = run_by_wicked(box, {
        "ifcfg-ib0": "STARTMODE=auto\nBOOTPROTO=static\nIPADDR=192.0.2.1\nNETMASK=255.255.255.128\nIPADDR_2='2001:db8::1'\nPREFIXLEN_2=64\nMTU=2044\nZONE=trusted\n",
        "ifroute-ib0": "# theirs\ndefault 192.0.2.126 - -\n203.0.113.0/24 192.0.2.5 - ib0 metric 9\n203.0.114.0/24 192.0.2.5 - ib0 mtu 1500\n",
        "ifcfg-ib0.8001": "STARTMODE=auto\nBOOTPROTO=dhcp\nIPOIB_MODE=connected\n",
        "ifcfg-custom1": "STARTMODE=auto\nIPOIB=yes\nIPOIB_DEVICE=ib0\nIPOIB_PKEY=8002\n",
        "ifcfg-ib1": "BOOTPROTO=static\nIPOIB_MODE=connected\n",
        "ifcfg-ib2": "STARTMODE=auto\nBOOTPROTO=dhcp4\nIPADDR=198.51.100.9/24\nIPOIB_MODE=connected\n",
        "ifcfg-ib0.bak": "STARTMODE=auto\nIPOIB=yes\nIPADDR=198.51.100.8/24\n",
        "ifcfg-eth0": "STARTMODE=auto\nBOOTPROTO=dhcp\n",
    })
    before = state(root)
    told = box.run("show", "--as-spec", "--root", root).expect(0).out
    for line in ("name: ib0", "192.0.2.1/25", "2001:db8::1/64", "gateway: 192.0.2.126", "203.0.113.0/24", "metric: 9", "mtu: 2044", "pkey: 0x8001", "mode: connected"):
        assert line in told, (line, told)
    for line in ("ifcfg-ib0: no field of a spec says ZONE", "ifroute-ib0:4: no field of a spec says this route", "ifcfg-custom1: a child that is not called ib0.8002",
                 "ifcfg-ib0: no field of a spec says that it takes router advertisements beside its IPv6 addresses (--adopt takes it out)",
                 "ifcfg-ib0.8001: no field of a spec says DHCPv6, which BOOTPROTO=dhcp asks for", "ifcfg-ib2: no field of a spec says IPADDR beside DHCP",
                 "ifcfg-ib1: wicked leaves the interface alone until somebody runs ifup"):
        assert line in told, (line, told)
    assert all(word not in told for word in ("eth0", "1500", "198.51.100.8", "ib0.bak")), told
    assert state(root) == before
    box.write("spec.yaml", told)
    box.run("apply", "spec.yaml", "--root", root, "--adopt").expect(0)
