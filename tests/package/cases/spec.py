# SPDX-License-Identifier: Apache-2.0
"""The .spec, built from its source rpm as a distribution would: what comes out has the files of the rpm that CPack makes."""
import os
import pathlib
import subprocess

from published import rpm, said, source_rpm

DEEP = True
# Of redhat-rpm-config what reaches this build: RPM's own macros, which Debian has, say otherwise. The script that compresses pages is
# written for a bash.
MACROS = """%dist .el10
%_build_id_links none
%_docdir_fmt %%{NAME}
%__os_install_post \\
  bash %{_rpmconfigdir}/brp-compress %{_prefix} \\
  %{_rpmconfigdir}/brp-strip %{__strip}
%optflags -O2 -g -pipe -Wall -Werror=format-security -Wp,-U_FORTIFY_SOURCE,-D_FORTIFY_SOURCE=3 -Wp,-D_GLIBCXX_ASSERTIONS -fstack-protector-strong -fstack-clash-protection
%build_ldflags -Wl,-z,relro -Wl,--as-needed -Wl,-z,now
%__spec_build_pre %{___build_pre} \\
  export CXXFLAGS='%{optflags}' LDFLAGS='%{build_ldflags}'
"""
# Fedora and RHEL ship no archive of them.
ARCHIVES = ("libexpat.a", "libmd.a", "libnl-3.a", "libyaml-cpp.a")
WITHOUT_ARCHIVES = """set -e
mount -t tmpfs none "$1"
mkdir "$1/upper" "$1/work"
for name in """ + " ".join(ARCHIVES) + """; do [ -e "$2/$name" ]; mknod "$1/upper/$name" c 0 0; done
mount -t overlay overlay -o "lowerdir=$2,upperdir=$1/upper,workdir=$1/work" "$2"
for name in """ + " ".join(ARCHIVES) + """; do [ ! -e "$2/$name" ]; done
shift 2
exec "$@"
"""


def built(box):
    """The binary rpm, and what rpmbuild said."""
    (box.dir / "source").mkdir()
    source = source_rpm(box.dir / "source")
    macros = box.write("macros", MACROS)
    (box.dir / "layer").mkdir()
    libraries = "/usr/lib/" + said("gcc", "-dumpmachine").strip()
    done = subprocess.run(["unshare", "--mount", "sh", "-c", WITHOUT_ARCHIVES, "sh", box.dir / "layer", libraries,
                           "rpmbuild", "--rebuild", "--nodeps", "--load", macros, "--define", f"_topdir {box.dir}", source],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={"CCACHE_DIR": str(pathlib.Path.home() / ".cache/ccache"), **os.environ, "HOME": str(box.dir)})
    assert done.returncode == 0, "\n".join(done.stdout.splitlines()[-60:])
    made = list((box.dir / "RPMS").glob("*/*.rpm"))
    assert len(made) == 1, made
    return made[0], done.stdout


def files(package):
    """Name, mode and owner of each."""
    return set(said("rpm", "-qp", "--qf", "[%{FILENAMES} %{FILEMODES:perms} %{FILEUSERNAME} %{FILEGROUPNAME}\n]", package).splitlines())


def asked(package, what):
    """What it needs or suggests, but for RPM's own features and for versions of the C library, which each build has from its own."""
    lines = {line.strip() for line in said("rpm", "-qp", what, package).splitlines()}
    return {line for line in lines if not line.startswith(("rpmlib(", "libc.so.6", "libm.so.6", "ld-linux", "libdl.so", "libpthread.so", "rtld("))}


def test_it_builds_the_files_of_the_rpm_that_is_published(box):
    made, told = built(box)
    assert "examples/minimal.yaml: good" in told, "%check did not run"
    ours, published = files(made), files(rpm())
    assert ours == published, sorted(ours ^ published)
    linked = {line for line in asked(made, "--requires") if line.startswith(("libexpat.so", "libmd.so", "libnl-3.so", "libyaml-cpp.so"))}
    assert len({line.split("(")[0] for line in linked}) == len(ARCHIVES), linked
    assert asked(made, "--requires") - linked == asked(rpm(), "--requires")
    assert asked(made, "--suggests") == asked(rpm(), "--suggests")
    assert "preuninstall" in said("rpm", "-qp", "--scripts", made)
