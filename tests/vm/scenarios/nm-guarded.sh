# what: back end networkmanager: an address that a session, an NFS mount or a rule goes by is not changed unasked
# mode: snapshot
# with: managers others
# timeout: 300
# seconds: 80
# promise: addresses that others go by

adapters
networkmanager
mkdir -p /root/specs
SPEC=/root/specs/host.yaml
# spec ADDRESS: of the child
spec() {
	cat >$SPEC <<YAML
version: 1
network: {backend: networkmanager}
modules: {load: [ib_ipoib]}
ipoib:
  - name: store0
    match: {port_guid: "f452:1403:007b:cba1"}
    mode: datagram
    ipv4: {method: manual, addresses: [203.0.113.1/24]}
  - parent: store0
    pkey: 0x8002
    ipv4: {method: manual, addresses: [$1/24]}
YAML
}
CHILD=store0.8002
spec 192.0.2.1
rdmastate apply $SPEC
peer_netns "$(netdev_of $HCA2_PCI)"
peer_child 0x8002 192.0.2.2/24
crosses $CHILD "$PEER_CHILD" 192.0.2.2

# refused_for WHO COMMAND...: applies the spec with another address; nothing is moved
refused_for() {
	local who=$1
	shift
	spec 192.0.2.3
	must_fail 6 "$@" rdmastate apply $SPEC
	contains "who" "$who" "$OUT"
	same "addresses of the child" 192.0.2.1/24 "$(addresses $CHILD)"
	spec 192.0.2.1
	undisturbed rdmastate apply $SPEC
}

note "an NFS mount's"
far_exports
timeout 60 mount -t nfs4 -o vers=4.2,proto=tcp 192.0.2.2:/ /mnt/projects
refused_for "mount /mnt/projects (nfs4 from 192.0.2.2:/) over $CHILD"
same "the file over there" written "$(cat /mnt/projects/file)"
umount /mnt/projects

note "a rule's"
ip rule add from 192.0.2.1 lookup 101 priority 100
refused_for "rule 100 (from 192.0.2.1 lookup 101) over $CHILD"
ip rule del priority 100

note "a session's"
begin_sessions
refused_for "this session (sshd, process " in_session
spec 192.0.2.3
in_session rdmastate apply $SPEC --confirm-within 10min
same "addresses of the child, for ten minutes" 192.0.2.3/24 "$(addresses $CHILD)"
rdmastate rollback
same "addresses of the child, taken back" 192.0.2.1/24 "$(addresses $CHILD)"
end_sessions

note "an address that nobody goes by changes unasked"
spec 192.0.2.3
rdmastate apply $SPEC
same "addresses of the child" 192.0.2.3/24 "$(addresses $CHILD)"
