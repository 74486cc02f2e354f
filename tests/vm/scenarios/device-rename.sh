# what: RDMA devices get names by what does not change, swap them, and have them and RoCE defaults again after a driver reload and a reboot
# mode: reboot
# timeout: 400
# seconds: 148
# releases: trixie

guid_of() { cat "/sys/class/infiniband/$1/node_guid"; }
A=f452:1403:007b:cba0 B=f452:1403:007b:cbb0
mkdir -p /root/specs
named() {
	cat <<SPEC
version: 1
devices:
  - {match: {node_guid: "$A"}, name: $1, ports: {2: {roce: {default_mode: v1, tos: 106}}}}
  - {match: {node_guid: "$B"}, name: $2}
SPEC
}
named store_a store_b >/root/specs/host.yaml
named store_b store_a >/root/specs/swapped.yaml
# roce DEVICE: what rdma_cm uses on its port 2
roce() {
	local directory=/sys/kernel/config/rdma_cm/$1
	mkdir "$directory"
	cat "$directory"/ports/2/default_roce_mode "$directory"/ports/2/default_roce_tos
	rmdir "$directory"
}
in_sync() { rdmastate verify "$1"; }

if [ "$BOOT" = 1 ]; then
	adapters
	mkdir -p /etc/rdma
	printf 'device=%s\nother=%s0\n' "$HCA1" "$HCA1" >/etc/rdma/tool.conf
	printf 'device=%s0\n' "$HCA1" >/etc/rdma/other.conf
	note "renamed, and the file that mentions the old name said"
	rdmastate plan /root/specs/host.yaml >/run/rig/plan
	contains "the plan" "/etc/rdma/tool.conf, which says $HCA1" "$(cat /run/rig/plan)"
	lacks "the plan" "/etc/rdma/other.conf" "$(cat /run/rig/plan)"
	rdmastate apply /root/specs/host.yaml
	systemctl daemon-reload
	soon idle
	same "GUID of store_a" $A "$(guid_of store_a)"
	same "GUID of store_b" $B "$(guid_of store_b)"
	quiet rdmastate apply /root/specs/host.yaml
	note "two names swapped"
	soon idle
	rdmastate apply /root/specs/swapped.yaml
	soon idle
	same "GUID of store_a" $B "$(guid_of store_a)"
	same "GUID of store_b" $A "$(guid_of store_b)"
	quiet rdmastate apply /root/specs/swapped.yaml
	rdmastate rollback
	soon idle
	same "GUID of store_a after rollback" $A "$(guid_of store_a)"
	soon idle
	rdmastate apply /root/specs/swapped.yaml
	note "the driver is loaded again"
	unload fake_hca
	modprobe fake_hca
	udevadm settle
	soon in_sync /root/specs/swapped.yaml
	soon idle
	same "GUID of store_a" $B "$(guid_of store_a)"
	reboot_now
fi

note "after a reboot"
adapters
same "GUID of store_a" $B "$(guid_of store_a)"
same "GUID of store_b" $A "$(guid_of store_b)"
soon idle
same "what rdma_cm uses on store_b" "IB/RoCE v1 106" "$(roce store_b | xargs)"
same "what rdma_cm uses on store_a" "RoCE v2 0" "$(roce store_a | xargs)"
quiet rdmastate verify /root/specs/swapped.yaml
note "a name that another device has"
printf 'version: 1\ndevices:\n  - {match: {node_guid: "%s"}, name: store_a}\n' $A >/root/specs/taken.yaml
must_fail 2 rdmastate plan --detailed-exitcode /root/specs/taken.yaml
contains "why not" "another RDMA device is called store_a" "$OUT"
refused "xists" rdma dev set store_b name store_a
