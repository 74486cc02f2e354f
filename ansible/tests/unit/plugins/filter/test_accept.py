# SPDX-License-Identifier: Apache-2.0
# What accept measures, with which commands, and what the answers mean.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import pytest

from ansible.errors import AnsibleFilterError

from ansible_collections.rdmastate.core.plugins.filter.accept import (
    accept_commands, accept_end, accept_junit, accept_result, accept_untried, bandwidth_of)

SEEN = {'gid_index': {'192.0.2.1': [{'device': 'mlx5_0', 'port': 2, 'index': 3, 'type': 'IB/RoCE v1'},
                                    {'device': 'mlx5_0', 'port': 2, 'index': 5, 'type': 'RoCE v2'}]},
        'devices': [{'name': 'mlx5_0', 'ports': [{'number': 1, 'state': 1, 'link_layer': 'infiniband', 'rate': '10 Gb/sec (4X SDR)'},
                                                 {'number': 2, 'state': 4, 'link_layer': 'ethernet', 'rate': '25 Gb/sec (1X EDR)'}]}]}
END = {'device': 'mlx5_0', 'port': 2, 'rate': 25.0, 'address': '192.0.2.1', 'gid_index': 5}
NO_DEVICE = {'device': None, 'port': None, 'rate': None, 'address': '192.0.2.2', 'gid_index': None}


def test_the_first_active_port_with_the_index_of_its_address():
    assert accept_end(SEEN, '192.0.2.1') == END
    assert accept_end(SEEN, '192.0.2.9', 'mlx5_0', 1) == {'device': 'mlx5_0', 'port': 1, 'rate': 10.0, 'address': '192.0.2.9', 'gid_index': None}
    assert accept_end({'devices': [], 'gid_index': {}}, '192.0.2.2') == NO_DEVICE
    with pytest.raises(AnsibleFilterError):
        accept_end(SEEN, '192.0.2.1', 'mlx5_7')


def test_the_active_port_that_has_the_address_comes_before_the_first():
    ports = [{'number': number, 'state': 4, 'link_layer': 'infiniband', 'rate': '100 Gb/sec (4X EDR)'} for number in (1, 2)]
    seen = {'devices': [{'name': 'mlx5_0', 'ports': ports}, {'name': 'mlx5_1', 'ports': ports[:1] + [dict(ports[1], state=1)]}], 'gid_index': {},
            'ipoib': {'ib0': {'device': 'mlx5_0', 'port': 2, 'addresses': ['192.0.2.1/24', '2001:db8::1/64']},
                      'ib1': {'device': 'mlx5_1', 'port': 1, 'addresses': ['192.0.2.11/24']},
                      'ib2': {'device': 'mlx5_1', 'port': 2, 'addresses': ['192.0.2.12/24']}}}
    ends = [accept_end(seen, address) for address in ('192.0.2.1', '2001:db8::1', '192.0.2.11', '192.0.2.12', 'node1')]
    assert [(end['device'], end['port']) for end in ends] == [('mlx5_0', 2), ('mlx5_0', 2), ('mlx5_1', 1), ('mlx5_0', 1), ('mlx5_0', 1)]
    assert accept_end(seen, '192.0.2.11', 'mlx5_0')['port'] == 1


