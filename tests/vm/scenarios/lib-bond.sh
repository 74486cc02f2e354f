# For scenarios of bond0 (with: bond). The guest has two adapters, and each has a port of the bond, so the far end is another child of the
# second adapter's interface, in a network namespace of its own. Children of one port in one partition would have one link-local
# address, so it has none.

FAR_ADDRESS=192.0.2.2

# option NAME: what the kernel says of the bond
option() { link bond0 "linkinfo.info_data.$1"; }
is_active() { [ "$(option active_slave)" = "$1" ]; }

# far_peer: makes the far end, $FAR_ADDRESS on peer0
far_peer() {
	ip netns add far
	ip link add link $IB2 name peer0 type ipoib pkey 0x8002
	ip link set $IB2 up
	ip link set peer0 netns far
	$FAR ip addr add $FAR_ADDRESS/24 dev peer0
	$FAR ip link set peer0 addrgenmode none
	$FAR ip link set peer0 up
}

# fails_over PORT: the first adapter's port fails, and that port of the bond takes over within a second, as pings see it
fails_over() {
	local pings received
	ping -i 0.2 -W 1 -c 60 $FAR_ADDRESS >/run/rig/pings 2>&1 &
	pings=$!
	sleep 2
	knob $HCA1 state down
	soon is_active "$1"
	wait $pings || true
	received=$(sed -n 's/.* \([0-9]*\) received.*/\1/p' /run/rig/pings)
	tell "of 60 pings, five a second, $received were answered while a port failed"
	[ "$received" -ge 55 ] || fail "lost more than a second: $(cat /run/rig/pings)"
}
