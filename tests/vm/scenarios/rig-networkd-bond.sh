# what: systemd-networkd by itself and bonds over IPoIB, of ports that are there and of children that it makes
# mode: snapshot
# releases: trixie sid
# with: managers
# timeout: 150
# seconds: 55

adapters
ipoib
FILES=/etc/systemd/network
option() { link bond0 "linkinfo.info_data.$1"; }
is_active() { [ "$(option active_slave)" = "$1" ]; }
is_port() { [ "$(link "$1" master)" = bond0 ]; }
bond() { # INTERVAL
	printf '[NetDev]\nName=bond0\nKind=bond\nMTUBytes=2044\n[Bond]\nMode=active-backup\nMIIMonitorSec=%s\nFailOverMACPolicy=active\n' "$1" >$FILES/50-bond0.netdev
	printf '[Match]\nName=bond0\n[Network]\nAddress=192.0.2.1/24\nIPv6AcceptRA=no\n' >$FILES/50-bond0.network
}
port() { printf '[Match]\nName=%s\n[Network]\nBond=bond0\nLinkLocalAddressing=no\n' "$1" >$FILES/50-"$1".network; }

note "25. networkd makes the bond first, as one of Ethernet; with its first port it is one of InfiniBand, and configured"
bond 100ms
ip link add link $IB1 name kid1 type ipoib pkey 0x8002 mode datagram
ip link add link $IB2 name kid2 type ipoib pkey 0x8002 mode datagram
ip link set $IB1 up
ip link set $IB2 up
ip link set kid1 up
networkd
soon exists bond0
same "type" ether "$(link bond0 link_type)"
same "addresses without a port" "" "$(addresses bond0)"
port kid1
port kid2
echo PrimarySlave=yes >>$FILES/50-kid1.network
networkctl reload
for one in kid1 kid2 bond0; do soon configured $one; done
is_port kid1 && is_port kid2 || fail "a port is in no bond"
soon is_active kid1
same "type" infiniband "$(link bond0 link_type)"
same "addresses" 192.0.2.1/24 "$(addresses bond0)"
same "MTU" 2044 "$(link bond0 mtu)"
same "primary" kid1 "$(option primary)"
same "fail_over_mac" active "$(option fail_over_mac)"
same "miimon" 100 "$(option miimon)"

note "a port without carrier stays in the bond and configured; its primary takes back"
knob $HCA1 state down
soon is_active kid2
sleep 2
configured kid1 && is_port kid1 || fail "networkd lets go of the port"
knob $HCA1 state active
soon is_active kid1

note "options of a bond that is there: before systemd 257 nothing changes them, since then a reload does; neither it nor a restart takes a port out"
SYSTEMD=$(networkctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
is_now() { # WHEN INTERVAL
	sleep 3
	same "miimon after $1" "$2" "$(option miimon)"
	is_port kid1 && is_port kid2 || fail "$1 took a port out"
	same "addresses after $1" 192.0.2.1/24 "$(addresses bond0)"
}
bond 200ms
networkctl reload
is_now "a reload" "$(since 257 "$SYSTEMD" && echo 200 || echo 100)"
bond 300ms
systemctl restart systemd-networkd
is_now "a restart" "$(since 257 "$SYSTEMD" && echo 300 || echo 100)"

note "a port whose file names no bond any more leaves it at a reload, and is up"
printf '[Match]\nName=kid2\n[Network]\nLinkLocalAddressing=no\n' >$FILES/50-kid2.network
networkctl reload
has_left() { ! is_port kid2; }
soon has_left
soon configured kid2
contains "flags" UP "$(link kid2 flags)"
is_port kid1 || fail "the other port left too"

note "a bond whose files are gone stays with its ports, and loses its address at a reload"
rm $FILES/50-*
networkctl reload
has_none() { [ -z "$(addresses bond0)" ]; }
soon has_none
is_port kid1 || fail "the port left"
ip link del bond0

note "children that networkd makes are ports too"
ip link del kid1
ip link del kid2
bond 100ms
for one in $IB1 $IB2; do
	printf '[NetDev]\nName=%s.8002\nKind=ipoib\nMACAddress=none\n[IPoIB]\nPartitionKey=0x8002\nMode=datagram\n' "$one" >$FILES/50-"$one".8002.netdev
	port "$one".8002
	printf '[Match]\nName=%s\n[Network]\nIPoIB=%s.8002\n' "$one" "$one" >$FILES/50-"$one".network
done
networkctl reload
soon is_port $IB1.8002
soon is_port $IB2.8002
soon configured bond0
same "type" infiniband "$(link bond0 link_type)"
same "MTU of a port" 2044 "$(link $IB1.8002 mtu)"

note "of a bond that somebody removed a reload makes another one; before systemd 257 without the ports, whose files were read before"
ip link del bond0
networkctl reload
soon exists bond0
sleep 3
for one in $IB1.8002 $IB2.8002; do
	since 257 "$SYSTEMD" || ! is_port $one || fail "$one is a port"
	! since 257 "$SYSTEMD" || is_port $one || fail "$one is no port"
	configured $one || fail "networkd does not take $one for configured"
done

note "told to configure it without carrier, networkd gives a bond its address at once, and it stays when a port makes it InfiniBand"
for one in $IB1.8002 $IB2.8002; do
	printf '[Match]\nName=%s\n[Network]\nLinkLocalAddressing=no\n' $one >$FILES/50-$one.network
done
networkctl reload
are_free() { ! is_port $IB1.8002 && ! is_port $IB2.8002; }
soon are_free
ip link del bond0
printf '[Match]\nName=bond0\n[Network]\nConfigureWithoutCarrier=yes\nAddress=192.0.2.1/24\nIPv6AcceptRA=no\n' >$FILES/50-bond0.network
networkctl reload
has_address() { [ "$(addresses bond0)" = 192.0.2.1/24 ]; }
soon has_address
same "type" ether "$(link bond0 link_type)"
ip link set $IB1.8002 down
ip link set $IB1.8002 master bond0
soon is_active $IB1.8002
same "type" infiniband "$(link bond0 link_type)"
same "addresses" 192.0.2.1/24 "$(addresses bond0)"
