# what: neither a power cut nor a reboot inside the window keeps an unconfirmed run; a confirmed one stands
# mode: reboot
# seconds: 112

SPEC=/root/specs/host.yaml CHANGED=/root/specs/changed.yaml FILES=/root/specs/files.yaml
ends() { rdmastate history | awk 'NR == 2' | sed 's/.*  //'; }
said() { [ "$(ends)" = "$1" ]; }
case $BOOT in
1)
	mkdir -p /root/specs
	for mode in datagram connected; do
		cat >/root/specs/$mode.yaml <<-YAML
		version: 1
		network: {backend: none}
		modules: {load: [ib_ipoib]}
		ipoib:
		  - name: store0
		    match: {port_guid: "f452:1403:007b:cba1"}
		    mode: $mode
		    ipv4: {method: manual, addresses: [203.0.113.1/24]}
		YAML
	done
	mv /root/specs/datagram.yaml $SPEC
	mv /root/specs/connected.yaml $CHANGED
	printf 'version: 1\nmodules: {load: [ib_umad]}\n' >$FILES
	[ -e /usr/lib/systemd/system/rdmastate.service ] || fail "rdmastate is not installed: RDMASTATE_INSTALL"
	adapters
	sync # the specs: what rdmastate writes it syncs itself
	rdmastate apply $SPEC
	rdmastate apply $CHANGED --confirm-within 1h
	same "mode" connected "$(mode_of store0)"
	contains "boot.json" '"mode":"connected"' "$(cat /etc/rdmastate/boot.json)"
	pull_the_plug
	;;
2)
	note "power was cut inside the window: the host is as it was before that run"
	adapters
	soon exists store0
	soon said "rolled back"
	rdmastate verify --wait 90s $SPEC
	same "mode" datagram "$(mode_of store0)"
	contains "boot.json" '"mode":"datagram"' "$(cat /etc/rdmastate/boot.json)"
	systemctl is-failed -q rdmastate.service && fail "rdmastate.service failed"
	note "a run of files alone, which nothing waits for at boot, and a clean reboot"
	printf 'version: 1\n' >/root/specs/none.yaml
	rdmastate apply /root/specs/none.yaml
	rdmastate apply $FILES --confirm-within 1h
	[ -e /etc/modules-load.d/rdmastate.conf ] || fail "it wrote no file"
	[ ! -e /etc/systemd/system/multi-user.target.wants/rdmastate.service ] || fail "this run should not need the unit"
	reboot_now
	;;
3)
	soon said "rolled back"
	[ ! -e /etc/modules-load.d/rdmastate.conf ] || fail "the unconfirmed run's file is still there"
	note "confirmed, and then the power is cut"
	adapters
	rdmastate apply $CHANGED --confirm-within 1h
	rdmastate confirm
	pull_the_plug
	;;
4)
	adapters
	soon exists store0
	same "history" confirmed "$(ends)"
	same "mode" connected "$(mode_of store0)"
	rdmastate verify --wait 60s $CHANGED
	;;
esac
