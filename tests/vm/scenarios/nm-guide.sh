# what: the guide's nmcli commands and our profiles: NetworkManager says the same of both, key by key, and doctor gives the spec's lines
# mode: snapshot
# with: managers

adapters
ipoib
networkmanager
mkdir -p /root/specs

# said NAME FILE: all that NetworkManager knows of a profile, less what tells two apart that are otherwise the same
said() { nmcli -t connection show "$1" | grep -E '^[a-z0-9-]+\.' | grep -vE '^(connection\.(uuid|timestamp)|user\.data):' | sort >"$2"; }

# equal WHAT: what nmcli made is what rdmastate makes
equal() { diff -u /run/rig/nmcli /run/rig/ours || fail "$1: nmcli's profile is another"; }

# line_of NAME FILE: the spec's line that doctor gives for a profile, as a spec. The guide does not say which port it is, and a port keeps its name.
line_of() {
	rdmastate doctor -o json >/run/rig/doctor.json || [ $? = 2 ] || fail "doctor ended with $?"
	python3 - "/etc/NetworkManager/system-connections/$1.nmconnection" >"$2" <<'PY'
import json, re, sys
fixes = [one["fix"] for one in json.load(open("/run/rig/doctor.json"))["findings"] if one["subject"]["name"] == sys.argv[1]]
print("version: 1\n" + re.fullmatch(r"A spec says it as (.*)\. `apply --adopt` takes the file over\.", *fixes)[1])
PY
	sed -i 's/match: {port_guid: "[^"]*"}, //' "$2"
}

note "the port, connected, with addresses, gateways and resolvers of both families"
nmcli connection add type infiniband con-name "$IB1" ifname "$IB1" transport-mode connected mtu 65520
nmcli connection modify "$IB1" ipv4.method manual ipv4.addresses 192.0.2.1/24 ipv4.gateway 192.0.2.254 ipv4.dns 192.0.2.200 ipv4.dns-search example.com
nmcli connection modify "$IB1" ipv6.method manual ipv6.addresses 2001:db8:1::1/64 ipv6.gateway 2001:db8:1::fffe ipv6.dns 2001:db8:1::ffbb ipv6.dns-search example.com
said "$IB1" /run/rig/nmcli
line_of "$IB1" /root/specs/port-line.yaml
nmcli connection delete "$IB1"
cat >/root/specs/port.yaml <<YAML
version: 1
ipoib:
  - name: $IB1
    mode: connected
    mtu: 65520
    ipv4: {method: manual, addresses: [192.0.2.1/24], gateway: 192.0.2.254, dns: [192.0.2.200], search: [example.com]}
    ipv6: {method: manual, addresses: ["2001:db8:1::1/64"], gateway: "2001:db8:1::fffe", dns: ["2001:db8:1::ffbb"], search: [example.com]}
YAML
rdmastate apply /root/specs/port.yaml
said "$IB1" /run/rig/ours
grep -q '^infiniband.transport-mode:connected$' /run/rig/ours || fail "nothing was compared: $(cat /run/rig/ours)"
grep -q '^ipv6.gateway:2001' /run/rig/ours || fail "nothing was compared: $(cat /run/rig/ours)"
equal "the port"
quiet rdmastate verify /root/specs/port-line.yaml
soon is_up "$IB1"
by_gateway() { [[ "$(ip "$1" route show default dev "$IB1")" == "default via $2 "* ]]; }
soon by_gateway -4 192.0.2.254
soon by_gateway -6 2001:db8:1::fffe
resolvers() { grep -E '^(nameserver|search)' /etc/resolv.conf | xargs; }
same "resolv.conf" "search example.com nameserver 192.0.2.200 nameserver 2001:db8:1::ffbb" "$(resolvers)"

note "the child of a partition"
nmcli connection add type infiniband con-name "$IB1.8002" ifname "$IB1.8002" transport-mode datagram infiniband.parent "$IB1" infiniband.p-key 0x8002 \
	ipv4.method manual ipv4.addresses 198.51.100.1/24 ipv4.routes "203.0.113.0/24 198.51.100.254 50" ipv6.method disabled
said "$IB1.8002" /run/rig/nmcli
line_of "$IB1.8002" /root/specs/child-line.yaml
nmcli connection delete "$IB1.8002"
cat >>/root/specs/port.yaml <<YAML
  - parent: $IB1
    pkey: 0x8002
    mode: datagram
    ipv4: {method: manual, addresses: [198.51.100.1/24], routes: [{to: 203.0.113.0/24, via: 198.51.100.254, metric: 50}]}
    ipv6: {method: disabled}
YAML
rdmastate apply /root/specs/port.yaml
said "$IB1.8002" /run/rig/ours
grep -q '^infiniband.p-key:0x8002$' /run/rig/ours || fail "nothing was compared: $(cat /run/rig/ours)"
equal "the child"
quiet rdmastate verify /root/specs/child-line.yaml
soon is_up "$IB1.8002"
same "the kernel's mode of it" datagram "$(mode_of "$IB1.8002")"
same "the kernel's P_Key of it" 0x8002 "$(pkey_of "$IB1.8002")"
