# Helpers for scenarios of back end ifupdown (`# with: ifupdown`): a port's interface store0 and its P_Key child.
SPEC=/root/specs/host.yaml
FILES=/etc/network/interfaces.d
mkdir -p /root/specs

# ifupdown: installs Debian's ifupdown, and the DHCP client that the release has
ifupdown() {
	dpkg -i /usr/lib/rig/debs/{ifupdown,*dhc*}_*.deb >/run/rig/dpkg 2>&1 || fail "dpkg: $(cat /run/rig/dpkg)"
}

# spec PORT-ADDRESS CHILD-ADDRESS [RECORD]
spec() {
	cat >$SPEC <<YAML
version: 1
network: {backend: ifupdown}
modules: {load: [ib_ipoib]}
ipoib:
  - name: store0
    match: {port_guid: "f452:1403:007b:cba1"}
    mode: datagram
    ipv4: {method: manual, addresses: [$1]}
  - parent: store0
    pkey: 0x8002
    ipv4: {method: manual, addresses: [$2], routes: [{to: 198.51.100.0/24, via: 192.0.2.2, metric: 50}]}
    ipv6: {method: manual, addresses: ["2001:db8::1/64"]}
${3-}
YAML
}

# held: what ifupdown holds as up, but lo
held() { ifquery --state | grep -v '^lo=' | sort | xargs; }

agrees() { rdmastate verify $SPEC; }
