# Helpers for scenarios. The guest's agent reads this file, then the scenario, into one bash with -eu -o pipefail.
# A scenario asserts with other programs than rdmastate (ip, rdma, cat, ping), and every helper here either succeeds or
# ends the scenario with a sentence. No `PROGRAM | grep -q`: grep leaves at the first match, and with pipefail the program
# that still writes then ends the pipe with 141, as if nothing had been found.

# ---- asserting

fail() {
	echo "FAILED: $*" >&2
	exit 1
}

note() { echo "-- $*"; }

# tell TEXT: shown by tests/vm/run although the scenario passes: what it counted
tell() { printf '@@TELL %s\n' "$*"; }

# same WHAT EXPECTED ACTUAL
same() {
	[ "$2" = "$3" ] || fail "$1: expected '$2', found '$3'"
}

# contains WHAT PART TEXT
contains() {
	case "$3" in *"$2"*) ;; *) fail "$1: no '$2' in: $3" ;; esac
}

# lacks WHAT PART TEXT
lacks() {
	case "$3" in *"$2"*) fail "$1: '$2' in: $3" ;; esac
}

# since VERSION FOUND: whether a program or kernel of version FOUND is as new
since() { printf '%s\n' "$1" "$2" | sort -CV; }

# must_fail CODE COMMAND...: ends with exactly this status; what it printed is left in $OUT
must_fail() {
	local want=$1 got=0
	shift
	OUT=$("$@" 2>&1) || got=$?
	[ "$got" = "$want" ] || fail "'$*' ended with $got, not $want: $OUT"
}

# refused TEXT COMMAND...: fails with any status and says TEXT
refused() {
	local text=$1 got=0
	shift
	OUT=$("$@" 2>&1) || got=$?
	[ "$got" != 0 ] || fail "'$*' succeeded"
	contains "what '$*' says" "$text" "$OUT"
}

# broken SYSCALL:error=ERRNO:when=N COMMAND...: runs it with that system call failing from outside (strace); its output is
# left in $OUT and its status in $RC. A fault that was never met is a scenario that tests nothing, so it fails.
broken() {
	local fault=$1
	shift
	RC=0
	OUT=$(strace -f -qq -o /run/rig/strace -e "trace=${fault%%:*}" -e "inject=$fault" "$@" 2>&1) || RC=$?
	grep -q INJECTED /run/rig/strace || fail "'$*' never met the fault $fault"
}

# soon COMMAND...: becomes true before long (carrier, asynchronous deletes, udev)
PATIENCE=40
soon() {
	local end=$((SECONDS + PATIENCE))
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || fail "still not so after $PATIENCE s: $*"
		sleep 0.1
	done
}

# ---- what ran of our code

# Programs that count it write it here when they end; the runner wants it on the third disk (RDMASTATE_VM_PROFILES).
if [ -e "$RIG/profiled" ]; then
	export LLVM_PROFILE_FILE=/run/profiles/%4m.profraw
	keep_profiles() {
		local status=$?
		soon test -b /dev/vdc
		tar -C /run/profiles -cf /dev/vdc . && sync /dev/vdc || status=97
		exit $status
	}
	trap keep_profiles EXIT
fi

# ---- hardware

# Two adapters sit in PCI slots 8 and 9. udev found them at boot and named them; ib_ipoib is not loaded (autoload_ipoib).
HCA1_PCI=0000:00:08.0 HCA2_PCI=0000:00:09.0
# The adapter with virtual functions, where the header asks for it (functions: virtual)
HCAV_PCI=0000:01:00.0

