"""What tests/lib.sh does about packages that are missing: whom it asks, when it installs, and what a refusal says."""
import os
import pathlib
import pty
import subprocess
import tempfile
import unittest

LIBRARY = pathlib.Path(__file__).resolve().parents[1] / "lib.sh"
# A machine without packages, on which `apt-get install` makes them be there.
PROGRAMS = {
    "dpkg-query": 'test -e "$DONE" && echo installed',
    "apt-get": 'echo "$*" >>"$ASKED"; case "$*" in *install*) touch "$DONE" ;; esac',
    "sudo": 'exec "$@"',
}


class Packages(unittest.TestCase):
    def setUp(self):
        self.place = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name, text in PROGRAMS.items():
            program = self.place / "bin" / name
            program.parent.mkdir(exist_ok=True)
            program.write_text(f"#!/bin/sh\n{text}\n")
            program.chmod(0o755)
        (self.place / "list").write_text("cmake  # builds\nninja-build\n")

    def run_bash(self, how, answer=None, **surroundings):
        """The exit code and the text of install_packages HOW; with an answer it runs on a terminal and reads that."""
        env = {key: value for key, value in os.environ.items() if key != "CI"}
        env |= {"PATH": f"{self.place}/bin:{env['PATH']}", "DONE": f"{self.place}/done", "ASKED": f"{self.place}/asked", **surroundings}
        command = ["bash", "-c", f"set -euo pipefail; . {LIBRARY}; install_packages {how} {self.place}/list"]
        if answer is None:
            done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            return done.returncode, done.stdout
        ours, theirs = pty.openpty()
        child = subprocess.Popen(command, env=env, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
        os.close(theirs)
        os.write(ours, f"{answer}\n".encode())
        text = b""
        try:
            while more := os.read(ours, 4096):
                text += more
        except OSError:  # EIO: the last program on the terminal has ended
            pass
        os.close(ours)
        return child.wait(), text.decode()

    def installed(self):
        return (self.place / "done").exists()

    def test_nothing_missing_asks_nothing(self):
        (self.place / "done").touch()
        self.assertEqual((0, ""), self.run_bash("ask"))

    def test_without_a_terminal_it_refuses_and_says_what_to_do(self):
        code, text = self.run_bash("ask")
        self.assertEqual((1, False), (code, self.installed()))
        self.assertIn("2 Debian packages are missing: cmake ninja-build", text)
        self.assertIn("run this again with --install, or install them first: apt-get install --no-install-recommends cmake ninja-build", text)

    def test_install_and_ci_are_consent(self):
        for how, surroundings in (("yes", {}), ("ask", {"CI": "true"})):
            (self.place / "done").unlink(missing_ok=True)
            code, text = self.run_bash(how, **surroundings)
            self.assertEqual((0, True), (code, self.installed()), text)
            self.assertIn("cmake ninja-build", (self.place / "asked").read_text())

    def test_on_a_terminal_it_asks(self):
        for answer, expected in (("n", (1, False)), ("", (1, False)), ("y", (0, True))):
            code, text = self.run_bash("ask", answer)
            self.assertIn("Install them with apt-get? [y/N]", text)
            self.assertEqual(expected, (code, self.installed()), text)

    def test_the_demo_goes_on_without_a_terminal_and_asks_on_one(self):
        self.assertEqual((1, False), (self.run_bash("demo", "n")[0], self.installed()))
        code, text = self.run_bash("demo", "")
        self.assertEqual((0, True), (code, self.installed()), text)
        (self.place / "done").unlink()
        self.assertEqual((0, True), (self.run_bash("demo")[0], self.installed()))


if __name__ == "__main__":
    unittest.main()
