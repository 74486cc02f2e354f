"""What pipelines read, each form by another program: -o github, junit and sarif."""
import json
import os
import re
import urllib.parse
import xml.etree.ElementTree as xml

from cases.specs import GUIDE, NO_MODULE
from support.harness import TOP

WRONG = TOP / "tests/cli/wrong"
ESCAPES = b'version: 1\nid: "\\x1b]0;<evil> & \\"quoted\\" \\uFFFE \\uFFFF \\x01\\a"\n'

# Of the SARIF 2.1.0 schema, which Debian does not ship: what it says of all that stands in a log of ours, and nothing else
# may stand there. Section numbers are of the standard.
TEXT = {"type": "object", "required": ["text"], "additionalProperties": False, "properties": {"text": {"type": "string", "minLength": 1}}}
COUNT = {"type": "integer", "minimum": 1}
SARIF = {
    "type": "object", "required": ["version", "runs", "$schema"], "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "minItems": 1, "maxItems": 1, "items": {
            "type": "object", "required": ["tool", "results", "columnKind"], "additionalProperties": False,
            "properties": {
                "columnKind": {"enum": ["unicodeCodePoints"]},
                "tool": {"type": "object", "required": ["driver"], "additionalProperties": False, "properties": {"driver": {
                    "type": "object", "required": ["name", "semanticVersion", "rules"], "additionalProperties": False,
                    "properties": {
                        "name": {"const": "rdmastate"},
                        "semanticVersion": {"type": "string", "pattern": r"^\d+\.\d+\.\d+"},
                        "rules": {"type": "array", "uniqueItems": True, "items": {
                            "type": "object", "required": ["id", "shortDescription", "help"], "additionalProperties": False,
                            "properties": {"id": {"type": "string", "pattern": "^[a-z0-9_.]+$"}, "shortDescription": TEXT, "help": TEXT}}}}}}},
                "results": {"type": "array", "items": {
                    "type": "object", "required": ["ruleId", "ruleIndex", "level", "message", "locations"], "additionalProperties": False,
                    "properties": {
                        "ruleId": {"type": "string"},
                        "ruleIndex": {"type": "integer", "minimum": 0},
                        "level": {"enum": ["note", "warning", "error"]},
                        "message": TEXT,
                        "locations": {"type": "array", "minItems": 1, "maxItems": 1, "items": {
                            "type": "object", "required": ["physicalLocation"], "additionalProperties": False,
                            "properties": {
                                "logicalLocations": {"type": "array", "items": {
                                    "type": "object", "required": ["fullyQualifiedName"], "additionalProperties": False,
                                    "properties": {"fullyQualifiedName": {"type": "string"}}}},
                                "physicalLocation": {
                                    "type": "object", "required": ["artifactLocation"], "additionalProperties": False,
                                    "properties": {
                                        "artifactLocation": {
                                            "type": "object", "required": ["uri"], "additionalProperties": False,
                                            "properties": {"uri": {"type": "string", "pattern": r"^(file://)?[A-Za-z0-9._~/+=@%-]+$"}}},
                                        "region": {
                                            "type": "object", "required": ["startLine", "startColumn", "endColumn"], "additionalProperties": False,
                                            "properties": {"startLine": COUNT, "startColumn": COUNT, "endColumn": COUNT}}}}}}}}}},
            }}}}}


def sarif(done):
    import jsonschema
    jsonschema.Draft7Validator.check_schema(SARIF)
    log = json.loads(done.out)
    jsonschema.validate(log, SARIF, jsonschema.Draft7Validator)
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"], result
        region = result["locations"][0]["physicalLocation"].get("region")
        assert region is None or region["endColumn"] > region["startColumn"], region
    assert {rule["id"] for rule in rules} == {result["ruleId"] for result in run["results"]}
    return run


def junit(done):
    """The test cases; the counts of the suite are those of what it holds."""
    root = xml.fromstring(done.out.encode())
    assert root.tag == "testsuites" and len(root) == 1, done.out
    suite = root[0]
    cases = list(suite)
    assert all(case.tag == "testcase" and case.get("name") and case.get("classname") for case in cases)
    counted = {"tests": len(cases), "failures": len(suite.findall("testcase/failure")),
               "skipped": len(suite.findall("testcase/skipped")), "errors": 0}
    for name, count in counted.items():
        assert int(suite.get(name)) == int(root.get(name)) == count, (name, count, done.out[:300])
    return cases


