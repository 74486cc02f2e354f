# what: virtual functions and what stands on one, in one apply: its device's name, its IPoIB interface; packets cross
# mode: snapshot
# releases: trixie
# functions: virtual
# timeout: 180
# seconds: 60

adapters
mkdir -p /root/specs
cat >/root/specs/host.yaml <<SPEC
version: 1
network: {backend: none}
devices:
  - match: {pci: "$HCAV_PCI"}
    ports: {1: {sriov: {vfs: 2, guids: [{node: "f452:1403:0000:0010", port: "f452:1403:0000:0011"}, {node: "f452:1403:0000:0020"}]}}}
  - match: {node_guid: "f452:1403:0000:0010"}
    name: store_vf
ipoib:
  - name: storage0
    match: {port_guid: "f452:1403:0000:0011"}
    ipv4: {method: manual, addresses: [192.0.2.1/24]}
SPEC

rdmastate plan /root/specs/host.yaml >/run/rig/plan
contains "the plan" "after virtual_functions" "$(cat /run/rig/plan)"
rdmastate apply /root/specs/host.yaml
udevadm settle
[ -e /sys/class/infiniband/store_vf ] || fail "the device has no name of the spec: $(ls /sys/class/infiniband)"
same "address" 192.0.2.1/24 "$(addresses storage0)"
IB2=$(netdev_of $HCA2_PCI)
peer_netns "$IB2"
$FAR ip addr add 192.0.2.2/24 dev "$PEER"
crosses storage0 "$PEER" 192.0.2.2
soon idle
quiet rdmastate apply /root/specs/host.yaml
contains "a second apply" "Nothing to do" "$OUT"

note "not taken while it is up"
sed -i 's/vfs: 2, guids: .*\]}}}/vfs: 0}}}/' /root/specs/host.yaml
sed -i '/node_guid/,$d' /root/specs/host.yaml
must_fail 6 rdmastate apply /root/specs/host.yaml
contains "why not" "storage0 is up" "$OUT"
crosses storage0 "$PEER" 192.0.2.2
