# A machine that a program on the host reaches over ssh (with: ssh; beside: PROGRAM). $NODE is its number.

NODE=$(cat "$RIG/node")

# reachable: from now on the host's program can log in, over the virtual network card and with the run's key
reachable() {
	local lan
	lan=$(basename "$(dirname "$(dirname "$(grep -l 'DRIVER=virtio_net' /sys/class/net/*/device/uevent | head -1)")")")
	ip link set "$lan" up
	ip addr add 198.51.100.15/24 dev "$lan"
	mkdir -p /root/.ssh /run/sshd
	chmod 700 /root/.ssh
	install -m 600 "$RIG/key.pub" /root/.ssh/authorized_keys
	# A login takes long enough in emulation.
	printf 'UseDNS no\nPrintMotd no\nMaxStartups 50\n' >/etc/ssh/sshd_config.d/rig.conf
	systemctl start ssh
}

# verdict: waits for what the host's program says, and ends as it says
verdict() {
	until [ -e "$RIG/verdict" ]; do sleep 0.5; done
	exit "$(cat "$RIG/verdict")"
}
