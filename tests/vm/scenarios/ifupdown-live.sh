# what: back end ifupdown: ifup and ifdown of a port and its P_Key child by the real programs, ping, change, removal, rollback, a hook that fails
# mode: snapshot
# timeout: 420
# seconds: 260
# with: ifupdown
# releases: trixie sid

index() { cat "/sys/class/net/$1/ifindex"; }

[ -e /usr/lib/systemd/system/rdmastate-apply.service ] || fail "rdmastate is not installed: RDMASTATE_INSTALL"
ifupdown
adapters

note "what the recorded host takes ifupdown to do is what the real one does"
SUITE=/usr/lib/rdmastate-tests/contract_live
[ -x $SUITE ] || fail "there is no $SUITE: build the tests and put it into RDMASTATE_INSTALL"
ipoib
OUT=$($SUITE --gtest_brief=1 --gtest_filter='Live/IfupdownContract*' 2>&1) || fail "the contract: $OUT"
contains "the contract" "PASSED" "$OUT"
lacks "the contract" "SKIPPED" "$OUT"
modprobe -r ib_ipoib

note "what runs without ifupdown is left to a boot, and a rollback leaves it alone too"
spec 203.0.113.1/24 192.0.2.1/24
sed -i 's/backend: ifupdown/backend: none/' $SPEC
rdmastate apply $SPEC
child=$(index store0.8002)
sed -i 's/backend: none/backend: ifupdown/' $SPEC
rdmastate apply $SPEC
same "what ifupdown holds" "" "$(held)"
[ -e $FILES/rdmastate-store0 ] || fail "the port has no file"
rdmastate rollback
[ ! -e $FILES/rdmastate-store0 ] || fail "the port's file is still there"
same "the child" "$child" "$(index store0.8002)"
same "addresses of the port" 203.0.113.1/24 "$(addresses store0)"
same "addresses of the child" "192.0.2.1/24 2001:db8::1/64" "$(addresses store0.8002)"
printf 'version: 1\nnetwork: {backend: none}\n' >$SPEC
rdmastate apply $SPEC
modprobe -r ib_ipoib

note "one apply: files, ifup, and what ifupdown says of it"
spec 203.0.113.1/24 192.0.2.1/24
rdmastate apply $SPEC
same "what ifupdown holds" "store0.8002=store0.8002 store0=store0" "$(held)"
same "addresses of the port" 203.0.113.1/24 "$(addresses store0)"
same "addresses of the child" "192.0.2.1/24 2001:db8::1/64" "$(addresses store0.8002)"
same "P_Key" 0x8002 "$(pkey_of store0.8002)"
contains "route" "via 192.0.2.2 dev store0.8002" "$(ip route show 198.51.100.0/24)"
quiet rdmastate verify $SPEC
quiet rdmastate apply $SPEC
contains "second apply" "Nothing to do" "$OUT"

note "a ping crosses to the other adapter in its own namespace"
peer_netns "$(netdev_of $HCA2_PCI)"
peer_child 0x8002 192.0.2.2/24 2001:db8::2/64
crosses store0.8002 "$PEER_CHILD" 192.0.2.2 2001:db8::2

note "another address of the child bounces the child alone"
port=$(cat /sys/class/net/store0/carrier_changes) child=$(index store0.8002)
spec 203.0.113.1/24 192.0.2.3/24
rdmastate apply $SPEC
same "addresses of the child" "192.0.2.3/24 2001:db8::1/64" "$(addresses store0.8002)"
same "carrier changes of the port" "$port" "$(cat /sys/class/net/store0/carrier_changes)"
[ "$child" != "$(index store0.8002)" ] || fail "the child was not made anew"
crosses store0.8002 "$PEER_CHILD" 192.0.2.2

