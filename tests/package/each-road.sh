# what: what examples/roads has for installers makes the same image of this machine's root by each road, which boots in sync, and so does Ignition's
# mode: reboot
# with: image
# timeout: 500
# seconds: 400

FILES=/usr/lib/rdmastate-tests SPEC=/etc/rdmastate/host.yaml
PATH=/usr/sbin:/usr/bin:/sbin:/bin
hash -r
# installer PLACE COMMAND...: as an installer, which has the new system at PLACE, and in it the /dev, /proc, /run and /sys of its own
installer() {
	unshare --mount sh -euc '
		mount --rbind "$1" "$2"
		for what in dev proc run sys; do mount --rbind /$what "$2/$what"; done
		shift 2
		PATH='$FILES'/bin:$PATH
		"$@"' sh "$IMAGE" "$@"
}
# Debian has no policy for the labels that Ignition sets; its first boot, as Fedora's, enables what a preset names and nothing else.
before_ignition() {
	mkdir -p $IMAGE/etc/selinux $IMAGE/etc/systemd/system-preset
	printf 'SELINUX=disabled\nSELINUXTYPE=targeted\n' >$IMAGE/etc/selinux/config
	echo 'disable *' >$IMAGE/etc/systemd/system-preset/99-default-disable.preset
	echo uninitialized >$IMAGE/etc/machine-id
	ln -s /dev/null $IMAGE/etc/systemd/system/systemd-firstboot.service
}
by_road() {
	local files=$FILES/roads/$1
	case $1 in
	ignition) before_ignition ;;
	autoyast) install -D -m 0600 $FILES/host.yaml $IMAGE$SPEC ;; # by its section <files>
	esac
	if [ -e "$files/inside" ]; then
		installer /mnt chroot /mnt sh -eu "$files/inside"
	else
		installer "$(cat "$files/place")" sh -eu "$files/outside"
	fi
	[ "$1" != ignition ] || rm $IMAGE/etc/selinux/config
}
# What the mounted road has in its image, but for the spec, which each has in words of its own, and for the record of its run.
left() {
	(cd "$LAYERS/$1/upper" && find -- * ! -type d ! -path 'var/lib/rdmastate/*' ! -path etc/rdmastate/host.yaml ! -path etc/rdmastate/ledger.json -printf '%M %u %p %l ' \( -type l -printf '\n' -o -exec sha256sum {} \; \)) | sort
}

if [ "$BOOT" = 1 ]; then
	[ -e /usr/lib/systemd/system/rdmastate-apply.service ] || fail "rdmastate is not installed: RDMASTATE_INSTALL"
	adapters
	mkdir -p /target /mnt/sysimage /sysroot /cdrom /run/install/repo
	cp $FILES/host.yaml /cdrom
	cp $FILES/host.yaml /run/install/repo
	ROADS=$(ls $FILES/roads)
	before=$(ip -o link; lsmod | cut -d' ' -f1 | grep -vxE 'loop|overlay' | sort)
	for road in $ROADS; do
		note "$road: what its installer runs"
		make_layer "$road"
		mount_image "$road"
		by_road "$road"
		case $road in ignition) ;; *) left "$road" >"/run/rig/$road.left" ;; esac
		echo "$road" >$IMAGE/root/road
		umount_image "$road"
	done
	same "interfaces and modules" "$before" "$(ip -o link; lsmod | cut -d' ' -f1 | grep -vxE 'loop|overlay' | sort)"
	for left in /run/rig/*.left; do
		diff /run/rig/kickstart.left "$left" || fail "$left is not what kickstart left"
	done
	boot_images kickstart ignition
	sync
	reboot_now
fi
road=$(cat /root/road)
note "$road: its first boot"
soon exists mlx4_ib0
soon idle
rdmastate verify --wait 60s $SPEC
same "addresses" 192.0.2.1/24 "$(addresses mlx4_ib0)"
same "mode of the spec" 600 "$(stat -c %a $SPEC)"
same "rdmastate-apply.service" enabled "$(systemctl is-enabled rdmastate-apply.service)"
same "how it ended" success "$(systemctl show -P Result rdmastate-apply.service)"
[ "$(systemctl show -P ExecMainExitTimestampMonotonic rdmastate-apply.service)" != 0 ] || fail "rdmastate-apply.service has not run"
same "failed units" "" "$(systemctl list-units --failed --no-legend | grep -i rdma || true)"
quiet rdmastate apply $SPEC
tell "$road: $(rdmastate history 2>&1 | wc -l) lines of history"
[ "$road" = ignition ] || reboot_now
