# what: every knob of the fake adapter does what its name says
# mode: snapshot

adapters
PORT=/sys/class/infiniband/$HCA1/ports/1
IB=$(rdma link show $HCA1/1)
contains "rdma link" "state ACTIVE physical_state LINK_UP" "$IB"
same "rate" "100 Gb/sec (4X EDR)" "$(cat $PORT/rate)"
same "P_Key 0" 0xffff "$(cat $PORT/pkeys/0)"
same "P_Key 1" 0x8001 "$(cat $PORT/pkeys/1)"
same "subnet manager" 0x1 "$(cat $PORT/sm_lid)"
ibv_devinfo -d $HCA1 | grep 'hca_id:.*'$HCA1 || fail "ibv_devinfo does not open the adapter"
ibstat $HCA1 | grep 'Port GUID: 0xf45214030*7bcba1' || fail "ibstat"

note "pkeys"
knob $HCA1 pkeys +0x9001
soon grep -q 0x9001 $PORT/pkeys/1001
knob $HCA1 pkeys "1010 0x1234"
soon grep -q 0x1234 $PORT/pkeys/1010
knob $HCA1 pkeys -0x9001
soon grep -q 0x0000 $PORT/pkeys/1001
refused "out of range" knob $HCA1 pkeys "1024 0x8001"
refused "No such file" knob $HCA1 pkeys -0x9001

note "state and sm"
knob $HCA1 state init
same "state" "2: INIT" "$(cat $PORT/state)"
same "LID" 0x0 "$(cat $PORT/lid)"
knob $HCA1 state active
knob $HCA1 sm 0
same "subnet manager" 0x0 "$(cat $PORT/sm_lid)"
knob $HCA1 sm 1
refused "Invalid argument" knob $HCA1 state sideways

note "port 2 is Ethernet and follows its network device"
ETH=$(ls /sys/bus/pci/devices/0000:00:06.0/virtio*/net)
same "link layer" Ethernet "$(cat /sys/class/infiniband/$HCA1/ports/2/link_layer)"
same "state" "1: DOWN" "$(cat /sys/class/infiniband/$HCA1/ports/2/state)"
ip link set $ETH up
knob $HCA1 netdev $ETH
contains "rdma link" "netdev $ETH" "$(rdma link show $HCA1/2)"
same "state" "4: ACTIVE" "$(cat /sys/class/infiniband/$HCA1/ports/2/state)"
ip addr add 198.51.100.1/24 dev $ETH
soon grep -rq 'RoCE v2' /sys/class/infiniband/$HCA1/ports/2/gid_attrs/types
grep -rq '0000:0000:0000:0000:0000:ffff:c633:6401' /sys/class/infiniband/$HCA1/ports/2/gids || fail "no GID of the address"
refused "busy" knob $HCA1 netdev $ETH
mkdir /sys/kernel/config/rdma_cm/$HCA1
same "RoCE mode" "RoCE v2" "$(cat /sys/kernel/config/rdma_cm/$HCA1/ports/2/default_roce_mode)"
write_sysfs /sys/kernel/config/rdma_cm/$HCA1/ports/2/default_roce_mode "IB/RoCE v1"
rmdir /sys/kernel/config/rdma_cm/$HCA1

note "failures"
ipoib
ip link set $IB1 up
knob $HCA1 fail "create_qp 1 12"
must_fail 2 ip link add link $IB1 name one type ipoib pkey 0x8002
gone one || fail "a child without a queue pair"
ip link add link $IB1 name one type ipoib pkey 0x8002
knob $HCA1 fail "modify_qp 1 22"
must_fail 2 ip link set one up
ip link set one up
refused "Invalid argument" knob $HCA1 fail "paint_it_black 1 1"

note "Enhanced IPoIB: no connected mode, and the address says so"
contains "hardware address" 80: "$(link one address)"
modprobe -r ib_ipoib
knob $HCA1 enhanced 1
ipoib
contains "hardware address of the parent" 00:00: "$(link $IB1 address)"
contains "the other adapter's" 80:00: "$(link $IB2 address)"
refused "Invalid argument" ip link add link $IB1 name two type ipoib pkey 0x8002 mode connected
ip link add link $IB1 name two type ipoib pkey 0x8002
contains "hardware address of the child" 00:00: "$(link two address)"
refused "Invalid argument" ip link set two type ipoib mode connected
