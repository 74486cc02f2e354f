# what: an image made as the Containerfile says boots in sync, and so do its clones, whose machine ids and GUIDs are others
# mode: reboot
# seconds: 110

SPEC=/etc/rdmastate/host.yaml
# What a bake writes: but for machine-id, which each clone has of its own.
baked() {
	find /etc/rdmastate /etc/modules-load.d /etc/udev/rules.d /etc/systemd/system ! -type d \( -name '*rdmastate*' -o -path '/etc/rdmastate/*' \) |
		sort | xargs -r sha256sum
}
in_sync() {
	soon idle
	rdmastate verify --wait 60s $SPEC
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
	mkdir -p /etc/rdmastate
	# Where all hosts have the same hardware a device is told apart by its place; its GUIDs are each host's own.
	cat >$SPEC <<-YAML
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
	chmod 0600 $SPEC
	rdmastate show --record /etc/rdmastate/facts.json

	note "the bake: no kernel object moves, nothing of a run is kept"
	before=$(ip -o link; lsmod | cut -d' ' -f1 | sort)
	rdmastate apply $SPEC --root / --bake --facts /etc/rdmastate/facts.json
	rm /etc/rdmastate/facts.json
	systemctl -q enable rdmastate-apply.service
	same "interfaces and modules" "$before" "$(ip -o link; lsmod | cut -d' ' -f1 | sort)"
	[ ! -e /var/lib/rdmastate ] || fail "a record of the run was kept"
	baked >/root/baked
	sync
	reboot_now
	;;
2)
	note "its first boot: the unit that applies found nothing to do, else it had kept a run"
	in_sync
	contains "history" "There was no run yet" "$(rdmastate history 2>&1)"
	same "files of the image" "$(cat /root/baked)" "$(baked)"

	note "a clone: another machine, other GUIDs"
	tr 0-9 1-90 </etc/machine-id >/run/rig/id
	cat /run/rig/id >/etc/machine-id
	echo 'options fake_hca guid=0x0002c90300317800' >/etc/modprobe.d/rig-guid.conf
	sync
	reboot_now
	;;
3)
	note "its first boot: the unit writes the GUIDs of this host, once"
	contains "GUID" 0002:c903:0031:7800 "$(cat /sys/class/infiniband/*/node_guid)"
	in_sync
	contains "history" 000001 "$(rdmastate history)"
	lacks "history" 000002 "$(rdmastate history)"
	quiet rdmastate apply $SPEC
	;;
esac
