# what: the deb: installed, upgraded from an earlier commit's (also in a confirm window), downgraded, removed, installed again, purged
# mode: snapshot
# timeout: 300
# seconds: 120

DEBS=/usr/lib/rdmastate-tests
[ -e $DEBS/new.deb ] && [ -e $DEBS/old.deb ] || fail "there are no packages in $DEBS: RDMASTATE_INSTALL"
PATIENCE=90
hash -r
[ ! -e /usr/bin/rdmastate ] || fail "an rdmastate is there already"
PATH=/usr/sbin:/usr/bin:/sbin:/bin
adapters
mkdir -p /etc/rdmastate
SPEC=/etc/rdmastate/host.yaml
spec() { # spec MODE [ADDRESS-OF-THE-CHILD]
	cat >$SPEC <<-YAML
	version: 1
	network: {backend: none}
	modules: {load: [ib_ipoib]}
	ipoib:
	  - name: store0
	    match: {port_guid: "f452:1403:007b:cba1"}
	    mode: $1
	    ipv4: {method: manual, addresses: [203.0.113.1/24]}
	  - parent: store0
	    pkey: 0x8002
	    ipv4: {method: manual, addresses: [${2:-192.0.2.1/24}]}
	YAML
}
install() { dpkg -i "$DEBS/$1.deb" >/run/rig/dpkg 2>&1 || fail "dpkg -i $1.deb: $(cat /run/rig/dpkg)"; }
newest() { rdmastate history | awk 'NR == 2' | sed 's/.*  //'; }
dangling() { find /etc -xtype l -name '*rdmastate*'; }

note "installed: nothing is enabled, started or applied"
install old
spec datagram
rdmastate apply $SPEC
same "the child's address" 192.0.2.1/24 "$(addresses store0.8002)"
soon idle

note "upgraded in a confirm window: the new program takes the old one's run back in time"
spec connected 192.0.2.9/24
rdmastate apply $SPEC --confirm-within 40s
same "mode in the meantime" connected "$(mode_of store0)"
install new
contains "history, told by the new one" "awaits confirmation until" "$(newest)"
must_fail 7 rdmastate apply $SPEC
is_back() { [ "$(mode_of store0)" = datagram ] && [ "$(addresses store0.8002)" = 192.0.2.1/24 ]; }
soon is_back
taken_back() { [[ $(newest) == *"taken back"* || $(newest) == *"rolled back"* ]]; }
soon taken_back

note "the old one's ledger, runs and boot.json are read: nothing is to be done, and its run can be rolled back"
spec datagram
rdmastate verify $SPEC
rdmastate verify --boot
quiet rdmastate apply $SPEC
install old
spec datagram 192.0.2.9/24
rdmastate apply $SPEC
install new
same "the child's address" 192.0.2.9/24 "$(addresses store0.8002)"
rdmastate rollback
same "the child's address after rollback" 192.0.2.1/24 "$(addresses store0.8002)"
spec datagram
quiet rdmastate apply $SPEC

note "what a newer one wrote is refused by name"
round=$(ls -d /var/lib/rdmastate/runs/*/round-01.json | tail -n 1)
for file in /etc/rdmastate/ledger.json /etc/rdmastate/boot.json "$round"; do
	cp "$file" /run/rig/ours
	sed -i 's/"format_version": *1/"format_version": 2/' "$file"
	case $file in
	*/boot.json) must_fail 1 rdmastate apply --boot ;;
	*/ledger.json) must_fail 1 rdmastate apply $SPEC ;;
	*) must_fail 1 rdmastate rollback ;;
	esac
	contains "refusal" "its format_version is 2: a newer rdmastate wrote it" "$OUT"
	cp /run/rig/ours "$file"
done

note "it is not removed while a run is open"
spec connected
rdmastate apply $SPEC --confirm-within 10min
must_fail 1 dpkg -r rdmastate
contains "refusal" "awaits confirmation until" "$OUT"
[ -x /usr/bin/rdmastate ] || fail "the program is gone"
rdmastate confirm

note "removed: it says what the next boot will not have, the host stays as it is, and no link dangles"
systemctl -q enable rdmastate-apply.service
OUT=$(dpkg -r rdmastate 2>&1) || fail "dpkg -r: $OUT"
contains "what removal says" "not there after the next boot, unless another program makes it: ipoib_link store0.8002" "$OUT"
contains "what removal says" "removed /etc/systemd/system/multi-user.target.wants/rdmastate-apply.service" "$OUT"
[ ! -e /usr/bin/rdmastate ] || fail "the program is still there"
same "dangling links" "" "$(dangling)"
same "mode" connected "$(mode_of store0)"
same "the child's address" 192.0.2.1/24 "$(addresses store0.8002)"
udevadm trigger --settle --subsystem-match=infiniband --subsystem-match=net
same "failed units" "" "$(systemctl list-units --failed --no-legend | grep -i rdma || true)"
[ -e /etc/rdmastate/ledger.json ] || fail "the ledger is gone"

note "installed again: what was made is its own, and one apply makes the next boot whole"
install new
must_fail 2 rdmastate verify $SPEC
rdmastate apply $SPEC
quiet rdmastate apply $SPEC
rdmastate verify $SPEC

note "purged: it says what it takes, and the host stays as it is"
OUT=$(dpkg -P rdmastate 2>&1) || fail "dpkg -P: $OUT"
for path in $SPEC /etc/rdmastate/ledger.json /etc/rdmastate/boot.json; do contains "what purge says" "rdmastate: purge takes $path" "$OUT"; done
[ ! -e /etc/rdmastate ] && [ ! -e /var/lib/rdmastate ] || fail "not all is gone"
same "dangling links" "" "$(dangling)"
same "mode" connected "$(mode_of store0)"
