# what: the adapter's driver is unloaded and loaded again, and udev and systemd re-make what the spec says, without an apply
# mode: snapshot
# seconds: 63
# promise: a driver's return

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
  - parent: store0
    pkey: 0x8002
    mode: connected
    ipv4: {method: manual, addresses: [192.0.2.1/24]}
SPEC
[ -e /usr/lib/systemd/system/rdmastate.service ] || fail "rdmastate is not installed: RDMASTATE_INSTALL"
rdmastate apply /root/specs/host.yaml
systemctl daemon-reload
udevadm settle
quiet rdmastate verify /root/specs/host.yaml

for round in 1 2; do
	note "unload and load, round $round"
	unload fake_hca
	gone store0 || fail "the interface outlived its adapter"
	modprobe fake_hca
	udevadm settle
	soon exists store0.8002
	in_sync() { rdmastate verify /root/specs/host.yaml; }
	soon in_sync
	same "name by udev" store0 "$(netdev_of $HCA1_PCI)"
	same "mode of the child" connected "$(mode_of store0.8002)"
	same "addresses of the child" "192.0.2.1/24" "$(addresses store0.8002)"
	same "addresses of the port" "203.0.113.1/24" "$(addresses store0)"
done
quiet rdmastate apply /root/specs/host.yaml
note "unbind and bind one adapter"
soon idle
echo $HCA1_PCI >/sys/bus/pci/drivers/fake_hca/unbind
gone store0 || fail "the interface outlived its adapter"
echo $HCA1_PCI >/sys/bus/pci/drivers/fake_hca/bind
soon exists store0.8002
soon in_sync
