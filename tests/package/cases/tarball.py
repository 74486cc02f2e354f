# SPDX-License-Identifier: Apache-2.0
"""The tarball: what `cmake --install` puts on a host, below one folder."""
from cases.deb import FILES
from published import said, tarball

OTHERWISE = {"/usr/share/doc/rdmastate/changelog.Debian.gz": None, "/usr/share/doc/rdmastate/changelog.gz": "/usr/share/doc/rdmastate/CHANGELOG.md", "/usr/share/lintian/overrides/rdmastate": None,
             "/usr/share/man/man5/rdmastate.yaml.5.gz": "/usr/share/man/man5/rdmastate.yaml.5",
             "/usr/share/man/man8/rdmastate.8.gz": "/usr/share/man/man8/rdmastate.8"}


def test_the_files_and_no_others(_box):
    top = tarball().name.removesuffix(".tar.gz")
    names = {"/" + name.removeprefix(top + "/") for name in said("tar", "-tf", tarball()).split()}
    wanted = {OTHERWISE.get(name, name) for name in FILES} - {None}
    assert {name for name in names if not name.endswith("/") or name == "/etc/rdmastate/"} == wanted, names ^ wanted
