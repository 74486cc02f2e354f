# what: an apply that fails at an address, a route or a child leaves the host as it was; one that is killed is taken back
# mode: snapshot
# timeout: 120
# seconds: 64
# promise: undo
# releases: trixie bullseye

adapters
mkdir -p /root/specs
cat >/root/specs/host.yaml <<'SPEC'
version: 1
network: {backend: none}
modules: {load: [ib_ipoib]}
ipoib:
  - name: store0
    match: {port_guid: "f452:1403:007b:cba1"}
    mode: connected
    ipv4: {method: manual, addresses: [203.0.113.1/24]}
  - parent: store0
    pkey: 0x8002
    ipv4: {method: manual, addresses: [192.0.2.1/24]}
  - parent: store0
    pkey: 0x8003
    ipv4: {method: manual, addresses: [198.51.100.1/24]}
SPEC

# What the kernel and the files are, without what a reload changes by itself.
state() {
	ip -o link show type ipoib | awk '{print $2, $3}' | sort
	ip -o addr show scope global | awk '{print $2, $4}' | sort
	tree_digest | awk '{print $1, $4, $5}' | grep -v -e /rdmastate -e '^/etc/rig' -e '^/var/lib/rdmastate' -e '^/etc '
}

note "failing at the third file that is renamed: nothing is left, and the interfaces go with the module"
state >/run/rig/before
broken renameat:error=ENOSPC:when=4 rdmastate apply /root/specs/host.yaml
same "exit code" 4 "$RC"
contains "message" "as it was before" "$OUT"
state >/run/rig/now
diff /run/rig/before /run/rig/now || fail "not undone"

note "with ib_ipoib loaded: a netlink message that fails in mid-apply"
ipoib
state >/run/rig/before
done_any=0
for n in 6 9 12 15; do
	RC=0
	OUT=$(strace -f -qq -o /run/rig/strace -e trace=sendto,sendmsg -e inject=sendto,sendmsg:error=ENOBUFS:when=$n rdmastate apply /root/specs/host.yaml 2>&1) || RC=$?
	grep -q INJECTED /run/rig/strace || continue
	done_any=1
	[ "$RC" = 4 ] || fail "message $n failing: exit $RC: $OUT"
	state >/run/rig/now
	diff /run/rig/before /run/rig/now || fail "not undone after message $n"
done
[ $done_any = 1 ] || fail "no message was made to fail"

note "the adapter itself refuses: creating queue pairs fails while the child comes up"
knob $HCA1 fail "create_qp 1 12"
RC=0
OUT=$(rdmastate apply /root/specs/host.yaml 2>&1) || RC=$?
knob $HCA1 fail "create_qp 0 0" || true
if [ "$RC" != 0 ]; then
	same "exit code" 4 "$RC"
	state >/run/rig/now
	diff /run/rig/before /run/rig/now || fail "not undone after the adapter refused"
else
	rdmastate rollback
fi

note "killed in mid-apply: the next apply says so and rollback brings everything back"
# Without events, whose runs at once take back what is unfinished: that is another scenario.
no_event_runs() { [ -z "$(systemctl list-units --plain --no-legend --state=activating 'rdmastate*.service')" ]; }
udevadm settle
soon no_event_runs
without_udev
state >/run/rig/before
RC=0
strace -f -qq -o /run/rig/strace -e trace=sendto,sendmsg -e inject=sendto,sendmsg:signal=KILL:when=14 rdmastate apply /root/specs/host.yaml || RC=$?
grep -q KILL /run/rig/strace || fail "it was not killed"
must_fail 7 rdmastate apply /root/specs/host.yaml
contains "message" "rdmastate rollback" "$OUT"
rdmastate rollback
state >/run/rig/now
diff /run/rig/before /run/rig/now || fail "not rolled back"
systemctl start systemd-udevd-kernel.socket systemd-udevd-control.socket systemd-udevd.service

note "and then it works"
rdmastate apply /root/specs/host.yaml
quiet rdmastate verify /root/specs/host.yaml
