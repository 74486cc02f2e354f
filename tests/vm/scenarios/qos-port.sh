# what: priorities of a port are set where they differ and never else, are back with the driver, and go back on rollback
# mode: snapshot
# with: qos
# timeout: 240
# seconds: 76
# releases: trixie

adapters dcb=1
spec '{trust: dscp, pfc: [3], dscp: {26: 3}}' >/root/specs/host.yaml
# back: set once, by what udev started
back() {
	same "priorities with flow control" 3 "$(pfc)"
	same "DSCP" "26:3" "$(dscp)"
	same "sets" "1 1 2" "$(sets)"
}
in_sync() { rdmastate verify /root/specs/host.yaml; }

note "the driver and its counters"
contains "rdma link" "netdev dcb0" "$(rdma link show)"
same "nothing set" "0 0 0" "$(sets)"

note "set"
rdmastate plan /root/specs/host.yaml >/run/rig/plan
contains "the plan" "also disturbed: interface dcb0" "$(cat /run/rig/plan)"
same "a plan sets nothing" "0 0 0" "$(sets)"
rdmastate apply /root/specs/host.yaml
same "priorities with flow control" 3 "$(pfc)"
same "DSCP" "26:3" "$(dscp)"
same "one of each, two bounces" "1 1 2" "$(sets)"
systemctl daemon-reload
soon idle

note "never set again when equal"
quiet rdmastate apply /root/specs/host.yaml
quiet rdmastate verify /root/specs/host.yaml
systemctl start rdmastate.service
soon idle
same "sets" "1 1 2" "$(sets)"

note "one that differs is set alone; what is not named stays"
dcb app add dev dcb0 dscp-prio 46:6
dcb app replace dev dcb0 dscp-prio 26:1
read -r pfc_sets app_sets bounces <<<"$(sets)"
rdmastate apply /root/specs/host.yaml
same "DSCP" "26:3 46:6" "$(dscp)"
same "one entry was set, and nothing bounced" "$pfc_sets $((app_sets + 1)) $bounces" "$(sets)"
rdmastate rollback
soon idle

note "the driver is loaded again"
unload fake_hca
modprobe fake_hca dcb=1
udevadm settle
soon in_sync
soon idle
back
note "the driver is loaded again, and the network device comes long after the RDMA device"
unload fake_hca
modprobe fake_hca dcb=1 dcb_late=5
soon idle
soon exists dcb0
soon in_sync
soon idle
back

note "PCP trusted, no flow control"
spec '{trust: pcp, pfc: []}' >/root/specs/none.yaml
rdmastate apply /root/specs/none.yaml
same "priorities with flow control" "" "$(pfc)"
same "DSCP" "" "$(dscp)"
soon idle
rdmastate rollback
soon idle
same "priorities with flow control" 3 "$(pfc)"
same "DSCP" "26:3" "$(dscp)"

note "what cannot be had is said"
spec '{trust: dscp}' | sed s/cba0/cbb0/ >/root/specs/other.yaml
must_fail 2 rdmastate plan --detailed-exitcode /root/specs/other.yaml
contains "no network device" "port 2 has no network device in this network namespace" "$OUT"
ip link add eth7 type veth peer name far7
knob "$HCA2" netdev eth7
must_fail 2 rdmastate plan --detailed-exitcode /root/specs/other.yaml
contains "no DCB" "the driver of eth7" "$OUT"
refused "not supported" dcb pfc show dev eth7
