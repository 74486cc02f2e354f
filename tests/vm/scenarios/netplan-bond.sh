# what: back end netplan over networkd: a bond of a port and a child, silent then; fail-over, changes, netplan apply by hand, removal, undo, a reboot
# mode: reboot
# with: managers packages bond
# timeout: 400
# debs: netplan.io

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
	same "master" bond1 "$(link $IB1 master)"
	same "MTU" 1800 "$(link bond0 mtu)"
	same "addresses" 192.0.2.1/24 "$(addresses bond0)"
	same "addresses of the other bond" 198.51.100.1/24 "$(addresses bond1)"
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
	for one in bond0 bond1 store1 store1.8002 store2.8002; do soon configured $one; done
	is_as_specified
	is_silent
	far_peer
	soon ping -c 1 -W 2 $FAR_ADDRESS
	exit 0
fi

unpacked "$RIG"/debs/*.deb
adapters
networkd enable
mkdir -p /etc/netplan /root/specs
printf 'network:\n  version: 2\n  renderer: networkd\n' >/etc/netplan/01-site.yaml
chmod 0600 /etc/netplan/01-site.yaml
cat >$SPEC <<'YAML'
version: 1
modules: {load: [ib_ipoib]}
ipoib:
  - {name: store1, match: {port_guid: "f452:1403:007b:cba1"}, mtu: 2044}
  - {name: store2, match: {port_guid: "f452:1403:007b:cbb1"}, mtu: 2044}
  - {parent: store1, pkey: 0x8002, mtu: 1800}
  - {parent: store2, pkey: 0x8002, mtu: 1800}
bonds:
  - name: bond0
    ports: [store1.8002, store2.8002]
    primary: store1.8002
    ipv4: {method: manual, addresses: [192.0.2.1/24]}
  - name: bond1
    ports: [store1]
    ipv4: {method: manual, addresses: [198.51.100.1/24]}
YAML

note "apply, from no module to bonds of children and of a port of netplan's; the second one is silent"
rdmastate apply $SPEC
same "state of the bond" "configured $FILES/60-rdmastate-bond0.network" "$(networkd_state bond0)"
same "state of the port" "configured /run/systemd/network/10-netplan-store1.network" "$(networkd_state store1)"
is_as_specified
is_silent
lacks "networkd's journal" gnoring "$(journalctl -u systemd-networkd -o cat | grep -v multicast || true)"

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
sed -i -e "0,/^    ipv4: .*/s||    arp_interval: 1000\n    arp_targets: [$FAR_ADDRESS]\n    ipv4: {method: manual, addresses: [192.0.2.1/24]}|" -e 's/primary: store1/primary: store2/' $SPEC
rdmastate apply $SPEC
same "arp_interval" 1000 "$(option arp_interval)"
same "miimon" 0 "$(option miimon)"
same "primary" $IB2.8002 "$(option primary)"
same "addresses" 192.0.2.1/24 "$(addresses bond0)"
same "index of the bond" "$INDEX" "$(cat /sys/class/net/bond0/ifindex)"
is_silent
rdmastate rollback
sed -i -e '/arp_interval/d' -e '/arp_targets/d' -e 's/primary: store2/primary: store1/' $SPEC
is_as_specified
is_silent

note "somebody's netplan apply, and a reload of systemd, leave what the spec says"
netplan apply
for one in bond0 bond1 store1 store1.8002 store2.8002; do soon configured $one; done
is_as_specified
is_silent
systemctl daemon-reload
is_silent

note "ports that somebody took out, and a bond that somebody removed, are there again"
ip link set store1 nomaster
ip link set store2.8002 nomaster
must_fail 2 rdmastate verify $SPEC
rdmastate apply $SPEC
is_as_specified
ip link del bond1
must_fail 2 rdmastate verify $SPEC
rdmastate apply $SPEC
is_as_specified
is_silent

note "the bonds go with their records, and port and child have addresses of their own; undo brings them back"
cp $SPEC /root/specs/bond.yaml
sed -i '/^bonds:/,$d' $SPEC
sed -i -e 's|store1, pkey: 0x8002, mtu: 1800|&, ipv4: {method: manual, addresses: [192.0.2.1/24]}|' \
	-e 's|cba1"}, mtu: 2044|&, ipv4: {method: manual, addresses: [198.51.100.1/24]}|' $SPEC
rdmastate apply $SPEC
gone bond0 || fail "the bond is still there"
gone bond1 || fail "the other bond is still there"
same "master" "" "$(link store1.8002 master)"
same "addresses of the child" 192.0.2.1/24 "$(addresses store1.8002)"
same "addresses of the port" 198.51.100.1/24 "$(addresses store1)"
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
same "files" "" "$(find /etc/netplan $FILES /run/systemd/network -name '*rdmastate*' -o -name '*store*')"
quiet rdmastate apply $SPEC
cp /root/specs/bond.yaml $SPEC
rdmastate apply $SPEC
is_as_specified
reboot_now
