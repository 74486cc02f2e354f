# what: Debian's opensm manages the fake adapters: LIDs, states, P_Keys, multicast groups; another one takes over; and what is seen of it from outside
# mode: snapshot
# timeout: 240
# seconds: 88

# fact 21
GUID1=0xf4521403007bcba1 GUID2=0xf4521403007bcbb1
PARTITIONS=/etc/opensm/partitions.conf
EVERYBODY='Default=0x7fff,ipoib,mtu=5:ALL=full,SELF=full;'
MINE='mine=0x0002,ipoib,mtu=5'

port() { cat "/sys/class/infiniband/$1/ports/1/$2"; }
is_active() { [ "$(port "$1" state)" = "4: ACTIVE" ]; }
managed_by() { [ "$(port $HCA1 sm_lid) $(port $HCA2 sm_lid)" = "$1 $1" ]; }
# The rest of a table of 1024 entries is empty in all that follows.
pkeys() { cat /sys/class/infiniband/"$1"/ports/1/pkeys/{0,1,2,3} | xargs; }
holds() { [ "$(pkeys "$1")" = "$2 $3 0x0000 0x0000" ]; }
is_sm() { [ $(($(port "$1" cap_mask) & 2)) != 0 ]; }
is_no_sm() { ! is_sm "$1"; }
unit() { systemctl show -P ActiveState -P SubState -P UnitFileState "$1" | xargs; }
# hup GUID: reads its files anew; its unit knows no reload
hup() { systemctl kill -s HUP "opensm@$1.service"; }

adapters smp=1
modprobe ib_umad
for hca in $HCA1 $HCA2; do
	same "$hca unmanaged" "2: INIT 0x0 0x0 0" "$(port $hca state) $(port $hca lid) $(port $hca sm_lid) $(port $hca lid_mask_count)"
	holds $hca 0xffff 0x0000 || fail "P_Keys of $hca: $(pkeys $hca)"
done
refused "failed: query" timeout 60 sminfo -C $HCA2 -P 1

note "the package starts no opensm where PORTS=NONE stands before"
echo PORTS=NONE >/etc/default/opensm
dpkg -i --force-confold /usr/lib/rig/debs/{opensm,libopensm,libosm}*.deb >/run/rig/dpkg 2>&1 || fail "dpkg: $(cat /run/rig/dpkg)"
same "opensm.service" "inactive dead enabled" "$(unit opensm.service)"
must_fail 1 pgrep -x opensm
same "files that the package leaves to us" "PORTS=NONE" "$(cat /etc/default/opensm; ls -A /etc/opensm 2>/dev/null)"

note "started on one port, it manages both; it sweeps when it is told to, and not every 10 s"
mkdir -p /etc/opensm
echo 'sweep_interval 0' >/etc/opensm/opensm.conf
begun=$(date +%s%N)
systemctl start "opensm@$GUID1.service"
soon is_active $HCA1
soon is_active $HCA2
tell "both ports are active $((($(date +%s%N) - begun) / 1000000)) ms after the start of opensm"
same "LIDs" "0x1 0x2" "$(port $HCA1 lid) $(port $HCA2 lid)"
managed_by 0x1 || fail "SM LIDs: $(port $HCA1 sm_lid) $(port $HCA2 sm_lid)"
contains "who manages the second" "sm lid 1 sm guid $GUID1, " "$(sminfo -C $HCA2 -P 1)"
contains "in what state" "priority 0 state 3 SMINFO_MASTER" "$(sminfo -C $HCA2 -P 1)"

note "what is seen of it"
PID=$(pgrep -x opensm)
same "command line" "/usr/sbin/opensm --guid $GUID1 --log_file /var/log/opensm.$GUID1.log " "$(tr '\0' ' ' <"/proc/$PID/cmdline")"
same "open devices" "/dev/infiniband/issm0 /dev/infiniband/umad0" "$(readlink /proc/"$PID"/fd/* | grep infiniband | sort | xargs)"
same "what they are" "$HCA1 1 $HCA1 1" "$(cat /sys/class/infiniband_mad/{issm0,umad0}/{ibdev,port} | xargs)"
is_sm $HCA1 || fail "the first port's capabilities: $(port $HCA1 cap_mask)"
is_no_sm $HCA2 || fail "the second port's capabilities: $(port $HCA2 cap_mask)"
same "its unit" "active running static" "$(unit "opensm@$GUID1.service")"
same "opensm.service" "inactive dead enabled" "$(unit opensm.service)"
refused "Job type reload is not applicable" systemctl reload "opensm@$GUID1.service"

