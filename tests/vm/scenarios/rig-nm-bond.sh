# what: NetworkManager by itself and bonds over IPoIB: what back end networkmanager's profiles of a bond and its ports are built on
# mode: snapshot
# releases: trixie
# with: managers
# timeout: 120
# seconds: 50

adapters
ipoib
networkmanager
option() { link "$1" "linkinfo.info_data.$2"; }
is_active() { [ "$(option bond0 active_slave)" = "$1" ]; }
is_connected() { [ "$(nm_state "$1")" = "100 (connected)" ]; }
profile() { (umask 077 && cat >"$PROFILES/$1.nmconnection") && nmcli connection load "$PROFILES/$1.nmconnection"; }
reapply() { busctl call org.freedesktop.NetworkManager "$(nmcli -g GENERAL.DBUS-PATH device show "$1")" org.freedesktop.NetworkManager.Device Reapply 'a{sa{sv}}tu' 0 0 1; }
applied() { busctl call org.freedesktop.NetworkManager "$(nmcli -g GENERAL.DBUS-PATH device show "$1")" org.freedesktop.NetworkManager.Device GetAppliedConnection u 0; }
bond() { # MTU OPTION...
	profile bond0 <<-KEYFILE
		[connection]
		id=bond0
		uuid=11111111-1111-4111-8111-111111111110
		type=bond
		interface-name=bond0
		[bond]
		mode=active-backup
		fail_over_mac=active
		$(printf '%s\n' "${@:2}")
		[ethernet]
		mtu=$1
		[ipv4]
		method=manual
		address1=192.0.2.1/24
		[ipv6]
		method=disabled
		[user]
		rdmastate.digest=one
	KEYFILE
}
port() { # NUMBER NAME LINE...
	profile "$2" <<-KEYFILE
		[connection]
		id=$2
		uuid=11111111-1111-4111-8111-11111111111$1
		type=infiniband
		interface-name=$2
		master=bond0
		slave-type=bond
		[infiniband]
		transport-mode=datagram
		$(printf '%s\n' "${@:3}")
		[user]
		rdmastate.digest=two
	KEYFILE
}

note "24. a loaded profile of a bond is active without a port, of type Ethernet; its primary may be missing"
bond 1800 miimon=100 "primary=$IB1.8002"
soon is_connected bond0
same "type" ether "$(link bond0 link_type)"
same "addresses" 192.0.2.1/24 "$(addresses bond0)"

note "a P_Key child is made for its port's profile and joins; the bond is one of InfiniBand then, with its address, MTU and primary"
ip link set $IB1 up
ip link set $IB2 up
port 1 $IB1.8002 p-key=32770 parent=$IB1
port 2 $IB2.8002 p-key=32770 parent=$IB2
soon is_connected $IB1.8002
soon is_connected $IB2.8002
same "master" bond0 "$(link $IB1.8002 master)"
same "type" infiniband "$(link bond0 link_type)"
same "addresses" 192.0.2.1/24 "$(addresses bond0)"
same "fail_over_mac" active "$(option bond0 fail_over_mac)"
same "MTU" 1800 "$(link bond0 mtu)"
same "MTU of a port" 1800 "$(link $IB2.8002 mtu)"
same "primary" $IB1.8002 "$(option bond0 primary)"
soon is_active $IB1.8002
same "addresses of a port" "" "$(addresses $IB1.8002)"
same "IPv6 of a port, of which NetworkManager sets nothing" 0 "$(cat /proc/sys/net/ipv6/conf/$IB1.8002/disable_ipv6)"

note "what it applied has the user's data, of bond and port"
contains "applied to the bond" '"rdmastate.digest" "one"' "$(applied bond0)"
contains "applied to a port" '"rdmastate.digest" "two"' "$(applied $IB1.8002)"

note "loading the same profiles again does nothing"
quiet nmcli connection load $PROFILES/bond0.nmconnection $PROFILES/$IB1.8002.nmconnection
quiet nmcli connection reload

note "monitor, primary and MTU come by Device.Reapply: ports stay, and so do addresses of others"
ip addr add 192.0.2.77/32 dev bond0
bond 1700 miimon=200 "primary=$IB2.8002"
reapply bond0
soon is_active $IB2.8002
same "miimon" 200 "$(option bond0 miimon)"
same "MTU of a port" 1700 "$(link $IB1.8002 mtu)"
bond 1700 arp_interval=200 arp_ip_target=192.0.2.9,192.0.2.10
reapply bond0
same "arp_interval" 200 "$(option bond0 arp_interval)"
same "miimon" 0 "$(option bond0 miimon)"
bond 1800 miimon=100 "primary=$IB1.8002"
reapply bond0
same "arp_interval" 0 "$(option bond0 arp_interval)"
same "addresses" "192.0.2.1/24 192.0.2.77/32" "$(addresses bond0)"
same "master" bond0 "$(link $IB2.8002 master)"

note "a restart leaves the bond as it is; without its profile the bond goes, and a port's profile has nothing to join"
systemctl restart NetworkManager
soon nmcli general status
soon is_connected bond0
soon is_connected $IB2.8002
same "master" bond0 "$(link $IB1.8002 master)"
rm $PROFILES/bond0.nmconnection
nmcli connection load $PROFILES/bond0.nmconnection
soon gone bond0
refused "" nmcli connection up $IB2.8002

note "a port's profile with IP settings is taken all the same, and the settings are dropped"
bond 2044 miimon=100
soon is_connected bond0
port 1 $IB1.8002 p-key=32770 parent=$IB1 "[ipv4]" method=manual address1=192.0.2.5/24
nmcli connection up $IB1.8002
same "master" bond0 "$(link $IB1.8002 master)"
same "addresses of a port" "" "$(addresses $IB1.8002)"

note "a port whose profile goes leaves the bond, which stays with its address; NetworkManager has forgotten that it made the child"
port 2 $IB2.8002 p-key=32770 parent=$IB2
soon is_connected $IB2.8002
rm $PROFILES/$IB1.8002.nmconnection
nmcli connection load $PROFILES/$IB1.8002.nmconnection
is_free() { [ -z "$(link $IB1.8002 master)" ]; }
soon is_free
same "addresses" 192.0.2.1/24 "$(addresses bond0)"
