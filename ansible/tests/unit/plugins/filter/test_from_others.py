# SPDX-License-Identifier: Apache-2.0
# What other roles configure becomes a spec, and whatever no spec says is named.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import pytest

from ansible.errors import AnsibleFilterError

from ansible_collections.rdmastate.core.plugins.filter.from_network_connections import FilterModule as Connections, from_network_connections
from ansible_collections.rdmastate.core.plugins.filter.from_nmstate import FilterModule as States, from_nmstate


def test_a_port_and_its_partition_as_the_guide_has_them():
    """RHEL's guide to IPoIB with the network role."""
    made = from_network_connections([
        {'name': 'mlx4_ib0', 'interface_name': 'mlx4_ib0', 'type': 'infiniband'},
        {'name': 'mlx4_ib0.8002', 'type': 'infiniband', 'autoconnect': True, 'infiniband': {'p_key': 0x8002, 'transport_mode': 'datagram'},
         'parent': 'mlx4_ib0', 'ip': {'address': ['192.0.2.1/24', '2001:db8:1::1/64']}, 'state': 'up'}])
    assert made == {'left_out': [], 'spec': {'version': 1, 'network': {'backend': 'networkmanager'}, 'ipoib': [
        {'name': 'mlx4_ib0', 'mode': 'datagram', 'ipv4': {'method': 'auto'}, 'ipv6': {'method': 'auto'}},
        {'parent': 'mlx4_ib0', 'pkey': '0x8002', 'mode': 'datagram', 'ipv4': {'method': 'manual', 'addresses': ['192.0.2.1/24']},
         'ipv6': {'method': 'manual', 'addresses': ['2001:db8:1::1/64']}}]}}


def test_everything_that_a_profile_can_say_and_a_spec_too():
    profile = {'name': 'storage', 'interface_name': 'ib_a', 'type': 'infiniband', 'mac': '80:00:02:08:fe:80:00:00:00:00:00:00:F4:52:14:03:00:7b:cb:a1',
               'mtu': 65520, 'infiniband_transport_mode': 'connected',
               'ip': {'dhcp4': False, 'auto6': False, 'address': [{'address': '192.0.2.1', 'prefix': 24}], 'gateway4': '192.0.2.254',
                      'dns': ['192.0.2.200'], 'dns_search': ['example.com'],
                      'route': [{'network': '203.0.113.0', 'prefix': 24, 'gateway': '192.0.2.9', 'metric': 50}, {'network': '198.51.100.7'}]}}
    child = {'name': 'child', 'type': 'infiniband', 'infiniband_p_key': 10, 'parent': 'storage', 'ip': {'dhcp4': False, 'ipv6_disabled': True}}
    made = from_network_connections([profile, child])
    assert made['left_out'] == []
    assert made['spec']['ipoib'] == [
        {'name': 'ib_a', 'match': {'port_guid': 'f4:52:14:03:00:7b:cb:a1'}, 'mode': 'connected', 'mtu': 65520, 'ipv6': {'method': 'link-local'},
         'ipv4': {'method': 'manual', 'addresses': ['192.0.2.1/24'], 'gateway': '192.0.2.254', 'dns': ['192.0.2.200'], 'search': ['example.com'],
                  'routes': [{'to': '203.0.113.0/24', 'via': '192.0.2.9', 'metric': 50}, {'to': '198.51.100.7/32'}]}},
        {'parent': 'ib_a', 'pkey': '0x800a', 'mode': 'datagram', 'ipv4': {'method': 'disabled'}, 'ipv6': {'method': 'disabled'}}]


@pytest.mark.parametrize('profile, named', [
    ({'autoconnect': False}, 'network_connections[0].autoconnect: no field'), ({'ip': {'auto_gateway': False}}, 'network_connections[0].ip.auto_gateway'),
    ({'ip': {'dhcp4_send_hostname': False}}, '[0].ip.dhcp4_send_hostname'), ({'ip': {'dns_priority': -5}}, '[0].ip.dns_priority'),
    ({'ip': {'route_metric4': 0}}, '[0].ip.route_metric4'), ({'infiniband': {'p_key': -1, 'umcast': False}}, '[0].infiniband.umcast'),
    ({'type': 'bond', 'name': 'bond0'}, 'network_connections[0]: the profile bond0 is of type bond'),
    ({'controller': 'bond0'}, 'network_connections[0].controller: no field'), ({'zone': 'internal'}, 'network_connections[0].zone'),
    ({'ethtool': {'ring': {'rx': 1}}}, 'network_connections[0].ethtool'), ({'state': 'down'}, 'network_connections[0].state: an interface of a spec is up'),
    ({'persistent_state': 'absent'}, 'network_connections[0].persistent_state: a port\'s own'), ({'infiniband': {'p_key': 2}}, 'network_connections[0].parent'),
    ({'ip': {'dhcp4': True, 'address': ['192.0.2.1/24']}}, 'network_connections[0].ip.dhcp4'), ({'ip': {'dns_options': ['rotate']}}, '[0].ip.dns_options'),
    ({'ip': {'auto6': True, 'address': ['2001:db8::1/64']}}, 'network_connections[0].ip.auto6'), ({'ip': {'gateway4': '192.0.2.9'}}, '[0].ip.gateway4'),
    ({'ip': {'address': ['192.0.2.1/24'], 'route': [{'network': '203.0.113.0', 'prefix': 24, 'table': 30200}]}}, '.ip.route[0].table'),
    ({'ip': {'route': [{'network': '203.0.113.0', 'prefix': 24}]}}, '[0].ip.route: it goes with addresses')])
