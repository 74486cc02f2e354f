# what: rdmastate-ready.target is reached when the boot state is there and not before: boot-port-init, boot-pkey-late, boot-late-adapter, boot-readonly-etc
# mode: reboot
# timeout: 420
# seconds: 168

SPEC=/root/specs/host.yaml
unit() {
	cat >"/etc/systemd/system/$1"
	systemctl -q enable "$1"
}
uptime_of() { cut -d' ' -f1 "$1"; }
later() { awk -v a="$1" -v b="$2" 'BEGIN {exit !(a + 0 > b + 0)}'; }

if [ "$BOOT" = 1 ]; then
	[ -e /usr/lib/systemd/system/rdmastate-ready.target ] || fail "rdmastate is not installed: RDMASTATE_INSTALL"
	mkdir -p /root/specs
	cat >$SPEC <<'YAML'
version: 1
network: {backend: none}
modules: {load: [ib_ipoib]}
ipoib:
  - name: store0
    match: {port_guid: "f452:1403:007b:cba1"}
    ipv4: {method: manual, addresses: [203.0.113.1/24]}
  - parent: store0
    pkey: 0x8002
    ipv4: {method: manual, addresses: [192.0.2.1/24], routes: [{to: 198.51.100.0/24, via: 192.0.2.2}]}
    ipv6: {method: manual, addresses: ["2001:db8::1/64"]}
  - parent: store0
    pkey: 0x9001
    ipv4: {method: manual, addresses: [192.0.2.129/25]}
  - name: store1
    match: {port_guid: "f452:1403:007b:cbb1"}
    ipv4: {method: manual, addresses: [203.0.113.129/25]}
YAML
	adapters
	rdmastate apply $SPEC

	note "what starts after rdmastate-ready.target, as slurmd would"
	unit consumer.service <<'UNIT'
[Unit]
Wants=rdmastate-ready.target
After=rdmastate-ready.target
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'ip -o addr show scope global >/run/consumer.addresses; cat /proc/uptime >/run/consumer.uptime'
[Install]
WantedBy=multi-user.target
UNIT
	# A slow machine may take longer than the minute to get where it waits.
	mkdir -p /etc/systemd/system/rdmastate-ready.service.d
	printf '[Service]\nExecStart=\nExecStart=/usr/bin/rdmastate verify --boot --wait 5min\n' \
		>/etc/systemd/system/rdmastate-ready.service.d/longer.conf

	note "at the next boot: a port that is INITIALIZING, and 30 s later a P_Key"
	unit rig-port-init.service <<'UNIT'
[Unit]
DefaultDependencies=no
After=systemd-udev-trigger.service
Before=rdmastate.service
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'until echo init >/sys/bus/pci/devices/0000:00:09.0/fake/state; do sleep 0.1; done'
[Install]
WantedBy=multi-user.target
UNIT
	unit rig-grant.service <<'UNIT'
[Unit]
After=rdmastate.service
[Service]
ExecStart=/bin/sh -c 'sleep 30; cat /proc/uptime >/run/granted.uptime; ip -o link >/run/granted.links; echo +0x9001 >/sys/bus/pci/devices/0000:00:08.0/fake/pkeys'
[Install]
WantedBy=multi-user.target
UNIT
	note "and an apply that is killed before it ends"
	sed 's/\[ib_ipoib\]/[ib_ipoib, ib_umad]/' $SPEC >/root/specs/more.yaml
	strace -f -qq -o /run/rig/strace -e trace=finit_module,init_module -e inject=finit_module,init_module:signal=KILL \
		rdmastate apply /root/specs/more.yaml || true
	grep -q ib_umad /etc/modules-load.d/rdmastate.conf || fail "no apply was killed after it wrote a file"
	must_fail 7 rdmastate apply $SPEC
	reboot_now
fi

