# what: a device on which others have queue pairs is not taken from them, and they are named
# mode: snapshot
# timeout: 240
# seconds: 16
# promise: in use

ip link add eth7 type veth peer name far7
ip link set far7 up
ip link set eth7 up
ip addr add 192.0.2.1/24 dev eth7
modprobe rdma_ucm
mkdir -p /root/specs
printf 'version: 1\nsoft_devices:\n  - {name: rxe_store, type: rxe, netdev: eth7}\n' >/root/specs/host.yaml
printf 'version: 1\n' >/root/specs/none.yaml
rdmastate apply /root/specs/host.yaml
soon idle

rping -s -P -a 192.0.2.1 &
server=$!
sleep 1
rping -c -a 192.0.2.1 -C 1000000 >/dev/null 2>&1 &
client=$!
has_pairs() { rdma resource show qp | grep rxe_store/1 | grep "pid $client "; }
soon has_pairs

there() { [ -e /sys/class/infiniband/rxe_store ]; }

note "refused, the owners named"
must_fail 6 rdmastate apply /root/specs/none.yaml
contains "who" "process $client (rping" "$OUT"
contains "what to do" "end them first" "$OUT"
there || fail "rxe_store went all the same"
note "nor where it is given up: the kernel would not let go of it"
must_fail 6 rdmastate apply /root/specs/none.yaml --in-use rxe_store
there || fail "rxe_store went all the same"

note "when they have ended"
kill $server $client
wait || true
rdmastate apply /root/specs/none.yaml
! there || fail "rxe_store is left"
