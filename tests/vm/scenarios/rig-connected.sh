# what: connected mode carries packets larger than a datagram's MTU
# mode: snapshot

adapters
ipoib
peer_netns $IB2
peer_child 0x8002 192.0.2.2/24
$FAR ip link set $PEER_CHILD type ipoib mode connected
ip link set $IB1 up
ip link add link $IB1 name $IB1.8002 type ipoib pkey 0x8002 mode connected
ip addr add 192.0.2.1/24 dev $IB1.8002
ip link set $IB1.8002 up
same "MTU" 65520 "$(link $IB1.8002 mtu)"
crosses $IB1.8002 $PEER_CHILD 192.0.2.2
ping -c 3 -i 0.2 -W 5 -s 9000 -M do -I $IB1.8002 192.0.2.2
