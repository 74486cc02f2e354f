# what: cloud-init brings the package and the spec at a first boot and applies it; a second instance changes nothing
# mode: reboot
# timeout: 600
# seconds: 240

FILES=/usr/lib/rdmastate-tests SEED=/var/lib/cloud/seed/nocloud SPEC=/etc/rdmastate/host.yaml
PATH=/usr/sbin:/usr/bin:/sbin:/bin
hash -r
instance() { printf 'instance-id: %s\nlocal-hostname: node1\n' "$1" >$SEED/meta-data; }
ends_well() {
	cloud-init status --wait >/run/rig/cloud || fail "cloud-init: $(cat /run/rig/cloud; tail -n 40 /var/log/cloud-init-output.log)"
	contains "cloud-init's status" "status: done" "$(cat /run/rig/cloud)"
	same "rdmastate-ready.target" active "$(systemctl is-active rdmastate-ready.target)"
	rdmastate verify $SPEC
	same "addresses" 192.0.2.1/24 "$(addresses mlx4_ib0)"
}
# cloud-init writes the spec anew for each instance: its bytes are compared, of the others that nobody wrote them.
state() {
	rdmastate history
	sha256sum $SPEC
	find /etc/rdmastate /etc/udev/rules.d /etc/modules-load.d /etc/systemd/system ! -path $SPEC -type f -exec stat -c '%n %i %Y %s' {} + | sort
}

case $BOOT in
1)
	[ -e $FILES/repository/Packages ] || fail "there is no repository in $FILES: RDMASTATE_INSTALL"
	[ ! -e /usr/bin/rdmastate ] || fail "an rdmastate is there already"
	rm -f /etc/apt/sources.list /etc/apt/sources.list.d/*
	echo "deb [trusted=yes] file:$FILES/repository ./" >/etc/apt/sources.list
	export DEBIAN_FRONTEND=noninteractive
	{ apt-get -q update && apt-get -q -y --no-install-recommends install cloud-init; } >/run/rig/apt 2>&1 || fail "$(tail -n 20 /run/rig/apt)"

	note "a NoCloud seed, as a hypervisor's disk would have it"
	mkdir -p $SEED
	cp $FILES/user-data $SEED/user-data
	instance first
	printf 'datasource_list: [NoCloud, None]\nnetwork: {config: disabled}\n' >/etc/cloud/cloud.cfg.d/90-rig.cfg
	# How the machine gets to a repository is each site's own: this one keeps the list that it has.
	echo 'apt: {preserve_sources_list: true}' >>/etc/cloud/cloud.cfg.d/90-rig.cfg
	# This machine has no locales, which cloud-init would call an error; keys of sshd take long in emulation.
	printf 'locale: false\nssh_genkeytypes: [ed25519]\n' >>/etc/cloud/cloud.cfg.d/90-rig.cfg
	contains "schema" "Valid" "$(cloud-init schema --config-file $SEED/user-data 2>&1)"
	sync
	reboot_now
	;;
2)
	note "the first boot: package, spec, apply, in sync"
	soon exists mlx4_ib0
	ends_well
	same "mode of the spec" 600 "$(stat -c %a $SPEC)"
	same "package" "install ok installed" "$(dpkg-query -W -f '${Status}' rdmastate)"
	contains "history" "000001" "$(rdmastate history)"
	state >/root/state

	note "another instance of the same image"
	instance second
	sync
	reboot_now
	;;
3)
	ends_well
	contains "instance" second "$(cat /run/cloud-init/.instance-id 2>/dev/null || cat /var/lib/cloud/data/instance-id)"
	state >/run/rig/state
	diff /root/state /run/rig/state >/run/rig/diff || fail "it changed something: $(cat /run/rig/diff)"
	;;
esac
