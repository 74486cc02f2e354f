# what: back end networkmanager without carrier: what needs one waits for it, what is static does not; a change waits too
# mode: snapshot
# releases: trixie sid
# with: managers
# timeout: 400
# seconds: 230

SPEC=/root/specs/host.yaml
adapters
ipoib
networkmanager
mkdir -p /root/specs
cat >$SPEC <<YAML
version: 1
network: {backend: networkmanager}
ipoib:
  - {name: $IB1, mode: datagram}
  - {parent: $IB1, pkey: 0x8002, mode: datagram, ipv4: {method: manual, addresses: [192.0.2.1/24]}}
  - {parent: $IB1, pkey: 0x9001, mode: datagram, ipv6: {method: manual, addresses: ["2001:db8::1/64"]}}
YAML
is_connected() { [ "$(nm_state "$1")" = "100 (connected)" ]; }
settled() { :; }   # what has no carrier stays so here
waits() { contains "$1" "$2 has no carrier: NetworkManager activates the profile when it has one" "$OUT"; }

note "the first apply on a port that is not ACTIVE"
knob $HCA1 state down
OUT=$(rdmastate apply $SPEC 2>&1)
waits "first apply" $IB1
waits "first apply" $IB1.9001
is_connected $IB1.8002
same "static address" 192.0.2.1/24 "$(addresses $IB1.8002)"
undisturbed rdmastate apply $SPEC
waits "second apply" $IB1

note "the port comes: NetworkManager activates what waited; the P_Key is missing still"
knob $HCA1 state active
soon is_connected $IB1
soon is_connected $IB1.8002
undisturbed rdmastate apply $SPEC
waits "apply without the P_Key" $IB1.9001
lacks "apply without the P_Key" "$IB1 has no carrier" "$OUT"
knob $HCA1 pkeys +0x9001
soon is_connected $IB1.9001
undisturbed rdmastate verify $SPEC

note "a change that needs an activation, while the port is down, and its undo"
knob $HCA1 state down
is_let_go() { [ "$(runs $IB1)" = "" ]; }
soon is_let_go
sed -i "s/name: $IB1, mode: datagram/name: $IB1, mode: connected/" $SPEC
OUT=$(rdmastate apply $SPEC 2>&1)
waits "change" $IB1
same "mode until then" datagram "$(cat /sys/class/net/$IB1/mode)"
knob $HCA1 state active
soon is_connected $IB1
undisturbed rdmastate verify $SPEC
same "mode then" connected "$(cat /sys/class/net/$IB1/mode)"
rdmastate rollback
same "mode after the rollback" datagram "$(cat /sys/class/net/$IB1/mode)"

note "a bond with DHCP goes on waiting, and the apply does not"
knob $HCA1 state down
cat >$SPEC <<YAML
version: 1
network: {backend: networkmanager}
modules: {load: [ib_ipoib]}
ipoib:
  - {name: $IB1, mode: datagram}
bonds:
  - {name: bond0, ports: [$IB1], ipv4: {method: auto}}
YAML
rdmastate apply $SPEC
same "master" bond0 "$(link $IB1 master)"
same "profile of the bond" bond0 "$(runs bond0)"
undisturbed rdmastate apply $SPEC
