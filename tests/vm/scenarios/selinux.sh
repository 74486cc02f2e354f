# what: SELinux in enforcing mode, with Debian's policy: what an apply as a unit writes has the types of the policy, the next boot may read it, and nothing of ours is denied
# mode: reboot
# image: selinux
# when: named
# timeout: 400
# seconds: 160

SPEC=/etc/rdmastate/host.yaml UNIT=rdmastate-apply.service
# What restorecon would change, which has a line for each file.
wrong() { restorecon -invR /etc /var/lib/rdmastate /usr/lib/systemd/system /usr/bin/rdmastate; }
# Without auditd the kernel's log has what is denied.
denied() { journalctl -b -k -o cat | grep -a 'avc: *denied' | grep -a rdmastate || true; }
is_enforced() {
	same "mode of SELinux" Enforcing "$(getenforce)"
	contains "the kernel's log of a policy that it loads" "lsm=selinux res=1" "$(journalctl -b -k -o cat | grep -a type=1403 || true)"
}
is_silent() {
	quiet rdmastate verify $SPEC
	same "what restorecon would change" "" "$(wrong)"
	same "what is denied" "" "$(denied)"
}

if [ "$BOOT" = 1 ]; then
	note "a unit makes files of many programs"
	is_enforced
	contains "what a unit runs as" :initrc_t: "$(id -Z)"
	cat >$SPEC <<-'YAML'
	version: 1
	network: {backend: none}
	modules: {load: [ib_ipoib], block: [rds_rdma], options: {ib_ipoib: {recv_queue_size: 256}}}
	ipoib:
	  - {name: store0, match: {port_guid: "f452:1403:007b:cba1"}, named_by: link-file, ipv4: {method: manual, addresses: [203.0.113.1/24]}}
	  - {parent: store0, pkey: 0x8002, umcast: true}
	memlock: {group: rdma, soft: 1GiB, hard: 2GiB, services: [slurmd.service]}
	YAML
	# As dpkg labels what a package brings. Of what the image has none may be wrong before, and a unit's file in /etc is.
	touch /etc/made-by-a-unit
	contains "what restorecon says of a file that a unit made" /etc/made-by-a-unit "$(wrong)"
	restorecon -R /etc /usr/bin/rdmastate /usr/lib/systemd/system
	same "what restorecon would change before" "" "$(wrong)"
	adapters
	systemctl start $UNIT
	same "how it ended" success "$(systemctl show -P Result $UNIT)"
	same "addresses" 203.0.113.1/24 "$(addresses store0)"
	for file in modules-load.d/rdmastate.conf modprobe.d/rdmastate-options.conf systemd/network/60-rdmastate-store0.link rdmastate/ledger.json; do
		[ -e /etc/$file ] || fail "there is no /etc/$file"
	done
	is_silent
	reboot_now
fi

note "the next boot reads them all"
is_enforced
adapters
same "how the list of modules was loaded" success "$(systemctl show -P Result systemd-modules-load)"
exists store0 || fail "there is no store0"
same "an option of the module" 256 "$(cat /sys/module/ib_ipoib/parameters/recv_queue_size)"
same "addresses" 203.0.113.1/24 "$(addresses store0)"
same "umcast of the child" 0001 "$(umcast_of store0.8002)"
is_silent
