"""Completion as the shells themselves do it: bash, zsh and fish, with the scripts that `rdmastate completion` prints and that ask
`rdmastate complete`."""
import os
import pathlib
import pty
import select
import subprocess
import time

from cases.specs import GUIDE
from support import harness

# zsh completes on a terminal alone. What it would offer goes through compadd: this one writes it down, and the key ^X^P
# asks for the list and then says that it is whole.
ZSH_PROBE = """
PS1= PS2= RPS1=; unset zle_bracketed_paste; stty -echo
fpath=($PWD $fpath)
autoload -Uz compinit && compinit -u -D
compadd() {
  if [[ " ${(j: :)@[1,-1]} " == *\\ -(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  local -a hits; builtin compadd -A hits "$@"; print -rl -- $hits >> offered; builtin compadd "$@"
}
probe() { : > offered; zle list-choices; print -r -- $BUFFER >> done; zle kill-buffer }
zle -N probe; bindkey '^X^P' probe
print ready >> done
"""


class Zsh:
    def __init__(self, box):
        self.dir = box.dir
        (box.dir / "probe").write_text(ZSH_PROBE)
        environment = {**os.environ, "HOME": str(box.dir), "ZDOTDIR": str(box.dir), "TERM": "xterm", "LC_ALL": "C.UTF-8",
                       "PATH": f"{on_path(box)}:{os.environ['PATH']}"}
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(box.dir)
            os.execvpe("zsh", ["zsh", "-fi"], environment)
        self.seen = b""
        self.said = 0
        self.type(b". ./probe\n")

    def type(self, keys):
        """Types, and waits until the probe has said one more line."""
        os.write(self.terminal, keys)
        self.said += 1
        until = time.monotonic() + 30
        while time.monotonic() < until:
            if select.select([self.terminal], [], [], 0.05)[0]:
                self.seen += os.read(self.terminal, 65536)
            done = self.dir / "done"
            if done.exists() and len(done.read_text().splitlines()) >= self.said:
                return
        raise AssertionError(f"zsh does not answer: {self.seen!r}")

    def complete(self, line):
        self.type(line.encode() + b"\x18\x10")
        return {word for word in (self.dir / "offered").read_text().splitlines() if word}

    def close(self):
        os.write(self.terminal, b"\x03\nexit\n")
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


def on_path(box):
    """A directory in which the program has its name: the scripts ask the one that is being completed."""
    directory = box.dir / "bin"
    directory.mkdir(exist_ok=True)
    if not (directory / "rdmastate").exists():
        (directory / "rdmastate").symlink_to(harness.BINARY)
    return directory


def in_bash(box, line):
    script = f"""source ./completion; PATH={on_path(box)}:$PATH
COMP_WORDS=({line} {"''" if line.endswith(' ') else ''}); COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))
_rdmastate; printf '%s\\n' "${{COMPREPLY[@]}}\""""
    done = subprocess.run(["bash", "-c", script], cwd=box.dir, capture_output=True, text=True, timeout=20)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return set(done.stdout.split())


def in_fish(box, line):
    environment = {**os.environ, "HOME": str(box.dir), "XDG_CONFIG_HOME": str(box.dir), "PATH": f"{on_path(box)}:{os.environ['PATH']}"}
    done = subprocess.run(["fish", "--no-config", "-c", "source ./completion; complete -C $argv[1]", line], cwd=box.dir, env=environment,
                          capture_output=True, text=True, timeout=20)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return {word.split("\t")[0] for word in done.stdout.splitlines()}


COMMANDS = {"check", "plan", "apply", "verify", "confirm", "rollback", "history", "show", "explain", "schema", "packages", "completion"}


