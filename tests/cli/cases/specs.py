"""Specs and hosts that several tests use."""

PORT = "f452:1403:007b:cba1"

GUIDE = f"""version: 1
network: {{backend: none}}
modules: {{load: [ib_ipoib, ib_umad]}}
ipoib:
  - name: mlx4_ib0
    match: {{port_guid: "{PORT}"}}
    mode: connected
    mtu: 65520
    ipv4: {{method: manual, addresses: [192.0.2.1/24]}}
  - parent: mlx4_ib0
    pkey: 0x8002
    ipv4: {{method: manual, addresses: [198.51.100.1/24], routes: [{{to: 203.0.113.0/24, via: 198.51.100.254, metric: 50}}]}}
    ipv6: {{method: manual, addresses: ["2001:db8:1::1/64"]}}
"""
PORT_ONLY = GUIDE[:GUIDE.index("  - parent")]
# No module: what a host without ib_ipoib cannot become.
NO_MODULE = GUIDE.replace("modules: {load: [ib_ipoib, ib_umad]}\n", "")

NM = f"""version: 1
network: {{backend: networkmanager}}
ipoib:
  - name: mlx4_ib0
    match: {{port_guid: "{PORT}"}}
    mode: connected
    mtu: 65520
    ipv4: {{method: manual, addresses: [192.0.2.1/24, 192.0.2.129/25], gateway: 192.0.2.254, dns: [192.0.2.200, 192.0.2.201], search: [example.com, example.org]}}
    ipv6: {{method: auto}}
  - parent: mlx4_ib0
    pkey: 0x8002
    mode: datagram
    mtu: 2044
    ipv4: {{method: manual, addresses: [198.51.100.1/24], routes: [{{to: 203.0.113.0/24, via: 198.51.100.254, metric: 50}}, {{to: 203.0.113.128/25}}]}}
    ipv6: {{method: manual, addresses: ["2001:db8:1::1/64"], gateway: "2001:db8:1::ff", routes: [{{to: "2001:db8:2::/48", metric: 7}}]}}
"""


def file(content, mode="0644"):
    return {"content": content, "mode": mode, "uid": 0, "gid": 0}
