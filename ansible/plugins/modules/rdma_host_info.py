#!/usr/bin/python
# SPDX-License-Identifier: Apache-2.0
# What RDMA set-up a host has, and how it differs from a spec: `rdmastate show`, `history` and `verify`.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
---
module: rdma_host_info
short_description: Tells a host's RDMA devices, addresses and runs, and how it differs from a spec
version_added: "1.0.0"
author:
  - The rdmastate developers (@rdmastate)
description:
  - Looks, and changes nothing.
options:
  spec:
    description:
      - A spec to compare the host with, as of M(rdmastate.core.rdma_host).
    type: dict
  src:
    description:
      - The same as a file on the managed host.
    type: path
  wait:
    description:
      - A time such as C(60s). The host is looked at again for so long, until it is as the spec says.
    type: str
  allow_pending:
    description:
      - What waits for the next boot or for another program is no drift.
    type: bool
    default: false
extends_documentation_fragment:
  - rdmastate.core.agent
attributes:
  check_mode:
    description: It never changes anything.
    support: full
  diff_mode:
    description: There is nothing to compare.
    support: none
  platform:
    description: Which hosts it works on.
    support: full
    platforms: linux
"""

EXAMPLES = r"""
- name: What is there
  rdmastate.core.rdma_host_info:
  register: rdma

- name: The GID index that a program wants for this address
  ansible.builtin.debug:
    msg: "{{ rdma.gid_index['192.0.2.1'] | map(attribute='index') | list }}"

- name: Nothing has drifted
  rdmastate.core.rdma_host_info:
    src: /etc/rdmastate/host.yaml
  register: rdma
  failed_when: not rdma.drift.in_sync
"""

RETURN = r"""
host:
  description: Distribution, kernel, software stack and who configures interfaces.
  returned: always
  type: dict
devices:
  description: RDMA devices with their GUIDs, firmware and ports; a port has its GUID, link layer, state, rate, P_Keys and GIDs.
  returned: always
  type: list
  elements: dict
gid_index:
  description: For each address that is in a port's GID table, where it stands there.
  returned: always
  type: dict
  sample: {"192.0.2.1": [{device: mlx5_0, port: 1, index: 3, type: RoCE v2, netdev: enp1s0}]}
ipoib:
  description: IPoIB interfaces by name, with device, port, GUID, P_Key, mode, MTU and addresses.
  returned: always
  type: dict
runs:
  description: The agent's runs, newest first, and how each ended. Empty for who is not root.
  returned: always
  type: list
  elements: dict
drift:
  description: How the host, and its next boot, differ from the spec.
  returned: with I(spec) or I(src)
  type: dict
  contains:
    in_sync:
      description: They do not differ.
      type: bool
    differences:
      description:
        - A line for each thing that differs, with its reason where the agent cannot move it now, then the agent's warnings.
        - Empty where they do not differ.
      type: list
      elements: str
    steps:
      description: What an apply would move first.
      type: list
      elements: dict
    diff:
      description: The same as diffs.
      type: list
      elements: dict
    later:
      description: What waits for those steps.
      type: list
      elements: dict
    pending:
      description: Resources that are pending, and why.
      type: list
      elements: dict
    blocked:
      description: Resources that this host cannot have, and why.
      type: list
      elements: dict
    unseen:
      description: What this user may not look at.
      type: list
      elements: dict
    reboot_required:
      description: Something waits for a reboot.
      type: bool
    disruption:
      description: The most that an apply would disturb.
      type: str
    warnings:
      description: What else keeps the host from being as the spec says.
      type: list
      elements: str