note "another address of the port takes the child along and gives it back, with what others added"
ip addr add 203.0.113.99/24 dev store0
ip addr add 192.0.2.99/24 dev store0.8002
spec 203.0.113.5/24 192.0.2.3/24
OUT=$(rdmastate plan $SPEC)
contains "the plan" "store0.8002" "$OUT"
rdmastate apply $SPEC
same "addresses of the port" "203.0.113.5/24 203.0.113.99/24" "$(addresses store0)"
same "addresses of the child" "192.0.2.3/24 192.0.2.99/24 2001:db8::1/64" "$(addresses store0.8002)"
same "what ifupdown holds" "store0.8002=store0.8002 store0=store0" "$(held)"
quiet rdmastate apply $SPEC

note "what the default route leaves by is not bounced unasked"
ip route add default via 203.0.113.254 dev store0
spec 203.0.113.6/24 192.0.2.3/24
must_fail 6 rdmastate apply $SPEC
contains "the refusal" "--confirm-within" "$OUT"
same "addresses of the port" "203.0.113.5/24 203.0.113.99/24" "$(addresses store0)"
ip route del default
spec 203.0.113.5/24 192.0.2.3/24
ip addr del 203.0.113.99/24 dev store0
ip addr del 192.0.2.99/24 dev store0.8002

note "an address that somebody took away comes back"
ip addr del 192.0.2.3/24 dev store0.8002
must_fail 2 rdmastate verify $SPEC
rdmastate apply $SPEC
same "addresses of the child" "192.0.2.3/24 2001:db8::1/64" "$(addresses store0.8002)"

note "the child goes: taken down, its file and ifupdown's note with it; rollback gives it back"
sed -i '/- parent/,$d' $SPEC
rdmastate apply $SPEC
gone store0.8002 || fail "the child is still there"
[ ! -e $FILES/rdmastate-store0-8002 ] || fail "its file is still there"
same "what ifupdown holds" store0=store0 "$(held)"
quiet rdmastate apply $SPEC
rdmastate rollback
same "what ifupdown holds" "store0.8002=store0.8002 store0=store0" "$(held)"
same "addresses of the child" "192.0.2.3/24 2001:db8::1/64" "$(addresses store0.8002)"
crosses store0.8002 "$PEER_CHILD" 192.0.2.2

note "a hook that fails: told, and all is as before"
printf '#!/bin/sh\n[ "$IFACE" != store0.8003 ] || { echo no such luck >&2; exit 1; }\n' >/etc/network/if-up.d/luck
chmod 755 /etc/network/if-up.d/luck
spec 203.0.113.7/24 192.0.2.3/24 '  - {parent: store0, pkey: 0x8003, ipv4: {method: manual, addresses: [192.0.2.129/30]}}'
must_fail 4 rdmastate apply $SPEC
contains "what is said" "no such luck" "$OUT"
gone store0.8003 || fail "the child that failed is there"
[ ! -e $FILES/rdmastate-store0-8003 ] || fail "its file is there"
same "what ifupdown holds" "store0.8002=store0.8002 store0=store0" "$(held)"
same "addresses of the port" 203.0.113.5/24 "$(addresses store0)"
same "addresses of the child" "192.0.2.3/24 2001:db8::1/64" "$(addresses store0.8002)"

note "by the unit: what ifup leaves in the background outlives it"
printf '#!/bin/sh\n[ "$IFACE" != store0.8003 ] || setsid sleep 1357 >/dev/null 2>&1 &\n' >/etc/network/if-up.d/luck
mkdir -p /etc/rdmastate
cp $SPEC /etc/rdmastate/host.yaml
systemctl start rdmastate-apply.service
same "addresses of the new child" 192.0.2.129/30 "$(addresses store0.8003)"
same "the unit" inactive "$(systemctl is-active rdmastate-apply.service || true)"
pgrep -f 'sleep 1357' >/dev/null || fail "what the hook started has ended with the unit"
rm /etc/network/if-up.d/luck

spec 203.0.113.5/24 192.0.2.3/24
rdmastate apply $SPEC
gone store0.8003 || fail "store0.8003 is still there"
