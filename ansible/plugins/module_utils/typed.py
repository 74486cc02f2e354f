# SPDX-License-Identifier: Apache-2.0
# Gives the values of a spec the types that its schema asks for: what Jinja rendered is text, whatever it was before.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import re

WHOLE_NUMBER = re.compile(r'-?(0|[1-9][0-9]*)\Z')
TRUTHS = {'true': True, 'True': True, 'false': False, 'False': False}


def typed(value, schema):
    """The value with each text that the schema wants as a number or a truth value turned into that, where it is nothing
    else but one ('65520', 'True'). All other values stay as they are: the agent says what is wrong with them, and where."""
    if isinstance(value, dict):
        return dict((_key(key), typed(one, _member(schema, _key(key)))) for key, one in value.items())
    if isinstance(value, (list, tuple)):
        return [typed(one, _items(schema)) for one in value]
    if isinstance(value, str):
        return _typed_text(value, schema)
    return value


def _key(key):
    """JSON has texts as keys; YAML reads `ports: {1: ...}` as a number."""
    return str(key)


def _branches(schema):
    """A value may be of any of these."""
    return schema.get('anyOf') or schema.get('oneOf') or [schema]


def _member(schema, key):
    for branch in _branches(schema):
        if key in branch.get('properties', {}):
            return branch['properties'][key]
        rest = branch.get('additionalProperties')
        if isinstance(rest, dict):
            return rest
    return {}


def _items(schema):
    for branch in _branches(schema):
        if isinstance(branch.get('items'), dict):
            return branch['items']
    return {}


def _typed_text(text, schema):
    branches = _branches(schema)
    if any(_takes_text(branch, text) for branch in branches):
        return text
    for branch in branches:
        types = _types(branch)
        if 'integer' in types and WHOLE_NUMBER.match(text):
            return int(text)
        if 'boolean' in types and text in TRUTHS:
            return TRUTHS[text]
    return text


def _types(branch):
    types = branch.get('type', [])
    return types if isinstance(types, list) else [types]


def _takes_text(branch, text):
    if 'enum' in branch:
        return text in branch['enum']
    if 'string' not in _types(branch):
        return False
    return 'pattern' not in branch or re.search(branch['pattern'], text) is not None
