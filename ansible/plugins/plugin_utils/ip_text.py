# SPDX-License-Identifier: Apache-2.0
# IPoIB records out of what other roles' configurations say, and the list of what no spec can say.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import ipaddress


class LeftOut(object):
    """What is left out, by its path, with the reason."""

    def __init__(self):
        self.lines = []

    def add(self, path, why):
        self.lines.append('%s: %s' % (path, why))

    def rest(self, record, known, path, why='no field of a spec says that'):
        """Every key that says something and was not read."""
        for key in record:
            if key not in known and record[key] not in (None, '', [], {}, False):
                self.add('%s.%s' % (path, key), why)


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
