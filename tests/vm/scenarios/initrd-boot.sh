# what: a module that the kernel's own initrd loads has the options that an apply wrote, at the next boot, and has them no longer after they are let go of
# mode: reboot
# timeout: 300
# seconds: 180

SPEC=/root/host.yaml RELEASE=$(uname -r)
PATH=$PATH:/usr/sbin
# mlx4_core loads without an adapter, too. What the initrd saw is in /run, which stays.
parameter() { cat "/${1:-sys/module/mlx4_core/parameters/internal_err_reset}"; }

case $BOOT in
1)
	note "an initrd as a kernel's package makes it, without udev and with few modules: this machine is emulated"
	for hook in /usr/share/initramfs-tools/hooks/*; do
		case ${hook##*/} in kmod | klibc* | zz-busybox*) ;; *) rm "$hook" ;; esac
	done
	rm -f /usr/share/initramfs-tools/scripts/init-*/udev
	mkdir -p /etc/initramfs-tools/conf.d /etc/initramfs-tools/scripts/init-bottom
	printf '%s\n' MODULES=list COMPRESS=gzip COMPRESSLEVEL=1 ROOT=/dev/vda ROOTFSTYPE=ext4 readonly=n >/etc/initramfs-tools/conf.d/rig
	echo mlx4_core >>/etc/initramfs-tools/modules
	cat >/etc/initramfs-tools/scripts/init-bottom/rig <<-'SH'
	#!/bin/sh
	[ "$1" = prereqs ] || cat /sys/module/mlx4_core/parameters/internal_err_reset >/run/rig-initrd
	SH
	chmod +x /etc/initramfs-tools/scripts/init-bottom/rig
	printf 'CONFIG_RD_GZIP=y\n' >/boot/config-"$RELEASE"
	update-initramfs -c -k "$RELEASE"
	ln -s "initrd.img-$RELEASE" /boot/rig.initrd # guest/init goes on with it

	printf 'version: 1\nnetwork: {backend: none}\nmodules: {load: [mlx4_core], options: {mlx4_core: {internal_err_reset: 0}}}\n' >$SPEC
	modprobe mlx4_core
	same "the kernel's default" 1 "$(parameter)"
	modprobe -r mlx4_core
	contains "the plan" "rebuild initrd in /boot" "$(rdmastate plan $SPEC)"
	rdmastate apply $SPEC
	sync
	reboot_now
	;;
2)
	note "the initrd has loaded it with the option"
	same "what the initrd saw" 0 "$(parameter run/rig-initrd)"
	same "what the kernel has" 0 "$(parameter)"
	quiet rdmastate verify $SPEC
	quiet rdmastate apply $SPEC

	printf 'version: 1\nnetwork: {backend: none}\nmodules: {load: [mlx4_core]}\n' >$SPEC
	rdmastate apply $SPEC
	sync
	reboot_now
	;;
3)
	note "without the option it is as the kernel has it"
	same "what the initrd saw" 1 "$(parameter run/rig-initrd)"
	quiet rdmastate verify $SPEC
	;;
esac