if [ "$BOOT" = 2 ]; then
	note "boot-ready: the target is reached, and what is ordered after it found every address"
	systemctl is-active -q rdmastate-ready.target || fail "rdmastate-ready.target: $(systemctl status rdmastate-ready.service)"
	for address in 203.0.113.1/24 192.0.2.1/24 2001:db8::1/64 192.0.2.129/25 203.0.113.129/25; do
		contains "addresses that consumer.service saw" " $address " "$(cat /run/consumer.addresses)"
	done
	note "boot-pkey-late: the child was there without carrier, and the target waited for the P_Key"
	grep -qE 'store0.9001@[^>]*[<,](NO-CARRIER|LOWERLAYERDOWN)' /run/granted.links || fail "store0.9001: $(cat /run/granted.links)"
	later "$(uptime_of /run/consumer.uptime)" "$(uptime_of /run/granted.uptime)" || fail "the target was reached before the P_Key came"
	soon has_carrier store0.9001
	rdmastate verify $SPEC
	note "an interrupted run was taken back first"
	contains "journal" "was interrupted: taking it back" "$(journalctl -b -o cat -u rdmastate.service)"
	lacks "modules at boot" ib_umad "$(cat /etc/modules-load.d/rdmastate.conf)"
	note "boot-port-init: the interface is made, and gets carrier with its port"
	adapters
	same "state of the port" "2: INIT" "$(cat /sys/class/infiniband/$HCA2/ports/1/state)"
	same "addresses" 203.0.113.129/25 "$(addresses store1)"
	has_carrier store1 && fail "carrier on a port that is not ACTIVE"
	knob $HCA2 state active
	soon has_carrier store1
	quiet rdmastate apply $SPEC

	note "at the next boot: /etc and /var/lib/rdmastate read-only, and the adapters 20 s late"
	systemctl -q disable rig-port-init.service
	printf 'blacklist fake_hca\n' >/etc/modprobe.d/rig.conf
	unit rig-late.service <<'UNIT'
[Unit]
After=rdmastate.service
[Service]
ExecStart=/bin/sh -c 'sleep 20; cat /proc/uptime >/run/late.uptime; modprobe fake_hca'
[Install]
WantedBy=multi-user.target
UNIT
	unit rig-readonly.service <<'UNIT'
[Unit]
DefaultDependencies=no
After=local-fs.target systemd-machine-id-commit.service systemd-tmpfiles-setup.service
Before=rdmastate.service
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'mount --bind /etc /etc && mount -o remount,bind,ro /etc && mount -t tmpfs -o ro none /var/lib/rdmastate'
[Install]
WantedBy=multi-user.target
UNIT
	reboot_now
fi

note "boot-late-adapter: nothing was lost, and the target waited"
systemctl is-active -q rdmastate-ready.target || fail "rdmastate-ready.target: $(systemctl status rdmastate-ready.service)"
contains "addresses that consumer.service saw" " 192.0.2.1/24 " "$(cat /run/consumer.addresses)"
later "$(uptime_of /run/consumer.uptime)" "$(uptime_of /run/late.uptime)" || fail "the target was reached before the adapters came"
same "name by udev" store0 "$(netdev_of $HCA1_PCI)"
same "addresses of the child" "192.0.2.1/24 2001:db8::1/64" "$(addresses store0.8002)"
same "addresses of the other port" 203.0.113.129/25 "$(addresses store1)"
contains "route" "via 192.0.2.2 dev store0.8002" "$(ip route show 198.51.100.0/24)"
note "boot-readonly-etc: it was read-only, and that did not matter"
refused "Read-only file system" touch /etc/rdmastate/x
refused "Read-only file system" touch /var/lib/rdmastate/x
systemctl is-failed -q rdmastate.service && fail "rdmastate.service failed: $(systemctl status rdmastate.service)"
lacks "what units of rdmastate say" "Read-only" "$(journalctl -b -o cat -t rdmastate)"
rdmastate verify $SPEC