note "interfaces join its groups"
ipoib
peer_netns $IB2
$FAR ip addr add 192.0.2.2/24 dev $IB2
ip addr add 192.0.2.1/24 dev $IB1
ip link set $IB1 up
crosses $IB1 $IB2 192.0.2.2
contains "groups" "0xC000" "$(saquery -C $HCA2 -g)"

note "partitions.conf is read on SIGHUP"
printf '%s\n' "$EVERYBODY" "$MINE:$GUID1=full,$GUID2=full;" >$PARTITIONS
sleep 12
holds $HCA2 0xffff 0x0000 || fail "read without a signal: $(pkeys $HCA2)"
hup "$GUID1"
soon holds $HCA1 0xffff 0x8002
soon holds $HCA2 0xffff 0x8002
peer_child 0x8002 198.51.100.2/24
ip link add link $IB1 name $IB1.8002 type ipoib pkey 0x8002
ip addr add 198.51.100.1/24 dev $IB1.8002
ip link set $IB1.8002 up
crosses $IB1.8002 "$PEER_CHILD" 198.51.100.2

note "and takes P_Keys away"
printf '%s\n' "$EVERYBODY" "$MINE:$GUID1=full;" >$PARTITIONS
hup "$GUID1"
soon holds $HCA2 0xffff 0x0000
holds $HCA1 0xffff 0x8002 || fail "P_Keys of the first: $(pkeys $HCA1)"
child_lost_carrier() { [ "$($FAR cat "/sys/class/net/$PEER_CHILD/carrier")" = 0 ]; }
soon child_lost_carrier

note "without a Default partition everybody but the manager is a limited member"
printf '%s\n' "$MINE:$GUID1=full,$GUID2=full;" >$PARTITIONS
hup "$GUID1"
soon holds $HCA2 0x7fff 0x8002
holds $HCA1 0xffff 0x8002 || fail "P_Keys of the first: $(pkeys $HCA1)"
note "a file that it cannot read is none: all partitions but the default one go"
printf '%s\n' "$EVERYBODY" 'mine=0x0002,ipoib,mtu=5 ALL=full' >$PARTITIONS
hup "$GUID1"
soon holds $HCA2 0xffff 0x0000
contains "its log" "PARSE ERROR: line 2" "$(cat "/var/log/opensm.$GUID1.log")"

note "the manager stops: nothing changes, but nobody answers"
printf '%s\n' "$EVERYBODY" "$MINE:$GUID1=full,$GUID2=full;" >$PARTITIONS
hup "$GUID1"
soon holds $HCA2 0xffff 0x8002
crosses $IB1.8002 "$PEER_CHILD" 198.51.100.2
systemctl stop "opensm@$GUID1.service"
is_no_sm $HCA1 || fail "the first port's capabilities: $(port $HCA1 cap_mask)"
refused "failed: query" timeout 60 sminfo -C $HCA2 -P 1
for hca in $HCA1 $HCA2; do
	is_active $hca || fail "state of $hca: $(port $hca state)"
	holds $hca 0xffff 0x8002 || fail "P_Keys of $hca: $(pkeys $hca)"
done
managed_by 0x1 || fail "SM LIDs: $(port $HCA1 sm_lid) $(port $HCA2 sm_lid)"
crosses $IB1.8002 "$PEER_CHILD" 198.51.100.2
ip link del $IB1.8002	# else its membership would serve the next one too
ip link add link $IB1 name late type ipoib pkey 0x8002
ip link set late up
sleep 3
lost_carrier late || fail "an interface joined without a manager"

