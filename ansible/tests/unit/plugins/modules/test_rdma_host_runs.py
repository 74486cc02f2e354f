# SPDX-License-Identifier: Apache-2.0
# rdma_host_confirm and rdma_host_rollback: which run is meant, and what came of it.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

from ansible_collections.rdmastate.core.plugins.modules import rdma_host_confirm, rdma_host_rollback


def outcome(code=0, changed=True, message='', moved=0, run='000002', **more):
    return dict(format_version=1, exit_code=code, changed=changed, moved=moved, run=run, message=message, **more)


def history(*ends):
    return dict(format_version=1, runs=[dict(run='%06d' % (len(ends) - at), end=end) for at, end in enumerate(ends)])


def test_that_very_run_is_confirmed(run, agent):
    agent.answer('confirm', (0, outcome(message='Run 000002 is confirmed: it stays.'), ''))
    result = run(rdma_host_confirm, run_id='000002')
    assert agent.words == [['confirm', '000002', '-o', 'json']]
    assert result['changed'] and not result['failed'] and result['message'] == 'Run 000002 is confirmed: it stays.'
    agent.answer('confirm', (0, outcome(changed=False, message='Run 000002 is confirmed already.'), ''))
    assert not run(rdma_host_confirm, run_id='000002')['changed']


def test_another_run_or_one_that_was_taken_back_is_not(run, agent):
    agent.answer('confirm', (1, '', 'rdmastate: the newest run is 000003, not 000002: nothing was confirmed'))
    result = run(rdma_host_confirm, run_id='000002')
    assert result['failed'] and 'nothing was confirmed' in result['msg']
    agent.answer('confirm', (1, outcome(1, False, 'run 000002 was taken back: there is nothing to confirm'), ''))
    assert run(rdma_host_confirm, run_id='000002')['msg'] == 'run 000002 was taken back: there is nothing to confirm'


def test_check_mode_of_confirm_looks_only(run, agent):
    agent.answer('history', (0, dict(format_version=1, run='000002', end='awaits confirmation'), ''))
    assert run(rdma_host_confirm, check=True, run_id='000002')['changed'] and agent.words == [['history', '000002', '-o', 'json']]
    agent.answer('history', (0, dict(format_version=1, run='000002', end='confirmed'), ''))
    assert not run(rdma_host_confirm, check=True, run_id='000002')['changed']
    agent.answer('history', (1, '', 'rdmastate: there is no run 000002'))
    assert 'no run 000002' in run(rdma_host_confirm, check=True, run_id='000002')['msg']


def test_the_newest_run_is_taken_back(run, agent):
    agent.answer('history', (0, history('finished', 'finished'), '')).answer('rollback', (0, outcome(moved=3), ''))
    result = run(rdma_host_rollback)
    assert result['changed'] and (result['run_id'], result['moved']) == ('000002', 3) and agent.words[-1] == ['rollback', '-o', 'json']
    assert run(rdma_host_rollback, run_id='000002', force=True)['changed'] and agent.words[-1] == ['rollback', '--force', '-o', 'json']


def test_nothing_to_take_back_is_no_change(run, agent):
    for ends in ((), ('rolled back', 'finished'), ('undone',)):
        agent.answer('history', (0, history(*ends), ''))
        result = run(rdma_host_rollback)
        assert not result['changed'] and not result['failed'] and all(words[0] == 'history' for words in agent.words)


def test_another_run_is_not_taken_back(run, agent):
    agent.answer('history', (0, history('finished', 'finished'), ''))
    result = run(rdma_host_rollback, run_id='000001')
    assert result['failed'] and result['msg'] == 'the newest run is 000002, not 000001: nothing was taken back'


def test_what_others_changed_fails_and_is_named(run, agent):
    agent.answer('history', (0, history('finished'), ''))
    agent.answer('rollback', (5, outcome(5, True, 'not everything could be taken back:\n  /etc/x was changed by somebody else'), ''))
    result = run(rdma_host_rollback)
    assert result['failed'] and result['changed'] and '/etc/x was changed by somebody else' in result['msg'] and result['rc'] == 5


def test_check_mode_of_rollback_looks_only(run, agent):
    agent.answer('history', (0, history('awaits confirmation'), ''))
    result = run(rdma_host_rollback, check=True)
    assert result['changed'] and result['run_id'] == '000001' and agent.words == [['history', '-o', 'json']]


def test_what_stays_of_it_is_a_warning(run, agent):
    agent.answer('history', (0, history('finished'), ''))
    agent.answer('rollback', (0, outcome(moved=1, message='it is a run of an earlier boot'), ''))
    assert run(rdma_host_rollback)['warned'] == ['it is a run of an earlier boot']
