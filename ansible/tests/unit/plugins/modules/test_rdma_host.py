# SPDX-License-Identifier: Apache-2.0
# What rdma_host asks of the agent, and what it makes of the answers.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import json

import pytest

from ansible_collections.rdmastate.core.plugins.modules import rdma_host
from ansible_collections.rdmastate.core.tests.unit.plugins.modules import agent_answers as answers

SCHEMA = {'properties': {'ipoib': {'type': 'array', 'items': {'properties': {'mtu': {'type': 'integer'}, 'name': {'type': 'string'}}}}}}
SPEC = {'version': 1, 'ipoib': [{'name': 'mlx4_ib0', 'mtu': '65520'}]}


def test_a_file_is_applied_where_it_is(run, agent):
    agent.answer('apply', (0, answers.run([[answers.MODULE], [answers.LINK]], disruption='link'), ''))
    result = run(rdma_host, src='/etc/rdmastate/host.yaml')
    assert agent.calls == [[['apply', '/etc/rdmastate/host.yaml', '-o', 'json'], None]]
    assert not result['failed'] and result['changed'] and result['run_id'] == '000001' and result['disruption'] == 'link' and result['rc'] == 0
    assert [(step['round'], step['line'], step['touches']) for step in result['steps']] == \
        [(1, 'load module ib_ipoib', []), (2, 'change ipoib_link mlx4_ib0', ['address 192.0.2.7/24'])]
    assert result['warned'] == ['ipoib_link mlx4_ib0: mlx4_ib0 has no carrier']


def test_a_spec_goes_through_standard_input_with_the_types_of_the_schema(run, agent):
    agent.answer('schema', (0, SCHEMA, '')).answer('apply', (0, answers.run(), ''))
    result = run(rdma_host, spec=SPEC)
    assert agent.words == [['schema'], ['apply', '-', '-o', 'json']]
    assert json.loads(agent.calls[1][1]) == {'version': 1, 'ipoib': [{'name': 'mlx4_ib0', 'mtu': 65520}]}
    assert not result['changed'] and not result['failed'] and result['steps'] == [] and result['diff'] == []


def test_every_option_has_its_word(run, agent):
    agent.answer('apply', (0, answers.run(), ''))
    run(rdma_host, src='s', root='/mnt/image', confirm_within='60s', max_disruption='service', in_use=['mlx4_0', 'mlx5_0'], adopt=True, replace=True,
        allow_fabric=True, facts='/f.json', restart=['opensm.service', 'srp_daemon.service'])
    assert agent.words == [['apply', 's', '--confirm-within', '60s', '--max-disruption', 'service', '--facts', '/f.json', '--adopt', '--replace',
                            '--allow-fabric', '--in-use', 'mlx4_0', '--in-use', 'mlx5_0', '--restart', 'opensm.service', '--restart', 'srp_daemon.service',
                            '--root', '/mnt/image', '-o', 'json']]


def test_a_file_that_moves_is_a_diff_of_its_bytes_and_one_of_its_attributes(run, agent):
    agent.answer('apply', (0, answers.run([[answers.FILE, answers.LINK]]), ''))
    diff = run(rdma_host, src='s')['diff']
    assert [(one['before_header'], one['before'], one['after']) for one in diff] == [
        ('file /etc/modules-load.d/rdmastate.conf', 'ib_umad\n', 'ib_ipoib\n'),
        ('file /etc/modules-load.d/rdmastate.conf (attributes)', 'type: regular\nmode: 0600\nuid: 0\n', 'type: regular\nmode: 0644\nuid: 0\n'),
        ('ipoib_link mlx4_ib0', 'mode: datagram\nmtu: 2044\n', 'mode: connected\nmtu: 65520\n')]


def test_check_mode_is_the_first_round_of_the_run(run, agent):
    """All that the two have in common is equal, but for what only a run has; what comes later is named."""
    agent.answer('plan', (0, answers.plan([answers.FILE, answers.MODULE, answers.BOOT], [answers.AFTER]), ''))
    agent.answer('apply', (0, answers.run([[answers.FILE, answers.MODULE], [answers.LINK]]), ''))
    checked, real = run(rdma_host, check=True, src=__file__), run(rdma_host, src=__file__)
    assert [words[:2] for words in agent.words] == [['plan', __file__], ['apply', __file__]]
    first = [step for step in real['steps'] if step['round'] == 1]
    assert checked['steps'] == first and checked['changed'] and real['changed']
    assert checked['diff'] == real['diff'][:len(checked['diff'])] and len(checked['diff']) == 3
    assert checked['later'] == [{'title': 'address 192.0.2.1/24 on mlx4_ib0', 'after': 'module ib_ipoib'},
                                {'title': 'file /etc/rdmastate/boot.json', 'after': 'all other rounds'}]


