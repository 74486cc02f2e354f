# SPDX-License-Identifier: Apache-2.0
# The agent's plans and runs as results of Ansible's: diffs, steps, what is left, warnings, and why a task fails.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import json

# Of what a refusal names: the module's option for the agent's.
ALLOWING = {'--adopt': 'adopt: true', '--replace': 'replace: true', '--allow-fabric': 'allow_fabric: true',
            '--confirm-within': 'confirm_within: 60s', '--in-use': 'in_use: [%s]', '--restart': 'restart: [%s]',
            '--max-disruption': 'max_disruption: %s'}


def of_plan(plan):
    """What the first round of an apply would do, as of_run() tells it, and what comes `later`."""
    steps = [step for step in plan['steps'] if not step.get('last_round')]
    result = of_steps([steps])
    result.update(left_by(plan))
    result.update(changed=bool(plan['steps']), later=later_than(plan), warnings=warnings_of(plan, plan['steps'] + plan['other']),
                  disruption=plan['summary']['disruption'])
    return result


def of_run(run):
    """What an apply did, round by round, and what it left."""
    moved = [step for steps in run['rounds'] for step in steps]
    result = of_steps(run['rounds'])
    result.update(left_by(run['left']))
    told = dict(run, notes=run.get('notes', []))
    result.update(changed=run['changed'], run_id=run['run'] or None, disruption=run['disruption'],
                  warnings=warnings_of(told, moved + run['left']['other']))
    if 'confirm_until' in run:
        result['confirm_until'] = run['confirm_until']
    return result


def of_steps(rounds):
    steps, diff = [], []
    for number, moved in enumerate(rounds, 1):
        for step in moved:
            steps.append(dict(round=number, line=step['line'], kind=step['kind'], key=step['key'], title=step['title'],
                              disruption=step['disruption'], touches=step.get('touches', [])))
            diff.extend(diff_of(step))
    return dict(steps=steps, diff=diff)


def diff_of(step):
    """One diff of the bytes of a file, or of the fields of anything else; of a file whose owner or mode moves both."""
    before, after = step['from'], step['to']
    if not _has_content(before) and not _has_content(after):
        return [_diff(step['title'], _fields(before), _fields(after))]
    diff = []
    if before is None or after is None or before.get('content') != after.get('content'):
        diff.append(_diff(step['title'], _content(before), _content(after)))
    if before is not None and after is not None and _fields(before) != _fields(after):
        diff.append(_diff(step['title'] + ' (attributes)', _fields(before), _fields(after)))
    return diff


def _diff(title, before, after):
    return dict(before_header=title, after_header=title, before=before, after=after)


def _has_content(state):
    return state is not None and isinstance(state.get('content'), str)


def _content(state):
    return (state or {}).get('content') or ''


def _fields(state):
    """One line per field that says something."""
    said = [(name, value) for name, value in (state or {}).items() if name != 'content' and value not in (None, {}, [])]
    return ''.join('%s: %s\n' % (name, value if isinstance(value, str) else json.dumps(value)) for name, value in said)


def left_by(plan):
    """What a plan cannot move, with the reason of each."""
    items = plan['steps'] + plan['other']
    return dict(pending=[dict(title=one['title'], reason=one['pending'], until=one['pending_until']) for one in items if 'pending' in one],
                blocked=_reasons(items, 'blocked'), unseen=_reasons(items, 'unseen'), reboot_required=plan['summary']['reboot_required'])


def _reasons(items, name):
    return [dict(title=one['title'], reason=one[name]) for one in items if name in one]


def later_than(plan):
    """What waits for the first round: planned anew after it."""
    last = [dict(title=step['title'], after='all other rounds') for step in plan['steps'] if step.get('last_round')]
    return [dict(title=one['title'], after=one['after']) for one in plan['other'] if 'after' in one] + last


def warnings_of(told, items):
    """Sentences: on the spec, on the plan as a whole, on single items."""
    warnings = [sentence_of(one) for one in told.get('diagnostics', []) if one['severity'] == 'warning'] + list(told.get('notes', []))
    for one in items:
        sentence = '%s: %s' % (one['title'], one['warning']) if 'warning' in one else None
        if sentence and sentence not in warnings:
            warnings.append(sentence)
    return warnings


def sentence_of(diagnostic):
    """A mistake of a spec in one line, as `rdmastate check` begins it."""
    parts = ['%s:%s:%s' % (diagnostic['file'], diagnostic['line'], diagnostic['column']), diagnostic['path'], diagnostic['message']]
    text = ': '.join(part for part in parts if part)
    for label, name in (('expected', 'expected'), ('hint', 'hint')):
        if diagnostic.get(name):
            text += '; %s: %s' % (label, diagnostic[name])
    return text


def why(answer):
    """Why the task fails, in the agent's words; None where it does not."""
    data = answer.data or {}
    if answer.code == 0 and answer.data is not None:
        return None
    if 'errors' in data:
        return '\n'.join(sentence_of(one) for one in data['diagnostics'] if one['severity'] == 'error')
    plan = data.get('left') or data
    if plan.get('refusals'):
        return 'refused, nothing was changed:\n' + '\n'.join(refusal_of(one) for one in plan['refusals'])
    if data.get('message'):
        return data['message']
    if answer.code == 1 and 'other' in plan:
        return left_blocked(plan)
    return answer.talk or 'the agent ended with %s and said nothing' % answer.code


def refusal_of(refusal):
    """The sentence, and the option of the module that lets it be done."""
    option, unused, word = refusal.get('allowed_by', '').partition(' ')
    if option not in ALLOWING:
        return refusal['sentence']
    allowing = ALLOWING[option]
    return '%s [allowed by the option `%s`]' % (refusal['sentence'], allowing % word if '%s' in allowing else allowing)


def left_blocked(plan):
    left = left_by(plan)
    lines = ['%s: %s' % (one['title'], one['reason']) for one in left['blocked'] + left['unseen']]
    return 'the rest is done, and this cannot be:\n' + '\n'.join(lines + list(plan.get('notes', [])))
