#!/usr/bin/python
# SPDX-License-Identifier: Apache-2.0
# Makes a host what a spec says: `rdmastate apply` and `release`, and in check mode `plan`.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
---
module: rdma_host
short_description: Makes a host's RDMA set-up what one spec says
version_added: "1.0.0"
author:
  - The rdmastate developers (@rdmastate)
description:
  - Applies a spec with the agent rdmastate, which must be installed on the managed host. Where the host is as the spec
    says, nothing is written and nothing restarts.
  - A run that fails is taken back by the agent. What it could not take back is named in the message of the failed task.
  - The spec's fields are told by C(rdmastate explain) and in the manual page rdmastate.yaml(5).
options:
  spec:
    description:
      - The spec itself. Texts that a template left behind become numbers and truth values where the agent's schema wants
        those. Write modes of files in quotes, C("0660"), since YAML reads the bare C(0660) as the number 432; the agent
        refuses that and says so.
      - It cannot include other files. Use I(src) for that, and for large specs.
    type: dict
  src:
    description:
      - The spec as a file on the managed host. As I(spec), it is not for I(state=absent) and I(state=released).
    type: path
  state:
    description:
      - C(present) makes the host what the spec says.
      - C(absent) removes what the agent made for the spec with this I(id). What it only changed keeps its value.
      - C(released) lets go of all that the agent made or changed. It stays as it is, and is no longer kept so.
    type: str
    choices: [present, absent, released]
    default: present
  id:
    description:
      - The id of the spec whose work I(state=absent) removes.
    type: str
    default: host
  confirm_within:
    description:
      - A time such as C(60s) or C(2min). The run is taken back when nobody has confirmed it by then, with
        M(rdmastate.core.rdma_host_confirm), whatever becomes of the connection. Without it the interface of the default
        route and that of the session at work are not touched.
    type: str
  max_disruption:
    description:
      - The most that may be disturbed. C(link) is an interface that bounces, C(service) a daemon that restarts,
        C(module) a driver that reloads. Without it the agent's own limit holds, which is C(link).
    type: str
    choices: [none, link, service, module]
  in_use:
    description:
      - RDMA devices that may be taken from those who use them.
    type: list
    elements: str
    default: []
  restart:
    description:
      - Units of systemd that may be restarted or stopped now where the spec needs that, such as C(opensm.service), also
        where I(max_disruption) is less than C(service).
    type: list
    elements: str
    default: []
  adopt:
    description:
      - Take over files of others that configure what the spec is about. Their originals are kept in the run.
    type: bool
    default: false
  replace:
    description:
      - Replace what a spec with another id made.
    type: bool
    default: false
  allow_fabric:
    description:
      - Allow what other hosts feel, such as a subnet manager that stops or a partition that goes.
    type: bool
    default: false
  facts:
    description:
      - With I(root), a file on the managed host with the hardware that the tree is for, as C(rdmastate show -o json)
        printed it there.
    type: path
extends_documentation_fragment:
  - rdmastate.core.agent
  - rdmastate.core.agent.patience
attributes:
  check_mode:
    description: Tells the first round of what a run would move, and what comes later.
    support: full
  diff_mode:
    description: One diff for each file and each object of the kernel that moves.
    support: full
  platform:
    description: Which hosts it works on.
    support: full
    platforms: linux
seealso:
  - module: rdmastate.core.rdma_host_confirm
  - module: rdmastate.core.rdma_host_rollback
  - module: rdmastate.core.rdma_host_info
notes:
  - In check mode a host that has no agent yet, or no I(src) yet, is told as changed, with a warning. The tasks before
    this one would bring both.
"""

EXAMPLES = r"""
- name: IP over InfiniBand on the first port
  rdmastate.core.rdma_host:
    spec:
      version: 1
      modules: {load: [ib_ipoib]}
      ipoib:
        - name: mlx4_ib0
          match: {port_guid: "f452:1403:007b:cba1"}
          mode: datagram
          ipv4: {method: manual, addresses: ["{{ storage_address }}/24"]}

- name: Over the very link that changes, taken back unless confirmed
  rdmastate.core.rdma_host:
    src: /etc/rdmastate/host.yaml
    confirm_within: 2min
  register: applied

- name: An image that is mounted there
  rdmastate.core.rdma_host:
    src: /srv/specs/compute.yaml
    root: /mnt/image

- name: Nothing of it stays
  rdmastate.core.rdma_host:
    state: absent
"""

RETURN = r"""
steps:
  description: What was moved, in order; in check mode what the first round would move.
  returned: always
  type: list
  elements: dict
  contains:
    round:
      description: The number of the round. What one round brings into being, the next one configures.
      type: int
    line:
      description: The step in words.
      type: str
      sample: load module ib_ipoib
    kind:
      description: What kind of thing moves.
      type: str
      sample: module
    key:
      description: Which one, by what does not change.
      type: str
    title:
      description: The same for people.
      type: str
    disruption:
      description: What the step disturbs.
      type: str
      sample: none
    touches:
      description: What else is disturbed by it.
      type: list
      elements: str
later:
  description: In check mode what waits for the first round, and would be planned anew after it.
  returned: in check mode
  type: list
  elements: dict
pending:
  description: Resources that are pending, with the reason and what each waits for.
  returned: always
  type: list
  elements: dict
  sample: [{title: "module rds", reason: "it is loaded, and is never unloaded", until: reboot}]
