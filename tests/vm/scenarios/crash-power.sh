# what: power cut at every flush of the disk, and with any of the writes between two: the tree is as before or as after
# mode: snapshot
# logged: 32
# judge: crash/power.py
# timeout: 400
# seconds: 83

# /etc and what rdmastate remembers are on two file systems, as hosts with a /var of their own have it: nothing but its own
# syncs keeps the one from being ahead of the other. ext4 is told not to help: without noauto_da_alloc it syncs a file
# that replaces another by itself, and with data=writeback what was not synced is not what was written.
DISK=/dev/vdc SECTORS=$((15 << 11))
soon test -b $DISK
/usr/bin/python3 - $DISK $SECTORS <<'PYTHON'
import struct, sys
disk, sectors = sys.argv[1], int(sys.argv[2])
table = bytearray(512)
table[510:] = b"\x55\xaa"
for number in (0, 1):
    struct.pack_into("<BxxxBxxxII", table, 446 + 16 * number, 0, 0x83, 2048 + number * sectors, sectors)
with open(disk, "r+b") as file:
    file.write(table)
PYTHON
soon test -b ${DISK}2 # udev has the table read when a writer closes the disk
udevadm settle
OPTIONS=noatime,noauto_da_alloc,data=writeback,commit=1
for number in 1 2; do
	mke2fs -q -t ext4 -b 4096 -J size=4 -E nodiscard,lazy_itable_init=0,lazy_journal_init=0 $DISK$number
done

# moved PARTITION DIRECTORY: the directory, less what packages left there, is on the partition from now on
moved() {
	mkdir -p /mnt/new
	mount -o $OPTIONS "$1" /mnt/new
	tar -C "$2" --one-file-system --exclude=./dpkg --exclude=./apt -cf - . | tar -C /mnt/new -xpf -
	mount --move /mnt/new "$2" 2>/dev/null || { umount /mnt/new && mount -o $OPTIONS "$1" "$2"; }
}
moved ${DISK}1 /etc
moved ${DISK}2 /var/lib

# mark NAME begins|ends: a line in the log of writes, in a sector of no partition. All before it is durable.
mark() {
	sync -f /etc
	sync -f /var/lib
	printf '@@mark %s %s\n' "$1" "$2" | dd status=none of=$DISK bs=512 seek=8 count=1 conv=notrunc,sync,fsync oflag=direct
}

# window NAME COMMAND...
window() {
	local name=$1
	shift
	note "$name: $*"
	soon resting
	mark "$name" begins
	"$@"
	# The last of its writes that nothing waits for are part of what may be lost.
	soon resting
	sleep 2
	mark "$name" ends
}

adapters
mkdir -p /root/specs
cat >/root/specs/first.yaml <<'YAML'
version: 1
network: {backend: none}
modules:
  load: [ib_ipoib, ib_umad]
  block: [rds_rdma]
  options: {ib_ipoib: {recv_queue_size: 256, send_queue_size: 256}}
ipoib:
  - name: store0
    match: {port_guid: "f452:1403:007b:cba1"}
    mode: connected
    ipv4: {method: manual, addresses: [203.0.113.1/24]}
  - parent: store0
    pkey: 0x8002
    ipv4: {method: manual, addresses: [192.0.2.1/24]}
memlock: {group: users, soft: unlimited, hard: unlimited}
permissions: {umad: {group: operator, mode: "0660"}}
YAML
cat >/root/specs/second.yaml <<'YAML'
version: 1
network: {backend: none}
modules:
  load: [ib_ipoib, ib_umad, rdma_ucm]
  options: {ib_ipoib: {recv_queue_size: 512}}
ipoib:
  - name: store0
    match: {port_guid: "f452:1403:007b:cba1"}
    mode: connected
    ipv4: {method: manual, addresses: [203.0.113.2/24]}
  - parent: store0
    pkey: 0x8003
    ipv4: {method: manual, addresses: [198.51.100.1/24]}
memlock: {group: users, soft: 64GiB, hard: 64GiB}
YAML

undone() {
	broken renameat:error=ENOSPC:when=4 rdmastate apply /root/specs/first.yaml
	same "exit code" 4 "$RC"
}
window undo-1 undone
window apply-1 rdmastate apply /root/specs/first.yaml
contains "the rules of one of its files" "unlimited" "$(cat /etc/security/limits.d/*)"
window apply-2 rdmastate apply /root/specs/second.yaml
window rollback-2 rdmastate rollback

killed() {
	local got=0
	strace -f -qq -o /run/rig/strace -e trace=renameat -e inject=renameat:signal=KILL:when=6 rdmastate apply /root/specs/second.yaml || got=$?
	grep -q KILL /run/rig/strace || fail "it was not killed"
	# As its unit does at boot.
	rdmastate apply --boot
}
window recover-3 killed
window apply-4 rdmastate apply /root/specs/second.yaml
rdmastate verify --allow-pending /root/specs/second.yaml

# The proof that the disk of this scenario forgives nothing: an apply whose syncs are all left out must be found out.
forgetful() {
	strace -f -qq -o /run/rig/strace -e trace=fsync,fdatasync,syncfs,sync_file_range \
		-e inject=fsync,fdatasync,syncfs,sync_file_range:retval=0 rdmastate apply /root/specs/first.yaml
	grep -q INJECTED /run/rig/strace || fail "nothing was left out"
}
window unsynced-5 forgetful
