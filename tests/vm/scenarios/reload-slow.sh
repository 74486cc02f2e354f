# what: systemd that reads its files for longer than half a minute, as with a slow generator, is waited for
# mode: snapshot
# timeout: 100
# when: named

mkdir -p /etc/systemd/system /etc/systemd/system-generators
printf '[Service]\nExecStart=/bin/sleep 10000\n' >/etc/systemd/system/slurmd.service
systemctl daemon-reload
systemctl start slurmd
printf '#!/bin/sh\nexec sleep 40\n' >/etc/systemd/system-generators/slow
chmod 755 /etc/systemd/system-generators/slow
printf 'version: 1\nmemlock: {soft: 1GiB, hard: 2GiB, services: [slurmd.service]}\n' >/root/host.yaml
rdmastate apply /root/host.yaml
same "systemd's idea of the files" no "$(systemctl show -P NeedDaemonReload slurmd.service)"
