"""NetworkManager profiles, read back and judged by NetworkManager's own library."""
import os

import gi

gi.require_version("NM", "1.0")
from gi.repository import GLib, NM  # noqa: E402 (the version has to be chosen first)

from cases.specs import NM as SPEC, PORT
from cases.trees import tree

PROFILES = "etc/NetworkManager/system-connections"


def read(path, more=()):
    """The profile as libnm understands it; anything that it warns of fails."""
    warnings = []

    def handler(_file, _connection, kind, data, _user):
        if kind == NM.KeyfileHandlerType.WARN:
            warnings.append(data.warn_get()[0])
        return False

    file = GLib.KeyFile()
    file.load_from_file(str(path), GLib.KeyFileFlags.NONE)
    connection = NM.keyfile_read(file, str(path.parent), NM.KeyfileHandlerFlags.NONE, handler, None)
    assert not warnings, warnings
    assert connection.verify(), path
    known = {"connection", "infiniband", "ipv4", "ipv6", "user", *more}
    assert set(file.get_groups()[0]) == known, file.get_groups()
    return connection


def rendered(box, spec=SPEC):
    root = tree(box, [PROFILES])
    box.write("spec.yaml", spec)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    return root / PROFILES


def addresses(setting):
    return [f"{setting.get_address(i).get_address()}/{setting.get_address(i).get_prefix()}" for i in range(setting.get_num_addresses())]


def routes(setting):
    found = []
    for i in range(setting.get_num_routes()):
        route = setting.get_route(i)
        found.append((f"{route.get_dest()}/{route.get_prefix()}", route.get_next_hop(), route.get_metric()))
    return found


def test_name_and_settings(box):
    spec = SPEC.replace("    mode: connected\n", "    mode: connected\n    profile: 'rack \\ 7'\n    profile_settings: {connection.zone: trusted, ipv4.may-fail: false, match.driver: 'a\\;b;'}\n", 1)
    spec = spec.replace("    mode: datagram\n", "    mode: datagram\n    profile: '10'\n", 1)
    assert spec.count("profile:") == 2
    profiles = rendered(box, spec)
    connection = read(profiles / "mlx4_ib0.nmconnection", more=("match",))
    assert (connection.get_id(), connection.get_setting_connection().get_zone()) == ("rack \\ 7", "trusted")
    assert not connection.get_setting_ip4_config().get_may_fail()
    root = profiles.parents[2]
    (root / "etc/rdmastate/applied.yaml").unlink()
    (root / "usr/lib/systemd/system/NetworkManager.service").write_text("")
    (root / "etc/systemd/system/multi-user.target.wants/NetworkManager.service").symlink_to("/usr/lib/systemd/system/NetworkManager.service")
    told = box.run("show", "--as-spec", "--root", root).expect(0).out
    assert "connection.zone: trusted" in told and "ipv4.may-fail: false" in told and "rack" in told and 'profile: "10"' in told, told
    box.write("told.yaml", told)
    plan = box.run("plan", "told.yaml", "--root", root, "-o", "json").expect(0).json
    assert not [step for step in plan["steps"] if step["kind"] == "nm_profile"], plan["steps"]


def test_a_port(box):
    connection = read(rendered(box) / "mlx4_ib0.nmconnection")
    assert connection.get_interface_name() == connection.get_id() == "mlx4_ib0"
    assert connection.get_connection_type() == "infiniband"
    port = connection.get_setting_infiniband()
    assert (port.get_transport_mode(), port.get_mtu(), port.get_p_key(), port.get_parent()) == ("connected", 65520, -1, None)
    ip = connection.get_setting_ip4_config()
    assert ip.get_method() == "manual" and addresses(ip) == ["192.0.2.1/24", "192.0.2.129/25"]
    assert ip.get_gateway() == "192.0.2.254"
    assert [ip.get_dns(i) for i in range(ip.get_num_dns())] == ["192.0.2.200", "192.0.2.201"]
    assert [ip.get_dns_search(i) for i in range(ip.get_num_dns_searches())] == ["example.com", "example.org"]
    assert connection.get_setting_ip6_config().get_method() == "auto"


def test_a_child(box):
    connection = read(rendered(box) / "mlx4_ib0.8002.nmconnection")
    child = connection.get_setting_infiniband()
    assert (child.get_transport_mode(), child.get_mtu(), child.get_p_key(), child.get_parent()) == ("datagram", 2044, 0x8002, "mlx4_ib0")
    assert child.get_virtual_interface_name() == connection.get_interface_name() == "mlx4_ib0.8002"
    four, six = connection.get_setting_ip4_config(), connection.get_setting_ip6_config()
    assert addresses(four) == ["198.51.100.1/24"] and four.get_gateway() is None
    assert routes(four) == [("203.0.113.0/24", "198.51.100.254", 50), ("203.0.113.128/25", None, -1)]
    assert addresses(six) == ["2001:db8:1::1/64"] and six.get_gateway() == "2001:db8:1::ff"
    assert routes(six) == [("2001:db8:2::/48", None, 7)]


def test_a_uuid_is_the_interface_s(box):
    one = read(rendered(box) / "mlx4_ib0.nmconnection").get_uuid()
    other = read(box.dir / "tree" / PROFILES / "mlx4_ib0.8002.nmconnection").get_uuid()
    assert one != other and NM.utils_is_uuid(one) and one[14] == "5", one  # version 5: the same on every host and run


def test_absent_fields_take_defaults(box):
    spec = f"""version: 1
network: {{backend: networkmanager}}
ipoib:
  - {{name: mlx4_ib0, match: {{port_guid: "{PORT}"}}, mode: datagram}}
  - {{parent: mlx4_ib0, pkey: 0x8002}}
"""
    folder = rendered(box, spec)
    child = read(folder / "mlx4_ib0.8002.nmconnection")
    assert child.get_setting_infiniband().get_transport_mode() == "datagram" and child.get_setting_infiniband().get_mtu() == 0
    assert child.get_setting_ip4_config().get_method() == "disabled"
    assert child.get_setting_ip6_config().get_method() == "link-local"


def test_every_method(box):
    for four, six in (("auto", "auto"), ("disabled", "disabled"), ("auto", "link-local")):
        spec = f"""version: 1
network: {{backend: networkmanager}}
ipoib:
  - {{name: mlx4_ib0, match: {{port_guid: "{PORT}"}}, mode: datagram, ipv4: {{method: {four}}}, ipv6: {{method: {six}}}}}
"""
        root = box.dir / "tree"
        if root.exists():
            os.rename(root, box.dir / f"tree-{four}-{six}")
        connection = read(rendered(box, spec) / "mlx4_ib0.nmconnection")
        assert connection.get_setting_ip4_config().get_method() == four
        assert connection.get_setting_ip6_config().get_method() == six


def test_default_as_a_route(box):
    spec = f"""version: 1
network: {{backend: networkmanager}}
ipoib:
  - name: mlx4_ib0
    match: {{port_guid: "{PORT}"}}
    mode: datagram
    ipv4: {{method: manual, addresses: [192.0.2.1/24], routes: [{{to: default, via: 192.0.2.254, metric: 900}}]}}
    ipv6: {{method: manual, addresses: ["2001:db8::1/64"], routes: [{{to: default, via: "2001:db8::ff"}}]}}
"""
    connection = read(rendered(box, spec) / "mlx4_ib0.nmconnection")
    assert routes(connection.get_setting_ip4_config()) == [("0.0.0.0/0", "192.0.2.254", 900)]
    assert routes(connection.get_setting_ip6_config()) == [("::/0", "2001:db8::ff", -1)]
