# what: a service that runs keeps its limit until its restart is asked for, what it starts inherits the new one, and a login has what all of pam_limits' files come to
# mode: snapshot
# timeout: 200
# seconds: 35
# promise: limits of what runs
# releases: trixie

mkdir -p /root/specs /etc/systemd/system
useradd --create-home --shell /bin/bash --password "*" hpcuser
for name in slurmd other; do
	printf '[Service]\nExecStart=/bin/sleep 10000\n' >/etc/systemd/system/$name.service
done
systemctl daemon-reload
systemctl start slurmd.service other.service
cat >/root/specs/host.yaml <<'SPEC'
version: 1
memlock: {group: rdma, members: [hpcuser], soft: 1GiB, hard: 2GiB, services: [slurmd.service]}
SPEC
sed 's/1GiB/unlimited/; s/2GiB/unlimited/' /root/specs/host.yaml >/root/specs/unlimited.yaml
printf 'version: 1\n' >/root/specs/none.yaml

pid_of() { systemctl show -P MainPID "$1"; }
limit_in() { awk '/^Max locked memory/ {print $4, $5}' "$1"; }
limit_of() { limit_in "/proc/$(pid_of "$1")/limits"; }
before=$(limit_of slurmd.service)
first=$(pid_of slurmd.service)

note "what runs keeps its limit, and systemd has read the file"
rdmastate apply /root/specs/host.yaml
same "the process" "$first" "$(pid_of slurmd.service)"
same "its limit" "$before" "$(limit_of slurmd.service)"
same "systemd's idea of the files" no "$(systemctl show -P NeedDaemonReload slurmd.service)"
same "the limit to come" $((1024 * 1024 * 1024)) "$(systemctl show -P LimitMEMLOCKSoft slurmd.service)"
must_fail 2 rdmastate verify /root/specs/host.yaml
contains "verify" "slurmd.service runs with" "$OUT"
rdmastate verify --allow-pending /root/specs/host.yaml
rdmastate apply --max-disruption service /root/specs/host.yaml
same "the process, of which nobody spoke" "$first" "$(pid_of slurmd.service)"

note "the restart that was asked for, and no other"
others=$(pid_of other.service)
contains "the plan" "[disrupts: service]" "$(rdmastate plan --restart slurmd /root/specs/host.yaml)"
rdmastate apply --restart slurmd /root/specs/host.yaml
same "its limit" "$((1024 * 1024 * 1024)) $((2 * 1024 * 1024 * 1024))" "$(limit_of slurmd.service)"
same "the other service" "$others" "$(pid_of other.service)"
quiet rdmastate apply /root/specs/host.yaml
quiet rdmastate verify /root/specs/host.yaml

note "a file that somebody else changes"
printf '[Service]\nNice=5\n' >/etc/systemd/system/slurmd.service.d/10-site.conf
same "systemd's idea of the files" yes "$(systemctl show -P NeedDaemonReload slurmd.service)"
must_fail 2 rdmastate verify /root/specs/host.yaml
rdmastate apply /root/specs/host.yaml
same "systemd's idea of the files" no "$(systemctl show -P NeedDaemonReload slurmd.service)"

note "a login, by PAM itself"
login_limit() { su - hpcuser -c 'ulimit -S -l; ulimit -H -l' | xargs; }
same "what a login has" "$((1024 * 1024)) $((2 * 1024 * 1024))" "$(login_limit)"

note "a file that counts more"
echo 'hpcuser hard memlock 65536' >>/etc/security/limits.conf
lacks "what a login has now" "$((2 * 1024 * 1024))" "$(login_limit)"
must_fail 2 rdmastate verify /root/specs/host.yaml
contains "verify" "hpcuser hard memlock 65536 in /etc/security/limits.conf counts more than a line for the group" "$OUT"
sed -i '$d' /etc/security/limits.conf

note "a later file with another line for the group, which pam_limits reads last"
echo '@rdma hard memlock 131072' >/etc/security/limits.d/99-site.conf
contains "what a login has now" " 131072" " $(login_limit)"
must_fail 2 rdmastate verify /root/specs/host.yaml
contains "verify" "/etc/security/limits.d/99-site.conf" "$OUT"
rm /etc/security/limits.d/99-site.conf
rdmastate verify /root/specs/host.yaml

note "no limit at all"
rdmastate apply /root/specs/unlimited.yaml
same "what a login has" "unlimited unlimited" "$(login_limit)"

note "let go: the limit stays until the service is started anew, the file does not"
rdmastate apply /root/specs/none.yaml
[ ! -e /etc/systemd/system/slurmd.service.d/50-rdmastate-memlock.conf ] || fail "the drop-in is left"
same "systemd's idea of the files" no "$(systemctl show -P NeedDaemonReload slurmd.service)"
quiet rdmastate apply /root/specs/none.yaml
