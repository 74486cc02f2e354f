# what: back end networkd: after a reboot systemd-networkd has made what the spec says before anybody looks
# mode: reboot
# with: managers consumer
# timeout: 300
# seconds: 81
# promise: networkd
# releases: trixie sid
# refused: bullseye: systemd-networkd makes children since systemd 250

SPEC=/root/specs/host.yaml
if [ "$BOOT" = 1 ]; then
	mkdir -p /root/specs
	cat >$SPEC <<'YAML'
version: 1
network: {backend: networkd}
modules: {load: [ib_ipoib]}
ipoib:
  - name: store0
    match: {port_guid: "f452:1403:007b:cba1"}
    ipv4: {method: manual, addresses: [203.0.113.1/24]}
  - parent: store0
    pkey: 0x8002
    ipv4: {method: manual, addresses: [192.0.2.1/24], routes: [{to: 198.51.100.0/24, via: 192.0.2.2}]}
    ipv6: {method: manual, addresses: ["2001:db8::1/64"]}
YAML
	adapters
	networkd enable
	rdmastate apply $SPEC
	quiet rdmastate verify $SPEC
	enable_consumer
	reboot_now
fi

note "boot $BOOT: nobody has run rdmastate"
adapters
networkd
soon configured store0
soon configured store0.8002
same "addresses of the port" "203.0.113.1/24" "$(addresses store0)"
same "P_Key" 0x8002 "$(pkey_of store0.8002)"
same "addresses of the child" "192.0.2.1/24 2001:db8::1/64" "$(addresses store0.8002)"
quiet rdmastate verify $SPEC
quiet rdmastate apply $SPEC
contains "apply after the reboot" "Nothing to do" "$OUT"
consumer_saw 203.0.113.1/24 192.0.2.1/24 2001:db8::1/64
peer_netns "$(netdev_of $HCA2_PCI)"
peer_child 0x8002 192.0.2.2/24 2001:db8::2/64
crosses store0.8002 $PEER_CHILD 192.0.2.2 2001:db8::2
