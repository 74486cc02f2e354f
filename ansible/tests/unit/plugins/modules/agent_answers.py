# SPDX-License-Identifier: Apache-2.0
# Answers as the agent gives them, cut down to one step, one thing pending and one for later.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

MODULE = dict(kind='module', key='ib_ipoib', title='module ib_ipoib', line='load module ib_ipoib', disruption='none', changes=[],
              **{'from': None, 'to': {'name': 'ib_ipoib'}})
LINK = dict(kind='ipoib_link', key='port f452:1403:007b:cba1', title='ipoib_link mlx4_ib0', line='change ipoib_link mlx4_ib0', disruption='link',
            touches=['address 192.0.2.7/24'], changes=[], warning='mlx4_ib0 has no carrier',
            **{'from': {'mode': 'datagram', 'mtu': 2044}, 'to': {'mode': 'connected', 'mtu': 65520}})
FILE = dict(kind='file', key='/etc/modules-load.d/rdmastate.conf', title='file /etc/modules-load.d/rdmastate.conf',
            line='write file /etc/modules-load.d/rdmastate.conf', disruption='none', changes=[],
            **{'from': {'type': 'regular', 'mode': '0600', 'uid': 0, 'content': 'ib_umad\n', 'xattrs': {}},
               'to': {'type': 'regular', 'mode': '0644', 'uid': 0, 'content': 'ib_ipoib\n', 'xattrs': {}}})
BOOT = dict(kind='file', key='/etc/rdmastate/boot.json', title='file /etc/rdmastate/boot.json', line='write file /etc/rdmastate/boot.json',
            disruption='none', changes=[], last_round=True, **{'from': None, 'to': {'type': 'regular', 'content': '{}\n'}})
PENDING = dict(kind='module', key='rds', title='module rds', pending='it is loaded, and is never unloaded', pending_until='reboot')
BLOCKED = dict(kind='ipoib_link', key='x', title='ipoib_link ib9', blocked='add ib_ipoib to modules.load')
AFTER = dict(kind='address', key='a', title='address 192.0.2.1/24 on mlx4_ib0', after='module ib_ipoib')
WARNING = dict(severity='warning', file='host.yaml', line=5, column=3, path='ipoib[0].name', message='ib0 is a name of the kernel\'s own pattern',
               expected='', hint='choose another')
ERROR = dict(severity='error', file='standard input', line=1, column=40, path='ipoib[0].mode', message='Connected is no mode',
             expected='datagram or connected', hint='connected')


def plan(steps=(), other=(), refusals=(), diagnostics=(), notes=(), disruption='none', reboot=False):
    return dict(format_version=1, id='host', backend='none', facts={}, steps=list(steps), other=list(other), notes=list(notes),
                refused=[one['sentence'] for one in refusals], refusals=list(refusals), diagnostics=list(diagnostics),
                summary=dict(steps=len(steps), disruption=disruption, reboot_required=reboot, more_rounds=bool(other)))


def run(rounds=(), code=0, left=None, message='', name='000001', **more):
    moved = [step for steps in rounds for step in steps]
    return dict(dict(format_version=1, exit_code=code, changed=bool(moved), moved=len(moved), rounds=[list(steps) for steps in rounds], run=name,
                     message=message, left=left or plan(), disruption='none', reboot_required=False, diagnostics=[], notes=[]), **more)


def mistakes(*errors):
    return dict(format_version=1, errors=len(errors), has_more=False, diagnostics=list(errors))
