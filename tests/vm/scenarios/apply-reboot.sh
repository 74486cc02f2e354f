# what: after a reboot, and after a power cut, the host is as the spec says before anybody looks
# mode: reboot
# seconds: 95
# promise: a reboot, a power cut
# releases: trixie sid

SPEC=/root/specs/host.yaml
OTHERS="ib_iser ib_isert ib_srpt ib_uverbs rdma_ucm"
loaded() { for module in $OTHERS; do [ ! -e /sys/module/"$module" ] || echo "$module"; done | xargs; }
if [ "$BOOT" = 1 ]; then
	mkdir -p /root/specs
	cat >$SPEC <<'YAML'
version: 1
network: {backend: none}
modules: {load: [ib_ipoib, ib_iser, ib_isert, ib_srpt, ib_uverbs, rdma_ucm, ib_umad]}
permissions: {umad: {group: ibdiag, mode: "0660"}}
ipoib:
  - name: store0
    match: {port_guid: "f452:1403:007b:cba1"}
    mode: connected
    mtu: 65520
    ipv4: {method: manual, addresses: [203.0.113.1/24]}
  - parent: store0
    pkey: 0x8002
    ipv4: {method: manual, addresses: [192.0.2.1/24], routes: [{to: 198.51.100.0/24, via: 192.0.2.2}]}
    ipv6: {method: manual, addresses: ["2001:db8::1/64"]}
YAML
	[ -e /usr/lib/systemd/system/rdmastate.service ] || fail "rdmastate is not installed: RDMASTATE_INSTALL"
	adapters
	groupadd --system ibdiag
	# rdma-core loads none of them: what is there is there by the spec.
	sed -i -E 's/^[a-z]/# &/' /etc/rdma/modules/*.conf
	for module in rdma_ucm ib_iser ib_uverbs; do modprobe -r $module; done
	same "modules before" "" "$(loaded)"
	rdmastate apply $SPEC
	same "modules" "$OTHERS" "$(loaded)"
	quiet rdmastate verify $SPEC
	reboot_now
fi

note "boot $BOOT: nobody has run rdmastate but its own unit"
adapters
soon exists store0.8002
in_sync() { rdmastate verify $SPEC; }
soon in_sync
same "modules" "$OTHERS" "$(loaded)"
same "who may open umad0" "660 root ibdiag" "$(stat -c '%a %U %G' /dev/infiniband/umad0)"
same "mode" connected "$(mode_of store0)"
same "MTU" 65520 "$(link store0 mtu)"
same "addresses of the child" "192.0.2.1/24 2001:db8::1/64" "$(addresses store0.8002)"
contains "route" "via 192.0.2.2 dev store0.8002" "$(ip route show 198.51.100.0/24)"
systemctl is-failed -q rdmastate.service && fail "rdmastate.service failed"
quiet rdmastate apply $SPEC
peer_netns "$(netdev_of $HCA2_PCI)"
peer_child 0x8002 192.0.2.2/24
crosses store0.8002 $PEER_CHILD 192.0.2.2
if [ "$BOOT" = 2 ]; then pull_the_plug; fi
