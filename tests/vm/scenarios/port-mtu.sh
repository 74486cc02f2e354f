# what: the MTU of a RoCE port's network device, and with it RoCE's own; it comes back with the device, and goes back on rollback
# mode: snapshot
# releases: trixie sid
# timeout: 160
# seconds: 42

adapters
ip link add near type veth peer name away
ip link set near up
ip link set away up
knob $HCA1 netdev near
mkdir -p /root/specs
SPEC=/root/specs/host.yaml
spec() {
	cat >$SPEC <<YAML
version: 1
devices:
  - match: {node_guid: "f452:1403:007b:cba0"}
    ports: {2: {mtu: $1}}
YAML
}
mtu() { link near mtu; }
rdma_mtu() { ibv_devinfo -d "$HCA1" -i 2 | sed -n 's/.*active_mtu:[[:space:]]*\([0-9]*\).*/\1/p'; }
in_sync() { rdmastate verify $SPEC; }
same "MTU of RoCE before" 1024 "$(rdma_mtu)"

note "set, and silent then"
spec 4192
rdmastate plan $SPEC >/run/rig/plan
contains "the plan" "mtu 1500 -> 4192" "$(cat /run/rig/plan)"
contains "the plan" "disrupts: link" "$(cat /run/rig/plan)"
rdmastate apply $SPEC
same "MTU" 4192 "$(mtu)"
same "MTU of RoCE" 4096 "$(rdma_mtu)"
soon idle
quiet rdmastate apply $SPEC
quiet rdmastate verify $SPEC
contains "what show says of it" "mtu: 4192" "$(rdmastate show --as-spec)"

note "one byte less is RoCE's next MTU, and rollback brings back the one before"
spec 4191
rdmastate apply $SPEC
same "MTU of RoCE" 2048 "$(rdma_mtu)"
rdmastate rollback
same "MTU of RoCE" 4096 "$(rdma_mtu)"
spec 4192

note "what a VLAN has is not lowered"
ip link add link near name near.5 type vlan id 5
spec 1500
must_fail 1 rdmastate apply $SPEC
contains "what is said" "near.5 on near has MTU 4192, which the kernel would lower" "$OUT"
same "MTU" 4192 "$(mtu)"
ip link del near.5

note "the network device comes again, with Ethernet's MTU"
spec 4192
rdmastate apply $SPEC
unload fake_hca
ip link del near
ip link add near type veth peer name away
ip link set near up
modprobe fake_hca
udevadm settle
knob $HCA1 netdev near
same "MTU of the new one" 1500 "$(mtu)"
systemctl start rdmastate.service
in_sync
same "MTU of RoCE" 4096 "$(rdma_mtu)"
