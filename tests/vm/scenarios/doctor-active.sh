# what: doctor --active sends messages over rxe, alone and between two, and finds a firewall, a small MTU, a limit, an adapter without queues
# mode: snapshot
# timeout: 180
# seconds: 45

adapters
JSON=/run/rig/doctor.json
NEAR=192.0.2.1 FAR_END=192.0.2.2
anybody() { setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$@"; }

# said FILE: "severity id subject" of what was found by sending, sorted
said() {
	python3 - "$1" <<'PY'
import json, sys
for one in sorted(json.load(open(sys.argv[1]))["findings"], key=lambda one: (one["id"], one["subject"]["name"])):
    if one["id"].startswith(("rc-", "peer-")):
        print(one["severity"], one["id"], one["subject"]["name"])
PY
}
# active CODE OPTION...: what it finds, when it ends with that code
active() {
	local want=$1 got=0
	shift
	rdmastate doctor --active -o json "$@" >$JSON 2>/run/rig/doctor.err || got=$?
	same "exit code of --active $*" "$want" "$got"
	said $JSON
}
queue_pairs() { rdma resource show qp | wc -l; }
sent() { cat "/sys/class/infiniband/$1/ports/1/hw_counters/sent_pkts"; }

note "two rxe devices, each at one end of a cable, in one network namespace: packets between them go over the cable"
modprobe rdma_ucm
ip link add eth7 type veth peer name far7
ip link set eth7 up
ip link set far7 up
ip addr add $NEAR/24 dev eth7
ip addr add $FAR_END/24 dev far7
sysctl -q net.ipv4.conf.all.rp_filter=0
for one in eth7 far7; do sysctl -q net.ipv4.conf.$one.rp_filter=0 net.ipv4.conf.$one.accept_local=1; done
ip route add $FAR_END dev eth7 table 101
ip route add $NEAR dev far7 table 102
ip rule add pref 10 oif eth7 to $FAR_END lookup 101
ip rule add pref 11 oif far7 to $NEAR lookup 102
ip rule add pref 100 lookup local
ip rule del pref 0
ip neigh replace $FAR_END lladdr "$(cat /sys/class/net/far7/address)" dev eth7
ip neigh replace $NEAR lladdr "$(cat /sys/class/net/eth7/address)" dev far7
rdma link add rxe_near type rxe netdev eth7
rdma link add rxe_far type rxe netdev far7
udevadm settle
is_active() { grep -q ACTIVE "/sys/class/infiniband/$1/ports/1/state"; }
soon is_active rxe_near
soon is_active rxe_far

note "a port alone"
before=$(queue_pairs) packets=$(sent rxe_near)
same "found" "info rc-tried rxe_near/1" "$(active 0 --device rxe_near)"
contains "the way" "$NEAR, RoCE v2" "$(cat $JSON)"
[ "$(sent rxe_near)" -ge $((packets + 30)) ] || fail "rxe_near sent $packets packets before and $(sent rxe_near) after"
same "queue pairs that are left" "$before" "$(queue_pairs)"
[ -z "$(ls -A /etc/rdmastate)" ] && [ ! -e /var/lib/rdmastate ] || fail "doctor wrote something"

note "whoever is not root, and may lock too little memory"
chmod 755 /run/rig
anybody rdmastate doctor --active --device rxe_near >/run/rig/anybody
contains "an unprivileged test" "[rc-tried]" "$(cat /run/rig/anybody)"
limited() { (ulimit -l 16 && anybody rdmastate doctor --active --device rxe_near); }
must_fail 2 limited
contains "what it found" "[rc-setup]" "$OUT"
contains "what to do" "memlock: {" "$OUT"

note "the interface is down: nothing can be tried, which is no success"
ip link set far7 down
gone_down() { ! is_active rxe_far; }
soon gone_down
same "found" "error rc-nothing-to-try " "$(active 2 --device rxe_far)"
contains "why" "not tried: the port is not ACTIVE" "$(cat $JSON)"
ip link set far7 up
soon is_active rxe_far
ip neigh replace $NEAR lladdr "$(cat /sys/class/net/eth7/address)" dev far7
ip neigh replace $FAR_END lladdr "$(cat /sys/class/net/far7/address)" dev eth7
ip route replace $FAR_END dev eth7 table 101
ip route replace $NEAR dev far7 table 102

note "the fake adapter makes no queues for programs"
same "found" "error rc-setup $HCA1/1" "$(active 2 --device "$HCA1/1")"
contains "what was seen" "(ibv_" "$(cat $JSON)"
must_fail 1 rdmastate doctor --active --device "$HCA1/9"
contains "what there is" "$HCA1/1" "$OUT"

note "iWARP is not tried by hand"
rdma link add siw7 type siw netdev far7
udevadm settle
same "found" "error rc-nothing-to-try " "$(active 2 --device siw7)"
contains "why" "librdmacm" "$(cat $JSON)"
rdma link delete siw7

# between CODE CODE: a listener with rxe_near and a connector with rxe_far; both exit codes, and what both find
between() {
	local want_listener=$1 want_connector=$2 listener got=0
	rdmastate doctor --listen --bind 127.0.0.1 --timeout 1min --device rxe_near -o json >/run/rig/listener.json 2>/run/rig/listener.err &
	listener=$!
	soon listens
	rdmastate doctor --active --peer 127.0.0.1 --device rxe_far -o json >/run/rig/connector.json 2>/run/rig/connector.err || got=$?
	same "the connector's exit code ($(cat /run/rig/connector.err))" "$want_connector" "$got"
	got=0
	wait $listener || got=$?
	same "the listener's exit code ($(cat /run/rig/listener.err))" "$want_listener" "$got"
	! listens || fail "somebody still listens"
}
listens() { [ -n "$(ss -Hltn 'sport = :4795')" ]; }

note "two processes, each with one device: over the cable, both ways"
packets=$(counter eth7 rx_packets)
between 0 0
same "the listener found" "info rc-tried rxe_near/1" "$(said /run/rig/listener.json)"
same "the connector found" "info rc-tried rxe_far/1" "$(said /run/rig/connector.json)"
contains "the way" "$FAR_END to $NEAR, RoCE v2" "$(cat /run/rig/connector.json)"
[ "$(counter eth7 rx_packets)" -ge $((packets + 17)) ] || fail "nothing went over the cable"
same "queue pairs that are left" "$before" "$(queue_pairs)"

note "a firewall drops UDP 4791"
tc qdisc add dev eth7 ingress
tc filter add dev eth7 parent ffff: protocol ip prio 1 u32 match ip protocol 17 0xff match ip dport 4791 0xffff action drop
between 2 2
same "the connector found" "error rc-no-answer rxe_far/1" "$(said /run/rig/connector.json)"
same "the listener found" "error rc-no-answer rxe_near/1" "$(said /run/rig/listener.json)"
contains "what to do" "Open UDP 4791" "$(cat /run/rig/connector.json)"
tc filter del dev eth7 parent ffff: prio 1

note "a switch drops what is longer than a kilobyte"
tc filter add dev eth7 parent ffff: protocol ip prio 1 u32 match ip protocol 17 0xff match u16 0x0400 0xfc00 at 2 action drop
between 2 2
same "the connector found" "error rc-large-lost rxe_far/1" "$(said /run/rig/connector.json)"
same "the listener found" "error rc-large-lost rxe_near/1" "$(said /run/rig/listener.json)"
tc qdisc del dev eth7 ingress

note "the two have different MTUs"
ip link set eth7 mtu 4500
between 0 0
same "the connector found" "warning peer-mtu-differs rxe_far/1
info rc-tried rxe_far/1" "$(said /run/rig/connector.json)"
contains "both MTUs" "4096" "$(cat /run/rig/listener.json)"
contains "both MTUs" "1024" "$(cat /run/rig/listener.json)"

note "one peer, and what it says is not believed"
rdmastate doctor --listen --bind 127.0.0.1 --timeout 1min --device rxe_near >/run/rig/listener.out 2>/run/rig/listener.err &
listener=$!
soon listens
python3 -c '
import socket
with socket.create_connection(("127.0.0.1", 4795)) as peer:
    peer.sendall(b"{\"rdmastate_peer\":1,\"run\":\"reboot\"}\n")
    peer.recv(100)'
got=0
wait $listener || got=$?
same "the listener's exit code" 2 "$got"
contains "what it says" "is not what rdmastate says" "$(cat /run/rig/listener.out)"
must_fail 1 rdmastate doctor --active --peer 127.0.0.1 --device rxe_far
contains "nobody listens" "Connection refused" "$OUT"
