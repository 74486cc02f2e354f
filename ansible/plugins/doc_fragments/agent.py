# SPDX-License-Identifier: Apache-2.0
# The options that the modules share (module_utils/agent.py has them as arguments).

from __future__ import absolute_import, division, print_function

__metaclass__ = type


class ModuleDocFragment(object):
    DOCUMENTATION = r"""
options:
  executable:
    description:
      - The agent, a name in the search path or an absolute path.
    type: str
    default: rdmastate
  root:
    description:
      - An offline tree on the managed host, such as a mounted image, instead of the host itself. Only files are written.
    type: path
"""

    PATIENCE = r"""
options:
  busy_timeout:
    description:
      - For how many seconds to wait for another run of the agent to end. Nothing else is tried twice.
    type: int
    default: 60
"""
