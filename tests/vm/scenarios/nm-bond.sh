# what: back end networkmanager: a bond of two children made by NetworkManager, silent then; fail-over, changes, removal, undo, a reboot
# mode: reboot
# releases: trixie
# with: managers bond
# timeout: 400
# seconds: 300

SPEC=/root/specs/host.yaml
is_connected() { [ "$(nm_state "$1")" = "100 (connected)" ]; }

is_as_specified() {
	same "type of the bond" infiniband "$(link bond0 link_type)"
	same "fail_over_mac" active "$(option fail_over_mac)"
	same "miimon" 100 "$(option miimon)"
	same "primary" $IB1.8002 "$(option primary)"
	same "master" bond0 "$(link $IB2.8002 master)"
	same "MTU" 1800 "$(link bond0 mtu)"
	same "addresses" 192.0.2.1/24 "$(addresses bond0)"
	soon is_active $IB1.8002
}

if [ "$BOOT" = 2 ]; then
	note "boot 2: nobody has run rdmastate"
	adapters
	networkmanager
	soon is_connected bond0
	soon is_connected store1.8002
	soon is_connected store2.8002
	IB1=store1 IB2=store2
	is_as_specified
	undisturbed rdmastate verify $SPEC
	undisturbed rdmastate apply $SPEC
	contains "apply after the reboot" "Nothing to do" "$OUT"
	far_peer
	soon ping -c 1 -W 2 $FAR_ADDRESS
	exit 0
fi

adapters
networkmanager enable
mkdir -p /root/specs
cat >$SPEC <<'YAML'
version: 1
network: {backend: networkmanager}
modules: {load: [ib_ipoib]}
ipoib:
  - {name: store1, match: {port_guid: "f452:1403:007b:cba1"}, mode: datagram}
  - {name: store2, match: {port_guid: "f452:1403:007b:cbb1"}, mode: datagram}
  - {parent: store1, pkey: 0x8002, mtu: 1800}
  - {parent: store2, pkey: 0x8002, mtu: 1800}
bonds:
  - name: bond0
    ports: [store1.8002, store2.8002]
    primary: store1.8002
    ipv4: {method: manual, addresses: [192.0.2.1/24]}
YAML
IB1=store1 IB2=store2

note "apply, from no module to a bond that NetworkManager made; the second one is silent"
rdmastate apply $SPEC
same "profile of the bond" bond0 "$(runs bond0)"
is_as_specified
undisturbed rdmastate apply $SPEC
contains "second apply" "Nothing to do" "$OUT"
undisturbed rdmastate verify $SPEC

note "the active port fails: at most one second is lost; NetworkManager lets the parent's profile go, and the apply waits; it fails back"
far_peer
soon ping -c 1 -W 2 $FAR_ADDRESS
fails_over $IB2.8002
is_let_go() { [ "$(runs $IB1)" = "" ]; }
soon is_let_go
contains "an apply while a port has failed" "$IB1 has no carrier" "$(rdmastate apply $SPEC 2>&1)"
same "master of the port that has failed" bond0 "$(link $IB1.8002 master)"
knob $HCA1 state active
soon is_active $IB1.8002
soon ping -c 1 -W 2 $FAR_ADDRESS
soon is_connected $IB1
undisturbed rdmastate verify $SPEC

note "monitor and address change without a bounce"
ACTIVE=$(nmcli -g GENERAL.CON-PATH device show bond0)
sed -i "s|^    ipv4: .*|    arp_interval: 200\n    arp_targets: [$FAR_ADDRESS]\n    ipv4: {method: manual, addresses: [192.0.2.1/24, 192.0.2.3/24]}|" $SPEC
rdmastate apply $SPEC
same "arp_interval" 200 "$(option arp_interval)"
same "miimon" 0 "$(option miimon)"
same "addresses" "192.0.2.1/24 192.0.2.3/24" "$(addresses bond0)"
same "activation of the bond" "$ACTIVE" "$(nmcli -g GENERAL.CON-PATH device show bond0)"
undisturbed rdmastate apply $SPEC
note "undo"
rdmastate rollback
is_as_specified

note "edits by nmcli of bond and port are set back"
sed -i -e '/arp_interval/d' -e '/arp_targets/d' -e 's/, 192.0.2.3.24//' $SPEC
undisturbed rdmastate verify $SPEC
nmcli connection modify bond0 +bond.options miimon=300
must_fail 2 rdmastate verify $SPEC
rdmastate apply $SPEC
nmcli connection down store2.8002
must_fail 2 rdmastate verify $SPEC
rdmastate apply $SPEC
is_as_specified
undisturbed rdmastate apply $SPEC

note "the bond goes with its record, and the children have addresses of their own; undo brings it back"
cp $SPEC /root/specs/bond.yaml
sed -i '/^bonds:/,$d' $SPEC
sed -i 's|store1, pkey: 0x8002, mtu: 1800|&, ipv4: {method: manual, addresses: [192.0.2.1/24]}|' $SPEC
rdmastate apply $SPEC
soon gone bond0
lacks "profiles" bond0 "$(nmcli -g NAME connection)"
same "master" "" "$(link store1.8002 master)"
same "addresses of the child" 192.0.2.1/24 "$(addresses store1.8002)"
soon ping -c 1 -W 2 -I store1.8002 $FAR_ADDRESS
undisturbed rdmastate apply $SPEC
rdmastate rollback
is_as_specified
soon ping -c 1 -W 2 $FAR_ADDRESS

note "an empty spec takes all of it away; made again for the next boot"
echo 'version: 1' >$SPEC
rdmastate apply $SPEC
soon gone bond0
gone store1.8002 || fail "a child is still there"
same "profiles" "" "$(nmcli -g NAME connection | grep -v '^lo$' || true)"
undisturbed rdmastate apply $SPEC
cp /root/specs/bond.yaml $SPEC
rdmastate apply $SPEC
is_as_specified
reboot_now
