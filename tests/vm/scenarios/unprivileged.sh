# what: plan, show and verify for a user who is not root say what they could not see, and never that all is well
# mode: snapshot
# seconds: 19
# promise: no rights
# releases: trixie bullseye

adapters
mkdir -p /root/specs /etc/NetworkManager/system-connections
cat >/root/specs/host.yaml <<'SPEC'
version: 1
network: {backend: none}
modules: {load: [ib_ipoib]}
ipoib:
  - name: store0
    match: {port_guid: "f452:1403:007b:cba1"}
    ipv4: {method: manual, addresses: [203.0.113.1/24]}
SPEC
rdmastate apply /root/specs/host.yaml
install -m 644 /root/specs/host.yaml /run/rig/host.yaml
chmod 755 /run/rig
anybody() { setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$@"; }

note "nothing is hidden: the same as root sees"
anybody rdmastate verify /run/rig/host.yaml
anybody rdmastate plan /run/rig/host.yaml >/run/rig/anybody
rdmastate plan /run/rig/host.yaml >/run/rig/root
diff /run/rig/anybody /run/rig/root
same "show" "$(rdmastate show)" "$(anybody rdmastate show)"

note "a file that only root may read"
PROFILE=/etc/NetworkManager/system-connections/else.nmconnection
printf '[connection]\ninterface-name=eth9\n' >$PROFILE
chmod 600 $PROFILE
rdmastate verify /run/rig/host.yaml
must_fail 2 anybody rdmastate verify /run/rig/host.yaml
contains "verify" "unseen: $PROFILE" "$OUT"
lacks "verify" "the host is as the spec says" "$OUT"
must_fail 2 anybody rdmastate plan --detailed-exitcode /run/rig/host.yaml
contains "plan" "unseen: $PROFILE" "$OUT"
contains "plan in json" '"unseen": 1' "$(anybody rdmastate plan -o json /run/rig/host.yaml)"
contains "show" "$PROFILE" "$(anybody rdmastate show)"
/usr/bin/python3 -c 'import json, sys; assert json.load(sys.stdin)["facts"]["unseen"] == [sys.argv[1]]' $PROFILE <<<"$(anybody rdmastate show -o json)"

note "a directory that only root may list"
rm $PROFILE
chmod 700 /etc/NetworkManager/system-connections
must_fail 2 anybody rdmastate verify /run/rig/host.yaml
contains "verify" "unseen: /etc/NetworkManager/system-connections " "$OUT"
rmdir /etc/NetworkManager/system-connections

note "one of our own files"
chmod 600 /etc/rdmastate/boot.json
must_fail 2 anybody rdmastate verify /run/rig/host.yaml
contains "verify" "/etc/rdmastate/boot.json" "$OUT"
contains "verify" "unseen: " "$OUT"
lacks "verify" "the host is as the spec says" "$OUT"
chmod 644 /etc/rdmastate/boot.json
chmod 600 /etc/rdmastate/ledger.json
must_fail 1 anybody rdmastate verify /run/rig/host.yaml
contains "verify" "/etc/rdmastate/ledger.json" "$OUT"
chmod 644 /etc/rdmastate/ledger.json

note "and apply is root's"
must_fail 1 anybody rdmastate apply /run/rig/host.yaml
