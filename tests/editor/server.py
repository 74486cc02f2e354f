# SPDX-License-Identifier: Apache-2.0
"""The YAML language server as an editor talks to it: JSON-RPC over its standard streams (Language Server Protocol 3.17)."""
import json
import pathlib
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from support import kept  # noqa: E402 (the path has to be set first)

PATIENCE = 60  # seconds for one answer
SETTINGS = {"yaml": {"validate": True, "hover": True, "completion": True, "schemaStore": {"enable": False}}, "http": {}, "[yaml]": {}, "editor": {}, "files": {}}


def _make(work):
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, work)
    done = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise RuntimeError(f"npm ci:\n{done.stdout}")


def program():
    """The server of package-lock.json, installed once for all clones."""
    inputs = kept.digest(HERE / "package.json", HERE / "package-lock.json")
    place = kept.folder("editor", inputs, _make, tell=lambda text: print(f"editor: {text}", flush=True))
    return place / "node_modules/yaml-language-server/bin/yaml-language-server"


class Server:
    """One server; a context manager."""

    def __init__(self, folder):
        self.folder, self.number, self.told, self.notes = folder, 0, {}, []

    def __enter__(self):
        self.process = subprocess.Popen(["node", str(program()), "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=self.folder)
        able = {"workspace": {"configuration": True}, "textDocument": {
            "hover": {"contentFormat": ["markdown"]}, "completion": {"completionItem": {"snippetSupport": False, "documentationFormat": ["markdown"]}},
            "publishDiagnostics": {}}}
        self.ask("initialize", {"processId": None, "rootUri": self.folder.as_uri(), "capabilities": able})
        self._send({"method": "initialized", "params": {}})
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def open(self, name, text):
        """Opens a file that need not be on the disk; its address, when the server has said what is wrong with it."""
        address = (self.folder / name).as_uri()
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": {"uri": address, "languageId": "yaml", "version": 1, "text": text}}})
        until = time.monotonic() + PATIENCE
        while address not in self.told:
            assert time.monotonic() < until, f"nothing was said about {name}"
            self._take()
        return address

    def mistakes(self, name, text):
        """What is marked: (line, column, end column, message), from 1 as rdmastate counts."""
        return sorted((one["range"]["start"]["line"] + 1, one["range"]["start"]["character"] + 1, one["range"]["end"]["character"] + 1, one["message"])
                      for one in self.told[self.open(name, text)])

    def at_end(self, what, name, text):
        """The answer to `completion` or `hover` where the text ends."""
        lines = text.split("\n")
        return self.ask(f"textDocument/{what}", {"textDocument": {"uri": self.open(name, text)},
                                                 "position": {"line": len(lines) - 1, "character": len(lines[-1])}})

    def completions(self, name, text):
        answer = self.at_end("completion", name, text)
        return {one["label"]: one for one in (answer["items"] if isinstance(answer, dict) else answer)}

    def ask(self, method, params):
        self.number += 1
        number = self.number
        self._send({"id": number, "method": method, "params": params})
        while True:
            message = self._take()
            if message.get("id") == number and "method" not in message:
                assert "error" not in message, message
                return message["result"]

    def _send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _take(self):
        """One message; the server's own questions are answered, and what it says of files is kept."""
        length = 0
        while line := self.process.stdout.readline().strip():
            key, _, value = line.partition(b":")
            length = int(value) if key.lower() == b"content-length" else length
        assert length, "the server is gone"
        message = json.loads(self.process.stdout.read(length))
        if message.get("method") == "workspace/configuration":
            self._send({"id": message["id"], "result": [SETTINGS.get(one.get("section"), {}) for one in message["params"]["items"]]})
        elif message.get("method") == "textDocument/publishDiagnostics":
            self.told[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif "method" in message and "id" in message:
            self._send({"id": message["id"], "result": None})
        return message
