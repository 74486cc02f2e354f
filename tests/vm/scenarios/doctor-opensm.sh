# what: doctor finds an OpenSM that lost its port, one that its port does not announce and one beside another master, and none of them where all is well
# mode: snapshot
# timeout: 240
# seconds: 83
# with: packages doctor

NEAR=0xf4521403007bcba1 FAR_GUID=0xf4521403007bcbb1
UNIT=opensm@$NEAR.service OTHER=opensm@$FAR_GUID.service
DROP_INS=/etc/systemd/system
echo PORTS=NONE >/etc/default/opensm
# One that lost its port does not always end on SIGTERM.
mkdir -p $DROP_INS/{opensm@.service,$OTHER}.d
printf '[Service]\nTimeoutStopSec=3\n' >$DROP_INS/opensm@.service.d/stop.conf
printf '[Service]\nExecStart=\nExecStart=/usr/sbin/opensm --guid %%I --log_file /var/log/opensm.%%I.log --priority 14\n' >$DROP_INS/$OTHER.d/priority.conf
unpacked /usr/lib/rig/debs/{opensm,libopensm,libosm}*.deb
adapters smp=1
modprobe ib_umad

port() { cat "/sys/class/infiniband/$1/ports/1/$2"; }
is_active() { [ "$(port "$1" state)" = "4: ACTIVE" ]; }
is_sm() { [ $(($(port "$1" cap_mask) & 2)) != 0 ]; }
are_managed() { is_active "$HCA1" && is_active "$HCA2" && [ "$(port "$HCA1" sm_lid)" = "$(port "$HCA2" lid)" ]; }
pid() { systemctl show -P MainPID "$1"; }
nodes() { readlink "/proc/$(pid "$1")/fd/"* | grep infiniband | sort | xargs; }
driver() { write_sysfs_raw /sys/bus/pci/drivers/fake_hca/"$1" $HCA2_PCI; } # bind, unbind

note "another program opened the port's issm node first: OpenSM manages all the same, and only its log says so"
exec 9</dev/infiniband/issm0
systemctl start $UNIT
soon is_active "$HCA2"
same "nodes" /dev/infiniband/umad0 "$(nodes $UNIT)"
contains "its log" "ERR 5431" "$(cat /var/log/opensm.$NEAR.log)"
same "found" "warning opensm-not-announced $UNIT" "$(found)"
contains "the symptom" "another program holds that port's issm0" "$(cat /run/rig/doctor.json)"

note "that program ends: the port announces nobody, and a record of it is as ill"
exec 9<&-
! is_sm "$HCA1" || fail "capabilities: $(port "$HCA1" cap_mask)"
same "found" "warning opensm-not-announced $UNIT" "$(found)"
contains "the symptom" "IsSM is not set in the capability mask of $HCA1/1" "$(cat /run/rig/doctor.json)"
rdmastate show --record /run/rig/host.json
same "found in the record" "warning opensm-not-announced $UNIT" "$(found --host /run/rig/host.json)"

note "all is well: it was started anew as doctor says, and a second one on its port ends by itself"
systemctl restart $UNIT
soon is_sm "$HCA1"
same "nodes" "/dev/infiniband/issm0 /dev/infiniband/umad0" "$(nodes $UNIT)"
contains "a second one" "another instance of OpenSM is already running" "$(timeout 30 opensm --guid $NEAR --log_file /run/rig/second.log 2>&1 || true)"
same "found" "" "$(found)"

note "all is well: it stands by, and the master runs on this host too"
systemctl start $OTHER
soon is_sm "$HCA2"
soon are_managed
same "found" "" "$(found)"

note "the master's adapter goes: its OpenSM runs on, and the other one's master is not this host's"
driver unbind
udevadm settle
same "its unit" active "$(systemctl is-active $OTHER)"
same "its nodes" "/dev/infiniband/issm2 (deleted) /dev/infiniband/umad2 (deleted)" "$(nodes $OTHER)"
same "found" "error opensm-lost-port $OTHER
warning second-subnet-manager $UNIT" "$(found)"

note "whoever may not see what a process holds is told so"
anybody rdmastate doctor -o json >/run/rig/anybody || same "exit code" 2 $?
lacks "what anybody finds" '"severity": "error"' "$(cat /run/rig/anybody)"
contains "what anybody does not see" "/proc/$(pid $OTHER)/fd" "$(cat /run/rig/anybody)"

note "the adapter is there again: its OpenSM does not notice, until it is started anew as doctor says"
driver bind
udevadm settle
contains "its nodes" "umad2 (deleted)" "$(nodes $OTHER)"
systemctl restart $OTHER
soon is_sm "$HCA2"
soon are_managed
same "found" "" "$(found)"
