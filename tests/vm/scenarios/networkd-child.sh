# what: back end networkd: a port and its child made by systemd-networkd, silent then; changes, a restart, foreign files, removal
# mode: snapshot
# with: managers
# timeout: 300
# seconds: 80
# releases: trixie sid
# refused: bullseye: systemd-networkd makes children since systemd 250

adapters
networkd
mkdir -p /root/specs
SPEC=/root/specs/host.yaml
FILES=/etc/systemd/network
cat >$SPEC <<'YAML'
version: 1
modules: {load: [ib_ipoib]}
ipoib:
  - name: store0
    match: {port_guid: "f452:1403:007b:cba1"}
    ipv4: {method: manual, addresses: [203.0.113.1/24]}
  - parent: store0
    pkey: 0x8002
    umcast: true
    ipv4: {method: manual, addresses: [192.0.2.1/24], dns: [192.0.2.200], search: [example.com], routes: [{to: 198.51.100.0/24, via: 192.0.2.2, metric: 50}]}
    ipv6: {method: manual, addresses: ["2001:db8::1/64"]}
YAML
tree_digest | grep -v -e '^/etc/rig' | awk '{print $1, $4, $5}' >/run/rig/tree.original

note "apply, from no module to a child that networkd made"
rdmastate apply $SPEC
soon configured store0
same "state of the port" "configured $FILES/60-rdmastate-store0.network" "$(networkd_state store0)"
soon configured store0.8002
same "state of the child" "configured $FILES/60-rdmastate-store0.8002.network" "$(networkd_state store0.8002)"
same "P_Key" 0x8002 "$(pkey_of store0.8002)"
same "umcast" 0001 "$(umcast_of store0.8002)"   # fact 16
# fact 15
same "GUID of the child" "$(cut -d: -f13-20 /sys/class/net/store0/address)" "$(cut -d: -f13-20 /sys/class/net/store0.8002/address)"
same "addresses of the child" "192.0.2.1/24 2001:db8::1/64" "$(addresses store0.8002)"
contains "route" "198.51.100.0/24 via 192.0.2.2 dev store0.8002" "$(ip route show 198.51.100.0/24)"
contains "route's metric" "metric 50" "$(ip route show 198.51.100.0/24)"
contains "resolver" "DNS=192.0.2.200" "$(cat "/run/systemd/netif/links/$(cat /sys/class/net/store0.8002/ifindex)")"
lacks "networkd's journal" gnoring "$(journalctl -u systemd-networkd -o cat | grep -v multicast || true)"
lacks "networkd's journal" Unknown "$(journalctl -u systemd-networkd -o cat)"

note "the second apply is silent"
quiet rdmastate apply $SPEC
contains "second apply" "Nothing to do" "$OUT"
quiet rdmastate verify $SPEC

note "a ping crosses to the other adapter in its own namespace"
peer_netns "$(netdev_of $HCA2_PCI)"
peer_child 0x8002 192.0.2.2/24 2001:db8::2/64
crosses store0.8002 $PEER_CHILD 192.0.2.2 2001:db8::2

note "an MTU and an address change; the plan says whom that disturbs"
sed -i 's/    pkey: 0x8002/&\n    mtu: 1800/; s/203.0.113.1/203.0.113.3/' $SPEC
rdmastate plan $SPEC >/run/rig/plan || true
grep -q 'disrupts: link' /run/rig/plan || fail "the plan does not name the disruption: $(cat /run/rig/plan)"
rdmastate apply $SPEC
same "MTU of the child" 1800 "$(link store0.8002 mtu)"
same "addresses of the port" "203.0.113.3/24" "$(addresses store0)"
crosses store0.8002 $PEER_CHILD 192.0.2.2
quiet rdmastate apply $SPEC

