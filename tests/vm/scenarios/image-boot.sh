# what: an image that was built in a tree of its own, as the Containerfile says, boots in sync, and so do clones with another machine id and other GUIDs: one matched by pci, whose adapter comes late, and one by driver
# mode: reboot
# with: image
# timeout: 240
# seconds: 180

SPEC=/etc/rdmastate/host.yaml
# in_image COMMANDS: as a builder of containers runs them: nobody of this machine is there, no network, no device and no daemon
in_image() {
	unshare --mount --pid --net --fork sh -euc "
		mount -t proc proc $IMAGE/proc
		mount -t tmpfs tmpfs $IMAGE/run
		exec chroot $IMAGE /usr/bin/env -i PATH=/usr/sbin:/usr/bin sh -euc '$1'"
}
# What a bake writes: but for machine-id, which each clone has of its own.
baked() {
	find etc/rdmastate etc/modules-load.d etc/udev/rules.d etc/systemd/system ! -type d \( -name '*rdmastate*' -o -path 'etc/rdmastate/*' \) |
		sort | xargs -r sha256sum
}
in_sync() {
	soon idle
	rdmastate verify --wait 60s $SPEC || fail "not in sync: $(journalctl -b -o short-monotonic -u 'rdmastate*')"
	same "addresses" "203.0.113.1/24" "$(addresses store0)"
	same "addresses of the child" "192.0.2.1/24" "$(addresses store0.8002)"
	local unit
	unit=$(systemctl is-active rdmastate-apply.service || true)
	[ "$unit" = inactive ] || fail "rdmastate-apply.service is $unit: $(journalctl -b -o cat -u rdmastate-apply.service)"
	same "failed units" "" "$(systemctl list-units --failed --no-legend | grep -i rdma || true)"
}

# spec MATCH: of hosts whose GUIDs differ
spec() {
	cat <<-YAML
	version: 1
	network: {backend: none}
	modules: {load: [ib_ipoib]}
	devices:
	  - match: {$1}
	    name: hca0
	ipoib:
	  - name: store0
	    match: {device: hca0, port: 1}
	    ipv4: {method: manual, addresses: [203.0.113.1/24]}
	  - parent: store0
	    pkey: 0x8002
	    ipv4: {method: manual, addresses: [192.0.2.1/24]}
	YAML
}
# build NAME MATCH: the image of that name, at $IMAGE, whose spec is that of MATCH, with the facts of this machine as it is
build() {
	make_layer "$1"
	mount_image "$1"
	spec "$2" >$IMAGE$SPEC
	rdmastate show --record $IMAGE/etc/rdmastate/facts.json
	in_image "
		chmod 0600 $SPEC
		rdmastate apply $SPEC --root / --bake --facts /etc/rdmastate/facts.json
		rm /etc/rdmastate/facts.json
		systemctl enable rdmastate-apply.service"
}
# other_machine ROOT: it has another machine id, and adapters with other GUIDs
other_machine() {
	local id
	id=$(tr 0-9 1-90 </etc/machine-id)
	echo "$id" >"$1/etc/machine-id"
	echo 'options fake_hca guid=0x0002c90300317800' >"$1/etc/modprobe.d/rig-guid.conf"
}
# The unit has written the GUIDs of this host, once.
is_a_clone() {
	contains "GUID" 0002:c903:0031:7800 "$(cat /sys/class/infiniband/hca0/node_guid)"
	in_sync
	contains "history" 000001 "$(rdmastate history)"
	lacks "history" 000002 "$(rdmastate history)"
	quiet rdmastate apply $SPEC
}

# Each image counts its own boots.
case $(cat /root/image 2>/dev/null || true)$BOOT in
1)
	[ -e /usr/lib/systemd/system/rdmastate-apply.service ] || fail "rdmastate is not installed: RDMASTATE_INSTALL"
	adapters

	note "the build: nothing of this machine moves, and the layer holds what is of the image alone"
	# Where all hosts have the same hardware a device is told apart by its place; its GUIDs are each host's own.
	before=$(ip -o link; lsmod | cut -d' ' -f1 | grep -vx loop | sort)
	build built "pci: \"$HCA1_PCI\""
	same "interfaces and modules" "$before" "$(ip -o link; lsmod | cut -d' ' -f1 | grep -vx loop | sort)"
	baked=$(cd $IMAGE && baked)
	same "files of the layer" "$(cut -d' ' -f3 <<<"$baked")" "$(cd $LAYERS/built/upper && find -- * ! -type d | sort)"
	echo "$baked" >$IMAGE/root/baked
	echo built >$IMAGE/root/image
	umount_image built

	note "and another one, of hosts that have one adapter, which is told apart by its driver"
	echo $HCA2_PCI >/sys/bus/pci/drivers/fake_hca/unbind
	udevadm settle
	build driver "driver: fake_hca"
	other_machine $IMAGE
	echo "install fake_hca /bin/sh -c 'echo nobody >/sys/bus/pci/devices/$HCA2_PCI/driver_override; exec modprobe --ignore-install fake_hca'" \
		>$IMAGE/etc/modprobe.d/rig-one.conf
	echo driver >$IMAGE/root/image
	umount_image driver
	boot_images built built driver
	sync
	reboot_now
	;;
built2)
	note "its first boot: the unit that applies found nothing to do, else it had kept a run"
	in_sync
	contains "history" "There was no run yet" "$(rdmastate history 2>&1)"
	same "files of the image" "$(cat /root/baked)" "$(cd / && baked)"

	note "a clone: another machine, other GUIDs"
	other_machine /
	note "whose adapter comes late"
	cat >/etc/modprobe.d/rig-late.conf <<-'CONF'
	install fake_hca /bin/sh -c 'i=0; until systemctl is-active rdmastate-apply.service | grep -q ^activating || [ $i = 500 ]; do sleep 0.2; i=$((i + 1)); done; sleep 5; exec modprobe --ignore-install fake_hca'
	CONF
	sync
	reboot_now
	;;
built3)
	note "its first boot: the unit waits for the adapter"
	is_a_clone
	contains "journal" "waiting up to 60 s for what may come late: ipoib[0].match" "$(journalctl -b -o cat -u rdmastate-apply.service)"
	reboot_now
	;;
driver2)
	note "a clone of the image by driver: its first boot"
	contains "spec" "match: {driver: fake_hca}" "$(cat $SPEC)"
	same "adapters" hca0 "$(ls /sys/class/infiniband)"
	is_a_clone
	;;
*) fail "boot $BOOT of $(cat /root/image)" ;;
esac
