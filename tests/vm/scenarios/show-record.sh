# what: the plan of a record is the live host's plan byte for byte, but for the line that names the host
# mode: snapshot
# releases: sid
# timeout: 120
# seconds: 44
# promise: records

adapters
mkdir -p /root/specs
cd /root/specs || fail "no directory"
cat >host.yaml <<'SPEC'
version: 1
network: {backend: none}
modules: {load: [ib_ipoib, xprtrdma, dummy]}
ipoib:
  - name: store0
    match: {port_guid: "f452:1403:007b:cba1"}
    mode: connected
    ipv4: {method: manual, addresses: [203.0.113.1/24]}
  - parent: store0
    pkey: 0x8002
    ipv4: {method: manual, addresses: [192.0.2.1/24], routes: [{to: 198.51.100.0/24, via: 192.0.2.2, metric: 50}]}
    ipv6: {method: manual, addresses: ["2001:db8::1/64"]}
  - parent: store0
    pkey: 0x9999
SPEC
sed 's/192.0.2.1/192.0.2.7/; s/connected/datagram/; s/metric: 50/metric: 51/; s/0x9999/0x8004/' host.yaml >other.yaml
sed 's/dummy/no_such_module/; s/name: store0/name: else0/; s/parent: store0/parent: else0/' host.yaml >third.yaml
printf 'version: 1\n' >empty.yaml

# planned WORDS...: 6 is refused, and told as any plan is
planned() { rdmastate plan "$@" || same "exit code" 6 $?; }

compare() {
	rdmastate show --record /run/rig/host.json
	same "mode of the record" 600 "$(stat -c %a /run/rig/host.json)"
	local spec
	for spec in host other third empty; do
		planned $spec.yaml >/run/rig/live.txt
		planned --host /run/rig/host.json $spec.yaml >/run/rig/record.txt
		diff <(sed 's/^Plan for .* (/Plan for (/' /run/rig/live.txt) <(sed 's/^Plan for .* (/Plan for (/' /run/rig/record.txt) ||
			fail "$1: the plans for $spec.yaml differ"
		planned -o json $spec.yaml >/run/rig/live.json
		planned -o json --host /run/rig/host.json $spec.yaml >/run/rig/record.json
		diff <(grep -v '^    "host": ' /run/rig/live.json) <(grep -v '^    "host": ' /run/rig/record.json) ||
			fail "$1: the plans for $spec.yaml differ in json"
	done
}

compare "nothing is there, ib_ipoib is not loaded"
ipoib
compare "ib_ipoib is loaded"
rdmastate apply host.yaml || note "ended with $?: a P_Key is missing"
contains "plan" "0x9999" "$(rdmastate plan host.yaml)"
compare "applied"
ip addr add 192.0.2.77/24 dev store0.8002
ip link set store0.8002 mtu 1500
ip link add link store0 name foreign type ipoib pkey 0x8005
ip route add 203.0.113.128/25 via 192.0.2.3
mkdir -p /etc/network/interfaces.d
printf 'iface store0 inet manual\n' >/etc/network/interfaces.d/ib
compare "and then changed by others"
