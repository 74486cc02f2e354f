# what: back end netplan on NetworkManager: ports by netplan's profiles and children by rdmastate's, now; a change, rollback, removal
# mode: snapshot
# with: managers packages
# timeout: 300
# seconds: 200
# debs: netplan.io
# releases: trixie sid

SPEC=/root/specs/host.yaml
GENERATED=/run/NetworkManager/system-connections/netplan-store0.nmconnection
spec() {
	mkdir -p /root/specs
	cat >$SPEC <<-'YAML'
	version: 1
	modules: {load: [ib_ipoib]}
	ipoib:
	  - name: store0
	    match: {port_guid: "f452:1403:007b:cba1"}
	    mode: connected
	    mtu: 65520
	    ipv4: {method: manual, addresses: [203.0.113.1/24]}
	  - parent: store0
	    pkey: 0x8002
	    ipv4: {method: manual, addresses: [192.0.2.1/24]}
	    ipv6: {method: manual, addresses: ["2001:db8::1/64"]}
	YAML
}
as_asked() {
	same "profile of the port" netplan-store0 "$(runs store0)"
	same "addresses of the port" "203.0.113.1/24" "$(addresses store0)"
	same "mode of the port" connected "$(mode_of store0)"
	same "MTU of the port" 65520 "$(link store0 mtu)"
	same "P_Key" 0x8002 "$(pkey_of store0.8002)"
	same "addresses of the child" "192.0.2.1/24 2001:db8::1/64" "$(addresses store0.8002)"
}

unpacked "$RIG"/debs/*.deb
adapters
mkdir -p /etc/netplan
printf 'network:\n  version: 2\n  renderer: NetworkManager\n' >/etc/netplan/01-site.yaml
chmod 0600 /etc/netplan/01-site.yaml
netplan generate
networkmanager
spec

note "apply: nothing waits for a boot"
rdmastate apply $SPEC 2>&1 | tee /run/rig/first
lacks "the first apply" "at the next boot" "$(cat /run/rig/first)"
[ -e $GENERATED ] || fail "netplan's profile is not there"
as_asked
undisturbed rdmastate apply $SPEC
contains "second apply" "Nothing to do" "$OUT"
undisturbed rdmastate verify $SPEC
peer_netns "$(netdev_of $HCA2_PCI)"
peer_child 0x8002 192.0.2.2/24 2001:db8::2/64
crosses store0.8002 $PEER_CHILD 192.0.2.2 2001:db8::2

note "an address changes; rollback gives it back"
sed -i 's/203.0.113.1/203.0.113.3/' $SPEC
rdmastate apply $SPEC
same "addresses of the port" "203.0.113.3/24" "$(addresses store0)"
undisturbed rdmastate apply $SPEC
rdmastate rollback
same "addresses of the port" "203.0.113.1/24" "$(addresses store0)"
spec
undisturbed rdmastate apply $SPEC

note "an empty spec takes away all that was made"
echo 'version: 1' >$SPEC
rdmastate apply $SPEC
gone store0.8002 || fail "the child is still there"
same "addresses of the port" "" "$(addresses store0)"
[ ! -e $GENERATED ] || fail "netplan's profile is still there"
same "profiles" "" "$(nmcli -g NAME connection show | grep store0 || true)"
quiet rdmastate apply $SPEC