def annotations(done):
    found = [re.fullmatch(r"::(notice|warning|error)( [^:]*)?::(.*)", line) for line in done.out.splitlines()]
    assert all(found), done.out
    return [(m[1], dict(part.split("=", 1) for part in (m[2] or "").strip().split(",") if part), m[3]) for m in found]


def test_every_wrong_spec_in_every_form(box):
    for path in sorted(WRONG.glob("*.yaml")):
        told = json.loads(box.run("check", path.name, "-o", "json", cwd=WRONG).expect(3).out)["diagnostics"]
        results = sarif(box.run("check", path.name, "-o", "sarif", cwd=WRONG).expect(3))["results"]
        assert [(r["level"], r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]) for r in results] == \
            [(d["severity"], urllib.parse.quote(d["file"])) for d in told], path.name
        for result, one in zip(results, told):
            region = result["locations"][0]["physicalLocation"].get("region", {"startLine": 0, "startColumn": 0})
            assert (region["startLine"], region["startColumn"]) == (one["line"], one["column"])
            assert result["message"]["text"].startswith(one["message"])
        case, = junit(box.run("check", path.name, "-o", "junit", cwd=WRONG).expect(3))
        failure = case.find("failure")
        assert failure.get("message") and all(one["message"] in failure.text for one in told), path.name
        lines = annotations(box.run("check", path.name, "-o", "github", cwd=WRONG).expect(3))
        assert [(one[0], int(one[1].get("line", 0))) for one in lines] == [(one["severity"], one["line"]) for one in told]


def rules_of(box, text):
    return [r["ruleId"] for r in sarif(box.run("check", box.write("s.yaml", text).name, "-o", "sarif").expect(3))["results"]]


def test_a_rule_is_a_field_that_explain_knows(box):
    assert rules_of(box, "versoin: 1\n") == ["spec"]
    assert rules_of(box, GUIDE.replace("65520", "100000")) == ["ipoib.mtu"]
    assert rules_of(box, GUIDE.replace("via: 198.51.100.254", "via: 192.0.2.300")) == ["ipoib.ipv4.routes.via"]
    tos = 'version: 1\ndevices: [{match: {pci: "0000:3b:00.0"}, ports: {1: {roce: {tos: 300}}}}]\n'
    assert rules_of(box, tos) == ["devices.ports.roce.tos"]
    box.run("explain", "devices.ports.roce.tos").expect(0)


def test_several_files_are_one_document(box):
    box.write("good.yaml", "version: 1\n")
    box.write("bad, %3A:.yaml", "version: 2\n")
    names = ["good.yaml", "bad, %3A:.yaml", "nowhere.yaml"]
    results = sarif(box.run("check", *names, "-o", "sarif").expect(1))["results"]
    uris = [r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results]
    assert [urllib.parse.unquote(uri) for uri in uris] == names[1:] and ":" not in uris[0], uris
    assert "region" not in results[1]["locations"][0]["physicalLocation"]
    cases = junit(box.run("check", *names, "-o", "junit").expect(1))
    assert [(case.get("name"), case.find("failure") is None) for case in cases] == [(names[0], True), (names[1], False), (names[2], False)]
    told = json.loads(box.run("check", *names, "-o", "json").expect(1).out)
    assert told["errors"] == 2 and [one["file"] for one in told["diagnostics"]] == names[1:]
    assert len(annotations(box.run("check", *names, "-o", "github").expect(1))) == 2


def test_good_specs_say_nothing(box):
    box.write("good.yaml", GUIDE)
    assert sarif(box.run("check", "good.yaml", "-o", "sarif").expect(0))["results"] == []
    case, = junit(box.run("check", "good.yaml", "-o", "junit").expect(0))
    assert len(case) == 0
    assert box.run("check", "good.yaml", "-o", "github").expect(0).out == ""


def test_warnings_pass_unless_strict(box):
    box.write("warned.yaml", GUIDE.replace("mlx4_ib0", "ib0"))
    done = box.run("check", "warned.yaml", "-o", "sarif").expect(0)
    assert {r["level"] for r in sarif(done)["results"]} == {"warning"}
    case, = junit(box.run("check", "warned.yaml", "-o", "junit").expect(0))
    assert "ib0" in case.find("system-out").text
    case, = junit(box.run("check", "warned.yaml", "-o", "junit", "--strict").expect(3))
    assert case.find("failure") is not None


