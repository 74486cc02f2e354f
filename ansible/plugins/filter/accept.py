# SPDX-License-Identifier: Apache-2.0
# What the playbook accept needs: the port that is measured, the commands of each tool, their answers, and the report.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import json
import re
from xml.sax.saxutils import escape, quoteattr

from ansible.errors import AnsibleFilterError

ACTIVE = 4  # IB_PORT_ACTIVE
RATE = re.compile(r'([0-9.]+) Gb/sec')
QPERF = re.compile(r'\bbw\s*=\s*([0-9.]+)\s*(GB|MB|KB|Gb|Mb|Kb|bytes)/sec')
IN_GBITS = {'GB': 8.0, 'MB': 8e-3, 'KB': 8e-6, 'Gb': 1.0, 'Mb': 1e-3, 'Kb': 1e-6, 'bytes': 8e-9}


def accept_end(seen, address, device=None, port=None):
    """One end of a measurement: its device and port, the rate of that in Gb/s, and the GID index of its address."""
    fits = [(one['name'], candidate) for one in seen['devices'] for candidate in one['ports']
            if device in (None, one['name']) and (candidate['state'] == ACTIVE if port is None else int(port) == candidate['number'])]
    has_address = _ports_of(seen, address)
    fits.sort(key=lambda fit: (fit[0], fit[1]['number']) not in has_address)
    if fits:
        name, candidate = fits[0]
        return dict(_port(name, candidate), address=address, gid_index=_gid_index(seen, address, name, candidate))
    if device is not None:
        raise AnsibleFilterError('there is no active port of %s' % device)
    return dict(device=None, port=None, rate=None, address=address, gid_index=None)


def _ports_of(seen, address):
    """Device and port number of those that have the address: in their GID table, or on an IPoIB interface."""
    own = [one for one in seen.get('ipoib', {}).values() if address in [with_prefix.split('/')[0] for with_prefix in one['addresses']]]
    return set((place['device'], place['port']) for place in seen['gid_index'].get(address, []) + own)


def _port(device, port):
    rate = RATE.match(port.get('rate') or '')
    return dict(device=device, port=port['number'], rate=float(rate.group(1)) if rate else None)


def _gid_index(seen, address, device, port):
    """On Ethernet a connection needs the entry of the address, of RoCE v2 where there is one."""
    if port.get('link_layer') != 'ethernet':
        return None
    places = [place for place in seen['gid_index'].get(address, []) if (place['device'], place['port']) == (device, port['number'])]
    places.sort(key=lambda place: place['type'] != 'RoCE v2')
    return places[0]['index'] if places else None


def accept_commands(tool, client, server, seconds=10, port=18515, directory='/usr/bin'):
    """argv of the server, of the client, and of what ends a server that would go on."""
    program = '%s/%s' % (directory, tool)
    if tool == 'ib_write_bw':
        return dict(server=[program] + _perftest(server, seconds, port), stop=[],
                    client=[program] + _perftest(client, seconds, port) + [server['address']])
    if tool == 'qperf':
        talk = ['--listen_port', str(port)]
        return dict(server=[program] + talk, client=[program] + talk + ['--time', str(seconds), server['address']] + _qperf(client, server),
                    stop=[program] + talk + [server['address'], 'quit'])
    if tool == 'iperf3':
        return dict(server=[program, '-s', '-1', '-p', str(port)], stop=[],
                    client=[program, '-c', server['address'], '-p', str(port), '-t', str(seconds), '-J'])
    raise AnsibleFilterError('accept knows ib_write_bw, qperf and iperf3, and not %s' % tool)


def _qperf(client, server):
    """The test and its options. On Ethernet queue pairs want a GID, which qperf has from rdma_cm alone; that finds the devices by the address."""
    if not (client['device'] and server['device']):
        return ['tcp_bw']
    if client['gid_index'] is not None and server['gid_index'] is not None:
        return ['--use_cm', '1', 'rc_bw']
    return ['--loc_id', '%s:%s' % (client['device'], client['port']), '--rem_id', '%s:%s' % (server['device'], server['port']), 'rc_bw']


def _perftest(end, seconds, port):
    words = ['-D', str(seconds), '--report_gbits', '-p', str(port)]
    if end['device']:
        words += ['-d', end['device'], '-i', str(end['port'])]
    return words + (['-x', str(end['gid_index'])] if end['gid_index'] is not None else [])


