# what: the helper that says "nothing happened" notices when something did
# mode: snapshot

adapters
ipoib
touch /etc/one
mkdir -p /var/lib/rdmastate/runs

# Asserting helpers end the scenario, so they are tried in a subshell.
notices() {
	if (quiet "$@") >/run/rig/said 2>&1; then fail "nobody noticed: $*"; fi
	contains "what quiet says" "FAILED" "$(cat /run/rig/said)"
}

quiet true
quiet ip -d link show
quiet cat /etc/one
notices false
notices ip link set $IB1 up
notices ip addr add 192.0.2.1/24 dev $IB1
notices ip route add 198.51.100.0/24 dev $IB1
notices touch /etc/one
notices mkdir /var/lib/rdmastate/runs/1
notices cp /etc/hostname /etc/two
notices ip link add link $IB1 name $IB1.8002 type ipoib pkey 0x8002
quiet true

note "the other helpers fail when they should"
(same a b c) 2>/dev/null && fail "same"
(contains a b c) 2>/dev/null && fail "contains"
(lacks a b abc) 2>/dev/null && fail "lacks"
(must_fail 1 true) 2>/dev/null && fail "must_fail"
(must_fail 2 false) 2>/dev/null && fail "must_fail, wrong status"
(refused x true) 2>/dev/null && fail "refused"
(PATIENCE=1 && soon false) 2>/dev/null && fail "soon"
(broken mount:error=EPERM:when=1 true) 2>/dev/null && fail "broken, fault never met"
broken mkdir:error=EROFS:when=1 mkdir /run/never
contains "what mkdir says" "Read-only" "$OUT"
same "its status" 1 $RC
must_fail 3 sh -c 'echo said; exit 3'
same "what it said" said "$OUT"