blocked:
  description: Resources that this host cannot have, with the reason. The task fails then, and the rest is done.
  returned: always
  type: list
  elements: dict
unseen:
  description: What this user may not look at.
  returned: always
  type: list
  elements: dict
released:
  description: What was let go.
  returned: with I(state=released)
  type: list
  elements: str
reboot_required:
  description: Something waits for a reboot.
  returned: always
  type: bool
disruption:
  description: The most that a step disturbed, or would disturb.
  returned: always
  type: str
  sample: link
run_id:
  description: The run that was recorded, for M(rdmastate.core.rdma_host_confirm). Null where nothing moved.
  returned: when not in check mode
  type: str
  sample: "000004"
confirm_until:
  description: When the run is taken back unless it is confirmed.
  returned: with I(confirm_within), when something moved
  type: str
rc:
  description: The agent's exit code.
  returned: always
  type: int
"""

import json
import os

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.rdmastate.core.plugins.module_utils.agent import OPTIONS, PATIENCE, SPEC_OPTIONS, Agent
from ansible_collections.rdmastate.core.plugins.module_utils.result import of_plan, of_run, why
from ansible_collections.rdmastate.core.plugins.module_utils.typed import typed

ARGUMENTS = dict(
    state=dict(type='str', choices=['present', 'absent', 'released'], default='present'),
    id=dict(type='str', default='host'),
    confirm_within=dict(type='str'),
    max_disruption=dict(type='str', choices=['none', 'link', 'service', 'module']),
    in_use=dict(type='list', elements='str', default=[]),
    restart=dict(type='list', elements='str', default=[]),
    adopt=dict(type='bool', default=False),
    replace=dict(type='bool', default=False),
    allow_fabric=dict(type='bool', default=False),
    facts=dict(type='path'),
    **dict(OPTIONS, **dict(SPEC_OPTIONS, **PATIENCE)))

NOTHING = dict(steps=[], diff=[], later=[], pending=[], blocked=[], unseen=[], reboot_required=False, disruption='none')


def words_of(params):
    """The agent's options for the module's."""
    words = []
    for name in ('confirm_within', 'max_disruption', 'facts'):
        if params[name]:
            words += ['--' + name.replace('_', '-'), params[name]]
    for name in ('adopt', 'replace', 'allow_fabric'):
        words += ['--' + name.replace('_', '-')] if params[name] else []
    for name in ('in_use', 'restart'):
        for one in params[name]:
            words += ['--' + name.replace('_', '-'), one]
    return words


def spec_for(agent, params):
    """What the agent is to read: the file's path, or '-' and the text for its standard input."""
    if params['state'] == 'absent':
        return '-', json.dumps({'version': 1, 'id': params['id']})
    if params['spec'] is None:
        return params['src'], None
    return '-', json.dumps(typed(params['spec'], agent.schema()))


def end(module, answer, result):
    """Fails where the agent did not come to a good end; what it moved counts as changed all the same."""
    reason = why(answer)
    result['rc'] = answer.code
    for sentence in result.pop('warnings', []):
        module.warn(sentence)
    if reason is None:
        module.exit_json(**result)
    module.fail_json(msg=reason, cmd=answer.command, stderr=answer.talk, **result)


def missing(module, agent):
    """What a task before this one brings, and check mode did not."""
    if not agent.is_there:
        return module.params['executable']
    src = module.params['src']
    return src if src and not os.path.exists(src) else None


def plan(module, agent, words):
    spec, stdin = spec_for(agent, module.params)
    answer = agent.ask(['plan', spec] + words, stdin)
    result = of_plan(answer.data) if 'steps' in (answer.data or {}) else dict(NOTHING, changed=False)
    if answer.code == 6:
        result['changed'] = False
    elif answer.code == 0 and result['blocked'] + result['unseen'] and not result['later']:
        answer.code = 1  # as apply would end
    end(module, answer, result)


def apply(module, agent, words):
    spec, stdin = spec_for(agent, module.params)
    answer = agent.ask_in_turn(['apply', spec] + words, stdin)
    end(module, answer, of_run(answer.data) if 'rounds' in (answer.data or {}) else dict(NOTHING, changed=False, run_id=None))


def release(module, agent):
    answer = agent.ask(['release', '--dry-run']) if module.check_mode else agent.ask_in_turn(['release'])
    result = of_run(answer.data) if 'rounds' in (answer.data or {}) else dict(NOTHING, changed=False, run_id=None)
    result['released'] = (answer.data or {}).get('released', [])
    end(module, answer, result)


def main():
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True, mutually_exclusive=[['spec', 'src']],
                           required_if=[['state', 'present', ['spec', 'src'], True]])
    if module.params['state'] != 'present' and (module.params['spec'] is not None or module.params['src']):
        module.fail_json(msg='state: %s takes neither spec nor src' % module.params['state'])
    agent = Agent(module)
    if module.check_mode and missing(module, agent):
        module.warn('%s is not there yet, so what would change is not known' % missing(module, agent))
        module.exit_json(**dict(NOTHING, changed=True, rc=0))
    agent.require()
    if module.params['state'] == 'released':
        release(module, agent)
    elif module.check_mode:
        plan(module, agent, words_of(module.params))
    else:
        apply(module, agent, words_of(module.params))


if __name__ == '__main__':
    main()
