# what: back end networkd: a port in connected mode with umcast, set live, silent then, and set by udev after a driver's return and a reboot
# mode: reboot
# with: managers
# timeout: 300
# seconds: 110
# releases: trixie

SPEC=/root/specs/host.yaml
# is_connected: the port as the spec says, by ip and by networkd's own word
is_connected() {
	soon configured store0
	same "mode of the port" connected "$(mode_of store0)"
	same "umcast of the port" 0001 "$(umcast_of store0)"
	same "MTU of the port" 65520 "$(link store0 mtu)"
	same "addresses of the port" 203.0.113.1/24 "$(addresses store0)"
	soon configured store0.8002
	same "mode of the child" datagram "$(mode_of store0.8002)"
	same "umcast of the child" 0000 "$(umcast_of store0.8002)"
	same "addresses of the child" 192.0.2.1/24 "$(addresses store0.8002)"
}

if [ "$BOOT" = 1 ]; then
	mkdir -p /root/specs
	cat >$SPEC <<'YAML'
version: 1
network: {backend: networkd}
modules: {load: [ib_ipoib]}
ipoib:
  - name: store0
    match: {port_guid: "f452:1403:007b:cba1"}
    mode: datagram
    ipv4: {method: manual, addresses: [203.0.113.1/24]}
  - {parent: store0, pkey: 0x8002, mode: datagram, ipv4: {method: manual, addresses: [192.0.2.1/24]}}
YAML
	adapters
	networkd enable
	rdmastate apply $SPEC
	soon configured store0.8002
	quiet rdmastate verify $SPEC

	note "another mode is a bounce that the plan tells, and not the child's"
	sed -i '0,/mode: datagram/s//mode: connected\n    mtu: 65520\n    umcast: true/' $SPEC
	rdmastate plan $SPEC >/run/rig/plan || true
	grep -q 'disrupts: link' /run/rig/plan || fail "the plan does not name the disruption: $(cat /run/rig/plan)"
	must_fail 6 rdmastate apply $SPEC --max-disruption none
	rdmastate apply $SPEC
	is_connected
	quiet rdmastate apply $SPEC
	contains "second apply" "Nothing to do" "$OUT"
	quiet rdmastate verify $SPEC

	note "a mode set by hand is seen and set back, though networkd's files are as they were"
	write_sysfs /sys/class/net/store0/mode datagram
	must_fail 2 rdmastate verify $SPEC
	rdmastate apply $SPEC
	is_connected
	quiet rdmastate apply $SPEC

	note "rollback gives the mode back that was set by hand"
	write_sysfs /sys/class/net/store0/mode datagram
	rdmastate apply $SPEC
	rdmastate rollback
	same "mode of the port" datagram "$(mode_of store0)"
	rdmastate apply $SPEC
	is_connected

	note "after a driver's return nobody runs rdmastate"
	unload fake_hca
	gone store0 || fail "the interface outlived its adapter"
	modprobe fake_hca
	udevadm settle
	soon exists store0.8002
	is_connected
	in_sync() { rdmastate verify $SPEC; }
	soon in_sync
	quiet rdmastate apply $SPEC
	reboot_now
fi

note "boot $BOOT: nobody has run rdmastate"
adapters
networkd
soon exists store0.8002
is_connected
quiet rdmastate verify $SPEC
quiet rdmastate apply $SPEC
contains "apply after the reboot" "Nothing to do" "$OUT"
peer_netns "$(netdev_of $HCA2_PCI)"
peer_child 0x8002 192.0.2.2/24
crosses store0.8002 $PEER_CHILD 192.0.2.2

note "without mode and umcast in the spec both stay as they are, and the rule goes"
sed -i '/umcast: true/d; 0,/    mode: connected/{/    mode: connected/d}' $SPEC
rdmastate apply $SPEC
lacks "udev rules" 'ATTR{mode}' "$(cat /etc/udev/rules.d/70-rdmastate-ipoib.rules)"
lacks "udev rules" 'ATTR{umcast}' "$(cat /etc/udev/rules.d/70-rdmastate-ipoib.rules)"
same "mode of the port" connected "$(mode_of store0)"
same "umcast of the port" 0001 "$(umcast_of store0)"
