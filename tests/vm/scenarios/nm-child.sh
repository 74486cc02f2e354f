# what: back end networkmanager: a port and its child made by NetworkManager, silent then; edits, a restart, foreign profiles, removal
# mode: snapshot
# with: managers
# timeout: 300
# seconds: 288
# releases: trixie sid

adapters
networkmanager
mkdir -p /root/specs
SPEC=/root/specs/host.yaml
cat >$SPEC <<'YAML'
version: 1
modules: {load: [ib_ipoib]}
ipoib:
  - name: store0
    match: {port_guid: "f452:1403:007b:cba1"}
    mode: datagram
    ipv4: {method: manual, addresses: [203.0.113.1/24]}
  - parent: store0
    pkey: 0x8002
    ipv4: {method: manual, addresses: [192.0.2.1/24], routes: [{to: 198.51.100.0/24, via: 192.0.2.2, metric: 50}]}
    ipv6: {method: manual, addresses: ["2001:db8::1/64"]}
YAML
tree_digest | grep -v -e '^/etc/rig' | awk '{print $1, $4, $5}' >/run/rig/tree.original

note "apply, from no module to a child that NetworkManager made"
rdmastate apply $SPEC
same "profile of the port" store0 "$(runs store0)"
same "profile of the child" store0.8002 "$(runs store0.8002)"
same "state of the child" "100 (connected)" "$(nm_state store0.8002)"
same "P_Key" 0x8002 "$(pkey_of store0.8002)"
same "addresses of the child" "192.0.2.1/24 2001:db8::1/64" "$(addresses store0.8002)"
contains "route" "198.51.100.0/24 via 192.0.2.2 dev store0.8002" "$(ip route show 198.51.100.0/24)"
contains "route's metric" "metric 50" "$(ip route show 198.51.100.0/24)"

note "the second apply is silent, for the kernel and for NetworkManager"
undisturbed rdmastate apply $SPEC
contains "second apply" "Nothing to do" "$OUT"
undisturbed rdmastate verify $SPEC

note "a ping crosses to the other adapter in its own namespace"
peer_netns "$(netdev_of $HCA2_PCI)"
peer_child 0x8002 192.0.2.2/24 2001:db8::2/64
crosses store0.8002 $PEER_CHILD 192.0.2.2 2001:db8::2

note "an MTU changes without a bounce: somebody else's address stays"
ip addr add 192.0.2.77/32 dev store0.8002
ACTIVE=$(nmcli -g GENERAL.CON-PATH device show store0.8002)
sed -i 's/    pkey: 0x8002/&\n    mtu: 1800/' $SPEC
rdmastate apply $SPEC
same "MTU of the child" 1800 "$(link store0.8002 mtu)"
same "activation of the child" "$ACTIVE" "$(nmcli -g GENERAL.CON-PATH device show store0.8002)"
same "addresses" "192.0.2.1/24 192.0.2.77/32 2001:db8::1/64" "$(addresses store0.8002)"
ip addr del 192.0.2.77/32 dev store0.8002
undisturbed rdmastate apply $SPEC

note "the mode of the port changes, which takes it down: the plan says so, the child comes back"
sed -i '0,/mode: datagram/s//mode: connected\n    mtu: 65520/' $SPEC
rdmastate plan $SPEC >/run/rig/plan || true
grep -q 'disrupts: link' /run/rig/plan || fail "the plan does not name the disruption: $(cat /run/rig/plan)"
rdmastate apply $SPEC
same "mode of the port" connected "$(mode_of store0)"   # fact 13
same "MTU of the port" 65520 "$(link store0 mtu)"
crosses store0.8002 $PEER_CHILD 192.0.2.2 2001:db8::2
undisturbed rdmastate apply $SPEC

