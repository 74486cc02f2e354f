# what: back end networkmanager: the README's first spec on a port that is up under udev's name; a port that is down
# mode: snapshot
# with: managers
# timeout: 200
# seconds: 60
# promise: the first spec
# releases: trixie bullseye sid

adapters
networkmanager
ipoib
mkdir -p /root/specs
SPEC=/root/specs/host.yaml
cat >$SPEC <<'YAML'
version: 1
modules:
  load: [ib_ipoib]
ipoib:
  - name: mlx4_ib0
    match: {port_guid: "f452:1403:007b:cba1"}
    mode: datagram
    ipv4: {method: manual, addresses: [192.0.2.1/24]}
YAML

note "the port is up under the name that udev gave it, without an address: NetworkManager has found it"
OLD=$IB1
[ "$OLD" != mlx4_ib0 ] || fail "it has the name already"
soon is_up "$OLD"
same "addresses before" "" "$(addresses "$OLD")"

note "one apply configures all of it"
rdmastate apply $SPEC
gone "$OLD" || fail "$OLD is still there"
same "profile" mlx4_ib0 "$(runs mlx4_ib0)"
same "state" "100 (connected)" "$(nm_state mlx4_ib0)"
same "addresses" 192.0.2.1/24 "$(addresses mlx4_ib0)"
same "mode" datagram "$(mode_of mlx4_ib0)"
quiet rdmastate verify $SPEC
note "the second apply is silent"
undisturbed rdmastate apply $SPEC
contains "second apply" "Nothing to do" "$OUT"

note "a rollback gives the old name back"
rdmastate rollback
soon exists "$OLD"
gone mlx4_ib0 || fail "mlx4_ib0 is still there"
same "addresses" "" "$(addresses "$OLD")"

note "where nothing may be disturbed it waits for the boot, and says so"
rdmastate apply --max-disruption none $SPEC >/run/rig/told 2>&1 || true
contains "what it says" "$OLD becomes mlx4_ib0 at the next boot" "$(cat /run/rig/told)"
exists "$OLD" || fail "$OLD was renamed"
rdmastate apply $SPEC
same "addresses" 192.0.2.1/24 "$(addresses mlx4_ib0)"
undisturbed rdmastate apply $SPEC

note "a port that is down is named at once, on a back end of files too"
ip link set "$IB2" down
cat >/root/specs/down.yaml <<YAML
version: 1
id: down
network: {backend: ifupdown}
ipoib:
  - name: store1
    match: {port_guid: "$(cut -d: -f13-20 "/sys/class/net/$IB2/address")"}
YAML
mkdir -p /etc/network/interfaces.d
echo 'source /etc/network/interfaces.d/*' >/etc/network/interfaces
systemctl stop NetworkManager
ip link set "$IB2" down
rdmastate apply --replace /root/specs/down.yaml >/run/rig/told 2>&1 || true
exists store1 || fail "it was not named: $(cat /run/rig/told)"
