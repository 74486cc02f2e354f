# SPDX-License-Identifier: Apache-2.0
# from_nmstate: the InfiniBand interfaces of a desired state of nmstate's as a spec.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

from ansible.errors import AnsibleFilterError

from ansible_collections.rdmastate.core.plugins.plugin_utils.ipoib_text import LeftOut, is_default, pkey_text, result, version_of

# What nmstate means where a key is not there (its Rust library: BaseInterface, InterfaceIpv4, InterfaceIpv6), and what it shows
# and does not apply.
DEFAULTS = {'accept-all-mac-addresses': False, 'lldp': {'enabled': False}, 'wait-ip': 'any', 'identifier': 'name'}
IP_DEFAULTS = {'auto-dns': True, 'auto-routes': True, 'auto-gateway': True, 'auto-route-table-id': 0, 'allow-extra-address': True, 'dhcp-send-hostname': True}
SHOWN = ('min-mtu', 'max-mtu')
READ = ('name', 'type', 'state', 'infiniband', 'mtu', 'mac-address', 'ipv4', 'ipv6')
INFINIBAND_READ = ('mode', 'base-iface', 'pkey')
IP_READ = ('enabled', 'dhcp', 'autoconf', 'address')
ROUTE_READ = ('destination', 'next-hop-address', 'next-hop-interface', 'metric')
MAIN_TABLE = 254
PORTS_OWN = (None, '', '0xffff', 65535)


def from_nmstate(state):
    """`state`: the whole desired state, or its list `interfaces`."""
    if isinstance(state, list):
        state = {'interfaces': state}
    if not isinstance(state, dict) or 'interfaces' not in state:
        raise AnsibleFilterError('from_nmstate takes a state with `interfaces`, or that list')
    left = LeftOut()
    routes = _routes(state, left)
    left.rest(state, ('interfaces', 'routes', 'dns-resolver'), 'state')
    records = []
    for at, one in enumerate(state['interfaces']):
        record = _record(one, routes, left, 'interfaces[%d]' % at)
        if record:
            records.append(record)
    _resolver(state, records, left)
    for name in routes:
        if not any(_name_of(record) == name for record in records):
            left.add('routes.config', 'routes over %s, which is no interface of the spec' % name)
    return result(records, left, network={'backend': 'networkmanager'})


def _name_of(record):
    return record.get('name') or '%s.%s' % (record['parent'], record['pkey'][2:])


def _record(one, routes, left, path):
    if one.get('type') != 'infiniband':
        left.add(path, 'the interface %s is of type %s, and a spec has InfiniBand alone' % (one.get('name'), one.get('type', 'none')))
        return None
    left.rest(one, READ + SHOWN, path, DEFAULTS)
    infiniband = one.get('infiniband') or {}
    left.rest(infiniband, INFINIBAND_READ, path + '.infiniband')
    record = _identity(one, infiniband, left, path)
    if one.get('state') == 'absent' and 'parent' in record:
        return dict(parent=record['parent'], pkey=record['pkey'], absent=True)
    if one.get('state', 'up') != 'up':
        left.add(path + '.state', 'an interface of a spec is up, and a port\'s own cannot be absent')
        return None
    if infiniband.get('mode'):
        record['mode'] = infiniband['mode']
    if one.get('mtu'):
        record['mtu'] = one['mtu']
    for version in (4, 6):
        name = 'ipv%d' % version
        if name in one:
            record[name] = _side(one[name], version, routes.get(one.get('name'), []), left, '%s.%s' % (path, name))
    return record


def _identity(one, infiniband, left, path):
    if infiniband.get('pkey') in PORTS_OWN:
        record = {'name': one.get('name')}
        if one.get('mac-address'):
            record['match'] = {'port_guid': ':'.join(str(one['mac-address']).lower().split(':')[-8:])}
        return record
    record = {'parent': infiniband.get('base-iface'), 'pkey': pkey_text(infiniband['pkey'])}
    if one.get('name') != _name_of(record):
        left.add(path + '.name', '%s: the child of a port is called %s' % (one.get('name'), _name_of(record)))
    return record


def _side(side, version, routes, left, path):
    if not side.get('enabled'):
        return {'method': 'disabled'}  # the other keys say nothing then
    left.rest(side, IP_READ, path, IP_DEFAULTS)
    automatic = side.get('dhcp') or side.get('autoconf')
    addresses = ['%s/%s' % (one['ip'], one['prefix-length']) for one in side.get('address') or []]
    if automatic and not addresses:
        if version == 6 and not side.get('autoconf'):
            left.add(path + '.dhcp', 'DHCPv6 without router advertisements')
        return {'method': 'auto'}
    if automatic:
        left.add(path + ('.dhcp' if side.get('dhcp') else '.autoconf'), 'addresses are given: an interface of a spec has either those or automatic ones')
    if not addresses:
        return {'method': 'link-local' if version == 6 else 'disabled'}
    made = {'method': 'manual', 'addresses': addresses}
    mine = [route for route in routes if version_of(route['to']) == version]
    defaults = [route for route in mine if is_default(route['to']) and 'metric' not in route and 'via' in route]
    if defaults:
        made['gateway'] = defaults[0]['via']
    others = [route for route in mine if route not in defaults[:1]]
    if others:
        made['routes'] = others
    return made


def _routes(state, left):
    """By interface."""
    found = {}
    for at, one in enumerate((state.get('routes') or {}).get('config') or []):
        path = 'routes.config[%d]' % at
        if one.get('state') == 'absent':
            left.add(path + '.state', 'a spec names the routes that are there')
            continue
        known = ROUTE_READ + (('table-id',) if one.get('table-id', MAIN_TABLE) in (0, MAIN_TABLE) else ())
        left.rest(one, known, path)
        if 'table-id' in one and 'table-id' not in known:
            continue
        route = {'to': one['destination']}
        if one.get('next-hop-address'):
            route['via'] = one['next-hop-address']
        if one.get('metric', -1) not in (-1, None):
            route['metric'] = one['metric']
        found.setdefault(one.get('next-hop-interface'), []).append(route)
    return found


def _resolver(state, records, left):
    """nmstate has one resolver for the host; a spec has one per interface: the first that has addresses of that kind gets it."""
    config = (state.get('dns-resolver') or {}).get('config') or {}
    left.rest(config, ('server', 'search'), 'dns-resolver.config')
    for version in (4, 6):
        servers = [str(one) for one in config.get('server') or [] if version_of(one) == version]
        sides = [record['ipv%d' % version] for record in records if record.get('ipv%d' % version, {}).get('method') == 'manual']
        search = config.get('search') if version == 4 else []
        if sides and servers:
            sides[0]['dns'] = servers
            if search:
                sides[0]['search'] = list(search)
        elif servers:
            left.add('dns-resolver.config.server', 'no interface of the spec has IPv%d addresses of its own' % version)
    if config.get('search') and not any('search' in record.get('ipv4', {}) for record in records):
        left.add('dns-resolver.config.search', 'it goes with a server')


class FilterModule(object):
    def filters(self):
        return {'from_nmstate': from_nmstate}
