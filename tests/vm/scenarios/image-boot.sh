# what: an image that was built in a tree of its own, as the Containerfile says, boots in sync, and so does a clone with another machine id and other GUIDs, whose adapter comes late
# mode: reboot
# with: image
# seconds: 150

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

case $BOOT in
1)
	[ -e /usr/lib/systemd/system/rdmastate-apply.service ] || fail "rdmastate is not installed: RDMASTATE_INSTALL"
	adapters
	# Where all hosts have the same hardware a device is told apart by its place; its GUIDs are each host's own.
	cat >/run/rig/host.yaml <<-YAML
	version: 1
	network: {backend: none}
	modules: {load: [ib_ipoib]}
	devices:
	  - match: {pci: "$HCA1_PCI"}
	    name: hca0
	ipoib:
	  - name: store0
	    match: {device: hca0, port: 1}
	    ipv4: {method: manual, addresses: [203.0.113.1/24]}
	  - parent: store0
	    pkey: 0x8002
	    ipv4: {method: manual, addresses: [192.0.2.1/24]}
	YAML
	rdmastate show --record /run/rig/facts.json

	note "the build: nothing of this machine moves, and the layer holds what is of the image alone"
	before=$(ip -o link; lsmod | cut -d' ' -f1 | grep -vx loop | sort)
	make_layer built
	mount_image built
	install -m 0644 /run/rig/host.yaml /run/rig/facts.json $IMAGE/etc/rdmastate
	in_image "
		chmod 0600 $SPEC
		rdmastate apply $SPEC --root / --bake --facts /etc/rdmastate/facts.json
		rm /etc/rdmastate/facts.json
		systemctl enable rdmastate-apply.service"
	same "interfaces and modules" "$before" "$(ip -o link; lsmod | cut -d' ' -f1 | grep -vx loop | sort)"
	baked=$(cd $IMAGE && baked)
	same "files of the layer" "$(cut -d' ' -f3 <<<"$baked")" "$(cd $LAYERS/built/upper && find -- * ! -type d | sort)"
	echo "$baked" >$IMAGE/root/baked
	boot_images built
	sync
	reboot_now
	;;
2)
	note "its first boot: the unit that applies found nothing to do, else it had kept a run"
	in_sync
	contains "history" "There was no run yet" "$(rdmastate history 2>&1)"
	same "files of the image" "$(cat /root/baked)" "$(cd / && baked)"

	note "a clone: another machine, other GUIDs"
	tr 0-9 1-90 </etc/machine-id >/run/rig/id
	cat /run/rig/id >/etc/machine-id
	echo 'options fake_hca guid=0x0002c90300317800' >/etc/modprobe.d/rig-guid.conf
	note "whose adapter comes late"
	cat >/etc/modprobe.d/rig-late.conf <<-'CONF'
	install fake_hca /bin/sh -c 'i=0; until systemctl is-active rdmastate-apply.service | grep -q ^activating || [ $i = 500 ]; do sleep 0.2; i=$((i + 1)); done; sleep 5; exec modprobe --ignore-install fake_hca'
	CONF
	sync
	reboot_now
	;;
3)
	note "its first boot: the unit waits for the adapter and writes the GUIDs of this host, once"
	contains "GUID" 0002:c903:0031:7800 "$(cat /sys/class/infiniband/*/node_guid)"
	in_sync
	contains "journal" "waiting up to 60 s for what may come late: ipoib[0].match" "$(journalctl -b -o cat -u rdmastate-apply.service)"
	contains "history" 000001 "$(rdmastate history)"
	lacks "history" 000002 "$(rdmastate history)"
	quiet rdmastate apply $SPEC
	;;
esac
