# what: back end networkmanager: an activation that fails is undone: files, profiles and what was active are as before
# mode: snapshot
# with: managers
# timeout: 240
# seconds: 52

adapters
ipoib
networkmanager
mkdir -p /root/specs
SPEC=/root/specs/host.yaml
cat >$SPEC <<YAML
version: 1
ipoib:
  - name: $IB1
    mode: datagram
    ipv4: {method: manual, addresses: [203.0.113.1/24]}
  - parent: $IB1
    pkey: 0x8002
    ipv4: {method: manual, addresses: [192.0.2.1/24]}
YAML
rdmastate apply $SPEC
undisturbed rdmastate apply $SPEC
profiles() { sha256sum $PROFILES/*; nmcli -g NAME,UUID,DEVICE connection | sort; }
before=$(profiles)
ledger=$(sha256sum /etc/rdmastate/ledger.json)

note "no DHCP server answers on the new child: the activation fails, says why, and all is as before"
cat >>$SPEC <<YAML
  - parent: $IB1
    pkey: 0x8003
    ipv4: {method: auto}
    ipv6: {method: disabled}
YAML
sed -i 's/203.0.113.1/203.0.113.2/' $SPEC
must_fail 4 rdmastate apply $SPEC
contains "the reason" "NetworkManager gave up" "$OUT"
note "$(echo "$OUT" | grep "gave up")"
gone $IB1.8003 || fail "the child that failed is still there"
same "profiles" "$before" "$(profiles)"
same "ledger" "$ledger" "$(sha256sum /etc/rdmastate/ledger.json)"
same "addresses of the port" "203.0.113.1/24" "$(addresses $IB1)"
same "profile of the child" "$IB1.8002" "$(runs $IB1.8002)"

note "the adapter refuses the child's queue pair: the same"
sed -i 's/    ipv4: {method: auto}/    mode: connected\n    ipv4: {method: manual, addresses: [198.51.100.1\/24]}/' $SPEC
knob "$HCA1" fail "create_cq 100 12"
RC=0
OUT=$(rdmastate apply $SPEC 2>&1) || RC=$?
knob "$HCA1" fail "create_cq 0 0" || true
case $RC in
4) same "profiles" "$before" "$(profiles)" ;;
*) fail "apply ended with $RC: $OUT" ;;
esac
same "addresses of the port" "203.0.113.1/24" "$(addresses $IB1)"
same "profile of the child" "$IB1.8002" "$(runs $IB1.8002)"
