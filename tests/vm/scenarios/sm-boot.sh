# what: the OpenSM that a spec runs on a port runs there after a reboot, before anybody looks, and on no other port
# mode: reboot
# timeout: 300
# seconds: 140

NEAR=0xf4521403007bcba1
UNIT=opensm@$NEAR.service
SPEC=/root/specs/host.yaml
sysfs() { cat /sys/class/infiniband/"$1"/ports/1/"$2"; }
is() { case "$(sysfs "$1" "$2")" in *"$3"*) ;; *) return 1 ;; esac; }
in_sync() { rdmastate verify $SPEC; }
# managed: one OpenSM, whose port is both ports' manager; the partition is in both tables
managed() {
	for hca in "$HCA1" "$HCA2"; do
		soon is "$hca" state ACTIVE
		soon is "$hca" sm_lid "$(sysfs "$HCA1" lid)"
		soon grep -qx 0x8002 /sys/class/infiniband/"$hca"/ports/1/pkeys/*
	done
	same "its unit" active "$(systemctl is-active $UNIT)"
	same "the OpenSMs that run" "$(systemctl show -P MainPID $UNIT)" "$(pgrep -x opensm)"
	contains "its command" "--guid $NEAR" "$(tr '\0' ' ' <"/proc/$(pgrep -x opensm)/cmdline")"
}

if [ "$BOOT" = 1 ]; then
	mkdir -p /root/specs
	echo 'options fake_hca smp=1' >/etc/modprobe.d/rig-smp.conf
	adapters smp=1
	printf 'version: 1\nsubnet_manager: {run: false}\n' >/root/specs/none.yaml
	rdmastate apply /root/specs/none.yaml
	dpkg -i --force-confold /usr/lib/rig/debs/{opensm,libopensm,libosm}*.deb >/run/rig/dpkg 2>&1 || fail "dpkg: $(cat /run/rig/dpkg)"
	cat >$SPEC <<-YAML
		version: 1
		modules: {load: [ib_umad]}
		subnet_manager:
		  run: true
		  instances: [{port_guid: "$NEAR", priority: 5}]
		  partitions: [{name: storage, pkey: 0x8002, ipoib: true, members: {ALL: full}}]
	YAML
	same "a port before" "2: INIT" "$(sysfs "$HCA1" state)"
	rdmastate apply $SPEC
	managed
	quiet rdmastate verify $SPEC
	# The package starts opensm.service with network-online.target alone, which no unit of this image wants.
	same "what wants that target" "" "$(systemctl show -P WantedBy network-online.target)"
	reboot_now
fi

note "after the boot: nobody has run rdmastate but its own unit"
adapters
managed
soon in_sync
same "failed units" "" "$(systemctl list-units --failed --no-legend | grep -i -e rdma -e opensm || true)"
quiet rdmastate apply $SPEC
contains "second apply" "Nothing to do" "$OUT"