def completes(complete):
    """What every shell offers alike. A directory may end in a slash."""
    assert complete("rdmastate pl") == {"plan"}
    assert complete("rdmastate ") >= COMMANDS and "man" not in complete("rdmastate ")
    assert complete("rdmastate apply --re") == {"--record", "--replace", "--restart"}
    assert complete("rdmastate plan ho") == {"host.yaml"}
    assert complete("rdmastate plan --host ho") == {"host.yaml"}
    assert {one.rstrip("/") for one in complete("rdmastate plan --root ")} >= {"tree"}
    assert "host.yaml" not in complete("rdmastate plan --root ")
    assert complete("rdmastate explain ipoib.pk") == {"ipoib.pkey"}
    assert "devices.ports.roce.tos" in complete("rdmastate explain devices.ports.roce.")
    assert "--boot" in complete("rdmastate apply --") and "--boot" not in complete("rdmastate plan --")
    assert complete("rdmastate check --color a") == {"auto", "always"}
    assert complete("rdmastate check -o ") == {"text", "json", "github", "junit", "sarif"}
    assert complete("rdmastate show --output ") == {"text", "json"}
    assert complete("rdmastate packages --for ") == {"debian", "ubuntu", "rhel", "suse"}
    assert complete("rdmastate completion ") >= {"bash", "zsh", "fish"}


def prepare(box, shell, name="completion"):
    box.write(name, box.run("completion", shell).expect(0).out)
    box.write("host.yaml", GUIDE)
    (box.dir / "tree").mkdir()
    subprocess.run([shell, "-n", name], cwd=box.dir, check=True)


def test_bash(box):
    prepare(box, "bash")
    completes(lambda line: in_bash(box, line))
    done = subprocess.run(["bash", "-c", "source ./completion; complete -p rdmastate"], cwd=box.dir, capture_output=True, text=True, check=True)
    assert "-F _rdmastate" in done.stdout


def test_fish(box):
    prepare(box, "fish")
    completes(lambda line: in_fish(box, line))
    environment = {**os.environ, "HOME": str(box.dir), "PATH": f"{on_path(box)}:{os.environ['PATH']}"}
    done = subprocess.run(["fish", "--no-config", "-c", "source ./completion; complete -C 'rdmastate ver'"], cwd=box.dir, env=environment,
                          capture_output=True, text=True, check=True)
    assert done.stdout == "verify\tCompare the host, and its next boot, with the spec; exit 2 when they differ\n", done.stdout


def test_zsh(box):
    prepare(box, "zsh", "_rdmastate")
    zsh = Zsh(box)
    try:
        completes(zsh.complete)
    finally:
        zsh.close()


def test_zsh_takes_it_by_sourcing_too(box):
    prepare(box, "zsh", "_rdmastate")
    script = "autoload -Uz compinit; compinit -u -D; source ./_rdmastate; print -r -- $_comps[rdmastate]"
    done = subprocess.run(["zsh", "-fc", script], cwd=box.dir, capture_output=True, text=True, timeout=20, check=True)
    assert done.stdout == "_rdmastate\n" and done.stderr == "", (done.stdout, done.stderr)
    assert not pathlib.Path(box.dir, ".zcompdump").exists()


def test_the_program_tells_the_words(box):
    """As the scripts ask it: the words up to the cursor, the last one unfinished."""
    told = lambda *words: [line.split("\t")[0] for line in box.run("complete", *words).expect(0).out.splitlines()]
    assert told("pla") == ["plan"]
    assert told("plan", "--host", "") == [":files"]
    assert told("plan", "--root", "x") == [":directories"]
    assert ":files" in told("plan", "spec.yaml", "") and "--host" in told("plan", "")
    assert told("release", "i") == ["ipoib"]
    assert told("frobnicate", "") == []
    devices = pathlib.Path("/sys/class/infiniband")
    assert sorted(told("plan", "--in-use", "")) == (sorted(os.listdir(devices)) if devices.is_dir() else [])
    text = box.run("complete", "verify").expect(0).out
    assert text == "verify\tCompare the host, and its next boot, with the spec; exit 2 when they differ\n", text
    assert not any(word in ("man", "complete") for word in told(""))
