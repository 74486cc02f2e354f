# what: OpenSM runs as the spec says: not when its package comes, then on one port, with the spec's prefix and partitions, started anew, beside another one, and stopped
# mode: snapshot
# timeout: 500
# seconds: 150
# releases: trixie

NEAR=0xf4521403007bcba1 FAR=0xf4521403007bcbb1
PREFIX=0xfec0000000000042
UNIT=opensm@$NEAR.service OTHER=opensm@$FAR.service
mkdir -p /root/specs
spec() { # NAME INSTANCES [PARTITIONS]
	cat >/root/specs/"$1".yaml <<SPEC
version: 1
modules: {load: [ib_umad]}
subnet_manager:
  run: true
  instances: [$2]
${3:+  partitions: [$3]}
SPEC
}
near() { printf '{port_guid: "%s", priority: %s, subnet_prefix: "%s"}' $NEAR "$1" $PREFIX; }
spec first "$(near 5)" "{name: storage, pkey: 0x8002, ipoib: true, mtu: 4096, rate: 40, members: {\"$NEAR\": full, ALL: limited}}"
spec fewer "$(near 5)" '{name: other, pkey: 0x8003, ipoib: true, members: {ALL: full}}'
spec higher "$(near 7)" '{name: other, pkey: 0x8003, ipoib: true, members: {ALL: full}}'
spec two "$(near 7), {port_guid: \"$FAR\", priority: 9, subnet_prefix: \"$PREFIX\"}" '{name: other, pkey: 0x8003, ipoib: true, members: {ALL: full}}'
printf 'version: 1\nsubnet_manager: {run: false}\n' >/root/specs/none.yaml

adapters smp=1
modprobe ib_umad
# One that lost its port does not always end on SIGTERM.
mkdir -p /etc/systemd/system/opensm@.service.d
printf '[Service]\nTimeoutStopSec=3\n' >/etc/systemd/system/opensm@.service.d/50-stop.conf

