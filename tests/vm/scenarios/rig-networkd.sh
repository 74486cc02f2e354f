# what: systemd-networkd by itself makes IPoIB children: with a GUID of its own unless told otherwise, and the plural of the umcast key
# mode: snapshot
# with: managers
# releases: trixie sid

adapters
ipoib
FILES=/etc/systemd/network
guid() { link "$1" address | cut -d: -f13-20; }
# netdev NAME P_KEY [LINE OF [NetDev]] [LINE OF [IPoIB]]
netdev() {
	printf '[NetDev]\nName=%s\nKind=ipoib\n%s\n[IPoIB]\nPartitionKey=%s\nMode=datagram\n%s\n' "$1" "${3-}" "$2" "${4-}" >$FILES/50-"$1".netdev
	printf '[Match]\nName=%s\n[Network]\nAddress=192.0.2.%s/24\n' "$1" $(($2 & 15)) >$FILES/50-"$1".network
	echo "IPoIB=$1" >>$FILES/50-port.network
}
printf '[Match]\nName=%s\n[Network]\n' "$IB1" >$FILES/50-port.network
netdev own 0x8002
netdev ports 0x8003 MACAddress=none
netdev allowed 0x8004 MACAddress=none IgnoreUserspaceMulticastGroups=yes
netdev refused 0x8005 MACAddress=none IgnoreUserspaceMulticastGroups=no
netdev singular 0x8006 MACAddress=none IgnoreUserspaceMulticastGroup=yes
ip link add link "$IB1" name ours type ipoib pkey 0x8007
write_sysfs "/sys/class/net/$IB1/create_child" 0x8008
udevadm settle
networkd
for name in own ports allowed refused singular; do soon configured $name; done

note "15. a GUID that no port has, and no traffic; MACAddress=none keeps the port's, as every other way to make a child does"
[ "$(guid own)" != "$(guid "$IB1")" ] || fail "networkd kept the port's GUID"
for name in ports ours "$IB1.8008"; do same "GUID of $name" "$(guid "$IB1")" "$(guid "$name")"; done
peer_netns "$IB2"
peer_child 0x8002 192.0.2.12/24
silent own 192.0.2.12
$FAR ip link del "$PEER_CHILD"
peer_child 0x8003 192.0.2.13/24
crosses ports "$PEER_CHILD" 192.0.2.13

note "16. the key is a plural; the singular of the manual page is an unknown one"
same "umcast, yes" 0001 "$(umcast_of allowed)"
same "umcast, no" 0000 "$(umcast_of refused)"
same "umcast, the singular" 0000 "$(umcast_of singular)"
contains "the journal" "Unknown key 'IgnoreUserspaceMulticastGroup' in section [IPoIB], ignoring" "$(journalctl -u systemd-networkd -o cat)"

note "a .netdev file that changed: before systemd 257 nothing comes of it; since then the port whose file names the child is configured anew, and the child too"
SYSTEMD=$(networkctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
ip addr add 198.51.100.9/32 dev "$IB1"
sed -i 's/^IgnoreUserspaceMulticastGroups=no/IgnoreUserspaceMulticastGroups=yes/' $FILES/50-refused.netdev
networkctl reload
sleep 3
same "what others gave the port" "$(since 257 "$SYSTEMD" || echo 198.51.100.9/32)" "$(addresses "$IB1")"
same "umcast of the child" "$(since 257 "$SYSTEMD" && echo 0001 || echo 0000)" "$(umcast_of refused)"
soon configured refused
same "addresses of the child" 192.0.2.5/24 "$(addresses refused)"
