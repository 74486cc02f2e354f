# SPDX-License-Identifier: Apache-2.0
# spec_text: a spec out of the inventory as the text of its file, typed by the schema that this collection ships.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import json
import os

from ansible.errors import AnsibleFilterError

from ansible_collections.rdmastate.core.plugins.module_utils.typed import typed
from ansible_collections.rdmastate.core.plugins.plugin_utils.spec_writer import text_of

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'schema', 'rdmastate.schema.json')
HEAD = "# Written by Ansible (rdmastate.core): edit the inventory, not this file.\n"


def spec_text(spec, include=()):
    """`include`: the files that it is laid over."""
    if not isinstance(spec, dict):
        raise AnsibleFilterError('spec_text takes a spec, which is a mapping, and got %s' % type(spec).__name__)
    with open(SCHEMA, encoding='utf-8') as file:
        whole = typed(dict(spec), json.load(file))
    ordered = {'version': whole.pop('version', 1)}
    included = list(include) + list(whole.pop('include', []))
    if included:
        ordered['include'] = included
    ordered.update(whole)
    return HEAD + text_of(ordered)


class FilterModule(object):
    def filters(self):
        return {'spec_text': spec_text}
