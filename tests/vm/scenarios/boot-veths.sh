# what: 2000 veth interfaces come and go, and nothing of rdmastate is started, not once
# mode: snapshot
# timeout: 180

# systemd's own rule starts systemd-sysctl for each of them, which is most of the time here and not what this is about.
sed '/systemd-sysctl/d' /usr/lib/udev/rules.d/99-systemd.rules >/etc/udev/rules.d/99-systemd.rules
udevadm control --reload

adapters
mkdir -p /root/specs
cat >/root/specs/host.yaml <<'SPEC'
version: 1
network: {backend: none}
modules: {load: [ib_ipoib]}
ipoib:
  - name: store0
    match: {port_guid: "f452:1403:007b:cba1"}
    ipv4: {method: manual, addresses: [203.0.113.1/24]}
SPEC
rdmastate apply /root/specs/host.yaml
udevadm settle
soon idle
said() {
	journalctl --sync
	journalctl -q --no-pager -o cat UNIT=rdmastate.service + UNIT=rdmastate-ready.service + _COMM=rdmastate + SYSLOG_IDENTIFIER=rdmastate
	journalctl -q --no-pager -o cat _PID=1 | grep rdmastate- || true
}
said >/run/rig/before
for n in $(seq 1000); do echo "link add v$n type veth peer name w$n"; done >/run/rig/batch
ip -batch /run/rig/batch
PATIENCE=300
[ "$(ip -o link show type veth | wc -l)" = 2000 ] || fail "there are not 2000 veths"
udevadm settle -t 300
said >/run/rig/after
diff /run/rig/before /run/rig/after || fail "veths started something"
note "and an adapter still does"
unload fake_hca
modprobe fake_hca
soon exists store0
in_sync() { rdmastate verify /root/specs/host.yaml; }
soon in_sync
said >/run/rig/after
! diff -q /run/rig/before /run/rig/after >/dev/null || fail "the adapter was not noticed by this test's own eyes"
