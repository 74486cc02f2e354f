# what: whoever breaks an apply (kill -9, full disks, an adapter pulled out, no confirm) has the host back by one command, and the journal tells of it
# mode: snapshot
# timeout: 300
# with: cuts
# seconds: 120

SPEC=/root/specs/host.yaml CHANGED=/root/specs/changed.yaml
PATIENCE=90
adapters
mkdir -p /root/specs
spec() {
	cat <<-YAML
	version: 1
	network: {backend: none}
	modules: {load: [$1]}
	ipoib:
	  - name: store0
	    match: {port_guid: "f452:1403:007b:cba1"}
	    mode: $2
	    ipv4: {method: manual, addresses: [203.0.113.1/24]}
	YAML
}
spec ib_ipoib datagram >$SPEC
{
	spec "ib_ipoib, ib_umad" connected
	echo '  - {parent: store0, pkey: 0x8002, ipv4: {method: manual, addresses: [192.0.2.1/24]}}'
	echo 'memlock: {group: users, soft: unlimited, hard: unlimited}'
} >$CHANGED
rdmastate apply $SPEC
soon idle

state() {
	host_state
	mode_of store0
	lsmod | awk '$1 == "ib_umad" {print "module", $1}'
}
state >/run/rig/before
is_back() {
	state >/run/rig/now
	diff /run/rig/before /run/rig/now
}
newest() { rdmastate history | awk 'NR == 2 {print $1}'; }
ends() { rdmastate history | awk 'NR == 2' | sed 's/.*  //'; }
DIRTY=""

note "kill -9 in the middle: the next apply names the command"
# Events' runs take back at once what is unfinished: whoever types is second then. Here nobody is faster.
without_udev
stands_at sendto "$CREATES_CHILD" rdmastate apply $CHANGED
pkill -KILL -x rdmastate
soon exists store0.8002
same "history" unfinished "$(ends)"
must_fail 7 rdmastate apply $CHANGED
contains "what to type" 'run `rdmastate rollback` first, it brings back what was' "$OUT"
KILLED=$(newest)
contains "what rollback says" "Run $KILLED is taken back" "$(rdmastate rollback)"
is_back || fail "killed and rolled back, and not as it was"
must_fail 1 rdmastate rollback
contains "typed once more" "was taken back already" "$OUT"
is_back

note "the file system of /etc runs full, at one page after another: nothing to type"
mkdir /run/rig/etc
mount -t tmpfs -o size=16m none /run/rig/etc
cp -a /etc/. /run/rig/etc
mount --bind /run/rig/etc /etc
state >/run/rig/before
full=0
for left in 0 8 12 24; do
	dd if=/dev/zero of=/etc/rig/fill bs=4k status=none 2>/dev/null || true
	[ "$left" = 0 ] || truncate -s -${left}k /etc/rig/fill
	RC=0
	OUT=$(rdmastate apply $CHANGED 2>&1) || RC=$?
	rm /etc/rig/fill
	[ "$RC" != 0 ] || break
	full=$((full + 1)) FULL=$(newest)
	same "exit code with $left KiB left" 4 "$RC"
	contains "what is said with $left KiB left" "No space left on device" "$OUT"
	contains "what is said with $left KiB left" "The host is as it was before." "$OUT"
	is_back || fail "$left KiB left, and it is not as it was"
done
[ $full -ge 2 ] || fail "the disk was full $full times"
[ "$RC" != 0 ] || rdmastate rollback
is_back
umount -l /etc

note "the file system of /var/lib/rdmastate is full: nothing is begun"
cp -a /var/lib/rdmastate /run/rig/runs
mount -t tmpfs -o size=1m none /var/lib/rdmastate
chmod 700 /var/lib/rdmastate
cp -a /run/rig/runs/. /var/lib/rdmastate
state >/run/rig/before
dd if=/dev/zero of=/var/lib/rdmastate/fill bs=4k status=none 2>/dev/null || true
must_fail 4 rdmastate apply $CHANGED
contains "what is said" "No space left on device" "$OUT"
contains "what is said" "The host is as it was before." "$OUT"
is_back || fail "nothing should have begun: $OUT"
rm /var/lib/rdmastate/fill
umount /var/lib/rdmastate
systemctl start systemd-udevd-kernel.socket systemd-udevd-control.socket systemd-udevd.service
soon idle

