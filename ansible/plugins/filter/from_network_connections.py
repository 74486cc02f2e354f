# SPDX-License-Identifier: Apache-2.0
# from_network_connections: the InfiniBand profiles of linux-system-roles' network role as a spec.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

from ansible.errors import AnsibleFilterError

from ansible_collections.rdmastate.core.plugins.plugin_utils.ipoib_text import LeftOut, pkey_text, result, version_of

# How the role goes about it is nothing that a host has.
SILENT = ('force_state_change', 'wait', 'ignore_errors', 'check_iface_exists')
# What the role means where a key is not there (linux-system-roles/network, module_utils/network_lsr/argument_validator.py).
DEFAULTS = {'autoconnect': True}
IP_DEFAULTS = {'route_append_only': False, 'rule_append_only': False, 'dns_priority': 0, 'route_metric4': -1, 'route_metric6': -1}
READ = ('name', 'interface_name', 'type', 'state', 'persistent_state', 'infiniband', 'infiniband_p_key', 'infiniband_transport_mode', 'parent',
        'mtu', 'mac', 'ip')
INFINIBAND_READ = ('p_key', 'transport_mode')
IP_READ = ('dhcp4', 'auto6', 'address', 'gateway4', 'gateway6', 'dns', 'dns_search', 'route', 'ipv6_disabled')
ROUTE_READ = ('network', 'prefix', 'gateway', 'metric')


def from_network_connections(connections):
    if not isinstance(connections, list):
        raise AnsibleFilterError('from_network_connections takes the list network_connections, and got %s' % type(connections).__name__)
    left = LeftOut()
    interfaces = dict((one.get('name'), one.get('interface_name') or one.get('name')) for one in connections)
    records = []
    for at, one in enumerate(connections):
        record = _record(one, interfaces, left, 'network_connections[%d]' % at)
        if record:
            records.append(record)
    return result(records, left, network={'backend': 'networkmanager'})


def _record(one, interfaces, left, path):
    if one.get('type') != 'infiniband':
        left.add(path, 'the profile %s is of type %s, and a spec has InfiniBand alone' % (one.get('name'), one.get('type', 'none')))
        return None
    left.rest(one, READ + SILENT, path, DEFAULTS)
    left.rest(one.get('infiniband') or {}, INFINIBAND_READ, path + '.infiniband')
    if one.get('state') == 'down':
        left.add(path + '.state', 'an interface of a spec is up')
    record = _identity(one, interfaces, left, path)
    if one.get('persistent_state') == 'absent':
        return _absent(record, left, path)
    record['mode'] = _infiniband(one, 'transport_mode', 'datagram')
    if one.get('mtu'):
        record['mtu'] = one['mtu']
    ip = one.get('ip') or {}
    left.rest(ip, IP_READ, path + '.ip', IP_DEFAULTS)
    routes = _routes(ip, left, path + '.ip.route')
    record['ipv4'] = _side(ip, 4, 'auto' if ip.get('dhcp4') or (ip.get('dhcp4') is None and not _addresses(ip, 4)) else None, routes)
    record['ipv6'] = _side(ip, 6, None if _is_off(ip) else 'auto' if ip.get('auto6', True) else None, routes)
    _two_ways(ip, record, left, path)
    return record


def _identity(one, interfaces, left, path):
    key = _infiniband(one, 'p_key', -1)
    if key is not None and int(str(key), 0) != -1:
        parent = one.get('parent')
        record = {'parent': interfaces.get(parent, parent), 'pkey': pkey_text(key)}
        if not parent:
            left.add(path + '.parent', 'a partition without a parent: name the port\'s interface')
        return record
    record = {'name': one.get('interface_name') or one.get('name')}
    if one.get('mac'):
        record['match'] = {'port_guid': ':'.join(str(one['mac']).lower().split(':')[-8:])}
    return record


def _absent(record, left, path):
    if 'parent' in record:
        return dict(record, absent=True)
    left.add(path + '.persistent_state', 'a port\'s own interface cannot be absent; a profile that a spec does not name and that is rdmastate\'s is removed')
    return None


def _infiniband(one, name, otherwise):
    """In `infiniband`, or where older releases had it."""
    return (one.get('infiniband') or {}).get(name, one.get('infiniband_' + name, otherwise))


def _text(address):
    return '%s/%s' % (address['address'], address['prefix']) if isinstance(address, dict) else str(address)


def _addresses(ip, version):
    return [_text(one) for one in ip.get('address') or [] if version_of(_text(one)) == version]


def _is_off(ip):
    return bool(ip.get('ipv6_disabled'))


def _routes(ip, left, path):
    routes = []
    for at, one in enumerate(ip.get('route') or []):
        left.rest(one, ROUTE_READ, '%s[%d]' % (path, at))
        route = {'to': '%s/%s' % (one['network'], one.get('prefix', 32 if version_of(one['network']) == 4 else 128))}
        if one.get('gateway'):
            route['via'] = one['gateway']
        if one.get('metric') not in (None, -1):
            route['metric'] = one['metric']
        routes.append(route)
    return routes


def _of(values, version):
    return [str(one) for one in values or [] if version_of(str(one)) == version]


def _side(ip, version, automatic, routes):
    """`ipv4` or `ipv6` of the record."""
    addresses = _addresses(ip, version)
    if not addresses:
        return {'method': automatic or ('link-local' if version == 6 and not _is_off(ip) else 'disabled')}
    side = {'method': 'manual', 'addresses': addresses}
    if ip.get('gateway%d' % version):
        side['gateway'] = ip['gateway%d' % version]
    for name, values in (('dns', _of(ip.get('dns'), version)), ('search', ip.get('dns_search') if version == 4 else [])):
        if values:
            side[name] = list(values)
    mine = [route for route in routes if version_of(route['to']) == version]
    if mine:
        side['routes'] = mine
    return side


def _two_ways(ip, record, left, path):
    """Addresses of its own beside automatic ones."""
    if ip.get('dhcp4') and record['ipv4']['method'] == 'manual':
        left.add(path + '.ip.dhcp4', 'addresses are given: an interface of a spec has either those or DHCP')
    if ip.get('auto6', False) and record['ipv6']['method'] == 'manual':
        left.add(path + '.ip.auto6', 'addresses are given: an interface of a spec has either those or router advertisements')
    for version, side in ((4, record['ipv4']), (6, record['ipv6'])):
        if side['method'] == 'manual':
            continue
        lost = [name for name in ('gateway%d' % version, 'route', 'dns') if _says(ip.get(name), version)]
        for name in lost:
            left.add('%s.ip.%s' % (path, name), 'it goes with addresses of its own (IPv%d)' % version)


def _says(values, version):
    if not values:
        return False
    if not isinstance(values, list):
        return True
    return any(version_of(one['network'] if isinstance(one, dict) else one) == version for one in values)


class FilterModule(object):
    def filters(self):
        return {'from_network_connections': from_network_connections}
