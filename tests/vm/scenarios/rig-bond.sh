# what: how the kernel's bonding driver really behaves over ib_ipoib; section bonds is built on these facts
# mode: snapshot
# seconds: 30
# releases: trixie

adapters
ipoib
bond() { ip link set "$1" type bond "${@:2}"; }
active() { link "$1" linkinfo.info_data.active_slave; }
is_active() { [ "$(active "$1")" = "$2" ]; }

note "22. a bond begins as Ethernet; its first port makes it one of InfiniBand, and fail_over_mac active"
ip link add bond0 type bond mode active-backup miimon 100
same "type" ether "$(link bond0 link_type)"
same "fail_over_mac" none "$(link bond0 linkinfo.info_data.fail_over_mac)"
same "MTU" 1500 "$(link bond0 mtu)"

note "a port has to be down; what addresses it has, the kernel does not mind"
ip link set $IB1 up
soon is_up $IB1
refused "can not be enslaved while up" ip link set $IB1 master bond0
ip link set $IB1 down
ip addr add 203.0.113.1/24 dev $IB1
ip link set $IB1 master bond0
same "addresses" 203.0.113.1/24 "$(addresses $IB1)"
ip addr flush dev $IB1
same "type" infiniband "$(link bond0 link_type)"
same "fail_over_mac" active "$(link bond0 linkinfo.info_data.fail_over_mac)"
contains "flags of a port in a bond that is down" UP "$(link $IB1 flags)"
same "MTU of a port" 1500 "$(link $IB1 mtu)"
ip link set $IB2 master bond0
ip link set bond0 up
soon is_up bond0
same "address of the bond" "$(link $IB1 address)" "$(link bond0 address)"
[ -z "$(ip -6 -o addr show dev $IB1)" ] || fail "a port has an IPv6 address"

note "the bond's MTU goes to its ports, but not what each of them makes of it"
ip link set bond0 mtu 1400
same "MTU of a port" 1400 "$(link $IB1 mtu)"
ip link set bond0 mtu 4000
same "MTU of a port of a group with 2048" 2044 "$(link $IB1 mtu)"
same "MTU of the bond" 4000 "$(link bond0 mtu)"
ip link set bond0 mtu 2044

note "with ports neither mode nor fail_over_mac can be set; one monitor turns the other off"
refused "has slaves" bond bond0 mode balance-rr
refused "has slaves" bond bond0 fail_over_mac none
bond bond0 arp_interval 200 arp_ip_target 203.0.113.9
same "miimon" 0 "$(link bond0 linkinfo.info_data.miimon)"
bond bond0 miimon 100
same "arp_interval" 0 "$(link bond0 linkinfo.info_data.arp_interval)"
soon is_up bond0

note "a port that goes down hands over; the primary takes back"
bond bond0 active_slave $IB1
is_active bond0 $IB1 || fail "another port is active"
ip link set $IB1 down
soon is_active bond0 $IB2
same "address of the bond" "$(link $IB2 address)" "$(link bond0 address)"
ip link set $IB1 up
sleep 1
same "active port without a primary" $IB2 "$(active bond0)"
bond bond0 primary $IB1
soon is_active bond0 $IB1

note "no VLAN and no bridge over it; a bond as parent of a child is not tried: Linux 6.1 panics (rdma_init_netdev of nothing)"
refused "VLANs not supported" ip link add link bond0 name vlan5 type vlan id 5
ip link add br0 type bridge
refused "Invalid argument" ip link set bond0 master br0
ip link del br0

note "a child may be a port, also while its parent is down; a port has children"
ip link add link $IB2 name kid2 type ipoib pkey 0x8002
ip link add link $IB1 name kid1 type ipoib pkey 0x8002
ip link add bond1 type bond mode active-backup miimon 100 fail_over_mac active
ip link set bond1 mtu 2044
ip link set kid1 down
ip link set kid2 down
ip link set kid1 master bond1
ip link set kid2 master bond1
ip link set bond1 up
soon is_up bond1

note "a port that leaves is down, and has its own MTU again; so is one whose bond is removed"
ip link set kid2 nomaster
lacks "flags" UP "$(link kid2 flags)"
ip link del bond1
lacks "flags" UP "$(link kid1 flags)"

note "an empty bond stays; a bond goes with its last port"
ip link add bond2 type bond mode active-backup miimon 100
ip link set kid1 master bond2
ip link set kid1 nomaster
exists bond2 || fail "the bond is gone"
ip link set kid1 master bond2
ip link del kid1
gone bond2 || fail "the bond is there without its last port"
ip link del kid2
modprobe -r ib_ipoib
gone bond0 || fail "the bond is there without ib_ipoib"
