# what: events during a run, in its last milliseconds too, are not lost; boot-eight-adapters at once; boot-reload-during-apply; boot-no-var
# mode: snapshot
# timeout: 240
# seconds: 252

[ -e /usr/lib/systemd/system/rdmastate-event@.service ] || fail "rdmastate is not installed: RDMASTATE_INSTALL"
PATIENCE=90
trap '[ $? = 0 ] || journalctl -b -o short-monotonic | grep -e rdmastate -e udevd | tail -n 80' EXIT
SPEC=/root/specs/eight.yaml
mkdir -p /root/specs
# Adapters 0 and 1 are in PCI slots, 2 to 7 on platform devices.
GUIDS="cba1 cbb1 cc21 cc31 cc41 cc51 cc61 cc71"
{
	printf 'version: 1\nnetwork: {backend: none}\nmodules: {load: [ib_ipoib]}\nipoib:\n'
	n=0
	for guid in $GUIDS; do
		printf '  - {name: store%s, match: {port_guid: "f452:1403:007b:%s"}, ipv4: {method: manual, addresses: [203.0.113.%s/32]}}\n' $n $guid $((n + 1))
		printf '  - {parent: store%s, pkey: 0x8002, ipv4: {method: manual, addresses: [192.0.2.%s/32]}}\n' $n $((n + 1))
		n=$((n + 1))
	done
} >$SPEC
in_sync() { rdmastate verify --boot; }
drop_in() {
	mkdir -p "/run/systemd/system/$1.d"
	cat >"/run/systemd/system/$1.d/rig.conf"
	systemctl daemon-reload
}
plain() {
	rm -r "/run/systemd/system/$1.d"
	systemctl daemon-reload
}
at_work() { [ -n "$(systemctl list-units --plain --no-legend --state=activating 'rdmastate-event@*')" ]; }
unbind() { write_sysfs /sys/bus/pci/drivers/fake_hca/unbind "$1"; }
bind() { write_sysfs /sys/bus/pci/drivers/fake_hca/bind "$1"; }

note "boot-eight-adapters: all gone, all back at once"
adapters virtual=6
same "adapters" 8 "$(ls /sys/class/infiniband | wc -l)"
rdmastate apply $SPEC
unload fake_hca
gone store0 && gone store7 || fail "interfaces outlived their adapters"
modprobe fake_hca virtual=6
all_there() {
	local n
	for n in 0 1 2 3 4 5 6 7; do
		[ "$(addresses store$n)" = "203.0.113.$((n + 1))/32" ] || return 1
		[ "$(addresses store$n.8002)" = "192.0.2.$((n + 1))/32" ] || return 1
	done
}
soon all_there
soon idle
rdmastate verify $SPEC
quiet rdmastate apply $SPEC

note "one works, one waits, the others leave it to that one"
same "who finds the queue taken" "another run waits already and will see all that this one would" \
	"$(flock /run/rdmastate/queue rdmastate apply --boot --coalesce 2>&1)"
flock /run/rdmastate/lock sleep 3 &
contains "who finds it free" "Nothing to do" "$(rdmastate apply --boot --coalesce)"
wait

note "an event in the last milliseconds of a run: it has looked at the host, let go of the lock, and its unit has not ended"
soon idle
unbind $HCA1_PCI
unbind $HCA2_PCI
soon idle
drop_in rdmastate-event@.service <<'UNIT'
[Service]
ExecStart=
ExecStart=/bin/sh -c '/usr/bin/rdmastate apply --boot --coalesce; echo looked >/run/rig/looked; sleep 8'
UNIT
bind $HCA1_PCI
soon exists store0.8002
soon test -e /run/rig/looked
at_work || fail "the run had ended: this tests nothing"
plain rdmastate-event@.service
bind $HCA2_PCI
at_work || fail "the run had ended: this tests nothing"
soon exists store1.8002
soon in_sync
soon idle

note "events at any moment"
may_warn rtnl_newlink # 6.1 does when a child is made on a port that is going (ipoib_new_child_link)
for n in 1 2 3 4 5 6 7 8 9 10; do
	unbind $HCA2_PCI
	sleep 0.$((RANDOM % 4))$((RANDOM % 10))
	bind $HCA2_PCI
	sleep 0.$((RANDOM % 4))$((RANDOM % 10))
done
udevadm settle
soon in_sync
soon all_there
soon idle

note "boot-reload-during-apply: the driver goes and comes while an apply stands still in the middle of its steps"
sed 's/0x8002/0x8003/' $SPEC >/root/specs/other.yaml
rdmastate apply /root/specs/other.yaml >/run/rig/apply 2>&1 &
apply=$!
until exists store1.8003; do kill -0 $apply; done
kill -STOP $apply
contains "state of the apply" T "$(grep State: /proc/$apply/status)"
modprobe -r fake_hca
modprobe fake_hca virtual=6
kill -CONT $apply
RC=0
wait $apply || RC=$?
note "that apply ended with $RC"
case $RC in 0 | 1 | 4 | 5) ;; *) fail "$(cat /run/rig/apply)" ;; esac
soon in_sync
soon idle
note "what it left behind: $(systemctl --failed --plain --no-legend | xargs)"
if [ $RC = 5 ]; then rdmastate rollback || note "nothing is left to roll back"; fi
rdmastate apply $SPEC
rdmastate verify $SPEC
soon all_there

note "boot-no-var: no /var and a read-only /etc, as the unit sees them"
printf '[Service]\nTemporaryFileSystem=/var:ro\nReadOnlyPaths=/etc\n' | drop_in rdmastate-event@.service
printf '[Service]\nTemporaryFileSystem=/var:ro\nReadOnlyPaths=/etc\n' | drop_in rdmastate.service
unload fake_hca
modprobe fake_hca virtual=6
soon all_there
soon in_sync
systemctl start rdmastate.service

note "the target is not reached while something is missing, and says what; without it Requires= starts nothing"
soon idle
unbind $HCA1_PCI
printf '[Service]\nExecStart=\nExecStart=/usr/bin/rdmastate verify --boot --wait 2s\n' | drop_in rdmastate-ready.service
must_fail 1 systemctl start rdmastate-ready.target
must_fail 3 systemctl is-active rdmastate-ready.target
contains "journal" "f452:1403:007b:cba1" "$(journalctl -o cat -u rdmastate-ready.service)"
bind $HCA1_PCI
soon in_sync
systemctl start rdmastate-ready.target
same "the target" active "$(systemctl is-active rdmastate-ready.target)"
