# SPDX-License-Identifier: Apache-2.0
# The text of a spec's file means the spec, to a reader of YAML 1.1 as to one of 1.2.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import pytest
import yaml

from ansible.errors import AnsibleFilterError

from ansible_collections.rdmastate.core.plugins.filter.spec_text import FilterModule, spec_text
from ansible_collections.rdmastate.core.plugins.plugin_utils.spec_writer import scalar, text_of


def test_an_inventorys_spec_is_typed_and_laid_over_the_groups():
    text = spec_text({'ipoib': [{'name': 'mlx4_ib0', 'mtu': '2044', 'ipv4': {'method': 'manual', 'addresses': ['192.0.2.1/24']}}]}, include=['group.yaml'])
    assert text == ('# Written by Ansible (rdmastate.core): edit the inventory, not this file.\n'
                    'version: 1\n'
                    'include: [group.yaml]\n'
                    'ipoib:\n'
                    '  - name: mlx4_ib0\n'
                    '    mtu: 2044\n'
                    '    ipv4: {method: manual, addresses: ["192.0.2.1/24"]}\n')


@pytest.mark.parametrize('spec', [
    {'version': 1}, {'version': 1, 'modules': {'load': [], 'options': {}}},
    {'version': 1, 'permissions': {'umad': {'group': 'yes', 'mode': '0660'}}, 'id': '12'},
    {'version': 1, 'ipoib': [{'parent': 'mlx4_ib0', 'pkey': 32770, 'umcast': False, 'ipv6': {'method': 'manual', 'addresses': ['2001:db8::1/64'] * 9}},
                             {'name': 'null', 'match': {'port_guid': 'f452:1403:007b:cba1'}}]},
    {'version': 1, 'nfs': {'client': {'mounts': [{'source': 'server.example.com:/nfs', 'target': '/mnt/a b', 'options': ['vers=4.2', 'x: y', '# no']}]}}}])
def test_what_is_written_reads_back(spec):
    assert yaml.safe_load(text_of(spec)) == spec
    assert yaml.safe_load(spec_text(spec)) == spec


@pytest.mark.parametrize('text', ['010', '1e3', '0x10', '0o17', '', '~', 'true', 'Off', '.inf', '-', '1_000', '12:30:45', 'a: b', "it's", 'ä', ' a', 'a\n'])
def test_what_looks_like_something_else_is_quoted(text):
    assert scalar(text).startswith('"') and yaml.safe_load(scalar(text)) == text


def test_what_is_no_spec():
    with pytest.raises(AnsibleFilterError):
        spec_text('version: 1')
    assert FilterModule().filters()['spec_text'] is spec_text
