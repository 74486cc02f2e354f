# what: what is files is read by whom it is for: modprobe, the name services, systemd, udev; and who may open umad's nodes, now and later
# mode: snapshot
# timeout: 200
# seconds: 31
# promise: files read by their owners
# releases: trixie sid

adapters
groupadd --system ibdiag
useradd --system hpcuser
modprobe ib_umad
mkdir -p /root/specs /etc/systemd/system
printf '[Service]\nExecStart=/bin/sleep 1000\n' >/etc/systemd/system/slurmd.service
cat >/root/specs/host.yaml <<'SPEC'
version: 1
network: {backend: none}
modules:
  load: [ib_ipoib]
  block: [rds_rdma]
  options: {ib_ipoib: {recv_queue_size: 512}, mlx4_en: {pfctx: 8, pfcrx: 8}}
memlock: {group: rdma, members: [hpcuser], soft: 64GiB, hard: unlimited, services: [slurmd.service]}
nfs:
  client:
    mounts: [{source: "server.example.com:/nfs/projects", target: /mnt/projects, options: [vers=4.2, hard], automount: true}]
permissions: {umad: {group: ibdiag, mode: "0660"}}
SPEC
# everything that an apply may leave behind: files, groups, nodes
state() {
	find /etc -type f ! -path '/etc/rdmastate*' -exec stat -c '%n %a %u %g' {} + | sort
	find /etc -type f ! -path '/etc/rdmastate*' -exec sha256sum {} + | sort -k2
	stat -c '%n %a %U %G' /dev/infiniband/*[0-9]
}
access() { stat -c '%a %U %G' /dev/infiniband/umad"$1"; }
same "access before" "600 root root" "$(access 0)"
note "a guide's rule: udev does not take its NAME"
printf 'KERNEL=="umad*", NAME="infiniband/%%k", MODE="0666"\n' >/etc/udev/rules.d/90-guide.rules
contains "udevadm test" "Only network interfaces can be renamed" "$(udevadm test /sys/class/infiniband_mad/umad0 2>&1)"
rm /etc/udev/rules.d/90-guide.rules
chmod 600 /dev/infiniband/umad0
note "a guide's chmod is told, with what udev gives"
chmod go+rw /dev/infiniband/umad0
contains "what doctor finds" "node-opened-by-hand" "$(rdmastate doctor || true)"
contains "what doctor finds" "its mode is 0666, and udev gives it 0600" "$(rdmastate doctor || true)"
chmod 600 /dev/infiniband/umad0
state >/run/rig/before

rdmastate apply /root/specs/host.yaml
systemctl daemon-reload
note "modprobe reads the options and the block"
same "option" 512 "$(cat /sys/module/ib_ipoib/parameters/recv_queue_size)"
modprobe mlx4_en
same "options of mlx4_en" "8 8" "$(cat /sys/module/mlx4_en/parameters/{pfctx,pfcrx} | xargs)"
modprobe -r mlx4_en mlx4_core
contains "modprobe's configuration" "blacklist rds_rdma" "$(modprobe -c)"
contains "modprobe's configuration" "install rds_rdma /bin/false" "$(modprobe -c)"
must_fail 1 modprobe rds_rdma
note "the name services know the group, and systemd the limit and the mount"
same "members of the group" hpcuser "$(getent group rdma | cut -d: -f4)"
contains "groups of its member" rdma "$(id -nG hpcuser)"
same "soft limit" $((64 * 1024 * 1024 * 1024)) "$(systemctl show -P LimitMEMLOCKSoft slurmd.service)"
same "hard limit" infinity "$(systemctl show -P LimitMEMLOCK slurmd.service)"
same "what the mount unit mounts" "server.example.com:/nfs/projects" "$(systemctl show -P What mnt-projects.mount)"
contains "its options" "proto=rdma" "$(systemctl show -P Options mnt-projects.mount)"
same "what systemd says of it" "" "$(systemd-analyze verify /etc/systemd/system/mnt-projects.mount /etc/systemd/system/mnt-projects.automount 2>&1)"
note "the nodes of umad: those that were there, and those that come"
for node in 0 1; do same "access of umad$node" "660 root ibdiag" "$(access $node)"; done
same "of another class" "600 root root" "$(stat -c '%a %U %G' /dev/infiniband/issm0)"
quiet rdmastate apply /root/specs/host.yaml
quiet rdmastate verify /root/specs/host.yaml
soon idle
modprobe -r ib_umad
modprobe ib_umad
udevadm settle
for node in 0 1; do same "access of the new umad$node" "660 root ibdiag" "$(access $node)"; done
lacks "what doctor finds" "node-opened-by-hand" "$(rdmastate doctor || true)"
quiet rdmastate apply /root/specs/host.yaml

note "rollback"
rdmastate rollback
udevadm settle
state >/run/rig/after
same "what is different now" "" "$(diff /run/rig/before /run/rig/after)"
same "members of the group, which Debian has" "" "$(getent group rdma | cut -d: -f4)"
