# what: the adapters' driver unbound, bound, unloaded and loaded, with IPoIB on top and in use
# mode: snapshot

DRIVER=/sys/bus/pci/drivers/fake_hca

look() {
	note "$1"
	HCA1=$(rdma_of $HCA1_PCI) HCA2=$(rdma_of $HCA2_PCI)
	IB1=$(netdev_of $HCA1_PCI) IB2=$(netdev_of $HCA2_PCI)
	same "GUID" f452:1403:007b:cba0 "$(cat /sys/class/infiniband/$HCA1/node_guid)"
	ip link add link $IB1 name busy type ipoib pkey 0x8002
	ip addr replace 192.0.2.1/24 dev busy
	ip link set $IB1 up
	ip link set busy up
	soon has_carrier busy
}

adapters
ipoib
names="$HCA1 $HCA2 $IB1 $IB2"
look "as loaded"

write_sysfs $DRIVER/unbind $HCA1_PCI
gone busy && gone $IB1 || fail "interfaces outlived their adapter"
exists $IB2 || fail "the other adapter went too"
write_sysfs $DRIVER/bind $HCA1_PCI
udevadm settle
look "unbound and bound"
same "names" "$names" "$HCA1 $HCA2 $IB1 $IB2"

for round in 1 2; do
	modprobe -r fake_hca
	[ -z "$(ls /sys/class/infiniband)" ] || fail "devices outlived their module"
	modprobe fake_hca
	udevadm settle
	look "module unloaded and loaded, round $round"
	same "names" "$names" "$HCA1 $HCA2 $IB1 $IB2"
done

note "ib_ipoib from under it"
modprobe -r ib_ipoib
gone $IB1 || fail "an interface outlived ib_ipoib"
modprobe ib_ipoib
udevadm settle
look "ib_ipoib unloaded and loaded"

note "virtual adapters on platform devices"
modprobe -r ib_ipoib
adapters virtual=2
same "adapters" 4 "$(ls /sys/class/infiniband | wc -l)"
same "adapters with a parent device" 4 "$(ls -d /sys/class/infiniband/*/device/driver | wc -l)"   # fact 20
modprobe ib_ipoib
udevadm settle
modprobe -r ib_ipoib fake_hca

note "named when the driver comes: by udev's rule on the port GUID, by a .link file on all 20 bytes"   # fact 17
adapters
ipoib
address=$(link "$IB2" address)
modprobe -r ib_ipoib fake_hca
printf '%s\n' 'ACTION=="add", SUBSYSTEM=="net", DRIVERS=="?*", ATTR{type}=="32", ATTR{address}=="?*f4:52:14:03:00:7b:cb:a1", NAME="byrule"' \
	>/etc/udev/rules.d/70-rig.rules
printf '[Match]\nMACAddress=%s\n[Link]\nName=bylink\n' "$address" >/etc/systemd/network/10-rig.link
udevadm control --reload
adapters
ipoib
same "address" "$address" "$(link "$IB2" address)"
same "names" "byrule bylink" "$IB1 $IB2"
