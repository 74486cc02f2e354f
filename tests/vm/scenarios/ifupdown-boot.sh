# what: back end ifupdown at a boot: ifupdown brings the port and its P_Key child up, verify is silent, ping, rollback, removal
# mode: reboot
# timeout: 420
# seconds: 287
# with: ifupdown

if [ "$BOOT" = 1 ]; then
	ifupdown
	adapters
	spec 203.0.113.1/24 192.0.2.1/24
	rdmastate apply $SPEC
	spec 203.0.113.1/24 192.0.2.3/24
	rdmastate apply $SPEC
	same "addresses of the child" "192.0.2.3/24 2001:db8::1/64" "$(addresses store0.8002)"
	reboot_now
fi

note "after the boot ifupdown has brought up what its files say, and nothing is to do"
adapters
soon agrees
same "what ifupdown holds" "store0.8002=store0.8002 store0=store0" "$(held)"
same "addresses of the port" 203.0.113.1/24 "$(addresses store0)"
same "addresses of the child" "192.0.2.3/24 2001:db8::1/64" "$(addresses store0.8002)"
contains "route" "via 192.0.2.2 dev store0.8002" "$(ip route show 198.51.100.0/24)"
quiet rdmastate apply $SPEC
contains "the apply" "Nothing to do" "$OUT"

note "a ping crosses to the other adapter in its own namespace"
peer_netns "$(netdev_of $HCA2_PCI)"
peer_child 0x8002 192.0.2.2/24 2001:db8::2/64
crosses store0.8002 "$PEER_CHILD" 192.0.2.2 2001:db8::2

note "a rollback of what was applied before the boot: the files, and what this boot made by them stays until the next one"
contains "the rollback" "stays until the next one" "$(rdmastate rollback 2>&1)"
contains "the child's file" "address 192.0.2.1/24" "$(cat "$FILES"/rdmastate-store0-8002)"
same "what ifupdown holds" "store0.8002=store0.8002 store0=store0" "$(held)"
same "addresses of the child" "192.0.2.3/24 2001:db8::1/64" "$(addresses store0.8002)"
crosses store0.8002 "$PEER_CHILD" 192.0.2.2 2001:db8::2

note "all that was made goes, the port's interface stays without addresses"
printf 'version: 1\n' >$SPEC
rdmastate apply $SPEC
gone store0.8002 || fail "the child is still there"
same "files" "" "$(find $FILES -name 'rdmastate-*')"
same "what ifupdown holds" "" "$(held)"
same "addresses of the port" "" "$(addresses store0)"
quiet rdmastate apply $SPEC
contains "the apply" "Nothing to do" "$OUT"