def test_check_mode_of_a_host_in_sync(run, agent):
    agent.answer('plan', (0, answers.plan(), ''))
    result = run(rdma_host, check=True, src=__file__)
    assert not result['changed'] and not result['failed'] and result['later'] == []


def test_check_mode_before_agent_and_spec_are_there(run, agent, tmpdir):
    result = run(rdma_host, check=True, src='s', executable='/nowhere/rdmastate')
    assert result['changed'] and not result['failed'] and result['steps'] == [] and '/nowhere/rdmastate is not there yet' in result['warned'][0]
    later = str(tmpdir.join('host.yaml'))
    result = run(rdma_host, check=True, src=later)
    assert result['changed'] and not result['failed'] and later in result['warned'][0] and agent.calls == []


def test_without_an_agent_a_real_run_fails(run):
    result = run(rdma_host, src='s', executable='/nowhere/rdmastate')
    assert result['failed'] and 'install the package rdmastate' in result['msg']


@pytest.mark.parametrize('code, changed', [(4, False), (5, True)])
def test_a_run_that_failed_says_whether_something_is_changed(run, agent, code, changed):
    agent.answer('apply', (code, answers.run(code=code, message='loading module ib_ipoib: no such file (ENOENT)', changed=changed), '  done  x'))
    result = run(rdma_host, src='s')
    assert result['failed'] and result['changed'] is changed and result['rc'] == code
    assert result['msg'] == 'loading module ib_ipoib: no such file (ENOENT)' and result['stderr'] == 'done  x'


def test_what_is_left_blocked_fails_and_the_rest_is_changed(run, agent):
    agent.answer('apply', (1, answers.run([[answers.FILE]], code=1, left=answers.plan(other=[answers.BLOCKED])), ''))
    result = run(rdma_host, src='s')
    assert result['failed'] and result['changed'] and result['blocked'] == [{'title': 'ipoib_link ib9', 'reason': 'add ib_ipoib to modules.load'}]
    assert result['msg'] == 'the rest is done, and this cannot be:\nipoib_link ib9: add ib_ipoib to modules.load'
    agent.answer('plan', (0, answers.plan([answers.FILE], [answers.BLOCKED]), ''))
    checked = run(rdma_host, check=True, src=__file__)
    assert checked['failed'] and checked['changed'] and checked['rc'] == 1


def test_what_is_pending_has_its_reason_and_may_need_a_reboot(run, agent):
    agent.answer('apply', (0, answers.run([[answers.FILE]], left=answers.plan(other=[answers.PENDING], reboot=True)), ''))
    result = run(rdma_host, src='s')
    assert not result['failed'] and result['reboot_required']
    assert result['pending'] == [{'title': 'module rds', 'reason': 'it is loaded, and is never unloaded', 'until': 'reboot'}]


@pytest.mark.parametrize('allowed_by, option', [('--adopt', '`adopt: true`'), ('--replace', '`replace: true`'), ('--in-use mlx4_0', '`in_use: [mlx4_0]`'),
                                                ('--max-disruption service', '`max_disruption: service`'), ('--allow-fabric', '`allow_fabric: true`'),
                                                ('--restart opensm.service', '`restart: [opensm.service]`'),
                                                ('--confirm-within', '`confirm_within: 60s`')])
def test_a_refusal_fails_and_names_the_option_that_allows_it(run, agent, allowed_by, option):
    refused = answers.plan([answers.LINK], refusals=[{'sentence': 'it would bounce', 'allowed_by': allowed_by}])
    agent.answer('apply', (6, answers.run(code=6, left=refused, message='refused, nothing was changed:\n  it would bounce', name=''), ''))
    agent.answer('plan', (6, refused, ''))
    for check in (False, True):
        result = run(rdma_host, check=check, src=__file__)
        assert result['failed'] and not result['changed'] and result['rc'] == 6
        assert result['msg'] == 'refused, nothing was changed:\nit would bounce [allowed by the option %s]' % option


