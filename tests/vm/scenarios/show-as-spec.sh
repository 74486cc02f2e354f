# what: what was set up by hand, with ip and rdma and with nmcli, comes out of show --as-spec as a good spec that moves nothing live
# mode: snapshot
# with: managers
# timeout: 300
# seconds: 72
# promise: adopt
# releases: trixie

adapters
mkdir -p /root/specs
cd /root/specs || fail "no directory"

note "by hand: a port, a child in connected mode with addresses and a route, a soft device"
ipoib
ip link set "$IB1" down
ip link set "$IB1" name store0
ip link set store0 up
ip addr add 203.0.113.1/24 dev store0
ip link add link store0 name store0.8002 type ipoib pkey 0x8002
write_sysfs /proc/sys/net/ipv6/conf/store0.8002/accept_ra 0
ip link set store0.8002 type ipoib mode connected
ip link set store0.8002 up
ip addr add 192.0.2.1/24 dev store0.8002
ip addr add 2001:db8::1/64 dev store0.8002 nodad
ip route add 198.51.100.0/24 via 192.0.2.2 metric 50 dev store0.8002
ip link add eth7 type veth peer name far7
ip link set eth7 up
ip link set far7 up
modprobe rdma_rxe
rdma link add rxe_hand type rxe netdev eth7
soon is_up store0.8002
soon settled

seen() {
	ip -o addr show scope global | awk '{print $2, $4}' | sort
	ip route show
	ip -d -j link show type ipoib | /usr/bin/python3 -c '
import json, sys
for link in json.load(sys.stdin):
    print(link["ifname"], link["mtu"], link["flags"], link["linkinfo"]["info_data"])'
	rdma link show
}
seen >/run/rig/before
rdmastate show --as-spec --explain >host.yaml
cat host.yaml
rdmastate check host.yaml
contains "the mode" "mode: connected" "$(cat host.yaml)"
contains "the gateway's metric" "metric: 50" "$(cat host.yaml)"
contains "the soft device" "name: rxe_hand" "$(cat host.yaml)"
contains "whence" "# ipoib[1].ipv4.addresses: address 192.0.2.1/24 on store0.8002" "$(cat host.yaml)"
lacks "what the kernel gives" "fe80" "$(cat host.yaml)"

note "planned there: files alone, which keep it at the next boot"
rdmastate plan -o json host.yaml | /usr/bin/python3 -c '
import json, sys
plan = json.load(sys.stdin)
kinds = {step["kind"] for step in plan["steps"]}
assert kinds == {"file"}, kinds
assert plan["refused"] == [] and plan["summary"]["pending"] + plan["summary"]["blocked"] == 0, plan["summary"]'
rdmastate apply host.yaml
soon idle
seen >/run/rig/after
diff /run/rig/before /run/rig/after || fail "apply moved something live"

note "now it is rdmastate's, and its own spec does nothing at all"
rdmastate show --as-spec >again.yaml
quiet rdmastate plan --detailed-exitcode again.yaml
contains "plan" "Nothing to do" "$OUT"
quiet rdmastate apply again.yaml

note "what was applied is kept for root alone, and told as it was while it holds"
same "who may read it" "600 root root" "$(stat -c '%a %U %G' /etc/rdmastate/applied.yaml)"
printf 'initrd: leave\nid: by-hand\n' >>again.yaml
printf 'version: 1\n' >none.yaml
rdmastate apply none.yaml
[ ! -e /etc/rdmastate/applied.yaml ] || fail "the spec outlives the ledger"
rdmastate apply again.yaml
told=$(rdmastate show --as-spec --explain)
contains "what no file says" "initrd: leave" "$told"
contains "whence" "# ipoib: /etc/rdmastate/applied.yaml" "$told"
ip link set store0.8002 mtu 4000
told=$(rdmastate show --as-spec --explain)
contains "what was changed by hand" "mtu: 4000" "$told"
lacks "what is no longer as it was applied" "# ipoib: /etc/rdmastate/applied.yaml" "$told"
contains "what still is" "# soft_devices: /etc/rdmastate/applied.yaml" "$told"
printf 'version: 1\nid: by-hand\n' >none.yaml
rdmastate apply none.yaml

note "by nmcli: profiles that rdmastate did not write are named, and taken over with --adopt"
ip link del store0.8002 2>/dev/null || true
ip addr flush dev store0
networkmanager
nmcli connection add type infiniband con-name "by hand" ifname store0 transport-mode datagram ipv4.method manual ipv4.addresses 203.0.113.1/24 ipv6.method link-local
nmcli connection add type infiniband con-name child ifname store0.8002 p-key 0x8002 parent store0 transport-mode datagram ipv4.method manual ipv4.addresses 192.0.2.1/24 ipv4.routes "198.51.100.0/24 192.0.2.2 50" ipv4.dns 192.0.2.200 ipv6.method auto
nmcli connection up "by hand"
nmcli connection up child
rdmastate show --as-spec --explain >nm.yaml
cat nm.yaml
rdmastate check nm.yaml
contains "the back end" "backend: networkmanager" "$(cat nm.yaml)"
contains "the child" "pkey: 0x8002" "$(cat nm.yaml)"
contains "the route" "via: 192.0.2.2" "$(cat nm.yaml)"
contains "whence" "$PROFILES/by hand.nmconnection:" "$(cat nm.yaml)"
contains "its name" 'profile: "by hand"' "$(cat nm.yaml)"
must_fail 6 rdmastate apply nm.yaml
contains "whose" "$PROFILES/child.nmconnection" "$OUT"
rdmastate apply --adopt nm.yaml
same "what runs, in the profile that was there" child "$(runs store0.8002)"
contains "the profile" "id=child" "$(cat $PROFILES/child.nmconnection)"
[ ! -e $PROFILES/store0.8002.nmconnection ] || fail "there are two profiles of the child"
same "addresses" "192.0.2.1/24" "$(addresses store0.8002)"
rdmastate show --as-spec >nm-again.yaml
undisturbed rdmastate plan --detailed-exitcode nm-again.yaml
contains "plan" "Nothing to do" "$OUT"
