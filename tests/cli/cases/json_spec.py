"""A spec that is JSON: the same plan as the YAML that means it, from a file, by include and on standard input."""
import json
import re

import yaml

from support.harness import TOP

EXAMPLES = TOP / "examples"


class Core(yaml.SafeLoader):
    """YAML 1.2's core schema as far as specs go: no `yes`, no octal, no dates, no sexagesimals."""


Core.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in rules if tag in ("tag:yaml.org,2002:null", "tag:yaml.org,2002:merge")]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()}
Core.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))
Core.add_implicit_resolver("tag:yaml.org,2002:int", re.compile("^(0|[1-9][0-9]*|0x[0-9a-fA-F]+)$"), list("0123456789"))


def as_json(path):
    return json.dumps(yaml.load(path.read_text(), Core), indent=1)


def test_examples_as_json_plan_the_same(box):
    host, planned = box.host(base="minimal.json"), 0
    for path in sorted(EXAMPLES.glob("*.yaml")):
        if "include:" in path.read_text():
            continue  # names files beside it; see below
        box.write("spec.yaml", path.read_bytes())
        box.write("spec.json", as_json(path))
        plain, as_spec = (box.run("plan", name, "--host", host, "-o", "json") for name in ("spec.yaml", "spec.json"))
        assert as_spec.code == plain.code, f"{path.name}: {as_spec.err}"
        without_places = [done.out.replace("spec.yaml", "spec.json") for done in (plain, as_spec)]
        if plain.code == 3:
            continue  # what its own host alone has
        one, other = map(json.loads, without_places)
        assert all(one[part] == other[part] for part in ("steps", "other", "refusals", "summary")), path.name
        planned += 1
    assert planned >= 4, planned


def test_standard_input_is_json_where_it_begins_so(box):
    text = '{"version": 1, "ipoib": [{"name": "mlx4_ib0", "mode": "datagram", "mtu": "2044"}]}'
    done = box.run("check", "-", stdin=text.encode()).expect(3)
    assert done.err.startswith("standard input:1:74: error: ipoib[0].mtu: '2044' is in quotes"), done.err
    box.run("check", "-", stdin=text.replace('"2044"', "2044").encode()).expect(0)


def test_json_includes_yaml_and_yaml_includes_json(box):
    box.write("base.yaml", "version: 1\nipoib:\n  - {name: mlx4_ib0, mode: datagram, mtu: 2044}\n")
    box.write("base.json", '{"version": 1, "ipoib": [{"name": "mlx4_ib0", "mode": "datagram", "mtu": 99999}]}')
    box.write("over.json", '{"version": 1, "include": ["base.yaml"], "ipoib": [{"name": "mlx4_ib0", "mtu": 1500}]}')
    box.write("over.yaml", "version: 1\ninclude: [base.json]\n")
    box.run("check", "over.json").expect(0)
    done = box.run("check", "over.yaml").expect(3)
    assert "base.json:1:74: error: ipoib[0].mtu" in done.err, done.err
    same = box.write("host.json", (TOP / "examples/hosts/minimal.json").read_text())
    one = box.run("plan", "over.json", "--host", same, "-o", "json").json
    assert "1500" in json.dumps(one) and "2044" not in json.dumps(one)


def test_a_megabyte_of_brackets_is_read(box):
    routes = [{"to": f"203.0.{i // 250}.{i % 250}/32", "via": "192.0.2.254"} for i in range(8000)]
    spec = {"version": 1, "ipoib": [{"name": "mlx4_ib0", "mode": "datagram",
                                     "ipv4": {"method": "manual", "addresses": ["192.0.2.1/24"], "routes": routes}}]}
    path = box.write("large.json", json.dumps(spec))
    assert path.stat().st_size > 256 << 10
    box.run("check", "large.json").expect(0)


def test_what_a_control_character_in_json_is(box):
    box.write("bad.json", b'{"version": 1, "id": "a\x01"}')
    assert "bad.json:1:24: error: a control character, byte 0x01" in box.run("check", "bad.json").expect(3).err
    box.write("bad.json", b'{"version": 1, "id": "a\xff"}')
    assert "byte 0xff is not UTF-8" in box.run("check", "bad.json").expect(3).err
