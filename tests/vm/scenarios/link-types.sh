# what: a port is made Ethernet and InfiniBand again, not under what is configured; back with the driver; what stands on it follows
# mode: snapshot
# timeout: 240
# seconds: 56

adapters mlx4=1
A=f452:1403:007b:cba0
layer() { cat "/sys/class/infiniband/$(rdma_of $HCA1_PCI)/ports/$1/link_layer"; }
told() { cat "/sys/bus/pci/devices/$HCA1_PCI/mlx4_port$1"; }
in_sync() { rdmastate verify /root/specs/host.yaml; }
mkdir -p /root/specs
cat >/root/specs/host.yaml <<SPEC
version: 1
devices:
  - match: {node_guid: "$A"}
    ports: {1: {link_type: ethernet, roce: {tos: 104}}}
SPEC

note "the driver refuses as mlx4's does"
same "port 1" "ib InfiniBand" "$(told 1) $(layer 1)"
refused "Invalid argument" write_sysfs_raw "/sys/bus/pci/devices/$HCA1_PCI/mlx4_port1" ib
refused "not supported" write_sysfs "/sys/bus/pci/devices/$HCA1_PCI/mlx4_port2" ib

note "not while an interface of it is configured"
ipoib
ip link set "$IB1" up
ip addr add 192.0.2.1/24 dev "$IB1"
rdmastate plan /root/specs/host.yaml >/run/rig/plan
contains "the plan" "$IB1 is configured" "$(cat /run/rig/plan)"
must_fail 2 rdmastate plan --detailed-exitcode /root/specs/host.yaml
RC=0
rdmastate apply /root/specs/host.yaml || RC=$?
same "port 1" "ib InfiniBand" "$(told 1) $(layer 1)"
same "its address" 192.0.2.1/24 "$(addresses "$IB1")"
rdmastate rollback || true
soon idle

note "made Ethernet, and what stands on the port in the same apply"
ip addr flush dev "$IB1"
ip link set "$IB1" down
rdmastate apply /root/specs/host.yaml
same "port 1" "eth Ethernet" "$(told 1) $(layer 1)"
gone "$IB1" || fail "$IB1 is still there"
soon idle
mkdir "/sys/kernel/config/rdma_cm/$(rdma_of $HCA1_PCI)"
same "ToS of port 1" 104 "$(cat "/sys/kernel/config/rdma_cm/$(rdma_of $HCA1_PCI)/ports/1/default_roce_tos")"
rmdir "/sys/kernel/config/rdma_cm/$(rdma_of $HCA1_PCI)"
systemctl daemon-reload
soon idle
quiet rdmastate apply /root/specs/host.yaml
contains "a second apply" "Nothing to do" "$OUT"
quiet rdmastate verify /root/specs/host.yaml

note "the driver is loaded again"
unload fake_hca
modprobe fake_hca mlx4=1
udevadm settle
soon in_sync
soon idle
same "port 1" "eth Ethernet" "$(told 1) $(layer 1)"

note "and taken back"
rdmastate rollback
same "port 1" "ib InfiniBand" "$(told 1) $(layer 1)"
soon exists "$IB1"

note "a port whose link type cannot change is blocked, unless it has that type"
unload fake_hca
adapters
must_fail 2 rdmastate plan --detailed-exitcode /root/specs/host.yaml
contains "why not" "cannot choose what a port is" "$OUT"
