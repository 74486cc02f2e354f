# what: children get connected mode, and a port changes its own, while others take the kernel's lock for links all the time
# mode: snapshot
# timeout: 120
# seconds: 92
# releases: trixie

adapters
autoload_ipoib
ipoib
mkdir -p /root/specs
spec() {
	printf 'version: 1\nnetwork: {backend: none}\nipoib:\n  - name: %s\n    mode: %s\n' "$IB1" "$1"
	shift
	printf "  - {parent: $IB1, pkey: %s, mode: connected}\n" "$@"
}
partitions=$(seq -f '0x80%02.0f' 1 4)
# shellcheck disable=SC2086 # one word each
spec connected $partitions >/root/specs/connected.yaml
spec datagram 0x8009 >/root/specs/datagram.yaml

# Netlink's way to set a mode lets go of that lock, may find it taken, and goes on without it (ipoib_set_mode): the kernel
# then warns, which ends any scenario.
busy() { while :; do ip link add "busy$1" type dummy && ip link del "busy$1"; done; }
busy 1 &
busy 2 &
trap 'kill %1 %2' EXIT

rdmastate apply /root/specs/connected.yaml
same "mode of the port" connected "$(mode_of "$IB1")"
for pkey in $partitions; do
	same "mode of $pkey" connected "$(mode_of "$IB1.${pkey#0x}")"
	same "P_Key of $pkey" "$pkey" "$(pkey_of "$IB1.${pkey#0x}")"
done
rdmastate verify /root/specs/connected.yaml
rdmastate apply /root/specs/datagram.yaml
same "mode of the port" datagram "$(mode_of "$IB1")"
same "children" "$IB1.8009" "$(cd /sys/class/net && echo "$IB1".*)"
