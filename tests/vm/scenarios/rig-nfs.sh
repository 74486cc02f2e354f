# what: an NFS server listens on an RDMA port by its configuration or while it runs, keeps it until it stops, and serves over rxe
# mode: snapshot
# timeout: 180
# seconds: 16
# releases: trixie

# fact 12
PORTS=/proc/fs/nfsd/portlist
ip netns add far
ip link add eth7 type veth peer name far7
ip link set far7 netns far
ip link set eth7 up
ip addr add 192.0.2.1/24 dev eth7
$FAR ip link set far7 up
$FAR ip addr add 192.0.2.2/24 dev far7
rdma link add rxe_near type rxe netdev eth7
mkdir -p /srv/export /mnt/projects /etc/nfs.conf.d
mount -t tmpfs none /srv/export
echo written >/srv/export/file
echo '/srv/export *(rw,fsid=0,no_root_squash,insecure,no_subtree_check)' >/etc/exports

note "by nfs.conf, IPv4 and IPv6"
printf '[nfsd]\nrdma=y\nrdma-port=20049\nthreads=2\n' >/etc/nfs.conf.d/rig.conf
systemctl start nfs-server
same "RDMA listeners" "rdma 20049 rdma 20049" "$(grep '^rdma' $PORTS | xargs)"

note "one more while it runs; none is taken away, and no port is none"
write_sysfs $PORTS "rdma 20050"
same "RDMA listeners" "rdma 20049 rdma 20049 rdma 20050 rdma 20050" "$(grep '^rdma' $PORTS | sort | xargs)"
for text in "-rdma 20050" "rdma 0" "rdma 70000" rdma; do
	refused "Invalid argument" write_sysfs $PORTS "$text"
done
same "RDMA listeners" 4 "$(grep -c '^rdma' $PORTS)"

note "mounts over rxe"
for mount in "vers=4.2 /" "vers=3,mountproto=tcp,nolock /srv/export"; do
	timeout 60 mount -t nfs -o "${mount% *},rdma,port=20049" "192.0.2.1:${mount#* }" /mnt/projects
	contains "$mount" proto=rdma "$(grep /mnt/projects /proc/mounts)"
	same "the file over there" written "$(timeout 60 cat /mnt/projects/file)"
	umount /mnt/projects
done
systemctl stop nfs-server
