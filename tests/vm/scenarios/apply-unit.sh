# what: rdmastate-apply.service makes what /etc/rdmastate/host.yaml says: at a first boot before rdmastate-ready.target, and on demand, also what an adapter brings that comes after it
# mode: reboot
# timeout: 300
# seconds: 100
# with: consumer

SPEC=/etc/rdmastate/host.yaml
UNIT=rdmastate-apply.service
spec() { # as Terraform writes it: JSON, in one line. spec ADDRESS
	printf '{"version":1,"network":{"backend":"none"},"modules":{"load":["ib_ipoib"]},"ipoib":[{"name":"store0",%s' \
		'"match":{"port_guid":"f452:1403:007b:cba1"},"mode":"datagram","mtu":2044,' >$SPEC
	printf '"ipv4":{"method":"manual","addresses":["%s"]}},{"parent":"store0","pkey":"0x8002"}]}\n' "$1" >>$SPEC
}
waits() { journalctl -b -o cat -u $UNIT | grep -q "waiting up to .* for what may come late: ipoib_link $IB1"; }
ended() { [ "$(systemctl show -P ActiveState $UNIT)" = inactive ]; }
runs() { find /var/lib/rdmastate/runs -mindepth 1 -maxdepth 1 | wc -l; }

if [ "$BOOT" = 1 ]; then
	[ -e /usr/lib/systemd/system/$UNIT ] || fail "rdmastate is not installed: RDMASTATE_INSTALL"
	same "as the package leaves it" disabled "$(systemctl is-enabled $UNIT || true)"
	note "without a spec it does nothing, and says why"
	systemctl start $UNIT
	same "condition" no "$(systemctl show -P ConditionResult $UNIT)"
	[ ! -e /var/lib/rdmastate/runs ] || fail "there is a run"

	note "what Ignition or an image build leaves behind: a spec and an enabled unit"
	mkdir -p /etc/rdmastate
	spec 203.0.113.1/24
	systemctl -q enable $UNIT
	enable_consumer
	reboot_now
fi

note "the first boot: applied before the target, by nobody's hand"
adapters
consumer_saw " 203.0.113.1/24 "
same "how it ended" success "$(systemctl show -P Result $UNIT)"
exists store0.8002 || fail "there is no store0.8002"
same "MTU" 2044 "$(link store0 mtu)"
same "runs" 1 "$(runs)"

note "on demand: it can be started again, and then does nothing"
systemctl start $UNIT
same "how it ended" success "$(systemctl show -P Result $UNIT)"
same "runs" 1 "$(runs)"

note "on demand: what the spec says now"
spec 203.0.113.2/24
systemctl start $UNIT
same "addresses" 203.0.113.2/24 "$(addresses store0)"
same "runs" 2 "$(runs)"

note "an adapter that comes after the module of the spec: the unit applies again, unless the run of its event was first"
printf 'version: 1\n' >$SPEC
systemctl start $UNIT
modprobe -r ib_ipoib
adapters
ipoib
modprobe -r ib_ipoib fake_hca
printf 'version: 1\nnetwork: {backend: none}\nmodules: {load: [ib_ipoib]}\nipoib:\n  - name: %s\n    ipv4: {method: manual, addresses: [%s]}\n' \
	"$IB1" 203.0.113.3/24 >$SPEC
systemctl start --no-block $UNIT
soon waits
same "runs" 4 "$(runs)"
modprobe fake_hca
soon ended
same "how it ended" success "$(systemctl show -P Result $UNIT)"
same "addresses" 203.0.113.3/24 "$(addresses "$IB1")"

note "a spec with a mistake: the unit fails, and the journal has the place"
printf '{"version":1,\n "ipoib":[{"name":"store0","mtu":"2044"}]}\n' >$SPEC
must_fail 1 systemctl start $UNIT
same "exit code" 3 "$(systemctl show -P ExecMainStatus $UNIT)"
contains "journal" "$SPEC:2:34: error: ipoib[0].mtu" "$(journalctl -b -o cat -u $UNIT)"
same "addresses" 203.0.113.3/24 "$(addresses "$IB1")"
