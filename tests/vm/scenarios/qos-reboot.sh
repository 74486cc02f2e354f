# what: after a reboot the priorities and traffic classes of a port are there, though its network device comes long after the RDMA device
# mode: reboot
# with: qos
# seconds: 45

SPEC=/root/specs/host.yaml
if [ "$BOOT" = 1 ]; then
	spec '{trust: dscp, pfc: [3], dscp: {26: 3}, priorities: {3: 2}, classes: {0: 40%, 3: 60%}}' >$SPEC
	adapters dcb=1
	rdmastate apply $SPEC
	same "priorities with flow control" 3 "$(pfc)"
	# lldpad is installed and disabled, and systemd does not answer yet when the boot's unit runs
	printf '[Service]\nExecStart=/usr/bin/sleep infinity\n[Install]\nWantedBy=multi-user.target\n' >/etc/systemd/system/lldpad.service
	systemctl daemon-reload
	echo "options fake_hca dcb=1 dcb_late=10" >/etc/modprobe.d/rig.conf
	reboot_now
fi

note "boot $BOOT: nobody has run rdmastate but its own units"
soon exists dcb0
in_sync() { rdmastate verify $SPEC; }
soon in_sync
soon idle
same "priorities with flow control" 3 "$(pfc)"
same "DSCP" "26:3" "$(dscp)"
same "one of each, two bounces" "1 1 2" "$(sets)"
contains "traffic classes" "0:ets:40 1:vendor 2:vendor 3:ets:60" "$(ets)"
contains "priorities" "3:2" "$(ets)"
[ "$(systemctl is-failed rdmastate.service)" != failed ] || fail "rdmastate.service failed"
quiet rdmastate apply $SPEC
same "one of each, two bounces" "1 1 2" "$(sets)"
