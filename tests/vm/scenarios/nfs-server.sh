# what: an NFS server is enabled and started, listens for RDMA, adds a port without a restart, drops the old port at --restart, and is disabled and stopped when the spec no longer has it
# mode: snapshot
# timeout: 300
# seconds: 75
# releases: trixie bullseye sid

PORTS=/proc/fs/nfsd/portlist
SERVER=nfs-server.service
ip link add eth7 type veth peer name far7
ip link set eth7 up
ip link set far7 up
ip addr add 192.0.2.1/24 dev eth7
mkdir -p /root/specs /srv/export /mnt/projects
mount -t tmpfs none /srv/export
echo written >/srv/export/file
echo '/srv/export *(rw,fsid=0,no_root_squash,insecure,no_subtree_check)' >/etc/exports
cat >/root/specs/host.yaml <<'SPEC'
version: 1
soft_devices:
  - {name: rxe_near, type: rxe, netdev: eth7}
nfs: {server: {run: true}}
SPEC
sed 's/run: true/run: true, rdma_port: 20050/' /root/specs/host.yaml >/root/specs/other.yaml
printf 'version: 1\nsoft_devices: [{name: rxe_near, type: rxe, netdev: eth7}]\n' >/root/specs/none.yaml

listeners() { sed -n '/^rdma/p' $PORTS | sort -u | xargs; }
started() { systemctl show -P ExecMainStartTimestampMonotonic $SERVER; }
same "before" "disabled inactive" "$(systemctl is-enabled $SERVER || true) $(systemctl is-active $SERVER || true)"

# not_so PART: verify fails with that sentence
not_so() {
	must_fail 2 rdmastate verify /root/specs/host.yaml
	contains "verify" "$1" "$OUT"
}

note "enabled, started, and it listens in both families; the kernel loads rpcrdma by itself; no file in modules-load.d names it"
modprobe -r rpcrdma
[ ! -e /sys/module/rpcrdma ] || fail "rpcrdma is loaded"
rdmastate apply /root/specs/host.yaml
soon idle
same "the unit" "enabled active" "$(systemctl is-enabled $SERVER) $(systemctl is-active $SERVER)"
same "RDMA listeners" "rdma 20049 rdma 20049" "$(grep '^rdma' $PORTS | xargs)"
[ -e /sys/module/rpcrdma ] || fail "rpcrdma is not loaded"
lacks "modules at boot" rpcrdma "$(cat /etc/modules-load.d/*.conf 2>/dev/null)"
contains "sockets" ":2049 " "$(ss -tln)"
quiet rdmastate apply /root/specs/host.yaml
quiet rdmastate verify /root/specs/host.yaml

note "stopped by hand: verify says so, and an apply starts it"
systemctl stop $SERVER
not_so "unit $SERVER"
rdmastate apply /root/specs/host.yaml
same "the unit" active "$(systemctl is-active $SERVER)"
same "RDMA listeners" "rdma 20049" "$(listeners)"

note "its threads are started anew by hand, without RDMA: verify misses the listener, and an apply adds it"
rpc.nfsd 0
write_sysfs $PORTS "tcp 2049" # Linux 7.2 starts no server that has no listener
write_sysfs /proc/fs/nfsd/threads 2
same "RDMA listeners" "" "$(listeners)"
not_so "nfs_listener rdma 20049"
rdmastate apply /root/specs/host.yaml
same "RDMA listeners" "rdma 20049" "$(listeners)"
quiet rdmastate verify /root/specs/host.yaml

note "a client reads over RDMA"
timeout 60 mount -t nfs -o vers=4.2,rdma,port=20049 192.0.2.1:/ /mnt/projects
contains "the mount" proto=rdma "$(grep /mnt/projects /proc/mounts)"
same "the file over there" written "$(timeout 60 cat /mnt/projects/file)"

note "another port: added at once, and the server goes on; the old one waits"
before=$(started)
rdmastate apply /root/specs/other.yaml
same "RDMA listeners" "rdma 20049 rdma 20050" "$(listeners)"
same "when the server was started" "$before" "$(started)"
same "the file over there" written "$(timeout 60 cat /mnt/projects/file)"
must_fail 2 rdmastate verify /root/specs/other.yaml
contains "verify" "the server listens there until $SERVER restarts" "$OUT"
rdmastate verify --allow-pending /root/specs/other.yaml
OUT=$(rdmastate plan --restart nfs-server /root/specs/other.yaml)
for part in "remove nfs_listener rdma 20049  [disrupts: service]" "service $SERVER" "NFS client 192.0.2.1:" "grace period"; do
	contains "the plan with a restart" "$part" "$OUT"
done

note "the restart that was asked for"
umount /mnt/projects
rdmastate apply --restart nfs-server /root/specs/other.yaml
same "RDMA listeners" "rdma 20050" "$(listeners)"
[ "$(started)" -gt "$before" ] || fail "the server was not started anew"
quiet rdmastate verify /root/specs/other.yaml
quiet rdmastate apply /root/specs/other.yaml
timeout 60 mount -t nfs -o vers=4.2,rdma,port=20050 192.0.2.1:/ /mnt/projects
same "the file over there" written "$(timeout 60 cat /mnt/projects/file)"
umount /mnt/projects

note "taken out of the spec: no longer enabled, runs on, and is stopped by an apply with --restart"
rdmastate apply /root/specs/none.yaml
same "the unit" "disabled active" "$(systemctl is-enabled $SERVER || true) $(systemctl is-active $SERVER)"
[ ! -e /etc/nfs.conf.d/rdmastate.conf ] || fail "the server's file is left"
rdmastate apply --restart nfs-server /root/specs/none.yaml
same "the unit" "disabled inactive" "$(systemctl is-enabled $SERVER || true) $(systemctl is-active $SERVER || true)"
quiet rdmastate apply /root/specs/none.yaml
rdmastate rollback
same "the unit after the rollback of the stop" active "$(systemctl is-active $SERVER)"
systemctl stop $SERVER
