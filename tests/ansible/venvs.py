"""Gives ansible-test the virtual environments that it would fill from the network, made of Debian's own packages.

ansible-test 2.14 runs some sanity tests in environments that it makes once and finds again by a hash of what it would have
installed there. Made before, with the system's packages visible and its marks in them, they are taken as they are. What
it would install and where it looks, it is asked itself; these are internals, so the version of ansible-core is fixed.
"""
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, "/usr/lib/python3/dist-packages")

from ansible_test._internal.commands.sanity import hash_pip_commands  # noqa: E402 (the path has to be set first)
from ansible_test._internal.data import data_context  # noqa: E402,F401 (host_configs needs it loaded)
from ansible_test._internal.host_configs import VirtualPythonConfig  # noqa: E402
from ansible_test._internal.python_requirements import collect_requirements  # noqa: E402

MINIMAL = ("import.module", "import.plugin")  # those that the modules and plugins are imported in: without pip
TESTS = ("ansible-doc", "import", *MINIMAL, "integration-aliases", "pep8", "pylint", "runtime-metadata", "validate-modules", "yamllint")
VERSION = "%d.%d" % sys.version_info[:2]


def wanted_by(test):
    python = VirtualPythonConfig(version=VERSION, path=sys.executable)
    return collect_requirements(python=python, controller=True, virtualenv=False, command=None, ansible=False, cryptography=False,
                                coverage=False, minimize=test in MINIMAL, sanity=test)


def seed(test):
    commands = wanted_by(test)
    home = pathlib.Path(os.environ["HOME"])
    directory = home / ".ansible/test/venv" / (f"sanity.{test}" if commands else "sanity") / VERSION / hash_pip_commands(commands)
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", directory], check=True)
    with_c = subprocess.run([directory / "bin/python", "-c", "import sys, yaml; sys.exit(not yaml.__with_libyaml__)"], check=False)
    (directory / "meta.yaml.json").write_text(json.dumps({"yaml": True, "cloader": with_c.returncode == 0}))
    (directory / "meta.install.json").write_text("[]")
    (directory / "marker.txt").touch()


if __name__ == "__main__":
    for name in TESTS:
        seed(name)
