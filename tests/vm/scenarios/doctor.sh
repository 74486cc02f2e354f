# what: doctor finds what a fabric, an administrator and the fake adapter break, and nothing else; a record is diagnosed as its host
# mode: snapshot
# timeout: 120
# seconds: 30
# with: doctor
# releases: trixie

adapters
ipoib
PORT=/sys/class/infiniband/$HCA1/ports/1

code() {
	local ended=0
	rdmastate doctor >/run/rig/doctor.txt || ended=$?
	echo $ended
}

note "all is well"
ip link set $IB1 up
soon has_carrier $IB1
WELL=$(found)
lacks "a healthy guest" "error" "$WELL"
same "exit code" 0 "$(code)"

# new: what is found now and was not while all was well
new() { comm -13 <(sort <<<"$WELL") <(found | sort); }

note "the subnet manager never answered"
knob $HCA1 sm 0
knob $HCA1 state init
same "state by another program" "2: INIT" "$(cat $PORT/state)"
contains "rdma link" "state INIT" "$(rdma link show $HCA1/1)"
same "found" "error no-subnet-manager $HCA1/1" "$(new)"
same "exit code" 2 "$(code)"
contains "what to do" "subnet_manager: {run: true, instances: [" "$(cat /run/rig/doctor.txt)"

note "and a record of it is as ill"
found >/run/rig/live
rdmastate show --record /run/rig/host.json
found --host /run/rig/host.json >/run/rig/recorded
diff /run/rig/live /run/rig/recorded

note "the manager goes while the port is ACTIVE"
knob $HCA1 state active
same "found" "warning subnet-manager-lost $HCA1/1" "$(new)"
knob $HCA1 sm 1
soon has_carrier $IB1
same "found" "" "$(new)"

note "the cable"
knob $HCA1 state down
contains "rdma link" "state DOWN" "$(rdma link show $HCA1/1)"
same "found" "error port-down $HCA1/1" "$(new)"
knob $HCA1 state active
soon has_carrier $IB1

note "the partition"
ip link add link $IB1 name part type ipoib pkey 0x8002
ip link set part up
soon has_carrier part
same "found" "" "$(new)"
knob $HCA1 pkeys -0x8002
soon lost_carrier part
grep -q 0x8002 $PORT/pkeys/* && fail "the P_Key is still there"
same "found" "error pkey-missing part" "$(new)"
ip link delete part

note "port and partition are well, and the interface cannot join its broadcast group"
knob $HCA1 fail "attach_mcast 1000 12"
ip link add link $IB1 name part type ipoib pkey 0x8003
ip link set part up
grep -qx 0x8003 $PORT/pkeys/*
same "found" "error ipoib-no-carrier part" "$(new)"
knob $HCA1 fail "attach_mcast 0 12"
soon has_carrier part
same "found" "" "$(new)"
ip link delete part

note "two interfaces in one subnet"
ip link set $IB2 up
soon has_carrier $IB2
ip addr add 192.0.2.1/24 dev $IB1
ip addr add 192.0.2.2/24 dev $IB2
sysctl -q net.ipv4.conf.all.arp_ignore=0 net.ipv4.conf.$IB1.arp_ignore=0 net.ipv4.conf.$IB2.arp_ignore=0
sysctl -q net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.$IB1.rp_filter=0 net.ipv4.conf.$IB2.rp_filter=0
contains "found" "warning arp-flux $(printf '%s\n' $IB1 $IB2 | sort | head -1)" "$(new)"
sysctl -q net.ipv4.conf.all.arp_ignore=1
same "found" "" "$(new)"

note "a counter that rises between two looks: frames of a protocol that nobody here takes"
ip link add eth7 type veth peer name far7
ip link set eth7 up
ip link set far7 up
rdma link add rxe_near type rxe netdev eth7
dropped() { cat /sys/class/net/eth7/statistics/rx_dropped; }
send() {
	python3 -c '
import socket
with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as far:
    far.bind(("far7", 0))
    for _ in range(100):
        far.send(bytes.fromhex("ffffffffffff" "020000000001" "88b5") + bytes(50))'
}
found --interval 1s >/run/rig/silent
lacks "found between two looks at a silent interface" drops-without-pause "$(cat /run/rig/silent)"
before=$(dropped)
(sleep 3 && send) &
found --interval 8s >/run/rig/between
[ "$(dropped)" -ge $((before + 100)) ] || fail "eth7 dropped $before frames before and $(dropped) after"
contains "found between two looks" "warning drops-without-pause rxe_near/1" "$(cat /run/rig/between)"
rdma link delete rxe_near

note "whoever may read little is told the same of the fabric, and changes nothing"
knob $HCA1 state down
chmod 755 /run/rig
anybody rdmastate doctor >/run/rig/anybody || same "exit code" 2 $?
contains "an unprivileged look" "[port-down]" "$(cat /run/rig/anybody)"
[ -z "$(ls -A /etc/rdmastate)" ] && [ ! -e /var/lib/rdmastate ] || fail "doctor wrote something"