def test_what_no_spec_can_say_of_a_profile_is_named(profile, named):
    made = from_network_connections([dict({'name': 'ib0', 'type': 'infiniband'}, **profile)])
    assert any(named in line for line in made['left_out']), made['left_out']


def test_what_a_profile_says_and_means_without_is_not_named():
    profile = {'name': 'ib0', 'type': 'infiniband', 'autoconnect': True, 'zone': None, 'wait': 10, 'ignore_errors': False, 'force_state_change': False,
               'check_iface_exists': True, 'ip': {'route_append_only': False, 'rule_append_only': False, 'dns_priority': 0, 'route_metric4': -1,
                                                  'route_metric6': -1, 'dns_options': [], 'gateway4': None, 'ipv6_disabled': False}}
    assert from_network_connections([profile])['left_out'] == []


def test_a_partition_that_goes():
    made = from_network_connections([{'name': 'x', 'type': 'infiniband', 'parent': 'ib0', 'infiniband': {'p_key': '0x8002'}, 'persistent_state': 'absent'}])
    assert made['spec']['ipoib'] == [{'parent': 'ib0', 'pkey': '0x8002', 'absent': True}] and made['left_out'] == []


STATE = {'interfaces': [
    {'name': 'mlx5_ib0', 'type': 'infiniband', 'state': 'up', 'mac-address': '80:00:02:08:fe:80:00:00:00:00:00:00:f4:52:14:03:00:7b:cb:a1', 'mtu': 65520,
     'infiniband': {'mode': 'connected', 'pkey': '0xffff'}, 'ipv6': {'enabled': True, 'autoconf': True, 'dhcp': False},
     'ipv4': {'enabled': True, 'dhcp': False, 'address': [{'ip': '192.0.2.1', 'prefix-length': 24}]}},
    {'name': 'mlx5_ib0.80fe', 'type': 'infiniband', 'state': 'up', 'infiniband': {'base-iface': 'mlx5_ib0', 'mode': 'datagram', 'pkey': '0x80fe'},
     'ipv4': {'enabled': True, 'dhcp': True}, 'ipv6': {'enabled': False}}],
    'routes': {'config': [{'destination': '0.0.0.0/0', 'next-hop-address': '192.0.2.254', 'next-hop-interface': 'mlx5_ib0', 'table-id': 254},
                          {'destination': '203.0.113.0/24', 'next-hop-address': '192.0.2.9', 'next-hop-interface': 'mlx5_ib0', 'metric': 50}]},
    'dns-resolver': {'config': {'server': ['192.0.2.200'], 'search': ['example.com']}}}


def test_a_state_of_nmstates():
    made = from_nmstate(STATE)
    assert made['left_out'] == []
    assert made['spec'] == {'version': 1, 'network': {'backend': 'networkmanager'}, 'ipoib': [
        {'name': 'mlx5_ib0', 'match': {'port_guid': 'f4:52:14:03:00:7b:cb:a1'}, 'mode': 'connected', 'mtu': 65520, 'ipv6': {'method': 'auto'},
         'ipv4': {'method': 'manual', 'addresses': ['192.0.2.1/24'], 'gateway': '192.0.2.254', 'dns': ['192.0.2.200'], 'search': ['example.com'],
                  'routes': [{'to': '203.0.113.0/24', 'via': '192.0.2.9', 'metric': 50}]}},
        {'parent': 'mlx5_ib0', 'pkey': '0x80fe', 'mode': 'datagram', 'ipv4': {'method': 'auto'}, 'ipv6': {'method': 'disabled'}}]}