note "it comes again: all is as it was, and who waited joins"
rm /etc/opensm/opensm.conf
systemctl start "opensm@$GUID1.service"
soon has_carrier late
same "LIDs" "0x1 0x2" "$(port $HCA1 lid) $(port $HCA2 lid)"
note "without a switch it reads its files every 10 s, asked or not"
printf '%s\n' "$EVERYBODY" >$PARTITIONS
soon holds $HCA2 0xffff 0x0000

note "a link that comes back waits in INIT for the next sweep"
knob $HCA2 state down
lost_far_carrier() { [ "$($FAR cat "/sys/class/net/$IB2/carrier")" = 0 ]; }
soon lost_far_carrier
knob $HCA2 state init
soon is_active $HCA2
crosses $IB1 $IB2 192.0.2.2

note "a second one of the same priority waits, one of a higher priority takes over"
systemctl start "opensm@$GUID2.service"
soon is_sm $HCA2
is_standby() { [[ "$(sminfo -C $HCA1 2)" == *"priority 0 state 2 SMINFO_STANDBY"* ]]; }
soon is_standby
managed_by 0x1 || fail "SM LIDs: $(port $HCA1 sm_lid) $(port $HCA2 sm_lid)"
systemctl stop "opensm@$GUID2.service"
dropin=/etc/systemd/system/opensm@$GUID2.service.d/priority.conf
mkdir -p "${dropin%/*}"
printf '[Service]\nExecStart=\nExecStart=/usr/sbin/opensm --guid %%I --log_file /var/log/opensm.%%I.log --priority 14\n' >"$dropin"
systemctl daemon-reload
begun=$(date +%s%N)
systemctl start "opensm@$GUID2.service"
soon managed_by 0x2
tell "the second opensm is master $((($(date +%s%N) - begun) / 1000000)) ms after its start"
contains "who manages the first" "sm lid 2 sm guid $GUID2, " "$(sminfo -C $HCA1 -P 1)"
contains "the one before" "priority 0 state 2 SMINFO_STANDBY" "$(sminfo -C $HCA1 1)"
same "LIDs" "0x1 0x2" "$(port $HCA1 lid) $(port $HCA2 lid)"
crosses $IB1 $IB2 192.0.2.2

note "opensm.service starts one for each InfiniBand port, and stops them"
systemctl stop "opensm@$GUID1.service" "opensm@$GUID2.service"
rm "$dropin"
systemctl daemon-reload
sed -i s/NONE/ALL/ /etc/default/opensm
systemctl start opensm.service
same "opensm.service" "active exited enabled" "$(unit opensm.service)"
same "on the first" "active running static" "$(unit "opensm@$GUID1.service")"
same "on the second" "active running static" "$(unit "opensm@$GUID2.service")"
soon managed_by 0x1
systemctl stop opensm.service
none_runs() { ! pgrep -x opensm; }
soon none_runs

note "the driver goes and comes under an opensm: that goes on, blind and busy, until somebody starts another"
modprobe -r ib_ipoib
systemctl start "opensm@$GUID1.service"
soon is_sm $HCA1
PID=$(pgrep -x opensm)
modprobe -r fake_hca
ticks() { awk '{print $14 + $15}' "/proc/$PID/stat"; }
before=$(ticks)
sleep 3
tell "without its driver opensm runs for $(($(ticks) - before)) of 300 ticks"
adapters smp=1
sleep 12
same "its unit" "active running static" "$(unit "opensm@$GUID1.service")"
same "its process" "$PID" "$(pgrep -x opensm)"
same "its devices" "/dev/infiniband/issm0 (deleted) /dev/infiniband/umad0 (deleted)" "$(readlink "/proc/$PID/fd/"* | grep infiniband | sort | xargs)"
same "nobody manages" "2: INIT 0x0 0x0" "$(port $HCA1 state) $(port $HCA1 lid) $(port $HCA1 sm_lid)"
is_no_sm $HCA1 || fail "the first port's capabilities: $(port $HCA1 cap_mask)"
# Not by a restart: it does not always end when it is told to, and systemd then waits for 90 s.
systemctl kill -s KILL "opensm@$GUID1.service"
soon none_runs
systemctl start "opensm@$GUID1.service"
soon is_active $HCA1
soon is_active $HCA2
