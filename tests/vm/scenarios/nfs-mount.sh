# what: a server and a client over rxe: mounted now and at the first access with RDMA as transport, read and written with the same checksum, all of it after a reboot, and unmounted by who may
# mode: reboot
# timeout: 420
# seconds: 220
# releases: trixie bullseye

TARGET=/mnt/projects LATER=/mnt/later
UNIT=mnt-projects.mount
sent() { cat /sys/class/infiniband/rxe_store/ports/1/hw_counters/sent_pkts; }
mounted() { mounted_at $TARGET; }
mounted_at() { grep " $1 " /proc/self/mountinfo | grep " nfs4 "; }
loaded() { [ -e /sys/module/rpcrdma ]; }
reads() {
	local before
	soon mounted
	# What another mount of the same server left in memory is not read over the network.
	sync
	write_sysfs /proc/sys/vm/drop_caches 3
	before=$(sent)
	for option in proto=rdma port=20050 vers=4.2; do
		contains "the mount" $option "$(mounted)"
	done
	same "the checksum" "$(sha256sum </srv/export/data)" "$(timeout 60 cat $TARGET/data | sha256sum)"
	[ "$(sent)" -gt "$before" ] || fail "rxe_store sent $before packets before and $(sent) after"
}
# waits_and_reads: nothing is mounted there but the automount, and the first access mounts it
waits_and_reads() {
	same "what is mounted before the first access" "" "$(mounted_at $LATER)"
	contains "the automount" " autofs " "$(grep " $LATER " /proc/self/mountinfo)"
	same "the file at its first access" later "$(timeout 60 cat $LATER/file)"
	contains "the mount of the first access" proto=rdma "$(mounted_at $LATER)"
}
# not_so PART: verify fails with that sentence
not_so() {
	must_fail 2 rdmastate verify /root/specs/host.yaml
	contains "verify" "$1" "$OUT"
}

if [ "$BOOT" = 1 ]; then
	mkdir -p /root/specs /srv/export/later
	echo later >/srv/export/later/file
	dd if=/dev/urandom of=/srv/export/data bs=64k count=16 status=none
	echo '/srv/export *(rw,fsid=0,no_root_squash,insecure,no_subtree_check)' >/etc/exports
	cat >/root/specs/host.yaml <<-'SPEC'
		version: 1
		soft_devices:
		  - {name: rxe_store, type: rxe, netdev: eth7}
		nfs:
		  server: {run: true, rdma_port: 20050}
		  client:
		    mounts:
		      - {source: "192.0.2.1:/", target: /mnt/projects, rdma_port: 20050, options: [vers=4.2, hard]}
		      - {source: "192.0.2.1:/later", target: /mnt/later, rdma_port: 20050, automount: true}
	SPEC
	printf 'version: 1\nsoft_devices: [{name: rxe_store, type: rxe, netdev: eth7}]\nnfs: {server: {run: true, rdma_port: 20050}}\n' >/root/specs/server.yaml
	# Neither of xprtrdma and svcrdma is loaded at boot: who mounts and who listens asks for it.
	sed -i -E 's/^(xprtrdma|svcrdma)/# &/' /etc/rdma/modules/rdma.conf
	modprobe -r rpcrdma
	! loaded || fail "rpcrdma is loaded before there is a mount"
	# The interface comes with every boot, before the network counts as there.
	cat >/etc/systemd/system/eth7.service <<-'UNIT'
		[Unit]
		DefaultDependencies=no
		Before=network-pre.target
		Wants=network-pre.target
		[Service]
		Type=oneshot
		RemainAfterExit=yes
		ExecStart=/bin/sh -c 'ip link add eth7 type veth peer name far7; ip link set eth7 up; ip link set far7 up; ip addr add 192.0.2.1/24 dev eth7'
		[Install]
		WantedBy=multi-user.target
	UNIT
	systemctl daemon-reload
	systemctl enable --now eth7.service

	note "mounted now, over RDMA"
	rdmastate apply /root/specs/host.yaml
	loaded || fail "rpcrdma is not loaded"
	reads
	waits_and_reads
	quiet rdmastate apply /root/specs/host.yaml
	quiet rdmastate verify /root/specs/host.yaml
	echo written >$TARGET/from-the-client
	same "what the client wrote" written "$(cat /srv/export/from-the-client)"

	note "the device below the mounts is not taken away: who has its queue pairs is named"
	sed '/^soft_devices:/,+1d' /root/specs/host.yaml >/root/specs/bare.yaml
	must_fail 6 rdmastate apply /root/specs/bare.yaml
	contains "who" "the kernel's rpcrdma (" "$OUT"
	[ -e /sys/class/infiniband/rxe_store ] || fail "rxe_store went all the same"
	reads

	note "unmounted by hand: verify says so, and an apply mounts it"
	umount $TARGET
	not_so "nfs_mount $TARGET"
	rdmastate apply /root/specs/host.yaml
	reads

	note "mounted by hand with proto=tcp beside a mount by the same minor version: the kernel takes that one's connection"
	umount $TARGET
	mount -t nfs -o vers=4.2,proto=tcp 192.0.2.1:/ $TARGET
	reads
	quiet rdmastate verify /root/specs/host.yaml

	note "mounted by hand over TCP: verify says so, and it stays until who may takes it"
	umount $TARGET
	mount -t nfs -o vers=4.1,proto=tcp 192.0.2.1:/ $TARGET
	contains "the mount by hand" proto=tcp "$(mounted)"
	not_so "nfs_mount $TARGET"
	rdmastate apply /root/specs/host.yaml
	contains "what stays" proto=tcp "$(mounted)"
	rdmastate apply --restart $UNIT /root/specs/host.yaml
	reads
	quiet rdmastate verify /root/specs/host.yaml
	reboot_now
fi

note "the same after a boot"
soon systemctl is-active nfs-server.service
soon mounted
reads
waits_and_reads
quiet rdmastate verify /root/specs/host.yaml

note "what is let go of stays mounted for who uses it, and goes for who may take it"
rdmastate apply /root/specs/server.yaml
reads
rdmastate apply --restart $UNIT --restart mnt-later.mount /root/specs/server.yaml
! mounted || fail "$TARGET is still mounted"
same "what is left of the other" "" "$(grep " $LATER " /proc/self/mountinfo || true)"
same "the server" active "$(systemctl is-active nfs-server.service)"

note "what somebody else mounted in its place stays, also for who may take the unit"
rdmastate apply /root/specs/host.yaml
reads
umount $TARGET
mount -t nfs -o vers=4.2,proto=tcp 192.0.2.1:/later $TARGET
rdmastate apply --restart $UNIT /root/specs/server.yaml
contains "the mount by hand" "192.0.2.1:/later" "$(mounted)"
same "its file" later "$(timeout 60 cat $TARGET/file)"
