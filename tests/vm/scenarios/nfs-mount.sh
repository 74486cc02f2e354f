# what: a server and a client over rxe: mounted now with RDMA as its transport, read and written with the same checksum, all of it after a reboot, and unmounted by who may
# mode: reboot
# timeout: 420
# seconds: 190

TARGET=/mnt/projects
sent() { cat /sys/class/infiniband/rxe_store/ports/1/hw_counters/sent_pkts; }
mounted() { grep " $TARGET " /proc/self/mountinfo | grep " nfs4 "; }
reads() {
	local before
	before=$(sent)
	soon mounted
	contains "the mount" proto=rdma "$(mounted)"
	contains "the mount" vers=4.2 "$(mounted)"
	same "the checksum" "$(sha256sum </srv/export/data)" "$(timeout 60 cat $TARGET/data | sha256sum)"
	[ "$(sent)" -gt "$before" ] || fail "rxe_store sent $before packets before and $(sent) after"
}

if [ "$BOOT" = 1 ]; then
	mkdir -p /root/specs /srv/export
	dd if=/dev/urandom of=/srv/export/data bs=64k count=16 status=none
	echo '/srv/export *(rw,fsid=0,no_root_squash,insecure,no_subtree_check)' >/etc/exports
	cat >/root/specs/host.yaml <<-'SPEC'
		version: 1
		soft_devices:
		  - {name: rxe_store, type: rxe, netdev: eth7}
		nfs:
		  server: {run: true}
		  client:
		    mounts: [{source: "192.0.2.1:/", target: /mnt/projects, options: [vers=4.2, hard]}]
	SPEC
	printf 'version: 1\nsoft_devices: [{name: rxe_store, type: rxe, netdev: eth7}]\nnfs: {server: {run: true}}\n' >/root/specs/server.yaml
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
	reads
	quiet rdmastate apply /root/specs/host.yaml
	quiet rdmastate verify /root/specs/host.yaml
	echo written >$TARGET/from-the-client
	same "what the client wrote" written "$(cat /srv/export/from-the-client)"
	reboot_now
fi

note "the same after a boot"
soon systemctl is-active nfs-server.service
soon mounted
reads
quiet rdmastate verify /root/specs/host.yaml

note "what is let go of stays mounted for who uses it, and goes for who may take it"
rdmastate apply /root/specs/server.yaml
reads
rdmastate apply --restart mnt-projects.mount /root/specs/server.yaml
! mounted || fail "$TARGET is still mounted"
same "the server" active "$(systemctl is-active nfs-server.service)"
