# SPDX-License-Identifier: Apache-2.0
"""The hook for pre-commit, as a repository of specs uses it."""
import os
import subprocess

from published import TOP, deb, said


def test_a_mistake_keeps_a_spec_from_being_committed(box):
    said("dpkg-deb", "-x", deb(), box.dir / "tree")
    home = {**os.environ, "HOME": str(box.dir), "PATH": f"{box.dir}/tree/usr/bin:{os.environ['PATH']}", "PRE_COMMIT_HOME": str(box.dir / "cache"),
            "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
    specs = box.dir / "specs"
    specs.mkdir()
    said("git", "init", "-q", ".", cwd=specs, env=home)
    (specs / "rdma-node1.yaml").write_text("version: 1\nmodules: {load: [ib_ipoib]}\n")
    (specs / "rdma-node2.json").write_text('{"version": 1, "modules": {"laod": ["ib_ipoib"]}}\n')
    (specs / "playbook.yaml").write_text("- hosts: all\n")
    said("git", "add", "-A", cwd=specs, env=home)
    done = subprocess.run(["pre-commit", "try-repo", str(TOP), "rdmastate-check", "--all-files", "--color", "never"], cwd=specs, env=home,
                          capture_output=True, text=True)
    assert done.returncode == 1 and "rdma-node2.json:1:28: error: modules: unknown key 'laod'" in done.stdout, done.stdout + done.stderr
    assert "playbook" not in done.stdout, done.stdout
    (specs / "rdma-node2.json").write_text('{"version": 1, "modules": {"load": ["ib_ipoib"]}}\n')
    assert "Passed" in said("pre-commit", "try-repo", TOP, "rdmastate-check", "--all-files", "--color", "never", cwd=specs, env=home)
