# what: a bond with back end none: who waited at the reboot saw its address; a new name and another port are one apply each
# mode: reboot
# releases: trixie
# with: consumer bond
# timeout: 300
# seconds: 100

SPEC=/root/specs/host.yaml
if [ "$BOOT" = 1 ]; then
	adapters
	ipoib
	mkdir -p /root/specs
	cat >$SPEC <<YAML
version: 1
network: {backend: none}
modules: {load: [ib_ipoib]}
ipoib:
  - {name: $IB1, mode: datagram, mtu: 2044}
  - {name: $IB2, mode: datagram, mtu: 2044}
  - {parent: $IB1, pkey: 0x8002, mode: datagram, mtu: 2044}
  - {parent: $IB2, pkey: 0x8002, mode: datagram, mtu: 2044}
bonds:
  - name: bond0
    ports: [$IB1.8002, $IB2.8002]
    primary: $IB1.8002
    ipv4: {method: manual, addresses: [192.0.2.1/24]}
YAML
	rdmastate apply $SPEC
	quiet rdmastate verify $SPEC
	enable_consumer
	reboot_now
fi

note "boot $BOOT: nobody has run rdmastate but its own unit"
adapters
ipoib
in_sync() { rdmastate verify $SPEC; }
soon in_sync
same "master" bond0 "$(link $IB1.8002 master)"
same "addresses" 192.0.2.1/24 "$(addresses bond0)"
consumer_saw 192.0.2.1/24
far_peer
crosses bond0 peer0 $FAR_ADDRESS

note "a new name"
sed -i "s/name: bond0/name: store0/" $SPEC
rdmastate apply --max-disruption link $SPEC
gone bond0 || fail "the bond is there under its old name"
same "master" store0 "$(link $IB1.8002 master)"
quiet rdmastate verify $SPEC
crosses store0 peer0 $FAR_ADDRESS

note "a port that leaves keeps its MTU and is up"
sed -i "s/, $IB2.8002\]/]/" $SPEC
rdmastate apply --max-disruption link $SPEC
same "master" "" "$(link $IB2.8002 master)"
same "MTU" 2044 "$(link $IB2.8002 mtu)"
contains "flags" UP "$(link $IB2.8002 flags)"
quiet rdmastate verify $SPEC
quiet rdmastate apply $SPEC
contains "last apply" "Nothing to do" "$OUT"
crosses store0 peer0 $FAR_ADDRESS
contains "show" "store0  active-backup  mtu 2044  up  ports $IB1.8002 (active)" "$(rdmastate show)"
