# SPDX-License-Identifier: Apache-2.0
# Runs the agent and understands its answers (rdmastate(8), -o json); what they mean to Ansible is in result.py.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import json
import time

OPTIONS = dict(executable=dict(type='str', default='rdmastate'), root=dict(type='path'))
SPEC_OPTIONS = dict(spec=dict(type='dict'), src=dict(type='path'))
PATIENCE = dict(busy_timeout=dict(type='int', default=60))

FIRST_PAUSE = 0.25
LONGEST_PAUSE = 5.0


class Answer(object):
    """What the agent said: its exit code, the JSON of standard output (None where there is none), and the talk."""

    def __init__(self, command, code, data, talk):
        self.command, self.code, self.data, self.talk = command, code, data, talk

    def is_locked(self):
        """Another run is at work: the only reason why nothing was done that goes away by itself."""
        return self.code == 7 and (self.data or {}).get('busy') == 'another_run'


class Agent(object):
    """The agent on the managed host. Every call is one process of it; none of them reads a terminal."""

    def __init__(self, module):
        self.module = module
        self.path = module.get_bin_path(module.params['executable'])

    @property
    def is_there(self):
        return self.path is not None

    def require(self):
        if not self.is_there:
            self.module.fail_json(msg='there is no %s on this host: install the package rdmastate, or name the program in `executable`'
                                  % self.module.params['executable'])

    def ask(self, words, stdin=None):
        """Runs it once. `words`: the command and its options; the place and the form of the answer are added here."""
        command = [self.path] + list(words)
        if self.module.params.get('root'):
            command += ['--root', self.module.params['root']]
        command += ['-o', 'json']
        code, out, err = self.module.run_command(command, data=stdin, binary_data=True)
        return Answer(command, code, _json_of(out), err.strip())

    def ask_in_turn(self, words, stdin=None):
        """The same of what changes something: while another run is at work it waits, longer each time, and asks again."""
        end = time.time() + self.module.params['busy_timeout']
        pause = FIRST_PAUSE
        answer = self.ask(words, stdin)
        while answer.is_locked() and time.time() + pause <= end:
            time.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)
            answer = self.ask(words, stdin)
        return answer

    def schema(self):
        """The schema of the specs that this agent takes (`rdmastate schema`)."""
        code, out, err = self.module.run_command([self.path, 'schema'])
        schema = _json_of(out)
        if code != 0 or schema is None:
            self.module.fail_json(msg='%s schema does not print a schema: %s' % (self.path, err.strip()), rc=code)
        return schema


def _json_of(text):
    try:
        data = json.loads(text)
    except ValueError:
        return None
    return data if isinstance(data, dict) else None
