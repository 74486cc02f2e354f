# what: virtual functions with their GUIDs: made, bound, kept over driver and boot, never taken from who has one
# mode: reboot
# functions: virtual
# timeout: 360
# seconds: 150

PF=/sys/bus/pci/devices/$HCAV_PCI
SPEC=/root/specs/host.yaml
autoload_ipoib
count() { cat "$PF/sriov_numvfs"; }
node_of() { cat "$PF/virtfn$1/infiniband/"*/node_guid; }
port_of() { cut -d: -f5- <"$(echo "$PF/virtfn$1/infiniband/"*/ports/1/gids/0)"; }
state_of() { cat "$PF/virtfn$1/infiniband/"*/ports/1/state; }
in_sync() { rdmastate verify "$SPEC"; }
is_bound() { [ -e "$PF/virtfn$1/driver" ]; }

# as_asked COUNT: so many virtual functions, the first two with their GUIDs
as_asked() {
	same "number" "$1" "$(count)"
	same "node GUIDs" "f452:1403:0000:0010 f452:1403:0000:0020" "$(node_of 0) $(node_of 1)"
	same "port GUIDs" "f452:1403:0000:0011 f452:1403:0000:0020" "$(port_of 0) $(port_of 1)"
	same "states" "4: ACTIVE 4: ACTIVE" "$(state_of 0) $(state_of 1)"
	same "autoprobe" 1 "$(cat "$PF/sriov_drivers_autoprobe")"
}

# wants VFS GUIDS
wants() {
	mkdir -p /root/specs
	cat >$SPEC <<-SPEC
		version: 1
		devices:
		  - match: {pci: "$HCAV_PCI"}
		    ports: {1: {sriov: {vfs: $1$2}}}
	SPEC
}
TWO=', guids: [{node: "f452:1403:0000:0010", port: "f452:1403:0000:0011"}, {node: "f452:1403:0000:0020"}]'

if [ "$BOOT" = 2 ]; then
	note "the boot made them again"
	soon in_sync
	as_asked 2
	soon idle
	quiet rdmastate apply $SPEC
	contains "an apply after the boot" "Nothing to do" "$OUT"

	note "and after the driver"
	unload ib_ipoib
	unload fake_hca
	adapters
	soon in_sync
	as_asked 2
	exit 0
fi

note "more than the adapter can have is said in the plan"
adapters
wants 9 ""
must_fail 2 rdmastate plan --detailed-exitcode $SPEC
contains "the plan" "can have 4 virtual functions" "$OUT"

note "made, told, and only then bound; the module that tells them comes along"
wants 2 "$TWO"
rdmastate apply $SPEC
udevadm settle
as_asked 2
soon idle
quiet rdmastate apply $SPEC
contains "a second apply" "Nothing to do" "$OUT"
rdmastate verify $SPEC

note "another GUID: bound anew, and the other one is left alone"
before=$(stat -c %i "$PF/virtfn0/infiniband")
wants 2 "${TWO/0020/0030}"
rdmastate apply $SPEC
udevadm settle
same "node GUIDs" "f452:1403:0000:0010 f452:1403:0000:0030" "$(node_of 0) $(node_of 1)"
same "the first one's directory" "$before" "$(stat -c %i "$PF/virtfn0/infiniband")"
rdmastate rollback
udevadm settle
as_asked 2

note "never taken from who has one"
VF=$(ls "$PF/virtfn1/net")
ip link set "$VF" up
wants 4 ""
must_fail 6 rdmastate apply $SPEC
contains "why not" "$VF is up" "$OUT"
as_asked 2
ip link set "$VF" down
ip netns add blue
ip link set "$VF" netns blue
must_fail 6 rdmastate apply --in-use "$(rdma_of $HCAV_PCI)" $SPEC
contains "why not" "is in another network namespace" "$OUT"
ip netns exec blue ip link set "$VF" netns 1
ip netns del blue
modprobe vfio-pci
VF_PCI=$(basename "$(readlink "$PF/virtfn1")")
write_sysfs "$PF/virtfn1/driver/unbind" "$VF_PCI"
write_sysfs "$PF/virtfn1/driver_override" vfio-pci
write_sysfs /sys/bus/pci/drivers/vfio-pci/bind "$VF_PCI"
must_fail 6 rdmastate apply $SPEC
contains "why not" "vfio-pci has virtual function 1" "$OUT"
write_sysfs /sys/bus/pci/drivers/vfio-pci/unbind "$VF_PCI"
write_sysfs_raw "$PF/virtfn1/driver_override" "
"
same "number" 2 "$(count)"

note "one that no driver has is bound again"
is_bound 1 && fail "it is bound"
wants 2 "$TWO"
rdmastate apply $SPEC
udevadm settle
as_asked 2

note "removed, and taken back"
wants 0 ""
rdmastate apply $SPEC
same "number" 0 "$(count)"
rdmastate rollback
udevadm settle
as_asked 2
wants 2 "$TWO"
rdmastate verify $SPEC
soon idle
reboot_now