def test_what_xml_forbids_is_shown(box):
    box.write("evil.yaml", ESCAPES)
    case, = junit(box.run("check", "evil.yaml", "-o", "junit").expect(3))
    text = case.find("failure").text
    assert "<evil> & " in text and not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", text), text
    assert "\x1b" not in sarif(box.run("check", "evil.yaml", "-o", "sarif").expect(3))["results"][0]["message"]["text"]
    assert "\x1b" not in box.run("check", "evil.yaml", "-o", "github").expect(3).out
    name = box.write(os.fsdecode(b"b\xff\x01<&.yaml"), "version: 2\n").name
    case, = junit(box.run("check", name, "-o", "junit").expect(3))
    assert case.get("name") == "b\\xff\\x01<&.yaml", case.get("name")
    uri = sarif(box.run("check", name, "-o", "sarif").expect(3))["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "b%FF%01%3C%26.yaml", uri


def test_verify_fails_where_it_exits_with_2(box):
    box.write("spec.yaml", GUIDE)
    before = box.host()
    cases = junit(box.run("verify", "spec.yaml", "--host", before, "-o", "junit").expect(2))
    failed = [case for case in cases if case.find("failure") is not None]
    assert any(case.get("classname") == "rdmastate.module" and case.get("name") == "ib_ipoib" for case in failed)
    assert any(one[0] == "error" and one[1]["file"] == "spec.yaml" for one in
               annotations(box.run("verify", "spec.yaml", "--host", before, "-o", "github").expect(2)))
    box.run("apply", "spec.yaml", "--host", before, "--record", "after.json").expect(0)
    after = junit(box.run("verify", "spec.yaml", "--host", "after.json", "-o", "junit").expect(0))
    assert len(after) >= len(failed) and not any(case.find("failure") is not None for case in after)
    assert box.run("verify", "spec.yaml", "--host", "after.json", "-o", "github").expect(0).out == ""


def test_a_difference_is_told_with_its_columns(box):
    box.write("spec.yaml", GUIDE)
    box.run("apply", "spec.yaml", "--host", box.host(), "--record", "after.json").expect(0)
    box.write("spec.yaml", GUIDE.replace("mtu: 65520", "mtu: 4000"))
    failed = [case for case in junit(box.run("verify", "spec.yaml", "--host", "after.json", "-o", "junit").expect(2))
              if case.find("failure") is not None and "ipoib_link" in case.get("classname")]
    assert len(failed) == 1 and "mtu: spec 4000, live 65520" in failed[0].find("failure").text, [c.find("failure").text for c in failed]
    assert failed[0].find("failure").text.startswith("spec.yaml:5:"), failed[0].find("failure").text


def test_what_is_optional_and_missing_is_skipped(box):
    box.write("spec.yaml", 'version: 1\nnetwork: {backend: none}\ndevices: [{match: {pci: "0000:99:00.0"}, optional: true, name: spare}]\n')
    box.run("apply", "spec.yaml", "--host", box.host(), "--record", "after.json").expect(0)
    cases = junit(box.run("verify", "spec.yaml", "--host", "after.json", "-o", "junit").expect(0))
    assert [case.get("classname") for case in cases if case.find("skipped") is not None] == ["rdmastate.rdma_device"], \
        [(case.get("classname"), [child.tag for child in case]) for case in cases]


def test_a_plan_fails_what_apply_would_not_do(box):
    box.write("spec.yaml", GUIDE)
    cases = junit(box.run("plan", "spec.yaml", "--host", box.host(), "-o", "junit").expect(0))
    assert not any(case.find("failure") is not None for case in cases)
    assert any("load module ib_ipoib" in (case.findtext("system-out") or "") for case in cases)
    assert {one[0] for one in annotations(box.run("plan", "spec.yaml", "--host", box.host(), "-o", "github").expect(0))} == {"notice"}
    box.write("spec.yaml", NO_MODULE)
    blocked = [case for case in junit(box.run("plan", "spec.yaml", "--host", box.host(), "-o", "junit").expect(0))
               if case.find("failure") is not None]
    assert blocked and all("ib_ipoib" in case.find("failure").text for case in blocked)


def test_a_wrong_spec_is_told_to_plan_s_reader_too(box):
    box.write("spec.yaml", "version: 2\n")
    for command in ("plan", "verify"):
        case, = junit(box.run(command, "spec.yaml", "--host", box.host(), "-o", "junit").expect(3))
        assert "version 2" in case.find("failure").get("message")


def test_sarif_is_for_check_alone(box):
    box.write("spec.yaml", GUIDE)
    for command in ("plan", "verify", "show"):
        box.run(command, *(["spec.yaml"] if command != "show" else []), "-o", "sarif").expect(1)
