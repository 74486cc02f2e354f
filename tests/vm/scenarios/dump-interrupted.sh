# what: the kernel changes its table of interfaces while it is read; what was read so is dropped and asked for again
# mode: snapshot
# timeout: 120

# fact 8
adapters
ipoib
without_udev
cat >/run/rig/children.py <<'PY'
import sys
parent, attribute = sys.argv[1:]
for pkey in range(0x9000, 0x9000 + 100):
    with open(f"/sys/class/net/{parent}/{attribute}", "w") as file:
        file.write(hex(pkey))
PY
cat >/run/rig/interrupted.py <<'PY'
import socket, struct, time
DUMP, DONE, INTERRUPTED = 0x300, 3, 0x10
kernel = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
kernel.sendto(struct.pack("=IHHIIBxHiII", 32, 18, 1 | DUMP, 1, 0, 0, 0, 0, 0, 0), (0, 0))
kind = flags = 0
while kind != DONE:
    data = kernel.recv(8192)
    time.sleep(0.05)
    while data:
        size, kind, now = struct.unpack_from("=IHH", data)
        flags |= now
        data = data[(size + 3) & ~3:]
print("interrupted" if flags & INTERRUPTED else "whole")
PY
interrupted() { [ "$(/usr/bin/python3 /run/rig/interrupted.py)" = interrupted ]; }
left() { ip -o link show type ipoib | grep -c "$IB1\.9" || true; }
none_left() { [ "$(left)" = 0 ]; }

# dumps: how often rdmastate asks for a table while each answer takes it longer; what it tells is whole
dumps() {
	strace -f --seccomp-bpf -qq -o /run/rig/asked -e trace=sendto,recvmsg -e verbose=sendto -e inject=recvmsg:delay_exit=50000 \
		rdmastate show --record /run/rig/host.json >/dev/null || fail "show --record"
	/usr/bin/python3 - <<'PY' || fail "what it told is not whole"
import collections, json
names = collections.Counter(link["name"] for link in json.load(open("/run/rig/host.json"))["links"])
assert {"stays1", "stays2", "stays3"} <= set(names), names
assert set(names.values()) == {1}, names.most_common(3)
PY
	grep -c "sendto.*NLM_F_DUMP" /run/rig/asked
}

/usr/bin/python3 /run/rig/children.py "$IB1" create_child
for key in 1 2 3; do ip link add link "$IB1" name stays$key type ipoib pkey 0x800$key; done
! interrupted || fail "a dump is interrupted while nothing happens"
USUAL=$(dumps)
same "dumps again" "$USUAL" "$(dumps)"

note "delete_child answers at once, and the children go one by one"
# The last one may have gone before the first table is asked for: then once more.
for _ in 1 2 3 4; do
	/usr/bin/python3 /run/rig/children.py "$IB1" delete_child
	[ "$(left)" -gt 0 ] || fail "every child is gone already"
	asked=$(dumps)
	[ "$asked" -le "$USUAL" ] || break
	soon none_left
	/usr/bin/python3 /run/rig/children.py "$IB1" create_child
done
[ "$asked" -gt "$USUAL" ] || fail "$asked dumps while interfaces went, as always"
soon none_left

note "and the kernel says so"
while :; do for action in create_child delete_child; do /usr/bin/python3 /run/rig/children.py "$IB1" $action; done; soon none_left; done &
soon interrupted
kill %1
