# For scenarios in which a port with P_Key children gets another name. The scenario has runs_its_own INTERFACE: succeeds
# where the manager runs that interface by rdmastate's file.

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

# all_there NAME: every address and route of the spec, by ip, and each file run, by the manager's own word
all_there() {
	local name
	same "addresses of the port" 203.0.113.1/24 "$(addresses "$1")"
	same "addresses of a child" "192.0.2.1/24 2001:db8::1/64" "$(addresses "$1.8002")"
	same "addresses of the other child" 192.0.2.129/25 "$(addresses "$1.8003")"
	contains "route" "via 192.0.2.2 dev $1.8002" "$(ip route show 198.51.100.0/24)"
	for name in "$1" "$1.8002" "$1.8003"; do soon runs_its_own "$name"; done
}

# all_gone NAME: neither the port nor a child has that name
all_gone() {
	local name
	for name in "$1" "$1.8002" "$1.8003"; do gone "$name" || fail "$name is still there"; done
}

# kept_until_a_boot OLD NEW: the spec says NEW, and nothing may be disturbed
kept_until_a_boot() {
	note "where nothing may be disturbed every address stays, with its file, and the new name waits for the boot"
	rdmastate apply --max-disruption none $SPEC >/run/rig/told 2>&1 || true
	contains "what it says" "$1 becomes $2 at the next boot" "$(cat /run/rig/told)"
	all_there "$1"
	quiet rdmastate apply --max-disruption none $SPEC
}

# crosses_partition NAME: over the child, to the other adapter
crosses_partition() {
	peer_netns "$(netdev_of $HCA2_PCI)"
	peer_child 0x8002 192.0.2.2/24 2001:db8::2/64
	crosses "$1.8002" $PEER_CHILD 192.0.2.2 2001:db8::2
}

# taken_back OLD NEW: after a rollback
taken_back() {
	note "taken back, every address is under the old one"
	rdmastate rollback
	all_there "$1"
	all_gone "$2"
}