def test_a_refusal_that_nothing_allows(run, agent):
    agent.answer('apply', (6, answers.run(code=6, left=answers.plan(refusals=[{'sentence': 'it would hang'}]), name=''), ''))
    assert run(rdma_host, src='s')['msg'] == 'refused, nothing was changed:\nit would hang'


def test_mistakes_of_a_spec_are_all_told_with_their_places(run, agent):
    agent.answer('apply', (3, answers.mistakes(answers.WARNING, answers.ERROR, dict(answers.ERROR, line=2)), ''))
    result = run(rdma_host, src='s')
    assert result['failed'] and not result['changed'] and result['rc'] == 3
    assert result['msg'].splitlines() == ['standard input:%d:40: ipoib[0].mode: Connected is no mode; expected: datagram or connected; hint: connected' % line
                                          for line in (1, 2)]


def test_what_has_no_answer_fails_in_the_agents_words(run, agent):
    agent.answer('apply', (1, '', 'rdmastate: there is no such file s\n'))
    result = run(rdma_host, src='s')
    assert result['failed'] and result['msg'] == 'rdmastate: there is no such file s' and not result['changed']
    agent.answer('apply', (9, '', ''))
    assert 'ended with 9 and said nothing' in run(rdma_host, src='s')['msg']


def test_warnings_on_the_spec_and_the_plan_are_warnings_of_the_task(run, agent):
    told = dict(diagnostics=[answers.WARNING], notes=['The spec no longer names most of what rdmastate made: 9 of 10 resources go.'])
    agent.answer('apply', (0, answers.run(**told), '')).answer('plan', (0, answers.plan(**told), ''))
    for check in (False, True):
        assert run(rdma_host, check=check, src=__file__)['warned'] == [
            "host.yaml:5:3: ipoib[0].name: ib0 is a name of the kernel's own pattern; hint: choose another", told['notes'][0]]


def test_only_a_held_lock_is_tried_again_and_with_longer_pauses(run, agent, monkeypatch):
    pauses = []
    monkeypatch.setattr('time.sleep', pauses.append)
    locked = (7, answers.run(code=7, busy='another_run', message='another rdmastate is at work', name=''), '')
    agent.answer('apply', locked, locked, locked, (0, answers.run([[answers.FILE]]), ''))
    result = run(rdma_host, src='s')
    assert not result['failed'] and result['changed'] and len(agent.calls) == 4 and pauses == [0.25, 0.5, 1.0]
    for busy in ('interrupted', 'awaits_confirmation'):
        agent.forget_calls()
        agent.answer('apply', (7, answers.run(code=7, busy=busy, message='run 000001 was interrupted'), ''))
        result = run(rdma_host, src='s')
        assert result['failed'] and result['msg'] == 'run 000001 was interrupted' and len(agent.calls) == 1


def test_patience_ends(run, agent):
    agent.answer('apply', (7, answers.run(code=7, busy='another_run', message='another rdmastate is at work', name=''), ''))
    result = run(rdma_host, src='s', busy_timeout=0)
    assert result['failed'] and result['msg'] == 'another rdmastate is at work' and len(agent.calls) == 1


def test_absent_applies_a_spec_that_asks_for_nothing(run, agent):
    agent.answer('apply', (0, answers.run([[answers.FILE]]), ''))
    assert run(rdma_host, state='absent', id='storage')['changed']
    assert agent.words == [['apply', '-', '-o', 'json']] and json.loads(agent.calls[0][1]) == {'version': 1, 'id': 'storage'}


def test_released_and_in_check_mode_only_told(run, agent):
    agent.answer('release', (0, answers.run(released=['module ib_ipoib'], changed=True), ''))
    real, checked = run(rdma_host, state='released'), run(rdma_host, check=True, state='released')
    assert agent.words == [['release', '-o', 'json'], ['release', '--dry-run', '-o', 'json']]
    assert real['changed'] and real['released'] == checked['released'] == ['module ib_ipoib'] and real['run_id'] == '000001'


def test_who_lets_go_has_no_spec(run, agent):
    for state in ('absent', 'released'):
        assert 'takes neither spec nor src' in run(rdma_host, state=state, src='s')['msg']
    assert agent.calls == []


def test_a_deadline_is_returned(run, agent):
    agent.answer('apply', (0, answers.run([[answers.FILE]], confirm_until='2026-01-01 00:02:00 UTC'), ''))
    assert run(rdma_host, src='s', confirm_within='2min')['confirm_until'] == '2026-01-01 00:02:00 UTC'
