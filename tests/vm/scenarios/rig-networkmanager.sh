# what: NetworkManager by itself over the fake adapter: InfiniBand and P_Key profiles as nmcli writes them, modes, unmanaged interfaces
# mode: snapshot
# releases: sid trixie
# with: managers

adapters
ipoib
networkmanager
keyfile() { sed -n "/^\[$2\]/,/^\[/s/^$3=//p" "$PROFILES/$1.nmconnection"; }
add() { nmcli connection add type infiniband autoconnect no ipv4.method manual ipv6.method disabled "$@"; }

note "13. an InfiniBand profile, connected, with its MTU"
add con-name port ifname "$IB1" infiniband.transport-mode connected infiniband.mtu 65520 ipv4.addresses 203.0.113.1/24
nmcli connection up port
same "state" "100 (connected)" "$(nm_state "$IB1")"
same "mode" connected "$(mode_of "$IB1")"
same "MTU" 65520 "$(link "$IB1" mtu)"
same "addresses" 203.0.113.1/24 "$(addresses "$IB1")"

note "13, 19. a P_Key profile, and its keyfile"
add con-name child ifname "$IB1.8002" infiniband.parent "$IB1" infiniband.p-key 0x8002 infiniband.transport-mode datagram ipv4.addresses 192.0.2.1/24
same "interface-name" "$IB1.8002" "$(keyfile child connection interface-name)"
same "type" infiniband "$(keyfile child connection type)"
same "p-key" 32770 "$(keyfile child infiniband p-key)"
same "parent" "$IB1" "$(keyfile child infiniband parent)"
same "transport-mode" datagram "$(keyfile child infiniband transport-mode)"
nmcli connection up child
same "P_Key" 0x8002 "$(pkey_of "$IB1.8002")"
same "mode" datagram "$(mode_of "$IB1.8002")"
peer_netns "$IB2"
peer_child 0x8002 192.0.2.2/24
crosses "$IB1.8002" "$PEER_CHILD" 192.0.2.2

note "a P_Key is not made a full member's, and neither 0 nor 0x8000 is one"
add con-name limited infiniband.parent "$IB1" infiniband.p-key 0x000a infiniband.transport-mode datagram ipv4.addresses 198.51.100.1/24
nmcli connection up limited
same "P_Key of $IB1.000a" 0x800a "$(pkey_of "$IB1.000a")"
for pkey in 0 0x8000; do
	refused "p-key" add con-name none infiniband.parent "$IB1" infiniband.p-key $pkey infiniband.transport-mode datagram ipv4.addresses 198.51.100.1/24
done

note "13. another name than parent.P_Key: 1.42 refuses it, 1.52 takes it, and names the interface PARENT.P_KEY all the same"
other() {
	add con-name other ifname other infiniband.parent "$IB1" infiniband.p-key 0x8003 infiniband.transport-mode datagram ipv4.addresses 198.51.100.2/24
}
if since 1.52 "$(NetworkManager --version)"; then
	other
	nmcli connection up other
	gone other
	same "P_Key of $IB1.8003" 0x8003 "$(pkey_of "$IB1.8003")"
	nmcli connection down other
else
	refused "interface-name" other
fi

note "13. an unmanaged interface is left alone"
nmcli connection down child
nmcli connection down port
printf '[keyfile]\nunmanaged-devices=interface-name:%s\n' "$IB1" >/etc/NetworkManager/conf.d/zz-rig.conf
nmcli general reload conf
is_unmanaged() { [ "$(nm_state "$IB1")" = "10 (unmanaged)" ]; }
soon is_unmanaged
must_fail 4 nmcli connection up port
