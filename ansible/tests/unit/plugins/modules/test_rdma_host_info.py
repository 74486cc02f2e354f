# SPDX-License-Identifier: Apache-2.0
# rdma_host_info: what it puts together out of show, history and verify.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

from ansible_collections.rdmastate.core.plugins.modules import rdma_host_info
from ansible_collections.rdmastate.core.tests.unit.plugins.modules import agent_answers as answers

FACTS = dict(host='this host', live=True, distribution='debian', version='12', pretty_name='Debian', kernel='6.1', stack='inbox', versions={}, managers=[],
             unseen=[], devices=[dict(name='mlx5_0', node_guid='f452:1403:007b:cba0', ports=[
                 dict(number=1, guid='f452:1403:007b:cba1', link_layer='infiniband', pkeys=[65535]), dict(number=2, guid='f452:1403:007b:cba2')])])
DETAILS = [dict(name='mlx5_0', transport='InfiniBand', ports=[
    dict(number=1, gids=[dict(index=0, gid='fe80:0000:0000:0000:f452:1403:007b:cba1', type='IB/RoCE v1', netdev='')]),
    dict(number=2, gids=[dict(index=1, gid='0000:0000:0000:0000:0000:ffff:c000:0201', type='RoCE v2', netdev='enp1s0'),
                         dict(index=2, gid='2001:0db8:0000:0000:0000:0000:0000:0001', type='RoCE v2', netdev='enp1s0')])])]
IPOIB = [dict(id='port f452:1403:007b:cba1', name='mlx4_ib0', pkey='0xffff', addresses=['192.0.2.1/24']),
         dict(id='port f452:1403:007b:cba1 pkey 0x8002', name='mlx4_ib0.8002', pkey='0x8002', addresses=[])]
SHOWN = dict(format_version=1, facts=FACTS, details=DETAILS, ipoib=IPOIB)


def shows(agent):
    return agent.answer('show', (0, SHOWN, '')).answer('history', (0, dict(format_version=1, runs=[dict(run='000001', end='finished')]), ''))


def test_devices_addresses_and_interfaces(run, agent):
    result = run(rdma_host_info) if shows(agent) else None
    assert not result['changed'] and result['host']['distribution'] == 'debian' and 'drift' not in result
    (device,) = result['devices']
    assert device['transport'] == 'InfiniBand' and [port['guid'] for port in device['ports']] == ['f452:1403:007b:cba1', 'f452:1403:007b:cba2']
    place = dict(device='mlx5_0', port=2, type='RoCE v2', netdev='enp1s0')
    assert result['gid_index']['192.0.2.1'] == [dict(place, index=1)] and result['gid_index']['2001:db8::1'] == [dict(place, index=2)]
    port, child = result['ipoib']['mlx4_ib0'], result['ipoib']['mlx4_ib0.8002']
    assert (port['device'], port['port'], port['port_guid'], port['child']) == ('mlx5_0', 1, 'f452:1403:007b:cba1', False)
    assert child['child'] and child['pkey'] == '0x8002' and child['device'] == 'mlx5_0'
    assert result['runs'] == [dict(run='000001', end='finished')]


def test_who_is_not_root_sees_no_runs(run, agent):
    shows(agent).answer('history', (1, '', 'rdmastate: the runs are root\'s alone'))
    result = run(rdma_host_info)
    assert result['runs'] == [] and not result['failed']


def test_drift_against_a_spec(run, agent):
    shows(agent).answer('verify', (2, answers.plan([answers.LINK], [answers.PENDING], disruption='link', reboot=True), ''))
    drift = run(rdma_host_info, src='/s', wait='5s', allow_pending=True)['drift']
    assert agent.words[-1] == ['verify', '/s', '--wait', '5s', '--allow-pending', '-o', 'json']
    assert not drift['in_sync'] and drift['steps'][0]['line'] == 'change ipoib_link mlx4_ib0' and drift['reboot_required']
    assert drift['pending'] and drift['diff']
    assert drift['warnings'] == ['ipoib_link mlx4_ib0: mlx4_ib0 has no carrier']
    assert drift['differences'] == ['change ipoib_link mlx4_ib0', 'ipoib_link mlx4_ib0: mlx4_ib0 has no carrier']
    agent.answer('verify', (0, answers.plan(), '')).answer('schema', (0, {}, ''))
    drift = run(rdma_host_info, spec={'version': 1}, check=True)['drift']
    assert drift['in_sync'] and drift['differences'] == []
    assert agent.calls[-1] == [['verify', '-', '-o', 'json'], '{"version": 1}']


def test_what_differs_without_a_step_has_its_reason(run, agent):
    shows(agent).answer('verify', (2, answers.plan([answers.MODULE], [answers.PENDING, answers.BLOCKED, answers.AFTER], notes=['a note']), ''))
    assert run(rdma_host_info, src='/s')['drift']['differences'] == [
        'load module ib_ipoib', 'ipoib_link ib9: add ib_ipoib to modules.load', 'module rds: it is loaded, and is never unloaded',
        'address 192.0.2.1/24 on mlx4_ib0: after module ib_ipoib', 'a note']


def test_a_wrong_spec_fails(run, agent):
    shows(agent).answer('verify', (3, answers.mistakes(answers.ERROR), ''))
    result = run(rdma_host_info, src='/s')
    assert result['failed'] and 'Connected is no mode' in result['msg'] and result['rc'] == 3


def test_an_agent_that_fails(run, agent):
    agent.answer('show', (1, '', 'rdmastate: no'))
    assert run(rdma_host_info)['msg'] == 'rdmastate: no'
