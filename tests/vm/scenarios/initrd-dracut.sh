# what: an initrd of dracut, which copies nothing of /etc: the apply says so; with the line that it names, an option and an interface's name hold before switch-root
# mode: reboot
# with: packages
# debs: dracut
# timeout: 400
# seconds: 300

SPEC=/root/host.yaml RELEASE=$(uname -r) IMAGE=/boot/initrd.img-$(uname -r)
CONF=/etc/dracut.conf.d/rdmastate.conf LINK=etc/systemd/network/60-rdmastate-store0.link OPTIONS=etc/modprobe.d/rdmastate-options.conf
PATH=$PATH:/usr/sbin
held() { lsinitrd "$IMAGE" | grep -o 'etc/[^ ]*rdmastate[^ ]*' | grep -v dracut.conf | xargs || true; }

case $BOOT in
1)
	note "dracut in place of initramfs-tools; few modules, and a hook that tells what the initrd saw: this machine is emulated"
	dpkg --remove initramfs-tools initramfs-tools-core
	unpacked "$RIG"/debs/*.deb
	hook=/usr/lib/dracut/modules.d/99rig
	mkdir -p $hook
	cat >$hook/module-setup.sh <<-'SH'
	install() {
		inst_multiple ls cat modprobe udevadm
		inst_hook pre-trigger 50 "$moddir/load.sh"
		inst_hook pre-pivot 50 "$moddir/saw.sh"
	}
	SH
	echo 'modprobe -a fake_hca ib_ipoib' >$hook/load.sh
	# The kernel gives its init no PATH, guest/init one without sbin.
	printf '%s\n' "echo 'export PATH=/usr/sbin:/usr/bin' >>/tmp/export.orig" 'udevadm settle' 'ls /sys/class/net >/run/rig-names' 'cat /sys/module/ib_ipoib/parameters/recv_queue_size >/run/rig-option' >$hook/saw.sh
	chmod +x $hook/*.sh
	cat >/etc/dracut.conf.d/rig.conf <<-'CONF'
	dracutmodules+=" base udev-rules rootfs-block fs-lib rig "
	add_drivers+=" virtio_pci virtio_blk ext4 fake_hca ib_ipoib "
	kernel_cmdline="root=/dev/vda rootfstype=ext4 rw"
	compress="gzip"
	early_microcode="no"
	do_strip="no"
	CONF
	: >"$IMAGE"
	ln -s "${IMAGE##*/}" /boot/rig.initrd # guest/init goes on with it

	note "its image is for any host: the apply says that it holds nothing, and what helps"
	adapters
	cat >$SPEC <<-'YAML'
	version: 1
	network: {backend: none}
	modules: {load: [ib_ipoib], options: {ib_ipoib: {recv_queue_size: 256}}}
	ipoib: [{name: store0, match: {port_guid: "f452:1403:007b:cba1"}, named_by: link-file}]
	YAML
	must_fail 1 rdmastate apply $SPEC
	contains "what it said" "does not copy /$OPTIONS: put the line" "$OUT"
	dracut --force "$IMAGE" "$RELEASE"
	same "what an image holds that is made behind the files" "" "$(held)"

	note "with that line the image is made anew, and holds both files"
	echo "$OUT" | sed -n 's/.*put the line \(install_.* "\) into .*/\1/p' | tail -n 1 >$CONF
	contains "the plan" "rebuild initrd in /boot" "$(rdmastate plan $SPEC)"
	rdmastate apply $SPEC
	same "what the image holds" "$OPTIONS $LINK" "$(held)"
	quiet rdmastate apply $SPEC
	quiet rdmastate verify $SPEC
	sync
	reboot_now
	;;
2)
	note "before switch-root the module has its option, and the interface its name"
	same "what the initrd saw of the option" 256 "$(cat /run/rig-option)"
	contains "the interfaces that the initrd saw" store0 "$(xargs </run/rig-names)"
	quiet rdmastate verify $SPEC
	quiet rdmastate apply $SPEC

	note "the image loses what the spec no longer has"
	printf 'version: 1\nnetwork: {backend: none}\n' >$SPEC
	rdmastate apply $SPEC
	same "what the image holds" "" "$(held)"
	quiet rdmastate apply $SPEC
	;;
esac
