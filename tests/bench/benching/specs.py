"""Specs of any size, and files that no reader may choke on."""
import pathlib

PORT_GUID = "f452:1403:007b:cba1"
FIRST_PKEY = 0x8001


def address(number):
    """The first host of the number-th /25 of 198.18.0.0/15, which RFC 2544 keeps for benchmarks."""
    value = (198 << 24 | 18 << 16) + 128 * number + 1
    return ".".join(str(value >> shift & 255) for shift in (24, 16, 8, 0)) + "/25"


def children(count, backend, parent="mlx4_ib0", guid=PORT_GUID):
    """A port's interface with `count` children, each up, in its own partition, with an address."""
    lines = ["version: 1", f"network: {{backend: {backend}}}", "ipoib:",
             f"  - name: {parent}", f'    match: {{port_guid: "{guid}"}}', "    mode: datagram"]
    for number in range(count):
        lines += [f"  - parent: {parent}", f"    pkey: 0x{FIRST_PKEY + number:04x}", "    mode: datagram",
                  "    ipv4:", "      method: manual", f"      addresses: [{address(number)}]"]
    return "\n".join(lines) + "\n"


MIB = 1 << 20
HEAD = b"version: 1\nipoib:\n"


def _fill(piece, head=b"version: 1\n"):
    return head + piece * ((MIB - len(head)) // len(piece))


def wrong_inputs():
    """Names and bytes: each is wrong, and each is as large or as deep as a reader lets it become."""
    deep = b"".join(b"  " * level + b"a:\n" for level in range(1000))
    return {
        "empty": b"",
        "tab": b"version: 1\n\tid: x\n",
        "nul": b"version: 1\n\0\n",
        "not-utf8": b"version: 1\nid: \xff\xfe\n",
        "unknown-keys": _fill(b"k: 1\n"),
        "unknown-fields": _fill(b"  - {nome: x, mote: y, mtu: z}\n", HEAD),
        "wrong-values": _fill(b"  - {name: x, mode: Connected, mtu: 010, pkey: 8002}\n", HEAD),
        "one-line": _fill(b"{name: x, mode: y},", b"ipoib: ["),
        "duplicate-keys": _fill(b"version: 1\n"),
        "duplicate-records": _fill(b"  - {name: ib0}\n", HEAD),
        "anchors": _fill(b"  - &a {name: *a}\n", HEAD),
        "tags": _fill(b"  - !!map {name: !!str x}\n", HEAD),
        "documents": _fill(b"---\nversion: 1\n"),
        "brackets": _fill(b"[", b""),
        "braces": _fill(b"{a: ", b""),
        "flow-list": _fill(b"1, ", b"modules: {load: ["),
        "nested-lists": _fill(b"- ", b""),
        "nested-maps": deep,
        "question-marks": _fill(b"? ", b""),
        "quote": _fill(b"x", b'version: "'),
        "escapes": _fill(b"\\x41", b'version: "'),
        "block-scalar": _fill(b"  x\n", b"version: |\n"),
        "long-key": _fill(b"x", b"") + b": 1\n",
        "long-line": _fill(b"x", b"version: 1 "),
        "comments": _fill(b"# x\n", b""),
        "blank-lines": _fill(b"\n", b"version: x"),
        "colons": _fill(b": ", b""),
        "four-byte-letters": _fill("\N{SNOWMAN}\U0001f40d: x\n".encode()),
        "bad-parents": _fill(b"  - {parent: nobody, pkey: 0x8001}\n", HEAD),
        "unknown-parents": _fill(b"  - {name: portname}\n  - {parent: portnome, pkey: 0x8001}\n", HEAD),
        "same-address": _fill(b"  - {name: x, ipv4: {method: manual, addresses: [192.0.2.1/24]}}\n", HEAD),
        "too-large": b"version: 1\n" + b"#" * MIB,
    }


def write_wrong_inputs(directory):
    """Paths of the files above."""
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, content in wrong_inputs().items():
        paths.append(directory / f"{name}.yaml")
        paths[-1].write_bytes(content)
    return paths


def write_sparse(directory):
    """100 MB of nothing."""
    path = pathlib.Path(directory) / "sparse.yaml"
    with path.open("wb") as file:
        file.truncate(100 * 1000 * 1000)
    return path
