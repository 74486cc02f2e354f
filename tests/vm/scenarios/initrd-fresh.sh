# what: options of a module are in the image that the kernel boots with after an apply, and gone after a rollback; a full /boot changes nothing; a second run makes nothing
# mode: snapshot
# timeout: 900
# seconds: 220

RELEASE=$(uname -r)
IMAGE=/boot/initrd.img-$RELEASE
PATH=$PATH:/usr/sbin
# As a kernel's package would leave it. Few modules, and the hooks that put in modules and their options: this machine is emulated.
for hook in /usr/share/initramfs-tools/hooks/*; do
	case ${hook##*/} in kmod | klibc* | zz-busybox*) ;; *) rm "$hook" ;; esac
done
mkdir -p /etc/initramfs-tools/conf.d
printf 'MODULES=list\nCOMPRESS=gzip\nCOMPRESSLEVEL=1\n' >/etc/initramfs-tools/conf.d/rig
printf 'CONFIG_RD_GZIP=y\n' >/boot/config-"$RELEASE"
update-initramfs -c -k "$RELEASE"

held() { lsinitramfs "$IMAGE" | grep rdmastate || true; }
# text FILE: as the image has it
text() {
	rm -rf /run/rig/image
	unmkinitramfs "$IMAGE" /run/rig/image
	cat "/run/rig/image/$1"
}
image() { stat -c '%i %s %Y' "$IMAGE"; }

OPTIONS=etc/modprobe.d/rdmastate-options.conf
mkdir -p /root/specs
spec() { printf 'version: 1\nnetwork: {backend: none}\nmodules: {options: {ib_ipoib: {recv_queue_size: %s}, mlx4_en: {pfctx: 8, pfcrx: 8}}}\n' "$1" >/root/specs/host.yaml; }
spec 512
same "what a new image holds" "" "$(held)"
OUT=$(rdmastate plan /root/specs/host.yaml)
contains "the plan" "rebuild initrd in /boot" "$OUT"
rdmastate apply /root/specs/host.yaml
same "what the image holds" "$OPTIONS" "$(held)"
contains "the option in the image" "options ib_ipoib recv_queue_size=512" "$(text $OPTIONS)"
same "the other options in the image" "options mlx4_en pfcrx=8 options mlx4_en pfctx=8" "$(text $OPTIONS | grep mlx4_en | xargs)"

note "a second run makes nothing"
FIRST=$(image)
quiet rdmastate apply /root/specs/host.yaml
same "the image" "$FIRST" "$(image)"
[ ! -e "$IMAGE.new" ] || fail "something is left beside the image"

note "another value, and a disk that is full while the image is made: all is as before"
spec 256
mount -t tmpfs -o size=64k tmpfs /var/tmp
must_fail 4 rdmastate apply /root/specs/host.yaml
umount /var/tmp
contains "what it said" "update-initramfs ended with" "$OUT"
contains "the file" "recv_queue_size=512" "$(cat /$OPTIONS)"
same "the image" "$FIRST" "$(image)"

note "another value, then taken back"
rdmastate apply /root/specs/host.yaml
contains "the option in the image" "recv_queue_size=256" "$(text $OPTIONS)"
rdmastate rollback
contains "the option in the image after a rollback" "recv_queue_size=512" "$(text $OPTIONS)"
contains "the file after a rollback" "recv_queue_size=512" "$(cat /$OPTIONS)"

note "an image that somebody else makes of the same files is as good"
spec 512
update-initramfs -u -k "$RELEASE"
quiet rdmastate apply /root/specs/host.yaml

note "a file that goes leaves the image"
printf 'version: 1\nnetwork: {backend: none}\n' >/root/specs/host.yaml
rdmastate apply /root/specs/host.yaml
same "what the image holds" "" "$(held)"
[ ! -e /$OPTIONS ] || fail "$OPTIONS is still there"
quiet rdmastate apply /root/specs/host.yaml

note "the contract, on this image"
SUITE=/usr/lib/rdmastate-tests/contract_live
RC=0
OUT=$($SUITE --gtest_brief=1 --gtest_filter='Live/InitrdsContract*' 2>&1) || RC=$?
[ "$RC" = 0 ] || fail "the contract: $OUT"
lacks "the contract" "SKIPPED" "$OUT"
