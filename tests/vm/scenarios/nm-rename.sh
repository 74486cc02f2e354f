# what: back end networkmanager: a port with P_Key children gets another name, is not disturbed, comes back, waits for a boot
# mode: snapshot
# timeout: 300
# seconds: 120

adapters
networkmanager
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

# all_there NAME: every address and route of the spec, by ip, and each profile active, by nmcli
all_there() {
	same "addresses of the port" 203.0.113.1/24 "$(addresses "$1")"
	same "addresses of a child" "192.0.2.1/24 2001:db8::1/64" "$(addresses "$1.8002")"
	same "addresses of the other child" 192.0.2.129/25 "$(addresses "$1.8003")"
	contains "route" "via 192.0.2.2 dev $1.8002" "$(ip route show 198.51.100.0/24)"
	for name in "$1" "$1.8002" "$1.8003"; do
		same "profile of $name" "$name" "$(runs "$name")"
	done
}

spec first0
rdmastate apply $SPEC
all_there first0
undisturbed rdmastate apply $SPEC

note "where nothing may be disturbed every address stays, with its profile, and the new name waits for the boot"
spec second0
rdmastate apply --max-disruption none $SPEC >/run/rig/told 2>&1 || true
contains "what it says" "first0 becomes second0 at the next boot" "$(cat /run/rig/told)"
all_there first0
quiet rdmastate apply --max-disruption none $SPEC

note "live: every address is under the new name when it ends, and what others have on a child of theirs is there too"
ip link add link first0 name others type ipoib pkey 0x8005
ip link set others up
ip addr add 198.51.100.129/25 dev others
ip addr add 2001:db8:77::1/64 dev others
ip route add 203.0.113.128/25 via 198.51.100.130 dev others
rdmastate apply $SPEC
all_there second0
same "addresses of others' child" "198.51.100.129/25 2001:db8:77::1/64" "$(addresses others)"
contains "others' route" "via 198.51.100.130 dev others" "$(ip route show 203.0.113.128/25)"
gone first0 || fail "first0 is still there"
gone first0.8002 || fail "first0.8002 is still there"
lacks "profiles" first0 "$(nmcli -g NAME connection)"
undisturbed rdmastate apply $SPEC
contains "second apply" "Nothing to do" "$OUT"
peer_netns "$(netdev_of $HCA2_PCI)"
peer_child 0x8002 192.0.2.2/24 2001:db8::2/64
crosses second0.8002 $PEER_CHILD 192.0.2.2 2001:db8::2

note "taken back, every address is under the old one"
rdmastate rollback
all_there first0
gone second0 || fail "second0 is still there"
