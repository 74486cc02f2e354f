#!/usr/bin/python
# SPDX-License-Identifier: Apache-2.0
# Says that a run may stay: `rdmastate confirm`.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
---
module: rdma_host_confirm
short_description: Confirms a run that is taken back otherwise
version_added: "1.0.0"
author:
  - The rdmastate developers (@rdmastate)
description:
  - Confirms the run that M(rdmastate.core.rdma_host) began with I(confirm_within). Call it
    over a new connection, since the one that the run was begun over may live on where a new one would not come through.
  - Nothing is confirmed where the newest run is another one, was taken back, or is too late.
options:
  run_id:
    description:
      - The run that is meant, as M(rdmastate.core.rdma_host) returned it.
    type: str
    required: true
extends_documentation_fragment:
  - rdmastate.core.agent
  - rdmastate.core.agent.patience
attributes:
  check_mode:
    description: Says whether the run awaits confirmation.
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
- name: The host can still be reached
  rdmastate.core.rdma_host_confirm:
    run_id: "{{ applied.run_id }}"
"""

RETURN = r"""
run_id:
  description: The run.
  returned: always
  type: str
rc:
  description: The agent's exit code.
  returned: always
  type: int
message:
  description: What came of it, in the agent's words.
  returned: success
  type: str
"""

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.rdmastate.core.plugins.module_utils.agent import OPTIONS, PATIENCE, Agent
from ansible_collections.rdmastate.core.plugins.module_utils.result import why


def check(module, agent, run):
    """In check mode: would it be confirmed?"""
    answer = agent.ask(['history', run])
    if answer.data is None:
        module.fail_json(msg=why(answer), rc=answer.code, run_id=run)
    module.exit_json(changed=answer.data['end'] == 'awaits confirmation', run_id=run, rc=0, message='run %s: %s' % (run, answer.data['end']))


def main():
    module = AnsibleModule(argument_spec=dict(run_id=dict(type='str', required=True), **dict(OPTIONS, **PATIENCE)), supports_check_mode=True)
    agent, run = Agent(module), module.params['run_id']
    agent.require()
    if module.check_mode:
        check(module, agent, run)
    answer = agent.ask_in_turn(['confirm', run])
    reason = why(answer)
    if reason is not None:
        module.fail_json(msg=reason, rc=answer.code, run_id=run, cmd=answer.command)
    module.exit_json(changed=answer.data['changed'], run_id=run, rc=answer.code, message=answer.data['message'])


if __name__ == '__main__':
    main()
