"""What Ansible did, for a test: one line of JSON per host and task, and one with the counts. place.py names it as the callback for
standard output, and reads the lines."""
from __future__ import annotations

import json

from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
name: told
type: stdout
short_description: one line of JSON per result
description: For tests.
"""
MARK = "@@TOLD "


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "stdout"
    CALLBACK_NAME = "told"

    def _tell(self, **what):
        self._display.display(MARK + json.dumps(what, default=str))

    def _result(self, result, failed=False, skipped=False):
        # Ansible takes `failed` and `skipped` out of what it hands to callbacks.
        told = {**result._result, "failed": failed, "skipped": skipped}
        self._tell(task=result._task.get_name().strip(), host=result._host.get_name(), result=told)

    v2_runner_on_ok = v2_runner_on_unreachable = _result

    def v2_runner_on_skipped(self, result):
        self._result(result, skipped=True)

    def v2_runner_on_failed(self, result, ignore_errors=False):
        self._result(result, failed=True)

    def v2_playbook_on_stats(self, stats):
        self._tell(stats={host: stats.summarize(host) for host in stats.processed})
