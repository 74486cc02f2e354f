"""Whether what runs on a managed host runs with Python 3.6: its syntax, and of the library only what that had.

Python 3.6 is what RHEL 8 and SLES 15 have. ansible-test would need that interpreter; the grammar of it is known to ast, and
what came into the standard library later stands in LATER, by the release of Python that brought it (docs.python.org,
"What's New").
"""
import ast
import pathlib
import sys

import stage

MODULES = {"contextvars", "dataclasses", "importlib.metadata", "importlib.resources", "tomllib", "zoneinfo", "graphlib"}
LATER = {"time": {"time_ns", "monotonic_ns", "perf_counter_ns", "process_time_ns", "thread_time"},
         "subprocess": set(), "json": set(),
         "os": {"memfd_create", "pidfd_open", "posix_spawn", "posix_spawnp", "eventfd", "unshare", "setns"},
         "math": {"isqrt", "prod", "dist", "comb", "perm", "lcm", "nextafter", "ulp"},
         "shlex": {"join"}, "functools": {"cache", "cached_property", "singledispatchmethod"}, "asyncio": {"run", "to_thread", "create_task"},
         "ipaddress": set(), "re": {"NOFLAG"}, "typing": {"Literal", "Final", "TypedDict", "Protocol", "Annotated"}, "contextlib": {"nullcontext", "chdir"}}
METHODS = {"removeprefix", "removesuffix", "supernet_of", "subnet_of", "fromisoformat", "isascii", "is_relative_to", "readlink", "hardlink_to", "with_stem"}
KEYWORDS = {"run": {"capture_output", "text"}, "Popen": {"text"}, "check_output": {"text"}, "copytree": {"dirs_exist_ok"}, "unlink": {"missing_ok"}}


def name_of(node):
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def too_new(node):
    """What this node uses that Python 3.6 has not; empty when nothing."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names if alias.name in MODULES]
    if isinstance(node, ast.ImportFrom):
        late = LATER.get(node.module, set())
        return [node.module] if node.module in MODULES else [alias.name for alias in node.names if alias.name in late]
    if isinstance(node, ast.Attribute):
        owner = name_of(node.value)
        return [f"{owner}.{node.attr}"] if node.attr in METHODS or node.attr in LATER.get(owner, set()) else []
    if isinstance(node, ast.Call):
        late = KEYWORDS.get(name_of(node.func), set())
        return [f"{name_of(node.func)}({word.arg}=)" for word in node.keywords if word.arg in late]
    return []


def faults_of(path, text):
    try:
        tree = ast.parse(text, str(path), feature_version=(3, 6))
    except SyntaxError as error:
        return [f"{path}:{error.lineno}: no syntax of Python 3.6: {error.msg}"]
    return [f"{path}:{node.lineno}: {what} is not in Python 3.6" for node in ast.walk(tree) for what in too_new(node)]


def on_managed_hosts(top):
    return sorted((top / "plugins/modules").glob("*.py")) + sorted((top / "plugins/module_utils").glob("*.py"))


def main():
    files = on_managed_hosts(pathlib.Path(sys.argv[1]) if sys.argv[1:] else stage.SOURCE)
    bad = {path: faults for path in files if (faults := faults_of(path, path.read_text()))}
    for faults in bad.values():
        print("\n".join(faults))
    print(f"{len(files) - len(bad)} passed, {len(bad)} failed")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main())
