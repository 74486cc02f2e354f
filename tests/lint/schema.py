#!/usr/bin/python3
"""schema/rdmastate.schema.json is what $RDMASTATE_BIN prints, is a schema, takes every example and refuses what is wrong."""
import json
import os
import pathlib
import subprocess
import sys

import jsonschema
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = ROOT / "schema/rdmastate.schema.json"
WRONG = ["version: 1\nipoib: [{name: ib0, mode: Connected}]", "version: 1\nmodules: {laod: [ib_ipoib]}", "id: x", "[]"]


def is_valid(validator, text):
    return not list(validator.iter_errors(yaml.safe_load(text)))


def main():
    printed = subprocess.run([os.environ["RDMASTATE_BIN"], "schema"], check=True, stdout=subprocess.PIPE).stdout
    schema = json.loads(printed)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    checks = {f"{KEPT.relative_to(ROOT)} is not what `rdmastate schema` prints: write it there": printed == KEPT.read_bytes()}
    for path in sorted((ROOT / "examples").rglob("*.yaml")):
        for error in validator.iter_errors(yaml.safe_load(path.read_text())):
            print(f"{path.relative_to(ROOT)}: {error.json_path}: {error.message}")
        checks[f"{path.relative_to(ROOT)} does not keep to the schema"] = is_valid(validator, path.read_text())
    for text in WRONG:
        checks[f"the schema takes what is wrong: {text!r}"] = not is_valid(validator, text)
    failed = [sentence for sentence, good in checks.items() if not good]
    print("\n".join(failed + [f"{len(checks) - len(failed)} passed, {len(failed)} failed"]))
    return 1 if failed or len(checks) < 7 else 0


if __name__ == "__main__":
    sys.exit(main())
