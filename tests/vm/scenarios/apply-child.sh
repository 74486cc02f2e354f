# what: from nothing to a port and its P_Key child with addresses, a second silent apply, ping, removal of what was made
# mode: snapshot
# seconds: 48
# promise: a silent second run, children of a port
# releases: trixie bullseye sid

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
    ipv4: {method: manual, addresses: [192.0.2.1/24], routes: [{to: 198.51.100.0/24, via: 192.0.2.2, metric: 50}]}
    ipv6: {method: manual, addresses: ["2001:db8::1/64"]}
SPEC
tree_digest | grep -v '^/etc/rig' | awk '{print $1, $4, $5}' >/run/rig/tree.original

note "a guide's command that loads the modules, as it is printed"
refused "syntax error near unexpected token \`newline'" bash -c 'systemctl restart <rdma-load-modules@rdma.service>'

note "nothing is there yet"
[ ! -d /sys/module/ib_ipoib ] || fail "ib_ipoib is loaded already"
must_fail 2 rdmastate verify /root/specs/host.yaml
must_fail 2 rdmastate plan --detailed-exitcode /root/specs/host.yaml

note "apply"
rdmastate apply /root/specs/host.yaml
[ -d /sys/module/ib_ipoib ] || fail "ib_ipoib is not loaded"
same "P_Key" 0x8002 "$(pkey_of store0.8002)"
same "mode" datagram "$(mode_of store0.8002)"
same "addresses of the child" "192.0.2.1/24 2001:db8::1/64" "$(addresses store0.8002)"
same "addresses of the port" "203.0.113.1/24" "$(addresses store0)"
contains "route" "198.51.100.0/24 via 192.0.2.2 dev store0.8002" "$(ip route show 198.51.100.0/24)"
contains "route's metric" "metric 50" "$(ip route show 198.51.100.0/24)"
grep -qx ib_ipoib /etc/modules-load.d/rdmastate.conf || fail "nothing loads ib_ipoib at the next boot"

note "the second apply is silent, and verify agrees"
quiet rdmastate apply /root/specs/host.yaml
contains "second apply" "Nothing to do" "$OUT"
quiet rdmastate verify /root/specs/host.yaml

note "a ping crosses to the other adapter in its own namespace"
peer_netns "$(netdev_of $HCA2_PCI)"
peer_child 0x8002 192.0.2.2/24 2001:db8::2/64
crosses store0.8002 $PEER_CHILD 192.0.2.2 2001:db8::2

note "change of mode and MTU"
sed -i 's/    ipv4: {method: manual, addresses: \[203/    mode: connected\n    mtu: 65520\n&/' /root/specs/host.yaml
rdmastate apply /root/specs/host.yaml
same "mode of the port" connected "$(mode_of store0)"
same "MTU of the port" 65520 "$(link store0 mtu)"
quiet rdmastate apply /root/specs/host.yaml

note "the child goes when the spec no longer names it, and nothing else does"
ip link add link store0 name foreign type ipoib pkey 0x8005
sed -i '/- parent/,$d' /root/specs/host.yaml
rdmastate apply /root/specs/host.yaml
gone store0.8002 || fail "the child is still there"
exists foreign || fail "another's child was removed"
same "addresses of the port" "203.0.113.1/24" "$(addresses store0)"
quiet rdmastate apply /root/specs/host.yaml
ip link del foreign

note "an empty spec takes away every file that was made"
echo 'version: 1' >/root/specs/host.yaml
rdmastate apply /root/specs/host.yaml
same "addresses of the port" "" "$(addresses store0)"
tree_digest | grep -v -e '^/etc/rig' -e '/rdmastate' | awk '{print $1, $4, $5}' >/run/rig/tree.now
diff <(grep -v /rdmastate /run/rig/tree.original) /run/rig/tree.now || fail "the files are not those of the beginning"
quiet rdmastate apply /root/specs/host.yaml
