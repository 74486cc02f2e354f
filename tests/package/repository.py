# SPDX-License-Identifier: Apache-2.0
"""A repository of Debian packages in one folder, for an emulated machine that reaches no other."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "vm")]

from support import kept  # noqa: E402 (the path has to be set first)
from rig import image, release  # noqa: E402


def _missing(names):
    """These packages and what they need beyond what the emulated machine has, as this machine's apt knows them."""
    def make(folder):
        with tempfile.TemporaryDirectory() as work:
            status = pathlib.Path(work) / "status"
            status.write_bytes(subprocess.run(["tar", "-xOf", image.base(release.of()) / "root.tar", "./var/lib/dpkg/status"], check=True, stdout=subprocess.PIPE).stdout)
            (folder / "partial").mkdir()
            subprocess.run(["apt-get", "-qq", "-y", "-o", f"Dir::State::status={status}", "-o", f"Dir::Cache::archives={folder}",
                            "-o", "APT::Sandbox::User=root", "--no-install-recommends", "--download-only", "install", *names], check=True)
        (folder / "lock").unlink(missing_ok=True)
        (folder / "partial").rmdir()
    return kept.folder("debs", kept.digest(image.image_inputs(release.of()), *names), make, tell=lambda text: print(f"package: {text}", flush=True))


def repository(folder, own, names):
    """Makes it in `folder`: the package `own`, and others by name. For apt: deb [trusted=yes] file:FOLDER ./"""
    folder.mkdir(parents=True)
    for path in [own, *_missing(names).glob("*.deb")]:
        shutil.copy(path, folder)
    index = subprocess.run(["dpkg-scanpackages", "."], cwd=folder, check=True, capture_output=True).stdout
    (folder / "Packages").write_bytes(index)