note "an edit by nmcli is seen and set back"
nmcli connection modify store0.8002 ipv4.addresses 192.0.2.9/24
must_fail 2 rdmastate verify $SPEC
rdmastate apply $SPEC
same "addresses of the child" "192.0.2.1/24 2001:db8::1/64" "$(addresses store0.8002)"
same "NetworkManager's addresses" 192.0.2.1/24 "$(nmcli -g ipv4.addresses connection show store0.8002)"
undisturbed rdmastate apply $SPEC

note "a profile that somebody took down is active again"
nmcli connection down store0.8002
must_fail 2 rdmastate verify $SPEC
rdmastate apply $SPEC
same "profile of the child" store0.8002 "$(runs store0.8002)"
crosses store0.8002 $PEER_CHILD 192.0.2.2
undisturbed rdmastate apply $SPEC

note "a restart of NetworkManager is no difference"
systemctl restart NetworkManager
soon nmcli general status
soon sh -c 'nmcli -g GENERAL.STATE device show store0.8002 | grep -q "^100"'
undisturbed rdmastate apply $SPEC
contains "apply after the restart" "Nothing to do" "$OUT"

note "NetworkManager that does not run: nothing is done behind its back, and it is said"
systemctl stop NetworkManager
quiet rdmastate apply $SPEC
contains "apply while it is stopped" "NetworkManager does not run now" "$OUT"
systemctl start NetworkManager
soon nmcli general status
soon sh -c 'nmcli -g GENERAL.STATE device show store0.8002 | grep -q "^100"'
undisturbed rdmastate apply $SPEC

note "an edit that NetworkManager keeps in memory is a foreign file, refused by name and taken over with --adopt"
nmcli connection modify --temporary store0.8002 ipv4.route-metric 77
must_fail 6 rdmastate apply $SPEC
contains "the refusal" /run/NetworkManager/system-connections/store0.8002.nmconnection "$OUT"
rdmastate apply --adopt $SPEC
same "the metric" -1 "$(nmcli -g ipv4.route-metric connection show store0.8002)"
same "profile of the child" store0.8002 "$(runs store0.8002)"
undisturbed rdmastate apply $SPEC

note "so is another's profile for the same interface"
nmcli connection add type infiniband con-name other ifname store0 infiniband.transport-mode datagram ipv4.method manual ipv4.addresses 203.0.113.5/24 ipv6.method disabled
nmcli connection up other
must_fail 6 rdmastate apply $SPEC
contains "the refusal" other "$OUT"
same "profile of the port" other "$(runs store0)"
rdmastate apply --adopt $SPEC
same "profile of the port" store0 "$(runs store0)"
lacks "profiles" other "$(nmcli -g NAME connection)"
undisturbed rdmastate apply $SPEC
note "rollback brings the other's back, active"
rdmastate rollback
same "profile of the port" other "$(runs store0)"
rdmastate apply --adopt $SPEC
soon sh -c 'nmcli -g GENERAL.STATE device show store0.8002 | grep -q "^100"'
crosses store0.8002 $PEER_CHILD 192.0.2.2

note "the child goes when the spec no longer names it, and nothing else does"
ip link add link store0 name foreign type ipoib pkey 0x8005
sed -i '/- parent/,$d' $SPEC
rdmastate apply $SPEC
gone store0.8002 || fail "the child is still there"
lacks "profiles" store0.8002 "$(nmcli -g NAME connection)"
exists foreign || fail "another's child was removed"
same "addresses of the port" "203.0.113.1/24" "$(addresses store0)"
undisturbed rdmastate apply $SPEC
ip link del foreign

note "an empty spec takes away every file that was made, and NetworkManager runs none of them"
echo 'version: 1' >$SPEC
rdmastate apply $SPEC
same "addresses of the port" "" "$(addresses store0)"
same "profiles" "" "$(nmcli -g NAME connection | grep -v '^lo$' || true)"
tree_digest | grep -v -e '^/etc/rig' -e '/rdmastate' | awk '{print $1, $4, $5}' >/run/rig/tree.now
diff <(grep -v /rdmastate /run/rig/tree.original) /run/rig/tree.now || fail "the files are not those of the beginning"
undisturbed rdmastate apply $SPEC
