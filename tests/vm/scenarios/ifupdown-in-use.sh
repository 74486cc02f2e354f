# what: back end ifupdown takes no interface down that a mount, the session or /var goes over, unless it is given up
# mode: snapshot
# with: others ifupdown
# timeout: 400
# seconds: 182

ifupdown
adapters
spec 203.0.113.1/24 192.0.2.1/24
rdmastate apply $SPEC
CHILD=store0.8002
peer_netns "$(netdev_of $HCA2_PCI)"
peer_child 0x8002 192.0.2.2/24 2001:db8::2/64
crosses $CHILD "$PEER_CHILD" 192.0.2.2
index=$(cat /sys/class/net/$CHILD/ifindex)

note "a mount over the child: neither another address of its port, nor one of its own, nor its removal"
far_exports
timeout 60 mount -t nfs4 -o vers=4.2,proto=tcp 192.0.2.2:/ /mnt/projects
quiet rdmastate apply $SPEC
kept() {
	must_fail 6 rdmastate apply $SPEC
	contains "$1" "mount /mnt/projects (nfs4 from 192.0.2.2:/)" "$OUT"
	contains "$1" "--in-use $HCA1" "$OUT"
	same "the child's number" "$index" "$(cat /sys/class/net/$CHILD/ifindex)"
	same "what ifupdown holds" "store0.8002=store0.8002 store0=store0" "$(held)"
}
spec 203.0.113.5/24 192.0.2.1/24
kept "the port's address"
spec 203.0.113.1/24 192.0.2.3/24
kept "the child's address"
sed -i '/- parent/,$d' $SPEC
kept "the removal"

note "given up, the port is bounced, and the mount is there again"
spec 203.0.113.5/24 192.0.2.1/24
rdmastate apply $SPEC --in-use "$HCA1"
same "addresses of the port" 203.0.113.5/24 "$(addresses store0)"
same "addresses of the child" "192.0.2.1/24 2001:db8::1/64" "$(addresses $CHILD)"
soon ping -c 1 -W 2 -I $CHILD 192.0.2.2
same "the file over there" written "$(timeout 60 cat /mnt/projects/file)"
umount /mnt/projects

note "the session, from the far end: for a time, until somebody confirms"
begin_sessions
spec 203.0.113.1/24 192.0.2.1/24
must_fail 6 in_session rdmastate apply $SPEC
contains "who" "this session (sshd, process " "$OUT"
in_session rdmastate apply $SPEC --confirm-within 10min
same "addresses of the port, for ten minutes" 203.0.113.1/24 "$(addresses store0)"
rdmastate confirm
end_sessions

note "/var from there: the file is written, and the interface waits for a boot, whatever the flags"
soon ping -c 1 -W 2 -I $CHILD 192.0.2.2
with_var() { unshare -m --propagation private bash -c 'timeout 60 mount -t nfs4 -o vers=4.2,proto=tcp 192.0.2.2:/var /var && "$@"' bash "$@"; }
index=$(cat /sys/class/net/$CHILD/ifindex)
spec 203.0.113.5/24 192.0.2.1/24
OUT=$(with_var rdmastate apply $SPEC --in-use "$HCA1" 2>&1) || fail "apply: $OUT"
contains "why" "/var is mounted (nfs4 from 192.0.2.2:/var) over store0" "$OUT"
same "addresses of the port" 203.0.113.1/24 "$(addresses store0)"
same "the child's number" "$index" "$(cat /sys/class/net/$CHILD/ifindex)"
contains "the file" "address 203.0.113.5/24" "$(cat $FILES/rdmastate-store0)"
must_fail 2 with_var rdmastate verify $SPEC
with_var rdmastate verify --allow-pending $SPEC
