# SPDX-License-Identifier: Apache-2.0
# What the filters from_nmstate and from_network_connections share: P_Keys and addresses as a spec has them, the filters' answer,
# and the list of what no spec can say.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import ipaddress


class LeftOut(object):
    """What is left out, by its path, with the reason."""

    def __init__(self):
        self.lines = []

    def add(self, path, why):
        self.lines.append('%s: %s' % (path, why))

    def rest(self, record, known, path, defaults=None):
        """Every key that was not read and says something: what is not empty, and not what the format means without the key."""
        for key, value in record.items():
            if key in known or value in (None, '', [], {}) or key in (defaults or {}) and value == defaults[key]:
                continue
            self.add('%s.%s' % (path, key), 'no field of a spec says that')


def pkey_text(number):
    """0x8002: with the full-member bit, as the kernel sets it."""
    return '0x%04x' % (int(str(number), 0) | 0x8000)


def version_of(address):
    return ipaddress.ip_interface(str(address)).version


def is_default(route):
    return str(route) in ('0.0.0.0/0', '::/0', 'default')


def result(ipoib, left, **more):
    """As `rdmastate show --as-spec -o json` has it: the spec, and what it has no word for."""
    spec = dict({'version': 1}, **more)
    if ipoib:
        spec['ipoib'] = ipoib
    return {'spec': spec, 'left_out': left.lines}