# adapters [MODULE PARAMETERS]: waits for the adapters, with parameters after loading their driver anew; sets HCA1 and HCA2
# (names of RDMA devices)
adapters() {
	[ $# = 0 ] || modprobe -r fake_hca
	modprobe fake_hca "$@"
	udevadm settle
	HCA1=$(rdma_of $HCA1_PCI) HCA2=$(rdma_of $HCA2_PCI)
}

# without_udev: for measuring the kernel and not udev; for the rest of the scenario
without_udev() { systemctl -q stop systemd-udevd-kernel.socket systemd-udevd-control.socket systemd-udevd.service; }

rdma_of() { ls "/sys/bus/pci/devices/$1/infiniband"; }

# ipoib: loads ib_ipoib over the adapters; sets IB1 and IB2 (their interfaces)
ipoib() {
	modprobe ib_ipoib
	udevadm settle
	IB1=$(netdev_of $HCA1_PCI) IB2=$(netdev_of $HCA2_PCI)
}

# Only of InfiniBand: with dcb=1 the first adapter has an Ethernet one too.
netdev_of() { (cd "/sys/bus/pci/devices/$1/net" && grep -lx 32 -- */type | cut -d/ -f1); }

# autoload_ipoib: from now on udev gives fake adapters ID_RDMA_INFINIBAND=1, as rdma-core does for real ones
autoload_ipoib() {
	mkdir -p /etc/rig
	: >/etc/rig/autoload-ipoib
}

# knob HCA NAME VALUE: state, sm, pkeys, netdev, enhanced, fail (fake_hca/knobs.c). Not echo: it hides the errno.
knob() {
	printf '%s\n' "$3" | dd status=none of="/sys/class/infiniband/$1/device/fake/$2"
}

# write_sysfs FILE VALUE: with a real program, because the shell's echo calls every error an I/O error
write_sysfs() { printf '%s\n' "$2" | dd status=none of="$1"; }

# write_sysfs_raw FILE VALUE: without a newline
write_sysfs_raw() { printf '%s' "$2" | dd status=none of="$1"; }

# may_warn FUNCTION: a warning of the kernel whose stack holds this function is not this scenario's failure
may_warn() { echo "$1" >>/run/rig/tolerated; }

# ---- links

# link NAME PATH: one fact of `ip -d -j link`, for example  link ib0 linkinfo.info_data.mode ; empty when not there
link() {
	ip -d -j link show dev "$1" | /usr/bin/python3 -c '
import json, sys
value = json.load(sys.stdin)[0]
for key in sys.argv[1].split("."):
    value = value.get(key, "") if isinstance(value, dict) else ""
print(",".join(value) if isinstance(value, list) else value)' "$2"
}

# iproute2 6.1 prints the P_Key under "key", in JSON only.
pkey_of() { link "$1" linkinfo.info_data.key; }
mode_of() { link "$1" linkinfo.info_data.mode; }
umcast_of() { link "$1" linkinfo.info_data.umcast; }

# Not by ip, which finds alternative names too: udev keeps a name there that the interface has given up.
exists() { [ -e "/sys/class/net/$1" ]; }
gone() { ! exists "$1"; }
has_carrier() { [ "$(cat "/sys/class/net/$1/carrier" 2>/dev/null)" = 1 ]; }
lost_carrier() { [ "$(cat "/sys/class/net/$1/carrier" 2>/dev/null)" = 0 ]; }
is_up() { has_carrier "$1" && [ "$(cat "/sys/class/net/$1/operstate")" = up ]; }

# addresses NAME: "192.0.2.1/24 2001:db8::1/64", without link-local ones, sorted
addresses() {
	ip -o addr show dev "$1" scope global | awk '{print $4}' | sort | xargs
}

# counter NAME rx_packets|tx_packets|...
counter() { cat "/sys/class/net/$1/statistics/$2"; }

# resting: at this moment no run of rdmastate that udev or systemd started by itself is under way or waits
resting() {
	udevadm settle
	[ -z "$(systemctl list-units --plain --no-legend --state=activating,deactivating 'rdmastate*')" ] || return 1
	[ -z "$(systemctl list-jobs --no-legend | grep rdmastate)" ]
}

# idle: resting, and still so after a second: a run that ends while it is looked for leaves events that start the next one
idle() { resting && sleep 1 && resting; }

# unload MODULE: when idle, because 6.1 warns when a child is made on a port that is going (ipoib_new_child_link)
unload() {
	soon idle
	modprobe -r "$1"
}

# ---- the far end

# Run something there: $FAR ip addr ...
FAR="ip netns exec far"

# peer_netns INTERFACE: moves the second adapter's interface into a network namespace of its own
peer_netns() {
	ip netns add far 2>/dev/null || true
	ip link set "$1" netns far
	$FAR ip link set lo up
	$FAR ip link set "$1" up
	PEER=$1
}

# peer_child PKEY ADDRESS...: the far end of a partition, a child of the interface given to peer_netns
peer_child() {
	local name="$PEER.${1#0x}" address
	$FAR ip link add link "$PEER" name "$name" type ipoib pkey "$1"
	$FAR ip link set "$name" up
	shift
	for address; do
		case "$address" in
		*:*) $FAR ip addr add "$address" dev "$name" nodad ;;
		*) $FAR ip addr add "$address" dev "$name" ;;
		esac
	done
	PEER_CHILD=$name
}

far_counter() { $FAR cat "/sys/class/net/$1/statistics/$2"; }