note "the adapter is pulled out in the middle, and put back"
pulled_out() {
	rm -f /run/rig/rc
	stands_at "$1" "$2" sh -c "rdmastate apply $CHANGED >/run/rig/out 2>&1; echo \$? >/run/rig/rc"
	write_sysfs /sys/bus/pci/drivers/fake_hca/unbind $HCA1_PCI
	pkill -CONT -x rdmastate
	soon [ -s /run/rig/rc ]
	OUT=$(cat /run/rig/out) RC=$(cat /run/rig/rc)
	note "it ended with $RC: $OUT"
	write_sysfs /sys/bus/pci/drivers/fake_hca/bind $HCA1_PCI
	soon idle
	case $RC in
	4) contains "what is said" "The host is as it was before." "$OUT" ;;
	5)
		DIRTY=$(newest)
		contains "what to type" "run: rdmastate rollback" "$OUT"
		# The event of its return may have done it already.
		OUT=$(rdmastate rollback 2>&1) || contains "what rollback says" "was taken back already" "$OUT"
		;;
	*) fail "an apply whose adapter went ended with $RC: $OUT" ;;
	esac
	soon is_back
}
pulled_out finit_module,init_module 'finit_module\(\d+<[^>]*/ib_umad'
pulled_out sendto "$CREATES_CHILD"

note "nobody confirms, and the terminal is gone"
setsid bash -c "rdmastate apply $CHANGED --confirm-within 15s >/run/rig/out 2>&1; exec sleep 1000" &
session=$!
soon grep -q "unless you say until then: rdmastate confirm" /run/rig/out
kill -9 -- -$session
wait $session || true
same "mode in the meantime" connected "$(mode_of store0)"
soon is_back
same "history" "rolled back" "$(ends)"
UNCONFIRMED=$(newest)

note "and one that somebody confirms"
rdmastate apply $CHANGED --confirm-within 1h
must_fail 7 rdmastate apply $CHANGED # and the journal is told nothing of it
rdmastate confirm
CONFIRMED=$(newest)

note "the journal has it all, by the fixed ids of rdmastate(8)"
cat >/run/rig/journal.py <<'PYTHON'
import json, sys
names = {"7151fdf0ce65448680162ab5975667cf": "begun", "5c5efb4e2df546d2b76cc5eac70cb800": "applied",
         "8ae59bf9d9194b84b7ea30410fdca842": "undone", "4f27ec5a292b47f0899d86b419b2ae7a": "unmended",
         "bd76f53ec42e475e960cb3e586b25791": "taken-back", "890948344f144eb882b12a65c18d5328": "confirmed"}
for line in sys.stdin:
    entry = json.loads(line)
    print(names[entry["MESSAGE_ID"]], entry["RDMASTATE_RUN"], entry["PRIORITY"], entry["SYSLOG_IDENTIFIER"], entry["MESSAGE"])
PYTHON
mapfile -t ids < <(grep -o '[0-9a-f]\{32\}' /run/rig/journal.py | sed 's/^/MESSAGE_ID=/')
journalctl --sync
journalctl -b -o json "${ids[@]}" | /usr/bin/python3 /run/rig/journal.py >/run/rig/journal
cat /run/rig/journal
tells() { contains "the journal" "$1" "$(cat /run/rig/journal)"; }
tells "begun $KILLED 6 rdmastate run $KILLED begun"
tells "taken-back $KILLED 5 rdmastate run $KILLED taken back: "
tells "begun $FULL 6 rdmastate run $FULL begun"
tells "undone $FULL 3 rdmastate run $FULL failed, and the host is as before: "
[ -z "$DIRTY" ] || tells "unmended $DIRTY 2 rdmastate run $DIRTY failed, and the host awaits rollback: "
tells "applied $UNCONFIRMED 5 rdmastate run $UNCONFIRMED applied: "
tells "to be confirmed until"
tells "taken-back $UNCONFIRMED 5"
tells "confirmed $CONFIRMED 5 rdmastate run $CONFIRMED confirmed"
same "times that the journal has it applied" 1 "$(grep -c "^applied $CONFIRMED " /run/rig/journal)"
