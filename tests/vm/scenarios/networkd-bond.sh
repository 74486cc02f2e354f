# what: back end networkd: a bond of two children made by systemd-networkd, silent then; fail-over, changes, removal, undo, a reboot
# mode: reboot
# releases: trixie sid
# with: managers bond
# timeout: 300
# seconds: 200

SPEC=/root/specs/host.yaml
FILES=/etc/systemd/network
IB1=store1 IB2=store2

is_as_specified() {
	same "type of the bond" infiniband "$(link bond0 link_type)"
	same "fail_over_mac" active "$(option fail_over_mac)"
	same "miimon" 100 "$(option miimon)"
	same "arp_interval" 0 "$(option arp_interval)"
	same "primary" $IB1.8002 "$(option primary)"
	same "master" bond0 "$(link $IB1.8002 master)"
	same "master" bond0 "$(link $IB2.8002 master)"
	same "MTU" 1800 "$(link bond0 mtu)"
	same "addresses" 192.0.2.1/24 "$(addresses bond0)"
	soon is_active $IB1.8002
}
is_silent() {
	quiet rdmastate apply $SPEC
	contains "apply" "Nothing to do" "$OUT"
	quiet rdmastate verify $SPEC
}

if [ "$BOOT" = 2 ]; then
	note "boot 2: nobody has run rdmastate"
	adapters
	networkd
	soon configured bond0
	soon configured store1.8002
	soon configured store2.8002
	is_as_specified
	is_silent
	far_peer
	soon ping -c 1 -W 2 $FAR_ADDRESS
	exit 0
fi

adapters
networkd enable
mkdir -p /root/specs
cat >$SPEC <<'YAML'
version: 1
network: {backend: networkd}
modules: {load: [ib_ipoib]}
ipoib:
  - {name: store1, match: {port_guid: "f452:1403:007b:cba1"}}
  - {name: store2, match: {port_guid: "f452:1403:007b:cbb1"}}
  - {parent: store1, pkey: 0x8002, mtu: 1800}
  - {parent: store2, pkey: 0x8002, mtu: 1800}
bonds:
  - name: bond0
    ports: [store1.8002, store2.8002]
    primary: store1.8002
    ipv4: {method: manual, addresses: [192.0.2.1/24]}
YAML

note "apply, from no module to a bond that networkd made; the second one is silent"
rdmastate apply $SPEC
same "state of the bond" "configured $FILES/60-rdmastate-bond0.network" "$(networkd_state bond0)"
is_as_specified
is_silent
lacks "networkd's journal" gnoring "$(journalctl -u systemd-networkd -o cat | grep -v multicast || true)"
lacks "networkd's journal" Unknown "$(journalctl -u systemd-networkd -o cat)"

note "the active port fails: at most one second is lost; the apply has nothing to do meanwhile; it fails back"
far_peer
soon ping -c 1 -W 2 $FAR_ADDRESS
fails_over $IB2.8002
contains "an apply while a port has failed" "Nothing to do" "$(rdmastate apply $SPEC)"
knob $HCA1 state active
soon is_active $IB1.8002
soon ping -c 1 -W 2 $FAR_ADDRESS

note "monitor and primary change while it runs; undo"
INDEX=$(cat /sys/class/net/bond0/ifindex)
sed -i -e "s|^    ipv4: .*|    arp_interval: 1000\n    arp_targets: [$FAR_ADDRESS]\n&|" -e 's/primary: store1/primary: store2/' $SPEC
rdmastate apply $SPEC
same "arp_interval" 1000 "$(option arp_interval)"
same "miimon" 0 "$(option miimon)"
same "primary" $IB2.8002 "$(option primary)"
same "addresses" 192.0.2.1/24 "$(addresses bond0)"
same "index of the bond" "$INDEX" "$(cat /sys/class/net/bond0/ifindex)"
soon ping -c 1 -W 2 $FAR_ADDRESS
is_silent
rdmastate rollback
sed -i -e '/arp_interval/d' -e '/arp_targets/d' -e 's/primary: store2/primary: store1/' $SPEC
is_as_specified
is_silent

note "a port that somebody took out, and a bond that somebody removed, are there again"
ip link set store2.8002 nomaster
must_fail 2 rdmastate verify $SPEC
rdmastate apply $SPEC
is_as_specified
ip link del bond0
must_fail 2 rdmastate verify $SPEC
rdmastate apply $SPEC
is_as_specified
is_silent

note "the bond goes with its record, and the children have addresses of their own; undo brings it back"
cp $SPEC /root/specs/bond.yaml
sed -i '/^bonds:/,$d' $SPEC
sed -i 's|store1, pkey: 0x8002, mtu: 1800|&, ipv4: {method: manual, addresses: [192.0.2.1/24]}|' $SPEC
rdmastate apply $SPEC
gone bond0 || fail "the bond is still there"
same "master" "" "$(link store1.8002 master)"
same "addresses of the child" 192.0.2.1/24 "$(addresses store1.8002)"
contains "flags" UP "$(link store2.8002 flags)"
soon ping -c 1 -W 2 -I store1.8002 $FAR_ADDRESS
is_silent
rdmastate rollback
is_as_specified
soon ping -c 1 -W 2 $FAR_ADDRESS

note "an empty spec takes all of it away; made again for the next boot"
echo 'version: 1' >$SPEC
rdmastate apply $SPEC
gone bond0 || fail "the bond is still there"
gone store1.8002 || fail "a child is still there"
same "files" "" "$(ls $FILES)"
quiet rdmastate apply $SPEC
cp /root/specs/bond.yaml $SPEC
rdmastate apply $SPEC
is_as_specified
reboot_now
