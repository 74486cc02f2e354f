#!/usr/bin/python3
"""What a task with rdma_host costs, in ratios: against a Python module that does nothing else, and fifty hosts against ten.

bench.py [--rounds N]: the two take turns. The other module is made of ours: it imports the same, takes the same options, and starts
one program that says nothing. Times are never judged, ratios are; one fails at MARGIN times what is wanted (README.md says why).
"""
import argparse
import ast
import json
import pathlib
import statistics
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(HERE.parent)]

import stage  # noqa: E402 (the path has to be set first)
from plays.place import Place  # noqa: E402

WANTED_TASK = 1.1    # times the other module's
WANTED_MANY = 5.5    # fifty hosts, of ten
MARGIN = 1.3
SPEC = "version: 1\nnetwork: {backend: none}\nmodules: {load: [ib_ipoib]}\n"
OURS = stage.SOURCE / "plugins/modules/rdma_host.py"
DOES = '''

def main():
    module = AnsibleModule(argument_spec=ARGUMENTS, supports_check_mode=True)
    code, out, err = module.run_command(['/bin/true'])
    module.exit_json(changed=False, rc=code)


if __name__ == '__main__':
    main()
'''


def needs_of(text):
    """The imports of a module, and its options: the lines themselves."""
    return [ast.get_source_segment(text, node) for node in ast.parse(text).body
            if isinstance(node, (ast.Import, ast.ImportFrom)) or isinstance(node, ast.Assign) and node.targets[0].id == "ARGUMENTS"]


def other_of(text):
    """The module to compare with, for the text of ours."""
    return "#!/usr/bin/python\n" + "\n".join(needs_of(text)) + "\n" + DOES


def judge(what, ratio, wanted):
    """A line, and whether it is good."""
    good = ratio <= wanted * MARGIN
    print(f"{'ok' if good else 'FAILED'}: {what}: {ratio:.2f}, wanted {wanted}, judged at {wanted * MARGIN:.2f}", flush=True)
    return good


def seconds(place, module, inventory):
    play = [{"hosts": "all", "gather_facts": False, "tasks": [
        {module: {"src": str(place.dir / "spec.yaml"), "root": "{{ root }}", "executable": str(stage.BINARY)}}]}]
    path = place.write("play.json", play)
    start = time.monotonic()
    stage.must("ansible-playbook", "-i", inventory, "-f", "10", path, cwd=place.dir,
               env=stage.environment(ANSIBLE_LIBRARY=str(place.dir / "library")))
    return time.monotonic() - start


def inventory(place, count):
    hosts = {f"node{number}": {"ansible_connection": "local", "ansible_python_interpreter": stage.PYTHON, "root": str(place.dir / "trees" / f"node{number}")}
             for number in range(count)}
    return place.write(f"{count}.json", {"all": {"hosts": hosts}})


def by_turns(rounds, one, other):
    """Measures pairs, one after the other: the median of their ratios, and of what each of the two took."""
    times = [(one(), other()) for _ in range(rounds)]
    return statistics.median(a / b for a, b in times), *(statistics.median(column) for column in zip(*times))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30)
    rounds = parser.parse_args().rounds
    stage.install()
    with tempfile.TemporaryDirectory(prefix="rdmastate-bench.") as directory:
        place = Place(directory)
        place.write("library/other.py", other_of(OURS.read_text()))
        place.write("spec.yaml", SPEC)
        for number in range(50):
            place.tree(f"trees/node{number}")
        one, ten, fifty = (inventory(place, count) for count in (1, 10, 50))
        seconds(place, "rdmastate.core.rdma_host", fifty)  # from then on there is nothing to do
        task, ours, other = by_turns(rounds, lambda: seconds(place, "rdmastate.core.rdma_host", one), lambda: seconds(place, "other", one))
        ratio, many, few = by_turns(max(rounds // 6, 3), lambda: seconds(place, "rdmastate.core.rdma_host", fifty), lambda: seconds(place, "rdmastate.core.rdma_host", ten))
    failed = 2 - sum((judge(f"one task, {ours:.2f} s against {other:.2f} s", task, WANTED_TASK),
                      judge(f"fifty hosts, {many:.2f} s against {few:.2f} s of ten", ratio, WANTED_MANY)))
    print(json.dumps({"task": round(task, 3), "many": round(ratio, 3)}))
    print(f"{2 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
