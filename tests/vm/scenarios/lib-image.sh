# Images that this machine boots (with: image). As of a container: this machine's root is the base, and a layer on it is all that a build
# writes. Each layer has a file system of its own, in a file. The base is not changed any more once there is an image of it.

IMAGE=/run/image LAYERS=/var/layers

# make_layer NAME: an empty one
make_layer() {
	mkdir -p "$LAYERS"
	truncate -s 64M "$LAYERS/$1.ext4"
	mke2fs -q -t ext4 -E lazy_itable_init=0,lazy_journal_init=0 "$LAYERS/$1.ext4"
}

# mount_image NAME: the image of that layer is at $IMAGE until umount_image NAME, and what the layer holds in $LAYERS/NAME/upper
mount_image() {
	local layer=$LAYERS/$1
	mkdir -p "$layer" "$IMAGE"
	modprobe loop
	mount -o loop "$layer.ext4" "$layer"
	mkdir -p "$layer/upper" "$layer/work"
	mount -t overlay -o "lowerdir=/,upperdir=$layer/upper,workdir=$layer/work" image "$IMAGE"
}
umount_image() { umount "$IMAGE" "$LAYERS/$1"; }

# boot_images NAME...: the next boots are one of each image, and then all of the last one: what the initrd starts as process 1 changes the root to it
boot_images() {
	printf '%s\n' "$@" >"$LAYERS/next"
	rm /sbin/init
	cat >/sbin/init <<-SH
	#!/bin/bash
	set -eu
	PATH=/usr/sbin:/usr/bin IMAGE=/mnt LAYERS=$LAYERS
	mount -t proc proc /proc
	mount -t sysfs sysfs /sys
	$(declare -f mount_image)
	name=\$(head -n 1 \$LAYERS/next)
	[ "\$(wc -l <\$LAYERS/next)" = 1 ] || sed -i 1d \$LAYERS/next
	mount_image "\$name"
	mount --move /dev /mnt/dev
	umount /sys /proc
	cd /mnt
	mount --move . /
	exec chroot . /usr/lib/systemd/systemd
	SH
	chmod 755 /sbin/init
}
