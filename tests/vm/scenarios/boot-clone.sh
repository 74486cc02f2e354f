# what: a cloned image on other hardware: the ledger forgets what the kernel had there and keeps the files
# mode: snapshot

adapters
mkdir -p /root/specs
cat >/root/specs/host.yaml <<'SPEC'
version: 1
network: {backend: none}
modules: {load: [ib_ipoib]}
ipoib:
  - name: store0
    match: {port_guid: "f452:1403:007b:cba1"}
    ipv4: {method: manual, addresses: [203.0.113.1/24]}
  - parent: store0
    pkey: 0x8002
    ipv4: {method: manual, addresses: [192.0.2.1/24]}
SPEC
rdmastate apply /root/specs/host.yaml
ledger() { /usr/bin/python3 -c 'import json; [print(e["kind"], e["key"]) for e in json.load(open("/etc/rdmastate/ledger.json"))["entries"]]'; }
contains "ledger" "007b:cba1" "$(ledger)"

note "the image wakes up on another host"
unload fake_hca
tr 0-9 1-90 </etc/machine-id >/run/rig/id
cat /run/rig/id >/etc/machine-id
adapters guid=0x0002c90300317800
soon exists "$(netdev_of $HCA1_PCI)"
must_fail 2 rdmastate verify --boot
lacks "interfaces" store0 "$(ip -o link)"

note "somebody else's child has the key of a record that the clone brought along"
sed 's/f452:1403:007b:cba1/0002:c903:0031:7801/' /root/specs/host.yaml >/root/specs/clone.yaml
plan=$(rdmastate plan /root/specs/clone.yaml)
lacks "plan" "f452:1403:007b:cba1 " "$(grep -v '^      ' <<<"$plan")"
sed -i '/- parent/,$d; /^modules/d' /root/specs/clone.yaml
rdmastate apply /root/specs/clone.yaml
note "files are kept in the ledger: the one that the new spec does not name is gone, the others say the new GUID"
[ ! -e /etc/modules-load.d/rdmastate.conf ] || fail "the ledger forgot a file"
grep -q '00:02:c9:03:00:31:78:01' /etc/udev/rules.d/70-rdmastate-ipoib.rules || fail "the rules are the old host's"
lacks "ledger" "007b:cba1" "$(ledger)"
same "machine" "$(cat /etc/machine-id)" "$(/usr/bin/python3 -c 'import json; print(json.load(open("/etc/rdmastate/ledger.json"))["machine_id"])')"
same "addresses" "203.0.113.1/24" "$(addresses "$(netdev_of $HCA1_PCI)")"

note "a clone on the same hardware with the same key: what the old host made is not ours here, and stays"
ip link add link "$(netdev_of $HCA1_PCI)" name foreign type ipoib pkey 0x8005
sed 's/^ipoib:/&/; $a\  - {parent: store0, name: foreign, pkey: 0x8005}' /root/specs/clone.yaml >/root/specs/more.yaml
rdmastate apply /root/specs/more.yaml
/usr/bin/python3 - <<'PY'
import json
path = "/etc/rdmastate/ledger.json"
ledger = json.load(open(path))
for entry in ledger["entries"]:
    if "8005" in entry["key"]:
        entry["origin"] = "made"
json.dump(ledger, open(path, "w"))
PY
tr 0-9 1-90 </run/rig/id >/etc/machine-id
rdmastate apply /root/specs/clone.yaml
exists foreign || fail "a child that this host never made was removed"
