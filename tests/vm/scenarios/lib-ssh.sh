# A machine that a program on the host reaches over ssh (with: ssh; beside: PROGRAM). $NODE is its number.

NODE=$(cat "$RIG/node")

# card SLOT: the interface of the network card in that PCI slot, as soon as there is one
card() {
	local place=/sys/bus/pci/devices/0000:00:$1.0
	soon eval "ls $place/virtio*/net"
	udevadm settle
	ls $place/virtio*/net
}

# reachable: from now on the host's program can log in, over the virtual network card and with the run's key
reachable() {
	local lan
	lan=$(card 06)
	ip link set "$lan" up
	ip addr add 198.51.100.15/24 dev "$lan"
	mkdir -p /root/.ssh /run/sshd
	chmod 700 /root/.ssh
	install -m 600 "$RIG/key.pub" /root/.ssh/authorized_keys
	# A login takes long enough in emulation.
	printf 'UseDNS no\nPrintMotd no\nMaxStartups 50\n' >/etc/ssh/sshd_config.d/rig.conf
	systemctl start ssh
}

# wired: the card on the wire (wire: yes) is called enp1s0 and has the address 192.0.2.$NODE/24 by systemd-networkd, now and at each boot
wired() {
	local card
	hostname "node$NODE"
	card=$(card 0a)
	if [ "$card" != enp1s0 ]; then
		ip link set "$card" name enp1s0
		printf '[Match]\nMACAddress=%s\n[Link]\nName=enp1s0\n' "$(cat /sys/class/net/enp1s0/address)" >/etc/systemd/network/10-wire.link
		printf '[Match]\nName=enp1s0\n[Network]\nAddress=192.0.2.%s/24\n' "$NODE" >/etc/systemd/network/10-wire.network
		echo "node$NODE" >/etc/hostname
		systemctl -q unmask systemd-networkd-wait-online
		networkd enable
	fi
	soon has_carrier enp1s0
}

# verdict: waits for what the host's program says, and ends as it says: a status, or `reboot`
verdict() {
	until [ -e "$RIG/verdict" ]; do sleep 0.5; done
	[ "$(cat "$RIG/verdict")" != reboot ] || reboot_now
	exit "$(cat "$RIG/verdict")"
}
