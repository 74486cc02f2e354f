# what: a disk that lasts, a shutdown, a power cut, and adapters that are there at boot
# mode: reboot
# when: named

same "adapters found by udev" 2 "$(ls /sys/class/infiniband | wc -l)"
case $BOOT in
1)
	lacks "modules with no identity given" ib_ipoib "$(cut -d' ' -f1 /proc/modules)"
	autoload_ipoib
	echo kept >/root/kept
	reboot_now
	;;
2)
	same "a file of boot 1" kept "$(cat /root/kept)"
	soon grep -q '^ib_ipoib ' /proc/modules
	echo synced >/root/synced
	sync
	echo lost >/root/unsynced
	pull_the_plug
	;;
3)
	same "a synced file" synced "$(cat /root/synced)"
	[ ! -e /root/unsynced ] || fail "an unsynced file survived the power cut"
	;;
esac
