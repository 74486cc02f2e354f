# SPDX-License-Identifier: Apache-2.0
# A fake agent that answers what a test wrote down, and modules that are run in this process.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import json
import os
import sys

import pytest

from ansible.module_utils import basic
from ansible.module_utils.common.text.converters import to_bytes

FAKE = '''#!%s
import json, os, sys
here = os.path.dirname(os.path.abspath(__file__))
stdin = sys.stdin.read() if "-" in sys.argv else None
with open(os.path.join(here, "calls"), "a") as calls:
    calls.write(json.dumps([sys.argv[1:], stdin]) + "\\n")
with open(os.path.join(here, "answers")) as file:
    answers = json.load(file)
queue = answers[sys.argv[1]]
code, out, err = queue.pop(0) if len(queue) > 1 else queue[0]
with open(os.path.join(here, "answers"), "w") as file:
    json.dump(answers, file)
sys.stdout.write(out)
sys.stderr.write(err)
sys.exit(code)
'''


class FakeAgent(object):
    """`answer` says what it answers to a command, the last one for ever; `calls` tells what it was asked."""

    def __init__(self, directory):
        self.directory = directory
        self.path = str(directory.join('rdmastate'))
        self.answers = {}
        directory.join('rdmastate').write(FAKE % sys.executable)
        os.chmod(self.path, 0o755)

    def answer(self, command, *answers):
        """Each answer is (exit code, data or text, talk)."""
        self.answers[command] = [(code, data if isinstance(data, str) else json.dumps(data), talk) for code, data, talk in answers]
        self.directory.join('answers').write(json.dumps(self.answers))
        return self

    def forget_calls(self):
        self.directory.join('calls').write('')

    @property
    def calls(self):
        text = self.directory.join('calls').read() if self.directory.join('calls').check() else ''
        return [json.loads(line) for line in text.splitlines()]

    @property
    def words(self):
        return [words for words, stdin in self.calls]


class Ended(Exception):
    """How a module ended."""


@pytest.fixture
def agent(tmpdir):
    return FakeAgent(tmpdir.mkdir('agent'))


@pytest.fixture
def run(monkeypatch, agent):
    """run(module, check=False, **options): the module's result, with `failed` and its warnings in it."""
    def end(failed):
        def leave(self, **result):
            raise Ended(dict(result, failed=failed, warned=list(basic.get_warning_messages())))
        return leave

    def run(module, check=False, **options):
        options.setdefault('executable', agent.path)
        arguments = dict(options, _ansible_check_mode=check, _ansible_diff=True)
        monkeypatch.setattr(basic, '_ANSIBLE_ARGS', to_bytes(json.dumps({'ANSIBLE_MODULE_ARGS': arguments})))
        monkeypatch.setattr(basic.AnsibleModule, 'exit_json', end(False))
        monkeypatch.setattr(basic.AnsibleModule, 'fail_json', end(True))
        from ansible.module_utils.common import warnings
        warnings._global_warnings[:] = []
        with pytest.raises(Ended) as ended:
            module.main()
        return ended.value.args[0]

    return run
