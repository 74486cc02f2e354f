# what: of the real Slurm a job has slurmd's hard limit and the soft one of the shell that submitted it, or slurmd's where slurm.conf says so; --restart slurmd ends no job
# mode: snapshot
# with: packages
# timeout: 150
# when: named
# debs: slurmd slurmctld munge

SPEC=/root/host.yaml
useradd --system munge
useradd --system slurm
useradd --create-home --shell /bin/bash hpcuser

# What the packages' postinst does besides enabling.
install_slurm() {
	unpacked "$RIG"/debs/*.deb
	for name in slurmd slurmstepd slurmctld; do ln -s $name-wlm /usr/sbin/$name; done
	dd if=/dev/urandom of=/etc/munge/munge.key bs=1024 count=1 status=none
	chown -R munge: /etc/munge /var/lib/munge /var/log/munge
	chmod -R go= /etc/munge /var/log/munge
	chown -R slurm: /var/lib/slurm /var/log/slurm
}

# Slurm takes no name of the host that stands for the loopback alone.
with_an_address() {
	local lan
	lan=$(ls /sys/bus/pci/devices/0000:00:06.0/virtio*/net)
	ip link set "$lan" up
	ip addr add 198.51.100.15/24 dev "$lan"
	echo '198.51.100.15 node1' >/etc/hosts
}

configure() {
	cat >/etc/slurm/slurm.conf <<-CONF
	ClusterName=rig
	SlurmctldHost=node1
	SlurmUser=slurm
	StateSaveLocation=/var/lib/slurm/slurmctld
	SlurmdSpoolDir=/var/lib/slurm/slurmd
	ReturnToService=2
	MailProg=/bin/true
	SlurmdParameters=config_overrides
	SelectType=select/cons_tres
	SelectTypeParameters=CR_CPU
	NodeName=node1 CPUs=4 State=UNKNOWN
	PartitionName=all Nodes=ALL Default=YES
	$1
	CONF
	printf 'CgroupPlugin=autodetect\nCgroupMountpoint=/sys/fs/cgroup\n' >/etc/slurm/cgroup.conf
}
takes_jobs() { [[ "$(sinfo --noheader --format=%T)" =~ ^(idle|mixed|allocated)$ ]]; }

pid_of() { systemctl show -P MainPID "$1"; }
limit_of() { awk '/^Max locked memory/ {print $4, $5}' "/proc/$1/limits"; }
LIMITS='ulimit -S -l; ulimit -H -l'
# in KiB, soft and hard: of a job that root submits, and of one of a login of hpcuser that says this before
job() { srun sh -c "$LIMITS" | xargs; }
job_of_user() { su - hpcuser -c "${1:-true}; srun sh -c '$LIMITS'" | xargs; }
GIB=$((1024 * 1024))

install_slurm
with_an_address
configure ''
systemctl start munge slurmctld slurmd
soon takes_jobs

note "Debian's slurmd.service has no limit, so root's jobs have none; a user's have the soft limit of the login"
same "a job of root" "unlimited unlimited" "$(job)"
login=$(su - hpcuser -c 'ulimit -S -l')
lacks "the soft limit of a login" unlimited "$login"
same "a job of the user" "$login unlimited" "$(job_of_user)"

note "the files: slurmd runs on with what it has, and so do its jobs"
cat >$SPEC <<'YAML'
version: 1
memlock: {group: rdma, members: [hpcuser], soft: 1GiB, hard: 2GiB, services: [slurmd.service]}
YAML
first=$(pid_of slurmd)
rdmastate apply $SPEC
same "slurmd" "$first" "$(pid_of slurmd)"
same "a job" "unlimited unlimited" "$(job)"
must_fail 2 rdmastate verify $SPEC
contains "verify" "slurmd.service runs with unlimited (hard unlimited) until it is started anew" "$OUT"

note "the restart that was asked for: a job that runs goes on, with the limit that it has"
srun sleep 1000 &
soon pgrep -x sleep
running=$(pgrep -x sleep)
rdmastate apply --restart slurmd $SPEC
[ "$(pid_of slurmd)" != "$first" ] || fail "slurmd was not started anew"
same "slurmd's limit" "$((GIB * 1024)) $((GIB * 2048))" "$(limit_of "$(pid_of slurmd)")"
same "the limit of the job that runs" "unlimited unlimited" "$(limit_of "$running")"
quiet rdmastate apply --restart slurmd $SPEC
quiet rdmastate verify $SPEC
soon takes_jobs

note "jobs since then: never more than slurmd's hard limit, and the soft one of who submits"
same "a job of root, whose shell has no limit" "$((2 * GIB)) $((2 * GIB))" "$(job)"
same "a job of a login, which has the group's limit" "$GIB $((2 * GIB))" "$(job_of_user)"
same "a job of a shell that has less" "64 $((2 * GIB))" "$(job_of_user 'ulimit -S -l 64')"

note "PropagateResourceLimitsExcept=MEMLOCK: jobs have what slurmd has, whoever submits them"
configure PropagateResourceLimitsExcept=MEMLOCK
systemctl restart slurmctld slurmd
soon takes_jobs
same "a job of a shell that has less" "$GIB $((2 * GIB))" "$(job_of_user 'ulimit -S -l 64')"
same "a job of root" "$GIB $((2 * GIB))" "$(job)"
kill -0 "$running" || fail "the job that ran before has ended"