@pytest.mark.parametrize('change, named', [
    ({'type': 'bond'}, 'interfaces[0]: the interface mlx5_ib0 is of type bond'), ({'lldp': {'enabled': True}}, 'interfaces[0].lldp'),
    ({'state': 'down'}, 'interfaces[0].state'), ({'state': 'absent'}, 'interfaces[0].state'),
    ({'ipv4': {'enabled': True, 'dhcp': True, 'address': [{'ip': '192.0.2.1', 'prefix-length': 24}]}}, 'interfaces[0].ipv4.dhcp'),
    ({'ipv4': {'enabled': True, 'dhcp': True, 'auto-dns': False}}, 'interfaces[0].ipv4.auto-dns: no field'),
    ({'ipv4': {'enabled': True, 'dhcp': True, 'auto-routes': False}}, 'interfaces[0].ipv4.auto-routes: no field'),
    ({'ipv6': {'enabled': True, 'autoconf': True, 'dhcp': True, 'auto-gateway': False}}, 'interfaces[0].ipv6.auto-gateway: no field'),
    ({'ipv4': {'enabled': True, 'dhcp': True, 'auto-route-table-id': 100}}, '.auto-route-table-id'), ({'wait-ip': 'ipv4'}, 'interfaces[0].wait-ip'),
    ({'ipv4': {'enabled': True, 'dhcp': True, 'auto-route-metric': 0}}, '.auto-route-metric'), ({'accept-all-mac-addresses': True}, '.accept-all'),
    ({'ipv6': {'enabled': True, 'dhcp': True}}, 'DHCPv6 without router advertisements'),
    ({'infiniband': {'pkey': '0x8002', 'base-iface': 'ib9'}}, 'interfaces[0].name: mlx5_ib0: the child of a port is called ib9.8002')])
def test_what_no_spec_can_say_of_an_interface_is_named(change, named):
    made = from_nmstate([dict(STATE['interfaces'][0], **change)])
    assert any(named in line for line in made['left_out']), made['left_out']


def test_what_an_interface_says_and_means_without_is_not_named():
    auto = {'enabled': True, 'dhcp': True, 'auto-dns': True, 'auto-routes': True, 'auto-gateway': True, 'auto-route-table-id': 0, 'dhcp-send-hostname': True,
            'allow-extra-address': True, 'address': []}
    more = {'accept-all-mac-addresses': False, 'lldp': {'enabled': False}, 'wait-ip': 'any', 'min-mtu': 256, 'max-mtu': 65520, 'identifier': 'name'}
    made = from_nmstate([dict(STATE['interfaces'][0], ipv4=auto, ipv6=dict(auto, autoconf=True), **more)])
    assert made['left_out'] == [] and made['spec']['ipoib'][0]['ipv4'] == made['spec']['ipoib'][0]['ipv6'] == {'method': 'auto'}
    off = from_nmstate([dict(STATE['interfaces'][0], ipv4={'enabled': False, 'auto-dns': False})])
    assert off['left_out'] == [] and off['spec']['ipoib'][0]['ipv4'] == {'method': 'disabled'}


def test_a_route_that_goes_is_named_and_not_made():
    gone = {'destination': '203.0.113.0/24', 'next-hop-interface': 'mlx5_ib0', 'state': 'absent'}
    made = from_nmstate({'interfaces': STATE['interfaces'], 'routes': {'config': [gone]}})
    assert made['left_out'] == ['routes.config[0].state: a spec names the routes that are there']
    assert 'routes' not in made['spec']['ipoib'][0]['ipv4']


@pytest.mark.parametrize('more, named', [
    ({'routes': {'config': [{'destination': '203.0.113.0/24', 'next-hop-interface': 'eth0'}]}}, 'routes over eth0'),
    ({'routes': {'config': [{'destination': '203.0.113.0/24', 'next-hop-interface': 'mlx5_ib0', 'table-id': 100}]}}, 'routes.config[0].table-id'),
    ({'dns-resolver': {'config': {'server': ['2001:db8::53']}}}, 'no interface of the spec has IPv6 addresses'),
    ({'dns-resolver': {'config': {'search': ['example.com']}}}, 'search: it goes with a server'), ({'ovs-db': {'a': 1}}, 'state.ovs-db')])
def test_what_no_spec_can_say_of_a_state_is_named(more, named):
    made = from_nmstate(dict({'interfaces': STATE['interfaces']}, **more))
    assert any(named in line for line in made['left_out']), made['left_out']


def test_a_child_that_goes():
    made = from_nmstate([dict(STATE['interfaces'][1], state='absent')])
    assert made['spec']['ipoib'] == [{'parent': 'mlx5_ib0', 'pkey': '0x80fe', 'absent': True}]


def test_what_is_neither():
    for filter_, wrong in ((from_network_connections, {}), (from_nmstate, {}), (from_nmstate, 'interfaces')):
        with pytest.raises(AnsibleFilterError):
            filter_(wrong)
    assert Connections().filters() and States().filters()