note "umcast stands in the child's .netdev file: since systemd 257 networkd configures the port anew for it, and the plan names what goes"
SYSTEMD=$(networkctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
ip addr add 198.51.100.9/32 dev store0
sed -i 's/umcast: true/umcast: false/' $SPEC
rdmastate plan $SPEC >/run/rig/plan
if since 257 "$SYSTEMD"; then
	contains "the plan" "address 198.51.100.9/32" "$(cat /run/rig/plan)"
	rdmastate apply $SPEC
	same "umcast" 0000 "$(umcast_of store0.8002)"
	same "addresses of the port" "203.0.113.3/24" "$(addresses store0)"
	quiet rdmastate apply $SPEC
else
	lacks "the plan" "disrupts" "$(cat /run/rig/plan)"
	ip addr del 198.51.100.9/32 dev store0
fi
sed -i 's/umcast: false/umcast: true/' $SPEC
rdmastate apply $SPEC

note "an edited file is seen and set back"
sed -i 's/^Address=192.0.2.1/Address=192.0.2.9/' $FILES/60-rdmastate-store0.8002.network
networkctl reload
must_fail 2 rdmastate verify $SPEC
rdmastate apply $SPEC
same "addresses of the child" "192.0.2.1/24 2001:db8::1/64" "$(addresses store0.8002)"
quiet rdmastate apply $SPEC

note "a child that somebody removed is made again"
ip link del store0.8002
must_fail 2 rdmastate verify $SPEC
rdmastate apply $SPEC
crosses store0.8002 $PEER_CHILD 192.0.2.2
quiet rdmastate apply $SPEC

note "a restart of networkd is no difference, and while it does not run nothing is done behind its back"
systemctl restart systemd-networkd
soon configured store0
soon configured store0.8002
quiet rdmastate apply $SPEC
contains "apply after the restart" "Nothing to do" "$OUT"
systemctl stop systemd-networkd
sed -i 's/203.0.113.3/203.0.113.1/' $SPEC
rdmastate apply $SPEC 2>/run/rig/talk
grep -q "does not run now" /run/rig/talk || fail "it is not said: $(cat /run/rig/talk)"
systemctl start systemd-networkd
soon configured store0
soon configured store0.8002
same "addresses of the port" "203.0.113.1/24" "$(addresses store0)"
quiet rdmastate apply $SPEC

note "another's file that may serve more interfaces is refused by name, with --adopt too"
printf '[Match]\nName=store0*\n\n[Network]\nAddress=203.0.113.5/24\n' >$FILES/10-theirs.network
networkctl reload
must_fail 6 rdmastate apply $SPEC
contains "the refusal" "$FILES/10-theirs.network (networkd) configures store0" "$OUT"
must_fail 6 rdmastate apply --adopt $SPEC
contains "the refusal" "it holds more than that" "$OUT"

note "another's file beside ours is refused by name and goes with --adopt, and rollback brings it back"
printf '[Match]\nName=store0\n\n[Network]\nAddress=203.0.113.5/24\n' >$FILES/10-theirs.network
networkctl reload
must_fail 6 rdmastate apply $SPEC
contains "the refusal" "let --adopt take the file over" "$OUT"
rdmastate apply --adopt $SPEC
[ ! -e $FILES/10-theirs.network ] || fail "their file is still there"
soon configured store0
same "state of the port" "configured $FILES/60-rdmastate-store0.network" "$(networkd_state store0)"
same "addresses of the port" "203.0.113.1/24" "$(addresses store0)"
quiet rdmastate apply $SPEC
rdmastate rollback
[ -e $FILES/10-theirs.network ] || fail "their file is not back"
rdmastate apply --adopt $SPEC
soon configured store0.8002
crosses store0.8002 $PEER_CHILD 192.0.2.2

note "the child goes when the spec no longer names it, and nothing else does"
ip link add link store0 name foreign type ipoib pkey 0x8005
sed -i '/- parent/,$d' $SPEC
rdmastate apply $SPEC
gone store0.8002 || fail "the child is still there"
exists foreign || fail "another's child was removed"
same "addresses of the port" "203.0.113.1/24" "$(addresses store0)"
quiet rdmastate apply $SPEC
ip link del foreign

note "an empty spec takes away every file that was made"
echo 'version: 1' >$SPEC
rdmastate apply $SPEC
same "addresses of the port" "" "$(addresses store0)"
tree_digest | grep -v -e '^/etc/rig' -e '/rdmastate' | awk '{print $1, $4, $5}' >/run/rig/tree.now
diff <(grep -v /rdmastate /run/rig/tree.original) /run/rig/tree.now || fail "the files are not those of the beginning"
quiet rdmastate apply $SPEC

note "another's file where we have none is taken over where it is, with what the spec has no word for; rollback gives it back"
cat >$SPEC <<'YAML'
version: 1
ipoib:
  - name: store0
    match: {port_guid: "f452:1403:007b:cba1"}
    ipv4: {method: manual, addresses: [203.0.113.1/24]}
YAML
printf '# by hand\n[Match]\nName=store0\n\n[Network]\nAddress=203.0.113.5/24\nLLDP=no\n' >$FILES/10-theirs.network
must_fail 6 rdmastate apply --adopt $SPEC
contains "the refusal" "Address=203.0.113.5/24 is not in the spec's list" "$OUT"
sed -i 's/203.0.113.5/203.0.113.1/' $FILES/10-theirs.network
cp $FILES/10-theirs.network /run/rig/theirs
networkctl reload
must_fail 6 rdmastate apply $SPEC
rdmastate apply --adopt $SPEC
contains "their file" "LLDP=no" "$(cat $FILES/10-theirs.network)"
[ ! -e $FILES/60-rdmastate-store0.network ] || fail "there are two files for the port"
soon configured store0
same "state of the port" "configured $FILES/10-theirs.network" "$(networkd_state store0)"
same "addresses of the port" "203.0.113.1/24" "$(addresses store0)"
quiet rdmastate apply $SPEC
contains "apply without --adopt" "Nothing to do" "$OUT"
rdmastate rollback
cmp /run/rig/theirs $FILES/10-theirs.network || fail "their file is not as it was"
