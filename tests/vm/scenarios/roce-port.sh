# what: default RoCE mode and ToS of a port are set without a trace in configfs, come back with the driver, and go back
# mode: snapshot
# releases: sid
# timeout: 240
# seconds: 77
# promise: RoCE

adapters
A=f452:1403:007b:cba0
CMA=/sys/kernel/config/rdma_cm
mkdir -p /root/specs
spec() {
	cat <<SPEC
version: 1
devices:
  - match: {node_guid: "$A"}
    name: store_a
    ports: {$1}
SPEC
}
spec '2: {roce: {default_mode: v1, tos: 106}}' >/root/specs/host.yaml
in_sync() { rdmastate verify /root/specs/host.yaml; }

# value DEVICE PORT mode|tos: as an administrator reads it
value() {
	local made=
	[ -e $CMA/"$1" ] || { mkdir $CMA/"$1"; made=1; }
	cat $CMA/"$1"/ports/"$2"/default_roce_"$3"
	[ -z $made ] || rmdir $CMA/"$1"
}
# set_value DEVICE PORT mode|tos VALUE
set_value() {
	mkdir $CMA/"$1"
	write_sysfs $CMA/"$1"/ports/"$2"/default_roce_"$3" "$4"
	rmdir $CMA/"$1"
}

note "a plan changes nothing"
without_rdma_cm() {
	local user
	for user in /sys/module/rdma_cm/holders/*; do
		[ ! -e "$user" ] || modprobe -r "${user##*/}" || return
	done
	modprobe -r -q rdma_cm || [ ! -e /sys/module/rdma_cm ]
}
without_rdma_cm || fail "rdma_cm is in use: $(lsmod | grep rdma_cm)"
[ ! -e /sys/module/rdma_cm ] || fail "rdma_cm is loaded"
rdmastate plan /root/specs/host.yaml >/run/rig/plan
contains "the plan" "after module rdma_cm" "$(cat /run/rig/plan)"
[ ! -e /sys/module/rdma_cm ] || fail "a plan loaded rdma_cm"

note "the module is loaded, the device renamed and its port set, in one apply"
rdmastate apply /root/specs/host.yaml
# The rename is an event: the run that it starts makes its own directory in configfs for a moment.
soon idle
same "mode" "IB/RoCE v1" "$(value store_a 2 mode)"
same "ToS" 106 "$(value store_a 2 tos)"
contains "what show says of it" "default_mode: v1" "$(rdmastate show --as-spec)"
same "what is left in configfs" "" "$(ls $CMA)"
systemctl daemon-reload
soon idle
quiet rdmastate apply /root/specs/host.yaml
quiet rdmastate verify /root/specs/host.yaml
same "what is left in configfs" "" "$(ls $CMA)"
# It may make its directory there, though it has no capability and a file system to read only.
systemctl start rdmastate-ready.service || fail "rdmastate-ready.service: $(journalctl -o cat -u rdmastate-ready.service)"
same "what is left in configfs" "" "$(ls $CMA)"

note "only what differs is written"
set_value store_a 2 tos 0
OUT=$(strace -f -qq -e trace=openat,mkdirat,write,unlinkat rdmastate apply /root/specs/host.yaml 2>&1)
contains "the calls" '"ports/2/default_roce_tos", O_WRONLY' "$OUT"
lacks "the calls" '"ports/2/default_roce_mode", O_WRONLY' "$OUT"
same "ToS" 106 "$(value store_a 2 tos)"

note "a directory that somebody else made stays, under the old name too"
rdmastate rollback
rdmastate rollback 2>/dev/null || true
soon idle
mkdir $CMA/store_a
sed 's/store_a/store_b/; s/106/104/' /root/specs/host.yaml >/root/specs/renamed.yaml
rdmastate apply /root/specs/renamed.yaml
soon idle
same "ToS" 104 "$(value store_b 2 tos)"
same "mode" "IB/RoCE v1" "$(value store_b 2 mode)"
# fact 10
refused "No such device" cat $CMA/store_a/ports/2/default_roce_tos
mkdir $CMA/store_b
quiet rdmastate apply /root/specs/renamed.yaml
same "what is in configfs" "store_a store_b" "$(cd $CMA && echo *)"
soon idle
rdmastate apply /root/specs/host.yaml
soon idle
same "ToS" 106 "$(cat $CMA/store_a/ports/2/default_roce_tos)"
rmdir $CMA/store_a $CMA/store_b

note "the driver is loaded again"
unload fake_hca
modprobe fake_hca
udevadm settle
soon in_sync
soon idle
same "mode" "IB/RoCE v1" "$(value store_a 2 mode)"
same "ToS" 106 "$(value store_a 2 tos)"
quiet rdmastate apply /root/specs/host.yaml

note "rdma_cm alone is loaded again, with the values lost"
soon idle
without_rdma_cm || fail "rdma_cm is in use: $(lsmod | grep rdma_cm)"
modprobe rdma_cm
udevadm settle
soon in_sync
soon idle
same "mode" "IB/RoCE v1" "$(value store_a 2 mode)"
same "ToS" 106 "$(value store_a 2 tos)"

note "nobody has mounted configfs"
set_value store_a 2 mode "RoCE v2"
systemctl stop sys-kernel-config.mount
[ ! -e $CMA ] || fail "configfs is still mounted"
must_fail 2 rdmastate verify /root/specs/host.yaml
rdmastate apply /root/specs/host.yaml
quiet rdmastate verify /root/specs/host.yaml
lacks "mounts" configfs "$(cat /proc/mounts)"
systemctl start sys-kernel-config.mount
same "mode" "IB/RoCE v1" "$(value store_a 2 mode)"

note "what only root may ask is unseen, not in sync"
install -m 644 /root/specs/host.yaml /run/rig/host.yaml
chmod 755 /run/rig
must_fail 2 setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all rdmastate verify /run/rig/host.yaml
contains "verify" "unseen: the kernel tells only root what rdma_cm uses on store_a port 2" "$OUT"

note "what the kernel refuses is said before anything is done"
spec '1: {roce: {default_mode: v2}}' >/root/specs/ib.yaml
set_refused() { mkdir $CMA/"$1" && write_sysfs $CMA/"$1"/ports/1/default_roce_mode "$2"; }
refused "nvalid argument" set_refused store_a "RoCE v2"
rmdir $CMA/store_a
must_fail 2 rdmastate plan --detailed-exitcode /root/specs/ib.yaml
contains "an InfiniBand port" "store_a port 1 has link layer infiniband: RoCE needs an Ethernet port" "$OUT"
ip link add eth7 type veth peer name far7
rdma link add rxe_old type rxe netdev eth7
printf 'version: 1\ndevices:\n  - {match: {name: rxe_old}, ports: {1: {roce: {default_mode: v1}}}}\n' >/root/specs/rxe.yaml
refused "nvalid argument" set_refused rxe_old "IB/RoCE v1"
rmdir $CMA/rxe_old
must_fail 2 rdmastate plan --detailed-exitcode /root/specs/rxe.yaml
contains "an rxe device" 'rxe_old port 1 has no "IB/RoCE v1" GID, only "RoCE v2"' "$OUT"

note "taken back"
soon idle   # the rxe device was an event
set_value store_a 2 mode "RoCE v2"
set_value store_a 2 tos 8
rdmastate apply /root/specs/host.yaml
same "ToS" 106 "$(value store_a 2 tos)"
rdmastate rollback
soon idle
same "mode" "RoCE v2" "$(value store_a 2 mode)"
same "ToS" 8 "$(value store_a 2 tos)"
