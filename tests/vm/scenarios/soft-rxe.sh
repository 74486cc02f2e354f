# what: an rxe device over a network device is made, carries traffic, comes back with the network device and the driver, and goes
# mode: snapshot
# timeout: 240
# seconds: 65
# promise: soft devices
# releases: trixie bullseye sid

ip link add eth7 type veth peer name far7
ip link set eth7 up
ip link set far7 up
ip addr add 192.0.2.1/24 dev eth7
modprobe rdma_ucm
mkdir -p /root/specs
cat >/root/specs/host.yaml <<'SPEC'
version: 1
soft_devices:
  - {name: rxe_store, type: rxe, netdev: eth7}
SPEC
printf 'version: 1\n' >/root/specs/none.yaml

link_of() { cat /sys/class/infiniband/"$1"/parent; }
there() { [ -e /sys/class/infiniband/"$1" ]; }
in_sync() { rdmastate verify /root/specs/host.yaml; }

note "made, and its driver loaded for it"
same "before" "" "$(rdma link show | grep rxe_store || true)"
[ ! -e /sys/module/rdma_rxe ] || fail "rdma_rxe is loaded"
rdmastate apply /root/specs/host.yaml
same "its network device" eth7 "$(link_of rxe_store)"
soon idle
contains "rdma link" "link rxe_store/1 state ACTIVE physical_state LINK_UP netdev eth7" "$(rdma link show)"
quiet rdmastate apply /root/specs/host.yaml
quiet rdmastate verify /root/specs/host.yaml
contains "ibv_devices" rxe_store "$(ibv_devices)"
contains "ibstat" "State: Active" "$(ibstat rxe_store)"
contains "ibv_devinfo" PORT_ACTIVE "$(ibv_devinfo -d rxe_store)"
systemctl daemon-reload

note "it carries traffic"
sent() { cat /sys/class/infiniband/rxe_store/ports/1/hw_counters/sent_pkts; }
before=$(sent)
rpings 192.0.2.1
[ "$(sent)" -ge $((before + 5)) ] || fail "rxe_store sent $before packets before rping and $(sent) after it"

note "what the kernel refuses is said before anything is done"
ip link add link eth7 name eth7.5 type vlan id 5
printf 'version: 1\nsoft_devices:\n  - {name: rxe_vlan, type: rxe, netdev: eth7.5}\n' >/root/specs/vlan.yaml
refused "peration not permitted" rdma link add rxe_vlan type rxe netdev eth7.5
must_fail 2 rdmastate plan --detailed-exitcode /root/specs/vlan.yaml
contains "a VLAN" "eth7.5 is a VLAN, on which the kernel makes no rxe device: make it on eth7" "$OUT"
ip link del eth7.5
note "and so is the type that a guide names"
refused "Invalid argument" rdma link add rxex0 type rxex netdev eth7

note "renamed"
soon idle
sed 's/rxe_store/rxe_fast/' /root/specs/host.yaml >/root/specs/renamed.yaml
rdmastate apply /root/specs/renamed.yaml
there rxe_fast || fail "no rxe_fast"
! there rxe_store || fail "rxe_store is still there"
soon idle
rdmastate rollback
soon idle
there rxe_store || fail "rollback did not bring the name back"
quiet rdmastate verify /root/specs/host.yaml

note "the network device goes and comes back"
ip link del eth7
not_there() { ! there "$1"; }
soon not_there rxe_store
ip link add eth7 type veth peer name far7
ip link set far7 up
ip link set eth7 up
soon there rxe_store
soon in_sync
soon idle

note "the driver goes and comes back"
modprobe -r rdma_rxe
! there rxe_store || fail "rxe_store outlived its driver"
modprobe rdma_rxe
soon there rxe_store
soon idle
same "its network device" eth7 "$(link_of rxe_store)"

note "exactly what was made goes"
rdma link add rxe_other type rxe netdev lo
soon idle
rdmastate apply /root/specs/none.yaml
! there rxe_store || fail "rxe_store is still there"
soon idle
there rxe_other || fail "another's device was removed"
for path in /etc/udev/rules.d/70-rdmastate-soft.rules /etc/rdmastate/boot.json; do
	[ ! -e $path ] || fail "$path is left"
done
quiet rdmastate apply /root/specs/none.yaml