# crosses NEAR FAR-INTERFACE ADDRESS...: pings each address out of NEAR; counters of both interfaces must rise
crosses() {
	local near=$1 there=$2 address before after
	shift 2
	soon is_up "$near"
	for address; do
		before="$(counter "$near" tx_packets) $(far_counter "$there" rx_packets)"
		soon ping -c 1 -W 2 -I "$near" "$address"
		ping -c 3 -i 0.2 -W 5 -I "$near" "$address" >/dev/null || fail "ping $address out of $near"
		after="$(counter "$near" tx_packets) $(far_counter "$there" rx_packets)"
		rose "$before" "$after" || fail "ping $address: counters of $near and $there went from $before to $after"
	done
}

rose() { set -- $1 $2; [ "$3" -ge $(($1 + 3)) ] && [ "$4" -ge $(($2 + 3)) ]; }

# silent NEAR ADDRESS: nobody answers
silent() {
	if ping -c 2 -i 0.2 -W 1 -I "$1" "$2" >/dev/null 2>&1; then
		fail "$2 answers out of $1 and should not"
	fi
}

# rpings ADDRESS: a server and a client of rdmacm-utils exchange five messages over the RDMA device that has the address
rpings() {
	local server
	rping -s -a "$1" -C 5 >/run/rig/rping.server 2>&1 &
	server=$!
	sleep 1
	timeout 30 rping -c -a "$1" -C 5 -v >/run/rig/rping 2>&1 || fail "rping: $(cat /run/rig/rping /run/rig/rping.server)"
	# The server may meet the client's disconnection before its last completion; nothing else may end it badly.
	wait $server || contains "the rping server" "DISCONNECT EVENT" "$(cat /run/rig/rping.server)"
	contains "rping" "rdma-ping-4" "$(cat /run/rig/rping)"
}

# only_namespace: stops the services that have a network namespace of their own
only_namespace() {
	local unit
	for unit in $(systemctl list-units --no-legend --plain --type=service --state=running | awk '{print $1}'); do
		[ "$(systemctl show -P PrivateNetwork "$unit")" = no ] || systemctl stop "$unit"
	done
}

# ---- nothing happened

# What an apply may touch: names, inodes, sizes, modes and times of everything below.
WATCHED="/etc /var/lib/rdmastate"

tree_digest() {
	# What is not there yet is no failure.
	{ find $WATCHED -printf '%p %i %s %m %U:%G %T@ %C@\n' 2>/dev/null || true; } | sort
}

# settled: no interface that is up waits for carrier or for duplicate address detection
settled() {
	[ -z "$(ip -6 -o addr show tentative)" ] || return 1
	[ -z "$(ip -o link show type ipoib up | grep -e NO-CARRIER -e LOWERLAYERDOWN)" ]
}

# What the kernel told while a command was watched. Neighbour entries age by themselves.
EVENTS=/run/rig/events
moved() { grep -avE '^\[?NEIGH|lladdr|^$' $EVENTS; }

# calm: nothing moved for a second, and nothing is about to; daemons go on for a while after a command has returned
calm() {
	: >$EVENTS
	sleep 1
	! moved && settled && resting
}

# linked: every interface that is up has its link-local address, where IPv6 is on. NetworkManager gives them seconds later.
linked() {
	local name
	for name in $(ip -o link show type ipoib up | sed 's/^[0-9]*: \([^:@]*\).*/\1/'); do
		[ "$(cat "/proc/sys/net/ipv6/conf/$name/disable_ipv6")" = 1 ] ||
			[ -n "$(ip -6 -o addr show dev "$name" scope link)" ] || return 1
	done
}

# quiet COMMAND...: runs it while the kernel's link, address and route events and the files above are watched; fails if it
# fails or anything moved. Its output is left in $OUT.
quiet() {
	local before=/run/rig/tree.before after=/run/rig/tree.after monitor got=0 end=$((SECONDS + 10))
	until linked || [ $SECONDS -ge $end ]; do sleep 0.2; done
	ip monitor all >>$EVENTS 2>&1 &
	monitor=$!
	soon calm
	tree_digest >$before
	: >$EVENTS
	OUT=$("$@" 2>&1) || got=$?
	sleep 0.5
	kill $monitor
	wait $monitor 2>/dev/null || true
	tree_digest >$after
	[ $got = 0 ] || fail "'$*' ended with $got: $OUT"
	diff $before $after || fail "'$*' touched files"
	! moved || fail "'$*' moved something in the kernel"
}

# ---- more than one boot (mode: reboot)

# The script starts anew after every boot, with BOOT=1, 2, ...

# reboot_now: leaves the scenario; it goes on at the next boot
reboot_now() {
	echo reboot >"$RIG/after"
	exit 0
}

# pull_the_plug: ends the machine without a shutdown; what was not synced is lost
pull_the_plug() {
	echo cut >"$RIG/after"
	exit 0
}