def test_commands_of_each_tool():
    perftest = accept_commands('ib_write_bw', END, END, 5)
    assert perftest['client'] == ['/usr/bin/ib_write_bw', '-D', '5', '--report_gbits', '-p', '18515', '-d', 'mlx5_0', '-i', '2', '-x', '5', '192.0.2.1']
    assert perftest['server'] == perftest['client'][:-1] and perftest['stop'] == []
    assert accept_commands('qperf', END, END)['client'][-4:] == ['192.0.2.1', '--use_cm', '1', 'rc_bw']
    client, server = dict(END, gid_index=None, port=1), dict(END, gid_index=None, device='mlx5_3')
    assert accept_commands('qperf', client, server)['client'][-6:] == ['192.0.2.1', '--loc_id', 'mlx5_0:1', '--rem_id', 'mlx5_3:2', 'rc_bw']
    assert accept_commands('qperf', END, NO_DEVICE)['client'][-2:] == ['192.0.2.2', 'tcp_bw']
    assert accept_commands('qperf', END, NO_DEVICE)['stop'][-1] == 'quit'
    assert accept_commands('iperf3', END, NO_DEVICE, directory='/opt')['server'] == ['/opt/iperf3', '-s', '-1', '-p', '18515']
    with pytest.raises(AnsibleFilterError):
        accept_commands('netperf', END, END)


@pytest.mark.parametrize('tool, text, gbits', [
    ('qperf', 'rc_bw:\n    bw  =  3.2 GB/sec\n', 25.6), ('qperf', 'tcp_bw:\n    bw  =  940 Mb/sec\n', 0.94), ('qperf', 'failed', None),
    ('iperf3', '{"end": {"sum_received": {"bits_per_second": 9.5e9}}}', 9.5), ('iperf3', '{"error": "unable to connect"}', None), ('iperf3', 'x', None),
    ('ib_write_bw', ' #bytes #iterations BW peak[Gb/sec] BW average[Gb/sec] MsgRate[Mpps]\n 65536 1000 0.00 23.1 0.1\n', 23.1), ('ib_write_bw', 'x\ny', None)])
def test_answers(tool, text, gbits):
    assert bandwidth_of(tool, text) == (pytest.approx(gbits) if gbits else None)


def test_what_an_answer_means():
    good = {'rc': 0, 'stdout': 'bw  =  3.2 GB/sec'}
    assert accept_result(good, ['a', 'b'], 'qperf', 25)['failure'] == ''
    assert accept_result(good, ['a', 'b'], 'qperf', 100)['failure'] == 'a to b, qperf: 25.60 Gb/s is less than 95 % of 100 Gb/s'
    assert 'give rdmastate_rate' in accept_result(good, ['a', 'b'], 'qperf', None)['failure']
    assert 'ended with 1 and told no bandwidth' in accept_result({'rc': 1, 'stdout': 'bw = 9 GB/sec'}, ['a', 'b'], 'qperf', 25)['failure']


@pytest.mark.parametrize('pair, said', [
    (['c'], 'c is not measured: no other host is left to measure it with'),
    (['a', 'b', 'c'], 'a to b to c is not measured: a pair is two hosts, and this is 3'),
    (['a', 'c'], 'a to c is not measured: the two have no tool in common'),
    (['a', 'gone'], 'a to gone is not measured: nothing is known of gone: not reached, or the look failed'),
    (['lost', 'gone'], 'lost to gone is not measured: nothing is known of lost and gone: not reached, or the look failed')])
def test_what_is_not_measured_has_its_reason(pair, said):
    untried = accept_untried([['a', 'b'], pair], {'a': ['qperf', 'iperf3'], 'b': ['iperf3'], 'c': [], 'lost': False})
    assert [one['said'] for one in untried] == [said]
    import xml.etree.ElementTree as tree
    (suite,) = tree.fromstring(accept_junit([], untried).encode())
    assert (suite.get('tests'), suite.get('failures'), suite.get('skipped')) == ('1', '0', '1')
    assert said == '%s is not measured: %s' % (suite[0].get('name'), suite[0].find('skipped').get('message'))


def test_the_report_is_xml_whatever_a_tool_said():
    report = accept_junit([accept_result({'rc': 0, 'stdout': 'x \x1b[1m<&> \x00'}, ['a"', 'b'], 'iperf3', 25)])
    import xml.etree.ElementTree as tree
    (suite,) = tree.fromstring(report.encode())
    assert suite.get('failures') == '1' and suite[0].get('name') == 'a" to b' and '<&>' in suite[0].find('system-out').text
