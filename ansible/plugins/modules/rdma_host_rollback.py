#!/usr/bin/python
# SPDX-License-Identifier: Apache-2.0
# Takes the newest run back: `rdmastate rollback`.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
---
module: rdma_host_rollback
short_description: Takes the newest run back
version_added: "1.0.0"
author:
  - The rdmastate developers (@rdmastate)
description:
  - Brings back what was there before the newest run, or before a run that was interrupted. Where the newest run was
    taken back already, nothing is done.
  - What somebody else changed since is left as it is, and the task fails and names it.
options:
  run_id:
    description:
      - The run that is meant. Where the newest one is another, nothing is taken back, and the task fails.
    type: str
  force:
    description:
      - Take back what somebody else changed since, too.
    type: bool
    default: false
extends_documentation_fragment:
  - rdmastate.core.agent
  - rdmastate.core.agent.patience
attributes:
  check_mode:
    description: Says which run would be taken back.
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
- name: Back to what was
  rdmastate.core.rdma_host_rollback:
    run_id: "{{ applied.run_id }}"
"""

RETURN = r"""
run_id:
  description: The run that was taken back, or that was already. Null where there is none.
  returned: always
  type: str
moved:
  description: How many steps were taken back.
  returned: when not in check mode
  type: int
rc:
  description: The agent's exit code.
  returned: always
  type: int
"""

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.rdmastate.core.plugins.module_utils.agent import OPTIONS, PATIENCE, Agent
from ansible_collections.rdmastate.core.plugins.module_utils.result import why

TAKEN_BACK = ('undone', 'rolled back')


def newest_run(module, agent):
    answer = agent.ask(['history'])
    if answer.data is None:
        module.fail_json(msg=why(answer), rc=answer.code)
    return (answer.data['runs'] or [None])[0]


def main():
    module = AnsibleModule(argument_spec=dict(run_id=dict(type='str'), force=dict(type='bool', default=False), **dict(OPTIONS, **PATIENCE)),
                           supports_check_mode=True)
    agent, meant = Agent(module), module.params['run_id']
    agent.require()
    run = newest_run(module, agent)
    name = run['run'] if run else None
    if meant and name != meant:
        module.fail_json(msg='the newest run is %s, not %s: nothing was taken back' % (name, meant), run_id=name, rc=0)
    if run is None or run['end'] in TAKEN_BACK or module.check_mode:
        module.exit_json(changed=run is not None and run['end'] not in TAKEN_BACK, run_id=name, rc=0, moved=0)
    answer = agent.ask_in_turn(['rollback'] + (['--force'] if module.params['force'] else []))
    data = answer.data or {}
    result = dict(changed=data.get('changed', False), run_id=data.get('run', name), moved=data.get('moved', 0), rc=answer.code)
    if why(answer) is not None:
        module.fail_json(msg=why(answer), cmd=answer.command, **result)
    for line in data['message'].splitlines():
        module.warn(line)
    module.exit_json(**result)


if __name__ == '__main__':
    main()
