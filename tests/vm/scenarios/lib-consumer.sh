# What waits for rdmastate-ready.target at a boot, as slurmd would, and what it has found then.

# enable_consumer: starts at the next boot, behind the target; an emulated machine gets more than the unit's minute
enable_consumer() {
	cat >/etc/systemd/system/consumer.service <<'UNIT'
[Unit]
Wants=rdmastate-ready.target
After=rdmastate-ready.target
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'ip -o addr show scope global >/run/consumer.addresses'
[Install]
WantedBy=multi-user.target
UNIT
	systemctl -q enable consumer.service
	mkdir -p /etc/systemd/system/rdmastate-ready.service.d
	printf '[Service]\nExecStart=\nExecStart=/usr/bin/rdmastate verify --boot --wait 5min\n' \
		>/etc/systemd/system/rdmastate-ready.service.d/longer.conf
}

# consumer_saw ADDRESS...: all of these were there when the target was reached
consumer_saw() {
	local address
	note "who waited for the target saw all of it"
	soon sh -c 'systemctl is-active -q rdmastate-ready.target'
	soon sh -c '[ "$(systemctl show -P ActiveState consumer.service)" = inactive ] && [ -s /run/consumer.addresses ]'
	for address; do contains "addresses of who waited" "$address" "$(cat /run/consumer.addresses)"; done
}