def bandwidth_of(tool, text):
    """Gb/s; None where the tool did not say it."""
    if tool == 'iperf3':
        return _of_iperf(text)
    if tool == 'qperf':
        found = QPERF.search(text)
        return float(found.group(1)) * IN_GBITS[found.group(2)] if found else None
    return _of_perftest(text)


def _of_iperf(text):
    try:
        return json.loads(text)['end']['sum_received']['bits_per_second'] / 1e9
    except (ValueError, KeyError):
        return None


def _of_perftest(text):
    """The column "BW average" of the row below the heading."""
    lines = text.splitlines()
    for at, line in enumerate(lines[:-1]):
        if 'BW average[Gb/sec]' in line:
            row = lines[at + 1].split()
            return float(row[3]) if len(row) > 3 else None
    return None


def accept_result(measured, pair, tool, rate, threshold=95):
    """One line of the report: what was measured, and why that is too little, where it is."""
    name = '%s to %s' % tuple(pair)
    output = (measured.get('stdout') or '') + (measured.get('stderr') or '')
    speed = bandwidth_of(tool, measured.get('stdout') or '') if measured.get('rc') == 0 else None
    result = dict(name=name, tool=tool, gbits=speed, output=output, failure='')
    if speed is None:
        result['failure'] = '%s, %s: it ended with %s and told no bandwidth' % (name, tool, measured.get('rc'))
    elif rate in (None, ''):
        result['failure'] = '%s, %s: the rate of the port is not known: give rdmastate_rate' % (name, tool)
    elif speed < float(rate) * float(threshold) / 100:
        result['failure'] = '%s, %s: %.2f Gb/s is less than %s %% of %s Gb/s' % (name, tool, speed, threshold, rate)
    result['said'] = result['failure'] or '%s, %s: %.2f Gb/s of %s Gb/s' % (name, tool, speed, rate)
    return result


def accept_untried(pairs, tools):
    """What is not measured, with the reason; `tools`: of each host that a pair names, False where nobody could look."""
    untried = []
    for pair in pairs:
        reason = _why_untried(pair, tools)
        if reason:
            name = ' to '.join(pair)
            untried.append(dict(name=name, reason=reason, said='%s is not measured: %s' % (name, reason)))
    return untried


def _why_untried(pair, tools):
    if len(pair) == 1:
        return 'no other host is left to measure it with'
    if len(pair) != 2:
        return 'a pair is two hosts, and this is %d' % len(pair)
    unseen = [host for host in pair if tools.get(host, False) is False]
    if unseen:
        return 'nothing is known of %s: not reached, or the look failed' % ' and '.join(unseen)
    return None if set(tools[pair[0]]) & set(tools[pair[1]]) else 'the two have no tool in common'


def accept_junit(results, untried=()):
    """JUnit's XML, as CI systems read it; what is not measured is skipped there."""
    failed = [one for one in results if one['failure']]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             '<testsuites><testsuite name="rdmastate.core.accept" tests="%d" failures="%d" skipped="%d">' %
             (len(results) + len(untried), len(failed), len(untried))]
    for one in results:
        lines.append('<testcase classname=%s name=%s>' % (quoteattr('accept.' + one['tool']), quoteattr(one['name'])))
        if one['failure']:
            lines.append('<failure message=%s/>' % quoteattr(_xml(one['failure'])))
        lines.append('<system-out>%s</system-out></testcase>' % escape(_xml(one['output'])))
    for one in untried:
        lines.append('<testcase classname="accept.pair" name=%s><skipped message=%s/></testcase>' % (quoteattr(_xml(one['name'])), quoteattr(one['reason'])))
    return '\n'.join(lines + ['</testsuite></testsuites>']) + '\n'


def _xml(text):
    """Without what XML 1.0 has no way to write."""
    return re.sub('[^\t\n\r\x20-\ud7ff\ue000-\ufffd]', '?', text)


class FilterModule(object):
    def filters(self):
        return {'accept_end': accept_end, 'accept_commands': accept_commands, 'accept_result': accept_result, 'accept_untried': accept_untried,
                'accept_junit': accept_junit}
