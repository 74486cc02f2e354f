# what: a run that nobody confirms is taken back when its time is over, though its terminal or the agent is dead; confirmed it stays
# mode: snapshot
# with: cuts
# timeout: 180
# seconds: 84
# promise: confirm

PATIENCE=90 # deadlines, and 20 s until who hangs is killed
adapters
mkdir -p /root/specs
spec() {
	cat <<-YAML
	version: 1
	network: {backend: none}
	modules: {load: [ib_ipoib]}
	ipoib:
	  - name: store0
	    match: {port_guid: "f452:1403:007b:cba1"}
	    mode: $1
	    ipv4: {method: manual, addresses: [203.0.113.1/24]}
	YAML
}
spec datagram >/root/specs/host.yaml
{
	spec connected
	echo '  - {parent: store0, pkey: 0x8002, ipv4: {method: manual, addresses: [192.0.2.1/24]}}'
} >/root/specs/changed.yaml
CHANGED=/root/specs/changed.yaml
rdmastate apply /root/specs/host.yaml
# Events' runs would take back at once what is unfinished: that is another scenario.
soon idle
without_udev
state() {
	ip -o link show type ipoib | awk '{print $2, $3}' | sort
	ip -o addr show scope global | awk '{print $2, $4}' | sort
	mode_of store0
	tree_digest | awk '{print $1, $4, $5}' | grep -v -e '^/etc/rig' -e '^/var/lib/rdmastate' -e '^/etc '
	cat /etc/rdmastate/boot.json
}
state >/run/rig/before
is_back() {
	state >/run/rig/now
	diff /run/rig/before /run/rig/now
}
timers() { systemctl list-timers --all --no-legend 'rdmastate-unconfirmed-*' | grep -o 'rdmastate-[^ ]*timer' || true; }
ends() { rdmastate history | awk 'NR == 2' | sed 's/.*  //'; }

note "the session dies after the apply, and with it whoever might have confirmed"
setsid bash -c "rdmastate apply $CHANGED --confirm-within 15s >/run/rig/out 2>&1; echo \$? >/run/rig/rc; exec sleep 1000" &
session=$!
soon [ -s /run/rig/rc ]
same "exit code" 0 "$(cat /run/rig/rc)"
contains "what apply says" "unless you say until then: rdmastate confirm" "$(cat /run/rig/out)"
same "mode in the meantime" connected "$(mode_of store0)"
same "the child's address in the meantime" 192.0.2.1/24 "$(addresses store0.8002)"
same "the timer" rdmastate-unconfirmed-000002.timer "$(timers)"
must_fail 7 rdmastate apply /root/specs/host.yaml
contains "what to do" "rdmastate confirm" "$OUT"
contains "history" "awaits confirmation until" "$(ends)"
kill -9 -- -$session
wait $session || true
soon is_back
same "the timer, gone off" "" "$(timers)"
same "history" "rolled back" "$(ends)"
must_fail 1 rdmastate confirm
systemctl is-failed -q rdmastate-unconfirmed-000002.service && fail "its service failed"

note "the agent itself is killed in the middle"
stands_at sendto "$CREATES_CHILD" rdmastate apply $CHANGED --confirm-within 10s
pkill -KILL -x rdmastate
same "history" unfinished "$(ends)"
is_back >/dev/null && fail "it had done nothing yet"
soon is_back
same "history" "rolled back" "$(ends)"

note "the agent hangs, stopped, with the lock in its hands"
stands_at sendto "$CREATES_CHILD" rdmastate apply $CHANGED --confirm-within 8s
is_back >/dev/null && fail "it had done nothing yet"
soon is_back
same "history" "rolled back" "$(ends)"
soon sh -c '! pgrep -x rdmastate'

note "confirmed, it stays, and the timer is gone"
rdmastate apply $CHANGED --confirm-within 10s
contains "confirm" "it stays" "$(rdmastate confirm)"
contains "confirm again" "is confirmed already" "$(rdmastate confirm)"
same "the timer" "" "$(timers)"
sleep 12
same "mode" connected "$(mode_of store0)"
same "history" confirmed "$(ends)"
quiet rdmastate verify $CHANGED
quiet rdmastate apply $CHANGED --confirm-within 10s
same "no timer for nothing" "" "$(timers)"

note "by hand it is taken back at once"
rdmastate apply /root/specs/host.yaml --confirm-within 1h
same "mode" datagram "$(mode_of store0)"
rdmastate rollback
same "mode" connected "$(mode_of store0)"
same "the timer" "" "$(timers)"

note "without systemd on the bus: refused, and nothing is changed"
state >/run/rig/before
must_fail 6 unshare -m bash -c 'mount -t tmpfs none /run/dbus && rdmastate apply /root/specs/host.yaml --confirm-within 1h'
contains "why" "needs a systemd that answers on the bus" "$OUT"
is_back
note "history is root's"
must_fail 1 setpriv --reuid=65534 --clear-groups rdmastate history
contains "why" "run this as root" "$OUT"
