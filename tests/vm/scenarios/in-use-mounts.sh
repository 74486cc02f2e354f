# what: an interface that an NFS mount, the session or /var goes over is not bounced unasked, and who goes over it is named
# mode: snapshot
# with: others
# timeout: 300
# seconds: 51
# promise: mounts

adapters
mkdir -p /root/specs
cat >/root/specs/host.yaml <<'SPEC'
version: 1
network: {backend: none}
modules: {load: [ib_ipoib]}
ipoib:
  - name: store0
    match: {port_guid: "f452:1403:007b:cba1"}
    mode: datagram
  - parent: store0
    pkey: 0x8002
    mode: datagram
    ipv4: {method: manual, addresses: [192.0.2.1/24]}
SPEC
sed 's/mode: datagram/mode: connected/' /root/specs/host.yaml >/root/specs/connected.yaml
sed '/- parent/,$d' /root/specs/host.yaml >/root/specs/childless.yaml
rdmastate apply /root/specs/host.yaml
CHILD=store0.8002
peer_netns "$(netdev_of $HCA2_PCI)"
peer_child 0x8002 192.0.2.2/24
crosses $CHILD "$PEER_CHILD" 192.0.2.2

note "a server at the far end, and a mount of it"
far_exports
timeout 60 mount -t nfs4 -o vers=4.2,proto=tcp 192.0.2.2:/ /mnt/projects
same "the file over there" written "$(cat /mnt/projects/file)"
quiet rdmastate apply /root/specs/host.yaml

note "neither a bounce nor a removal, and the mount is named"
for spec in connected childless; do
	must_fail 6 rdmastate apply /root/specs/$spec.yaml
	contains "$spec" "mount /mnt/projects (nfs4 from 192.0.2.2:/)" "$OUT"
	contains "$spec" "--in-use $HCA1" "$OUT"
done
same "mode" datagram "$(mode_of store0)"
exists $CHILD || fail "the child went all the same"
contains "plan in text" "also disturbed: " "$(rdmastate plan /root/specs/connected.yaml)"
OUT=$(rdmastate plan -o json /root/specs/connected.yaml) || same "exit code of a refused plan" 6 $?
/usr/bin/python3 -c '
import json, sys
plan = json.load(sys.stdin)
assert any("mount /mnt/projects" in one for step in plan["steps"] for one in step.get("touches", [])), plan["steps"]
assert any("mount /mnt/projects" in one for one in plan["refused"]), plan["refused"]' <<<"$OUT"
note "a record of the host plans the same"
rdmastate show --record /run/rig/host.json
must_fail 6 rdmastate apply --host /run/rig/host.json --record /run/rig/after.json /root/specs/connected.yaml
contains "the record" "mount /mnt/projects (nfs4 from 192.0.2.2:/)" "$OUT"

note "given up, it is bounced, and the mount is there again"
rdmastate apply /root/specs/connected.yaml --in-use "$HCA1"
same "mode" connected "$(mode_of store0)"
soon ping -c 1 -W 2 -I $CHILD 192.0.2.2
same "the file over there" written "$(timeout 60 cat /mnt/projects/file)"
umount /mnt/projects
rdmastate apply /root/specs/host.yaml
same "mode without the mount" datagram "$(mode_of store0)"

note "a session: a process called sshd with a connection over the child, and a shell under it"
soon ping -c 1 -W 2 -I $CHILD 192.0.2.2
begin_sessions
must_fail 6 in_session rdmastate apply /root/specs/connected.yaml
contains "who" "this session (sshd, process " "$OUT"
contains "from where" "from 192.0.2.2)" "$OUT"
same "mode" datagram "$(mode_of store0)"
contains "how" "--confirm-within 60s does it" "$OUT"
note "given up with its device it is not: somebody has to confirm that he can still get here"
must_fail 6 in_session rdmastate apply /root/specs/connected.yaml --in-use "$HCA1"
in_session rdmastate apply /root/specs/connected.yaml --confirm-within 10min
same "mode, for ten minutes" connected "$(mode_of store0)"
rdmastate confirm
note "not by environment: without the process there is no session"
SSH_CONNECTION="192.0.2.2 40000 192.0.2.1 22" rdmastate apply /root/specs/host.yaml
same "mode" datagram "$(mode_of store0)"
end_sessions

note "/var from there: pending, whatever the flags"
soon ping -c 1 -W 2 -I $CHILD 192.0.2.2
with_var() { unshare -m --propagation private bash -c 'timeout 60 mount -t nfs4 -o vers=4.2,proto=tcp 192.0.2.2:/var /var && "$@"' bash "$@"; }
OUT=$(with_var rdmastate apply /root/specs/connected.yaml --in-use "$HCA1" 2>&1) || fail "apply: $OUT"
contains "why" "/var is mounted (nfs4 from 192.0.2.2:/var) over store0" "$OUT"
contains "what of it" "what carries it is not moved while the host runs" "$OUT"
same "mode" datagram "$(mode_of store0)"
contains "boot.json" '"mode":"connected"' "$(cat /etc/rdmastate/boot.json)"
must_fail 2 with_var rdmastate verify /root/specs/connected.yaml
with_var rdmastate verify --allow-pending /root/specs/connected.yaml
