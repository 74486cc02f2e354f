# what: a bond of two ports with back end none: ping, the active port fails, what is lost, the peer's neighbour entry, fail-back, undo
# mode: snapshot
# releases: trixie bullseye
# with: bond
# timeout: 150
# seconds: 60

adapters
ipoib
far_peer
entry() { $FAR ip -j neigh show 192.0.2.1 dev peer0 | python3 -c 'import json, sys; print("".join(one.get("lladdr", "") for one in json.load(sys.stdin)))'; }
has_entry() { [ "$(entry)" = "$1" ]; }

mkdir -p /root/specs
cat >/root/specs/host.yaml <<SPEC
version: 1
network: {backend: none}
ipoib:
  - {name: $IB1}
  - {name: $IB2}
  - {parent: $IB1, pkey: 0x8002, mode: datagram, mtu: 2044}
  - {parent: $IB2, pkey: 0x8002, mode: datagram, mtu: 2044}
bonds:
  - name: bond0
    ports: [$IB1.8002, $IB2.8002]
    primary: $IB1.8002
    miimon: 100
    ipv4: {method: manual, addresses: [192.0.2.1/24]}
SPEC

note "apply; the second one is silent"
rdmastate apply /root/specs/host.yaml
same "type of the bond" infiniband "$(link bond0 link_type)"
same "fail_over_mac" active "$(option fail_over_mac)"
same "master" bond0 "$(link $IB1.8002 master)"
same "MTU" 2044 "$(link bond0 mtu)"
same "addresses" 192.0.2.1/24 "$(addresses bond0)"
soon is_up bond0
soon is_active $IB1.8002
quiet rdmastate apply /root/specs/host.yaml
contains "second apply" "Nothing to do" "$OUT"
quiet rdmastate verify /root/specs/host.yaml

note "the bond reaches the peer"
soon ping -c 1 -W 2 $FAR_ADDRESS
soon has_entry "$(link $IB1.8002 address)"

note "the active port fails: at most one second is lost, and the peer learns the other port's address"
fails_over $IB2.8002
has_entry "$(link $IB2.8002 address)" || fail "the peer still has $(entry)"
contains "an apply while a port has failed" "Nothing to do" "$(rdmastate apply /root/specs/host.yaml)"

note "fail-back to the primary"
knob $HCA1 state active
soon is_active $IB1.8002
soon ping -c 1 -W 2 $FAR_ADDRESS
soon has_entry "$(link $IB1.8002 address)"

note "ARP monitoring, while it runs"
sed -i "s/    miimon: 100/    arp_interval: 200\n    arp_targets: [$FAR_ADDRESS]/" /root/specs/host.yaml
rdmastate apply /root/specs/host.yaml
same "arp_interval" 200 "$(option arp_interval)"
same "miimon" 0 "$(option miimon)"
soon is_up bond0
soon ping -c 1 -W 2 $FAR_ADDRESS
quiet rdmastate apply /root/specs/host.yaml
knob $HCA1 state down
soon is_active $IB2.8002
soon ping -c 1 -W 2 $FAR_ADDRESS
knob $HCA1 state active
soon is_active $IB1.8002

nothing_left() {
	gone bond0 || fail "$1 left the bond"
	gone $IB1.8002 || fail "$1 left a port"
}

note "undo"
rdmastate rollback
same "miimon after the second run is undone" 100 "$(option miimon)"
same "arp_interval" 0 "$(option arp_interval)"

note "an empty spec takes it away; the run that makes it is undone"
cp /root/specs/host.yaml /root/specs/bond.yaml
echo 'version: 1' >/root/specs/host.yaml
rdmastate apply /root/specs/host.yaml
nothing_left "an empty spec"
rdmastate apply /root/specs/bond.yaml
soon ping -c 1 -W 2 $FAR_ADDRESS
rdmastate rollback
nothing_left undo
