# SPDX-License-Identifier: Apache-2.0
# A spec as the YAML that people and the agent read (YAML 1.2, core schema): what looks like anything but a text is quoted.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import json
import re

PLAIN = re.compile(r'[A-Za-z_/][A-Za-z0-9_./+-]*\Z')
NO_TEXTS = ('true', 'false', 'null', 'yes', 'no', 'on', 'off', 'y', 'n')  # in YAML 1.1 too, which other programs read
WIDTH = 100


def text_of(spec):
    """The document."""
    return ''.join(line + '\n' for line in _lines(spec, ''))


def _lines(value, indent):
    short = _flow(value)
    if not _is_block(value, short, indent):
        return [indent + short]
    return _mapping(value, indent) if isinstance(value, dict) else _sequence(value, indent)


def _is_block(value, short, indent):
    """The top, records, and what would be too long for a line."""
    if not isinstance(value, (dict, list)) or not value:
        return False
    return indent == '' or len(indent) + len(short) > WIDTH or any(isinstance(one, dict) for one in value if isinstance(value, list))


def _mapping(record, indent):
    lines = []
    for key, value in record.items():
        short = _flow(value)
        inner = indent + '  '
        if _is_block(value, short, inner):
            lines.append('%s%s:' % (indent, scalar(key)))
            lines.extend(_lines(value, inner))
        else:
            lines.append('%s%s: %s' % (indent, scalar(key), short))
    return lines


def _sequence(values, indent):
    lines = []
    for value in values:
        inner = indent + '  '
        below = _mapping(value, inner) if isinstance(value, dict) and value else _lines(value, inner)
        lines.append(indent + '- ' + below[0][len(inner):])
        lines.extend(below[1:])
    return lines


def _flow(value):
    if isinstance(value, dict):
        return '{%s}' % ', '.join('%s: %s' % (scalar(key), _flow(one)) for key, one in value.items())
    if isinstance(value, (list, tuple)):
        return '[%s]' % ', '.join(_flow(one) for one in value)
    return scalar(value)


def scalar(value):
    if value is None:
        return 'null'
    if isinstance(value, bool):
        return 'true' if value else 'false'
    if isinstance(value, (int, float)):
        return repr(value)
    text = str(value)
    return text if PLAIN.match(text) and text.lower() not in NO_TEXTS else json.dumps(text)
