# what: back end networkd: a port with P_Key children gets another name, is not disturbed, comes back, waits for a boot
# mode: snapshot
# timeout: 300
# seconds: 120

adapters
networkd
ipoib
mkdir -p /root/specs
SPEC=/root/specs/host.yaml
# spec NAME
spec() {
	cat >$SPEC <<YAML
version: 1
modules: {load: [ib_ipoib]}
ipoib:
  - name: $1
    match: {port_guid: "f452:1403:007b:cba1"}
    mode: datagram
    ipv4: {method: manual, addresses: [203.0.113.1/24]}
  - parent: $1
    pkey: 0x8002
    ipv4: {method: manual, addresses: [192.0.2.1/24], routes: [{to: 198.51.100.0/24, via: 192.0.2.2, metric: 50}]}
    ipv6: {method: manual, addresses: ["2001:db8::1/64"]}
  - parent: $1
    pkey: 0x8003
    ipv4: {method: manual, addresses: [192.0.2.129/25]}
YAML
}

# all_there NAME: every address and route of the spec, by ip, and each file run, by networkd's own word
all_there() {
	local name
	same "addresses of the port" 203.0.113.1/24 "$(addresses "$1")"
	same "addresses of a child" "192.0.2.1/24 2001:db8::1/64" "$(addresses "$1.8002")"
	same "addresses of the other child" 192.0.2.129/25 "$(addresses "$1.8003")"
	contains "route" "via 192.0.2.2 dev $1.8002" "$(ip route show 198.51.100.0/24)"
	for name in "$1" "$1.8002" "$1.8003"; do
		same "state of $name" "configured /etc/systemd/network/60-rdmastate-$name.network" "$(networkd_state "$name")"
	done
}

spec first0
rdmastate apply $SPEC
all_there first0
quiet rdmastate apply $SPEC

note "where nothing may be disturbed every address stays, with its file, and the new name waits for the boot"
spec second0
rdmastate apply --max-disruption none $SPEC >/run/rig/told 2>&1 || true
contains "what it says" "first0 becomes second0 at the next boot" "$(cat /run/rig/told)"
all_there first0
quiet rdmastate apply --max-disruption none $SPEC

note "live: every address is under the new name when it ends"
rdmastate apply $SPEC
all_there second0
gone first0 || fail "first0 is still there"
gone first0.8002 || fail "first0.8002 is still there"
lacks "files" first0 "$(ls /etc/systemd/network)"
quiet rdmastate apply $SPEC
contains "second apply" "Nothing to do" "$OUT"
peer_netns "$(netdev_of $HCA2_PCI)"
peer_child 0x8002 192.0.2.2/24 2001:db8::2/64
crosses second0.8002 $PEER_CHILD 192.0.2.2 2001:db8::2

note "taken back, every address is under the old one"
rdmastate rollback
all_there first0
gone second0 || fail "second0 is still there"
