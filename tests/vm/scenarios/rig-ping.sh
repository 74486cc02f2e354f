# what: two fake adapters, a P_Key child on each, IPv4 and IPv6 cross between network namespaces
# mode: snapshot
# releases: trixie bullseye sid

adapters
ipoib
note "adapters $HCA1 $HCA2, interfaces $IB1 $IB2"
same "link layer" InfiniBand "$(cat /sys/class/infiniband/$HCA1/ports/1/link_layer)"
same "state" "4: ACTIVE" "$(cat /sys/class/infiniband/$HCA1/ports/1/state)"
same "node GUID" f452:1403:007b:cba0 "$(cat /sys/class/infiniband/$HCA1/node_guid)"
same "node GUID" f452:1403:007b:cbb0 "$(cat /sys/class/infiniband/$HCA2/node_guid)"
contains "address" f4:52:14:03:00:7b:cb:a1 "$(link $IB1 address)"

peer_netns $IB2
peer_child 0x8002 192.0.2.2/24 2001:db8::2/64

ip link set $IB1 up
ip link add link $IB1 name $IB1.8002 type ipoib pkey 0x8002
ip addr add 192.0.2.1/24 dev $IB1.8002
note "as long as it is down its own address answers and no other host does"
ping -c 1 -W 2 192.0.2.1 >/dev/null
refused "unreachable" ping -c 1 -W 2 192.0.2.2
ip addr add 2001:db8::1/64 dev $IB1.8002 nodad
ip link set $IB1.8002 up
crosses $IB1.8002 $PEER_CHILD 192.0.2.2 2001:db8::2

note "another partition hears nothing"
ip link add link $IB1 name $IB1.8003 type ipoib pkey 0x8003
ip addr add 192.0.2.9/24 dev $IB1.8003
ip link set $IB1.8003 up
soon is_up $IB1.8003
silent $IB1.8003 192.0.2.2
