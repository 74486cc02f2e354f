# what: which network namespaces see RDMA devices: changed where the kernel allows it, otherwise reported as pending until the boot that applies it
# mode: reboot
# timeout: 400
# seconds: 56

mode() { rdma system show | sed -n 's/.*netns \([a-z]*\).*/\1/p'; }
mkdir -p /root/specs
printf 'version: 1\nrdma: {netns: exclusive}\n' >/root/specs/exclusive.yaml
printf 'version: 1\nrdma: {netns: shared}\n' >/root/specs/shared.yaml
printf 'version: 1\n' >/root/specs/none.yaml

if [ "$BOOT" = 1 ]; then
	same "at first" shared "$(mode)"
	ip netns add blue
	# fact 11
	refused "busy" rdma system set netns exclusive
	note "while there is another namespace"
	rdmastate apply /root/specs/exclusive.yaml >/run/rig/out || fail "apply: $(cat /run/rig/out)"
	same "not now" shared "$(mode)"
	same "but at the next boot" "options ib_core netns_mode=0" "$(grep -v '^#' /etc/modprobe.d/rdmastate-rdma.conf)"
	must_fail 2 rdmastate verify /root/specs/exclusive.yaml
	contains "why" "/run/netns/blue" "$OUT"
	rdmastate verify --allow-pending /root/specs/exclusive.yaml
	quiet rdmastate apply /root/specs/exclusive.yaml
	reboot_now
fi

note "after the reboot"
modprobe ib_core
same "mode" exclusive "$(mode)"
quiet rdmastate verify /root/specs/exclusive.yaml
note "nobody else has a namespace: changed now"
only_namespace
rdmastate apply /root/specs/shared.yaml
same "mode" shared "$(mode)"
quiet rdmastate apply /root/specs/shared.yaml
rdmastate rollback
same "mode after rollback" exclusive "$(mode)"
note "no longer named: it keeps its value and loses its twin"
rdmastate apply /root/specs/none.yaml
same "mode" exclusive "$(mode)"
[ ! -e /etc/modprobe.d/rdmastate-rdma.conf ] || fail "the option's file is left"
