# SPDX-License-Identifier: Apache-2.0
# Texts become what the shipped schema wants, and nothing else changes.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import json
import os

import pytest

from ansible_collections.rdmastate.core.plugins.module_utils.typed import typed

HERE = os.path.dirname(os.path.abspath(__file__))


@pytest.fixture(scope='module')
def schema():
    with open(os.path.join(HERE, '../../../../schema/rdmastate.schema.json')) as file:
        return json.load(file)


def port(**fields):
    return {'version': 1, 'ipoib': [dict({'name': 'ib_a'}, **fields)]}


def test_texts_become_numbers_and_truths(schema):
    rendered = {'version': '1', 'ipoib': [{'name': 'ib_a', 'mtu': '65520', 'umcast': 'True', 'pkey': '0x8002',
                                           'match': {'device': 'mlx4_0', 'port': '1'},
                                           'ipv4': {'method': 'manual', 'routes': [{'to': '203.0.113.0/24', 'metric': '50'}]}}],
                'devices': [{'match': {'pci': '0000:3b:00.0'}, 'optional': 'false', 'ports': {1: {'roce': {'tos': '106'}}}}]}
    assert typed(rendered, schema) == {
        'version': 1, 'ipoib': [{'name': 'ib_a', 'mtu': 65520, 'umcast': True, 'pkey': '0x8002', 'match': {'device': 'mlx4_0', 'port': 1},
                                 'ipv4': {'method': 'manual', 'routes': [{'to': '203.0.113.0/24', 'metric': 50}]}}],
        'devices': [{'match': {'pci': '0000:3b:00.0'}, 'optional': False, 'ports': {'1': {'roce': {'tos': 106}}}}]}


def test_what_is_a_text_stays_one(schema):
    spec = {'version': 1, 'id': '42', 'permissions': {'umad': {'group': 'ibdiag', 'mode': '0660'}}, 'ipoib': [{'name': '7', 'mode': 'connected'}]}
    assert typed(spec, schema) == spec


@pytest.mark.parametrize('wrong', [port(mtu='65520 '), port(mtu='0x10'), port(mtu='010'), port(mtu='1e3'), port(mtu=''), port(umcast='yes'),
                                   port(umcast='1'), port(mtu=True), port(mtu=2.5), port(frobnicate='1'), port(ipv4='disabled'), port(mtu=None)])
def test_what_is_wrong_stays_for_the_agent_to_tell(schema, wrong):
    assert typed(wrong, schema) == wrong


def test_a_number_that_should_be_a_text_stays_for_the_agent_to_explain(schema):
    """The agent knows that 432 is what YAML makes of 0660."""
    spec = {'version': 1, 'permissions': {'umad': {'group': 'ibdiag', 'mode': 432}}}
    assert typed(spec, schema) == spec
