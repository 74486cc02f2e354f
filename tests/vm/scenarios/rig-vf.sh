# what: virtual functions of an adapter: their number, GUIDs, link state and binding, and what the kernel refuses
# mode: snapshot
# functions: virtual
# timeout: 120
# seconds: 40
# releases: trixie

PF=/sys/bus/pci/devices/$HCAV_PCI
DRIVER=/sys/bus/pci/drivers/fake_hca
vf_pci() { basename "$(readlink "$PF/virtfn$1")"; }
is_bound() { [ -e "$PF/virtfn$1/driver" ]; }
node_of() { cat "$PF/virtfn$1/infiniband/"*/node_guid; }

# vf N KEY: one fact of a virtual function, as `ip link` has it of the physical one's interface
vf() {
	ip -j link show dev "$IBV" | /usr/bin/python3 -c '
import json, sys
print(json.load(sys.stdin)[0]["vfinfo_list"][int(sys.argv[1])].get(sys.argv[2], ""))' "$@"
}

adapters
ipoib
IBV=$(netdev_of $HCAV_PCI)
contains "all of one virtual function" "NODE_GUID" "$(write_sysfs "$PF/sriov_numvfs" 1; ip link show dev "$IBV")"

note "the number goes through 0, and is at most sriov_totalvfs"
same "at most" 4 "$(cat "$PF/sriov_totalvfs")"
same "autoprobe" 1 "$(cat "$PF/sriov_drivers_autoprobe")"
is_bound 0 || fail "autoprobe is on, and the function has no driver"
write_sysfs "$PF/sriov_numvfs" 1
refused "Device or resource busy" write_sysfs "$PF/sriov_numvfs" 2
refused "Numerical result out of range" write_sysfs "$PF/sriov_numvfs" 5
write_sysfs "$PF/sriov_numvfs" 0
[ ! -e "/sys/bus/pci/devices/$HCA1_PCI/sriov_numvfs" ] || fail "an adapter without virtual functions has the file"

note "without autoprobe no driver takes one, by whatever file"
write_sysfs "$PF/sriov_drivers_autoprobe" 0
write_sysfs "$PF/sriov_numvfs" 2
is_bound 0 && fail "it is bound"
refused "No such device" write_sysfs $DRIVER/bind "$(vf_pci 0)"
write_sysfs /sys/bus/pci/drivers_probe "$(vf_pci 0)"
is_bound 0 && fail "it is bound"

note "it begins with GUID 0 and without a link, and is told by netlink"
same "node GUID" 00:00:00:00:00:00:00:00 "$(ip link show dev "$IBV" | sed -n 's/.*vf 0 .*NODE_GUID \([0-9a-f:]*\).*/\1/p')"
same "link state" disable "$(vf 0 link_state)"
ip link set dev "$IBV" vf 0 node_guid f4:52:14:03:00:00:00:10
ip link set dev "$IBV" vf 0 port_guid f4:52:14:03:00:00:00:11
ip link set dev "$IBV" vf 0 state auto
same "link state" auto "$(vf 0 link_state)"
refused "Operation not supported" ip link set dev "$IBV" vf 0 trust on
refused "Invalid argument" ip link set dev "$IBV" vf 2 state auto
refused "Invalid argument" ip link set dev "$IBV" vf 2 node_guid f4:52:14:03:00:00:00:10

note "bound, it has what it was told, until it is bound again"
write_sysfs "$PF/sriov_drivers_autoprobe" 1
write_sysfs /sys/bus/pci/drivers_probe "$(vf_pci 0)"
write_sysfs $DRIVER/bind "$(vf_pci 1)"
udevadm settle
same "node GUIDs" "f452:1403:0000:0010 0000:0000:0000:0000" "$(node_of 0) $(node_of 1)"
same "port of the first" "4: ACTIVE" "$(cat "$PF/virtfn0/infiniband/"*/ports/1/state)"
same "port of the second" "1: DOWN" "$(cat "$PF/virtfn1/infiniband/"*/ports/1/state)"
ip link set dev "$IBV" vf 1 node_guid f4:52:14:03:00:00:00:20
same "the second, told while it is bound" 0000:0000:0000:0000 "$(node_of 1)"
write_sysfs $DRIVER/unbind "$(vf_pci 1)"
write_sysfs $DRIVER/bind "$(vf_pci 1)"
same "the second, bound again" f452:1403:0000:0020 "$(node_of 1)"
refused "Operation not supported" ip link set dev "$(netdev_of "$(vf_pci 0)")" vf 0 state auto

note "what it was told is kept through 0, and not when the driver comes again"
write_sysfs "$PF/sriov_numvfs" 0
write_sysfs "$PF/sriov_numvfs" 1
udevadm settle
same "node GUID" f452:1403:0000:0010 "$(node_of 0)"
modprobe -r ib_ipoib fake_hca
same "number" 0 "$(cat "$PF/sriov_numvfs")"
adapters
write_sysfs "$PF/sriov_numvfs" 1
same "node GUID" 0000:0000:0000:0000 "$(node_of 0)"
