# Leaves a run standing in mid-call (stands_at) and tells what a host is (host_state), for each scenario `with: cuts`. What follows
# "the spec" is for crash-cuts-* alone (mode: reboot): what is applied, the power cuts, and what the boot after each has to show.
# The guest reads this behind lib.sh.

# stands_at SYSCALLS "PATTERN [then PATTERN...]" COMMAND...: runs it one of those system calls at a time (strace delivers
# SIGSTOP with each) and leaves it standing still right after the one that matches the last pattern. The unmodified
# program: it does not know. A command that ends before it gets there fails the scenario; one that is sent SIGCONT goes on
# to its end.
stands_at() {
	/usr/bin/python3 - "$@" <<'PYTHON' || fail "'${*:3}' never got to $2"
import os, re, signal, subprocess, sys
calls, patterns, command = sys.argv[1], [re.compile(one) for one in sys.argv[2].split(" then ")], sys.argv[3:]
stands, (told, tell) = False, os.pipe()
subprocess.Popen(["strace", "-f", "-y", "-s", "4096", "-o", f"/dev/fd/{tell}", "-e", "trace=" + calls,
                  "-e", f"inject={calls}:signal=STOP", *command], pass_fds=[tell], start_new_session=True)
os.close(tell)
for line in os.fdopen(told, errors="replace"):
    process, _, said = line.strip().partition(" ")
    if patterns and patterns[0].search(said):
        del patterns[0]
    if said.strip() == "--- stopped by SIGSTOP ---":
        if patterns or stands:
            os.kill(int(process), signal.SIGCONT)
        elif os.fork():
            os._exit(0)
        stands = not patterns
sys.exit(1)
PYTHON
}

# A pattern of sendto: the kernel is asked for a P_Key child.
CREATES_CHILD='nlmsg_type=RTM_NEWLINK, nlmsg_flags=[^,]*NLM_F_CREATE.*"ipoib"'

# host_state: what there is of interfaces, modules and files, less times and inodes; what recovery must bring back
host_state() {
	ip -o link show type ipoib | sed 's/^[0-9]*: \([^ ]*\).*/link \1/' | sort
	ip -o addr show scope global | awk '$2 !~ /^lo/ {print "address", $2, $4}' | sort
	lsmod | awk '$1 == "ib_ipoib" {print "module", $1}'
	find /etc -path /etc/rig -prune -o -printf '%p %y %m %U:%G %l\n' | sort
	find /etc -path /etc/rig -prune -o -type f -print0 | sort -z | xargs -0 sha256sum
}

# ---- the spec

SPEC=/root/specs/host.yaml CUTS=/var/lib/rig/cuts RUNS=/var/lib/rdmastate/runs

# write_spec BACKEND: of a file of each sort, a module, and all that a child is made of
write_spec() {
	mkdir -p "${SPEC%/*}"
	cat >$SPEC <<-YAML
	version: 1
	network: {backend: $1}
	modules: {load: [ib_ipoib], options: {ib_ipoib: {recv_queue_size: 256}}}
	ipoib:
	  - name: store0
	    match: {port_guid: "f452:1403:007b:cba1"}
	    mode: connected
	    ipv4: {method: manual, addresses: [203.0.113.1/24]}
	  - parent: store0
	    pkey: 0x8002
	    ipv4: {method: manual, addresses: [192.0.2.1/24]}
	memlock: {group: users, soft: unlimited, hard: unlimited}
	YAML
}

# is_new: by other programs, the host is as the spec says
is_new() {
	soon exists store0.8002
	grep -q 'backend: none' $SPEC || soon sh -c 'nmcli -g GENERAL.STATE device show store0.8002 | grep -q "^100"'
	same "addresses of the child" 192.0.2.1/24 "$(addresses store0.8002)"
	same "addresses of the port" 203.0.113.1/24 "$(addresses store0)"
	same "mode of the port" connected "$(mode_of store0)"
	same "the module's option" 256 "$(cat /sys/module/ib_ipoib/parameters/recv_queue_size)"
	contains "the limit" "@users hard memlock unlimited" "$(tr -s ' \t' ' ' </etc/security/limits.d/95-rdmastate.conf)"
}

# ---- the cuts

# cuts POINT...: the body of a scenario: one power cut for each point, to which reach_POINT, of the caller, leads. One boot
# serves two: it answers for the cut before it, and goes on to the next point. After the boot the host must be as before,
# or, where the point is listed in ENDS_NEW, as the spec says, and then rollback leads back. After the last cut a whole apply
# and its rollback show that nothing of all that is in the way.
ENDS_NEW=""
cuts() {
	local points=("$@") last old new
	adapters
	if [ "$BOOT" = 1 ]; then
		write_spec none
		mkdir -p "$CUTS"
		host_state >"$CUTS/old"
		: >"$CUTS/ended"
		sync
	else
		last=${points[$((BOOT - 2))]}
		note "boot $BOOT, after the cut at $last"
		recovered "$last"
	fi
	if [ "$BOOT" -gt ${#points[@]} ]; then
		old=$(grep -c ' old$' "$CUTS/ended" || true) new=$(grep -c ' new$' "$CUTS/ended" || true)
		whole_apply
		same "points that were answered for" ${#points[@]} $((old + new))
		tell "crash (cuts): ${#points[@]} points, 0 lost, $old ended old, $new ended new (${points[*]})"
		return
	fi
	note "on to ${points[$((BOOT - 1))]}"
	"reach_${points[$((BOOT - 1))]//-/_}"
	pull_the_plug
}

is_old() {
	host_state >/run/rig/now
	diff "$CUTS/old" /run/rig/now
}

# forget [all]: what the boot made from files of the cut run stays in the kernel until the next boot, since no undo moves there
# what its run did not move: systemd loaded ib_ipoib before rdmastate.service could take its file back, and it brought
# bare interfaces; all: a boot.json that stood then was followed. Out with it, as by the next boot.
forget() {
	grep -q '^module ib_ipoib$' "$CUTS/old" || [ ! -e /sys/module/ib_ipoib ] || {
		[ "${1-}" = all ] || same "children" "" "$(ip -o link show type ipoib | awk '/@/')"
		[ "${1-}" = all ] || same "addresses" "$(grep '^address' "$CUTS/old")" "$(host_state | grep '^address')"
		unload ib_ipoib
	}
}

# answered POINT old|new: noted so that the next cut does not take the note along
answered() {
	echo "$1 $2" >>"$CUTS/ended"
	sync "$CUTS/ended"
}

# recovered POINT: what the boot made of it, and of what it made new one command makes the old
recovered() {
	soon idle
	case " $ENDS_NEW " in
	*" $1 "*)
		is_new
		OUT=$(rdmastate plan "$SPEC")
		contains "a second plan" "Nothing to do" "$OUT"
		answered "$1" new
		rolled_back all
		;;
	*)
		forget
		is_old || fail "after the cut at $1 the host is not as it was"
		answered "$1" old
		;;
	esac
}

# rolled_back [all]: what forget has to know
rolled_back() {
	rdmastate rollback
	soon idle
	forget "$@"
	is_old || fail "rollback does not bring back what was"
}

whole_apply() {
	rdmastate apply "$SPEC"
	soon idle
	is_new
	rolled_back
}
