# what: back end netplan on networkd: ports and children now, the site's own interface undisturbed; changes, netplan apply by hand, a try that waits, removal
# mode: reboot
# with: managers packages
# timeout: 400
# seconds: 200
# debs: netplan.io
# releases: trixie
# refused: bullseye: systemd-networkd makes children since systemd 250

SPEC=/root/specs/host.yaml
GENERATED=/run/systemd/network/10-netplan-store0.network
spec() {
	mkdir -p /root/specs
	cat >$SPEC <<-'YAML'
	version: 1
	modules: {load: [ib_ipoib]}
	ipoib:
	  - name: store0
	    match: {port_guid: "f452:1403:007b:cba1"}
	    ipv4: {method: manual, addresses: [203.0.113.1/24]}
	  - parent: store0
	    pkey: 0x8002
	    ipv4: {method: manual, addresses: [192.0.2.1/24], routes: [{to: 198.51.100.0/24, via: 192.0.2.2}]}
	    ipv6: {method: manual, addresses: ["2001:db8::1/64"]}
	YAML
}
as_asked() {
	soon configured store0
	soon configured store0.8002
	same "state of the port" "configured $GENERATED" "$(networkd_state store0)"
	same "addresses of the port" "203.0.113.1/24" "$(addresses store0)"
	same "P_Key" 0x8002 "$(pkey_of store0.8002)"
	same "addresses of the child" "192.0.2.1/24 2001:db8::1/64" "$(addresses store0.8002)"
	same "GUID of the child" "$(cut -d: -f13-20 /sys/class/net/store0/address)" "$(cut -d: -f13-20 /sys/class/net/store0.8002/address)"
}

# By inode and time networkd knows that a file is the one that it has read. A reload of systemd would write all of netplan's anew.
site_file() { stat -c '%i %y' /run/systemd/network/10-netplan-site0.network; }

case $BOOT in
1)
	unpacked "$RIG"/debs/*.deb
	adapters
	networkd enable
	# The site's own file: a veth pair stands for the interface that the administrator came by.
	ip link add site0 type veth peer name site1
	ip link set site1 up
	mkdir -p /etc/netplan
	printf 'network:\n  version: 2\n  renderer: networkd\n  ethernets:\n    site0: {addresses: [198.51.100.9/28]}\n' >/etc/netplan/01-site.yaml
	chmod 0600 /etc/netplan/01-site.yaml
	netplan generate
	networkctl reload
	soon configured site0
	spec

	note "apply: nothing waits for a boot"
	rdmastate apply $SPEC 2>&1 | tee /run/rig/first
	lacks "the first apply" "at the next boot" "$(cat /run/rig/first)"
	as_asked
	quiet rdmastate apply $SPEC
	contains "second apply" "Nothing to do" "$OUT"
	quiet rdmastate verify $SPEC
	peer_netns "$(netdev_of $HCA2_PCI)"
	peer_child 0x8002 192.0.2.2/24 2001:db8::2/64
	crosses store0.8002 $PEER_CHILD 192.0.2.2 2001:db8::2

	note "an address changes; the site's interface keeps what it has"
	at=$(cat /sys/class/net/site0/carrier_changes)
	file=$(site_file)
	ip addr add 198.51.100.10/32 dev site0    # networkd would remove it if it configured the interface anew
	sed -i 's/203.0.113.1/203.0.113.3/' $SPEC
	rdmastate plan $SPEC >/run/rig/plan || true
	contains "the plan" "disrupts: link" "$(cat /run/rig/plan)"
	rdmastate apply $SPEC
	same "addresses of the port" "203.0.113.3/24" "$(addresses store0)"
	same "the site's generated file" "$file" "$(site_file)"
	same "carrier changes of the site's interface" "$at" "$(cat /sys/class/net/site0/carrier_changes)"
	contains "addresses of the site's interface" "198.51.100.10/32" "$(addresses site0)"
	crosses store0.8002 $PEER_CHILD 192.0.2.2
	quiet rdmastate apply $SPEC

	note "rollback gives the address back"
	rdmastate rollback
	same "addresses of the port" "203.0.113.1/24" "$(addresses store0)"
	spec
	quiet rdmastate apply $SPEC

	note "a change of the site's file that nobody applied is not brought along"
	sed -i 's/198.51.100.9/198.51.100.8/' /etc/netplan/01-site.yaml
	sed -i 's/203.0.113.1/203.0.113.3/' $SPEC
	rdmastate apply $SPEC
	same "addresses of the port" "203.0.113.3/24" "$(addresses store0)"
	contains "addresses of the site's interface" "198.51.100.9/28" "$(addresses site0)"
	same "what is left in /run" "" "$(find /run -maxdepth 1 -name 'rdmastate-netplan*')"
	spec
	rdmastate apply $SPEC
	netplan apply

	note "somebody's netplan apply leaves what the spec says, and no difference"
	as_asked
	contains "addresses of the site's interface" "198.51.100.8/28" "$(addresses site0)"
	quiet rdmastate verify $SPEC
	quiet rdmastate apply $SPEC
	contains "apply" "Nothing to do" "$OUT"

	note "a reload of systemd runs netplan's generator, which writes the same anew: no difference"
	file=$(site_file)
	systemctl daemon-reload
	[ "$(site_file)" != "$file" ] || fail "netplan's generator has not run"
	quiet rdmastate verify $SPEC
	quiet rdmastate apply $SPEC
	contains "apply" "Nothing to do" "$OUT"

	note "while a netplan try waits, nothing is told to netplan"
	mkdir -p /run/netplan
	touch /run/netplan/netplan-try.ready
	quiet rdmastate apply $SPEC
	sed -i 's/203.0.113.1/203.0.113.3/' $SPEC
	must_fail 1 rdmastate apply $SPEC
	contains "what is told" "blocked: netplan try waits" "$OUT"
	same "addresses of the port" "203.0.113.1/24" "$(addresses store0)"
	rm /run/netplan/netplan-try.ready
	spec
	rdmastate apply $SPEC
	reboot_now
	;;
2)
	note "boot 2: nobody has run rdmastate"
	adapters
	networkd
	as_asked
	quiet rdmastate verify $SPEC
	quiet rdmastate apply $SPEC
	contains "apply after the reboot" "Nothing to do" "$OUT"

	note "the child goes with its record, the port stays"
	sed -i '/- parent/,$d' $SPEC
	rdmastate apply $SPEC
	gone store0.8002 || fail "the child is still there"
	same "addresses of the port" "203.0.113.1/24" "$(addresses store0)"
	quiet rdmastate apply $SPEC

	note "an empty spec takes away all that was made"
	echo 'version: 1' >$SPEC
	rdmastate apply $SPEC
	same "addresses of the port" "" "$(addresses store0)"
	same "files" "" "$(find /etc/netplan /etc/systemd/network /run/systemd/network -name '*rdmastate*' -o -name '*store0*')"
	quiet rdmastate apply $SPEC
	;;
esac