sysfs() { cat /sys/class/infiniband/"$1"/ports/1/"$2"; }
is() { case "$(sysfs "$1" "$2")" in *"$3"*) ;; *) return 1 ;; esac; }
has_pkey() { grep -qx "$1" /sys/class/infiniband/"$2"/ports/1/pkeys/*; }
lacks_pkey() { ! has_pkey "$@"; }
runs() { systemctl is-active "$1" || true; }
pid() { systemctl show -P MainPID "$1"; }

note "run: false stands before the package: its installation starts none"
rdmastate apply /root/specs/none.yaml
same "what dpkg finds" 'PORTS="NONE"' "$(grep ^PORTS /etc/default/opensm)"
dpkg -i --force-confold /usr/lib/rig/debs/{opensm,libopensm,libosm}*.deb >/run/rig/dpkg 2>&1 || fail "dpkg: $(cat /run/rig/dpkg)"
same "the unit" inactive "$(runs $UNIT)"
[ -z "$(pgrep -x opensm)" ] || fail "an OpenSM runs"
quiet rdmastate apply /root/specs/none.yaml
quiet rdmastate verify /root/specs/none.yaml

note "beside another one that somebody started: refused unasked"
systemctl start $OTHER
for hca in "$HCA1" "$HCA2"; do
	soon is "$hca" state ACTIVE
done
must_fail 6 rdmastate apply /root/specs/first.yaml
contains "the refusal" "has a subnet manager at LID $(($(sysfs "$HCA2" lid)))" "$OUT"
same "the units" "inactive active" "$(runs $UNIT) $(runs $OTHER)"

note "on one port: it manages both ends of the cable"
rdmastate apply --allow-fabric /root/specs/first.yaml
same "the unit" "active inactive" "$(runs $UNIT) $(runs $OTHER)"
contains "its command" "--priority 5" "$(tr '\0' ' ' <"/proc/$(pid $UNIT)/cmdline")"
for hca in "$HCA1" "$HCA2"; do
	soon is "$hca" state ACTIVE
done
soon is "$HCA2" sm_lid "$(sysfs "$HCA1" lid)"
quiet rdmastate verify /root/specs/first.yaml
quiet rdmastate apply /root/specs/first.yaml

note "its partition as OpenSM made it: a full and a limited member, a group of another MTU and rate than the usual one"
soon has_pkey 0x8002 "$HCA1"
soon has_pkey 0x0002 "$HCA2"
lacks_pkey 0x8002 "$HCA2" || fail "a limited member has the P_Key of a full one"
group() { saquery -C "$HCA2" -g | grep -B3 -A2 -i 'pkey.*0x8002'; }
contains "the group's MTU, 4096 by its code" "Mtu.....................0x85" "$(group)"
contains "the group's rate, 40 Gb/s by its code" "Rate....................0x87" "$(group)"

note "its subnet prefix: in both ports' GIDs, and in the hardware addresses of their interfaces"
for hca in "$HCA1" "$HCA2"; do
	soon is "$hca" gids/0 fec0:0000:0000:0042:
done
ipoib
contains "the hardware address" ":fe:c0:00:00:00:00:00:42:f4:52:14:03:00:7b:cb:a1" "$(cat "/sys/class/net/$IB1/address")"
unload ib_ipoib

note "stopped by hand: verify says so, and an apply starts it"
systemctl stop $UNIT
must_fail 2 rdmastate verify /root/specs/first.yaml
contains "verify" "($UNIT) is not there" "$OUT"
rdmastate apply /root/specs/first.yaml
same "the unit" active "$(runs $UNIT)"

note "other partitions: asked for, and read without a restart"
before=$(pid $UNIT)
must_fail 6 rdmastate apply /root/specs/fewer.yaml
contains "the refusal" "partition storage (0x8002) goes" "$OUT"
rdmastate apply --allow-fabric /root/specs/fewer.yaml
soon lacks_pkey 0x0002 "$HCA2"
soon has_pkey 0x8003 "$HCA2"
same "its process" "$before" "$(pid $UNIT)"

note "another priority: started anew by who may"
must_fail 6 rdmastate apply /root/specs/higher.yaml
contains "the refusal" "stops and starts anew" "$OUT"
rdmastate apply --allow-fabric /root/specs/higher.yaml
[ "$(pid $UNIT)" != "$before" ] || fail "it was not started anew"
contains "its command" "--priority 7" "$(tr '\0' ' ' <"/proc/$(pid $UNIT)/cmdline")"
quiet rdmastate verify /root/specs/higher.yaml
rdmastate rollback
contains "its command, taken back" "--priority 5" "$(tr '\0' ' ' <"/proc/$(pid $UNIT)/cmdline")"
rdmastate apply --allow-fabric /root/specs/higher.yaml

note "a second one at the other end, with a higher priority: it becomes the master"
soon is "$HCA2" sm_lid "$(sysfs "$HCA1" lid)"
rdmastate apply /root/specs/two.yaml
soon is "$HCA1" sm_lid "$(sysfs "$HCA2" lid)"
quiet rdmastate verify /root/specs/two.yaml

note "its adapter's driver is loaded again: it is active and does nothing, and is started anew"
adapters smp=1
same "the units" "active active" "$(runs $UNIT) $(runs $OTHER)"
must_fail 2 rdmastate verify /root/specs/two.yaml
rdmastate apply /root/specs/two.yaml
for hca in "$HCA1" "$HCA2"; do
	soon is "$hca" state ACTIVE
done
quiet rdmastate verify /root/specs/two.yaml
quiet rdmastate apply /root/specs/two.yaml

note "none any more: refused unasked, done when asked for, and taken back"
must_fail 6 rdmastate apply /root/specs/none.yaml
contains "the refusal" "stops" "$OUT"
same "the units" "active active" "$(runs $UNIT) $(runs $OTHER)"
rdmastate apply --allow-fabric /root/specs/none.yaml
same "the units" "inactive inactive" "$(runs $UNIT) $(runs $OTHER)"
quiet rdmastate verify /root/specs/none.yaml
rdmastate rollback
same "the units, taken back" "active active" "$(runs $UNIT) $(runs $OTHER)"
