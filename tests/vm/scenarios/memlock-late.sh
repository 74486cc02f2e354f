# what: limits that come late or in other ways: a process gets its own after its start; a user's manager and a login by the real sshd have the spec's, or what PAM makes of it
# mode: snapshot
# timeout: 240
# seconds: 70

mkdir -p /root/specs /etc/systemd/system
useradd --create-home --shell /bin/bash --password "*" hpcuser
useradd guest
MEMBERS=user@$(id -u hpcuser).service GUESTS=user@$(id -u guest).service
systemctl start "$MEMBERS"
# A process of this one is there, and has systemd's own limit, until somebody reads from the pipe: then systemd sets its limit.
mkfifo /run/rig/pipe
printf '[Service]\nExecStart=/bin/sleep 10000\nStandardOutput=file:/run/rig/pipe\n' >/etc/systemd/system/late.service
systemctl daemon-reload
systemctl start late.service
(: </run/rig/pipe) &
cat >/root/specs/host.yaml <<'SPEC'
version: 1
memlock: {group: rdma, members: [hpcuser], soft: 1GiB, hard: 2GiB}
SPEC
sed 's/2GiB/2GiB, services: ["user@.service"]/' /root/specs/host.yaml >/root/specs/users.yaml
sed 's/2GiB/2GiB, services: [late.service]/' /root/specs/host.yaml >/root/specs/late.yaml
GIB=$((1024 * 1024 * 1024))

pid_of() { systemctl show -P MainPID "$1"; }
limit_in() { awk '/^Max locked memory/ {print $4, $5}' "$1"; }
limit_of() { limit_in "/proc/$(pid_of "$1")/limits"; }

note "a service whose process has its limit a while after systemd called it started: it is awaited"
first=$(pid_of late.service)
rdmastate apply /root/specs/late.yaml
read_late() {
	local now=
	until [ -n "$now" ] && [ "$now" != "$first" ]; do
		sleep 0.1
		now=$(cat /sys/fs/cgroup/system.slice/late.service/cgroup.procs 2>/dev/null) || now=
	done
	cat "/proc/$now/limits" >/run/rig/late.limits
	sleep 0.3
	: </run/rig/pipe
}
read_late &
rdmastate apply --restart late /root/specs/late.yaml
same "its limit" "$GIB $((2 * GIB))" "$(limit_of late.service)"
lacks "its limit before somebody read" "$((2 * GIB))" "$(limit_in /run/rig/late.limits)"
quiet rdmastate verify /root/specs/late.yaml
systemctl stop late.service

note "the managers of users: one that runs keeps its limit, who comes anew has the new one"
before=$(limit_of "$MEMBERS")
rdmastate apply --restart 'user@.service' /root/specs/users.yaml
same "the limit of the one that runs" "$before" "$(limit_of "$MEMBERS")"
must_fail 2 rdmastate verify /root/specs/users.yaml
contains "verify" "user@.service when its user has logged out everywhere and logs in again" "$OUT"
systemctl stop "$MEMBERS"
systemctl start "$MEMBERS"
same "the limit of one that comes anew" "$GIB $((2 * GIB))" "$(limit_of "$MEMBERS")"
quiet rdmastate verify /root/specs/users.yaml

note "to the manager of who is not in the group Debian's pam_limits gives what PID 1 has, whatever its unit says: nothing is pending"
systemctl start "$GUESTS"
same "the limit that systemd knows of" $((2 * GIB)) "$(systemctl show -P LimitMEMLOCK "$GUESTS")"
same "the limit of the manager" "$(limit_in /proc/1/limits)" "$(limit_of "$GUESTS")"
quiet rdmastate verify /root/specs/users.yaml
systemctl stop "$GUESTS" "$MEMBERS"
rdmastate apply /root/specs/host.yaml

note "a login by the real sshd, which asks PAM unless somebody forbids it"
ssh-keygen -q -t ed25519 -N '' -f /run/rig/key
install -d -m 700 -o hpcuser -g hpcuser ~hpcuser/.ssh
install -m 600 -o hpcuser -g hpcuser /run/rig/key.pub ~hpcuser/.ssh/authorized_keys
by_ssh() {
	ssh -q -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -i /run/rig/key hpcuser@127.0.0.1 'ulimit -S -l; ulimit -H -l' | xargs
}
systemctl start ssh
same "what it has" "$((1024 * 1024)) $((2 * 1024 * 1024))" "$(by_ssh)"
echo 'UsePAM no' >/etc/ssh/sshd_config.d/50-site.conf
systemctl restart ssh
lacks "what it has without PAM" "$((2 * 1024 * 1024))" "$(by_ssh)"
contains "what a plan warns of" "who comes by SSH has no limits of PAM" "$(rdmastate plan /root/specs/host.yaml 2>&1)"
rm /etc/ssh/sshd_config.d/50-site.conf
systemctl stop ssh