"""

import ipaddress
import json

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.rdmastate.core.plugins.module_utils.agent import OPTIONS, SPEC_OPTIONS, Agent
from ansible_collections.rdmastate.core.plugins.module_utils.result import of_plan, why
from ansible_collections.rdmastate.core.plugins.module_utils.typed import typed

HOST = ('host', 'live', 'distribution', 'version', 'pretty_name', 'kernel', 'stack', 'versions', 'managers', 'unseen')
IN_SYNC = 0
DIFFERS = 2


def asked(module, answer):
    if answer.data is None:
        module.fail_json(msg=why(answer), rc=answer.code, cmd=answer.command)
    return answer.data


def devices_of(shown):
    """The devices of the facts, each port with what only the live host tells of it."""
    details = dict((one['name'], one) for one in shown['details'])
    devices = []
    for device in shown['facts']['devices']:
        more = details.get(device['name'], {})
        ports = dict((port['number'], port) for port in more.get('ports', []))
        devices.append(dict(dict(more, **device), ports=[dict(ports.get(port['number'], {}), **port) for port in device['ports']]))
    return devices


def address_of(gid):
    """The address that a GID stands for: an IPv4 one is mapped into it (RoCE)."""
    address = ipaddress.IPv6Address(gid)
    return str(address.ipv4_mapped or address)


def gid_index_of(devices):
    found = {}
    for device in devices:
        for port in device['ports']:
            for gid in port.get('gids', []):
                place = dict(device=device['name'], port=port['number'], index=gid['index'], type=gid['type'], netdev=gid['netdev'])
                found.setdefault(address_of(gid['gid']), []).append(place)
    return found


def ipoib_of(shown, devices):
    """By name; `port 0002:c903:0031:78f1 pkey 0x8002` is what the agent calls the child of that port."""
    owners = dict((port['guid'], dict(device=device['name'], port=port['number'])) for device in devices for port in device['ports'])
    found = {}
    for one in shown['ipoib']:
        words = one['id'].split()
        guid = words[1] if words[0] == 'port' and len(words) > 1 else None
        found[one['name']] = dict(one, port_guid=guid, child=len(words) > 2, **owners.get(guid, dict(device=None, port=None)))
    return found


def differences_of(drift, allow_pending):
    """What the agent's verdict rests on, a line each."""
    unmoved = drift['blocked'] + drift['unseen'] + ([] if allow_pending else drift['pending'])
    return ([step['line'] for step in drift['steps']] + ['%s: %s' % (one['title'], one['reason']) for one in unmoved]
            + ['%s: after %s' % (one['title'], one['after']) for one in drift['later']] + drift['warnings'])


def drift_of(module, agent):
    params = module.params
    words = (['--wait', params['wait']] if params['wait'] else []) + (['--allow-pending'] if params['allow_pending'] else [])
    stdin = json.dumps(typed(params['spec'], agent.schema())) if params['spec'] is not None else None
    answer = agent.ask(['verify', params['src'] or '-'] + words, stdin)
    if answer.code not in (IN_SYNC, DIFFERS):
        module.fail_json(msg=why(answer), rc=answer.code, cmd=answer.command)
    drift = of_plan(asked(module, answer))
    del drift['changed']
    in_sync = answer.code == IN_SYNC
    return dict(drift, in_sync=in_sync, differences=[] if in_sync else differences_of(drift, params['allow_pending']))


def main():
    module = AnsibleModule(argument_spec=dict(wait=dict(type='str'), allow_pending=dict(type='bool', default=False), **dict(OPTIONS, **SPEC_OPTIONS)),
                           supports_check_mode=True, mutually_exclusive=[['spec', 'src']])
    agent = Agent(module)
    agent.require()
    shown = asked(module, agent.ask(['show']))
    devices = devices_of(shown)
    runs = agent.ask(['history']).data or {'runs': []}
    result = dict(changed=False, host=dict((name, shown['facts'][name]) for name in HOST), devices=devices, gid_index=gid_index_of(devices),
                  ipoib=ipoib_of(shown, devices), runs=runs['runs'])
    if module.params['spec'] is not None or module.params['src']:
        result['drift'] = drift_of(module, agent)
    module.exit_json(**result)


if __name__ == '__main__':
    main()
