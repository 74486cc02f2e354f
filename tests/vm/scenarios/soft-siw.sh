# what: a siw device, by the driver that no Debian kernel has, is made, carries traffic, comes back with what it is made of, and after a reboot
# mode: reboot
# timeout: 400
# seconds: 99

there() { [ -e /sys/class/infiniband/siw_store ]; }
in_sync() { rdmastate verify /root/specs/host.yaml; }
dummy() {
	ip link add eth7 type veth peer name far7
	ip link set far7 up
	ip link set eth7 up
	ip addr add 192.0.2.1/24 dev eth7
}

mkdir -p /root/specs
cat >/root/specs/host.yaml <<'SPEC'
version: 1
soft_devices:
  - {name: siw_store, type: siw, netdev: eth7}
SPEC

if [ "$BOOT" = 1 ]; then
	note "before there is its network device"
	must_fail 1 rdmastate apply /root/specs/host.yaml
	contains "what it waits for" "there is no network device eth7: once it is there, the next apply makes siw_store" "$OUT"
	! there || fail "siw_store without eth7"
	systemctl daemon-reload
	dummy
	note "it appears"
	soon there
	contains "rdma link" "link siw_store/1 state ACTIVE physical_state LINK_UP netdev eth7" "$(rdma link show)"
	same "driver" 1 "$(lsmod | grep -c '^siw ')"
	contains "ibv_devices" siw_store "$(ibv_devices)"
	contains "ibv_devinfo of it" PORT_ACTIVE "$(ibv_devinfo -d siw_store)"
	adapters
	lacks "ibv_devinfo of it" "$HCA1" "$(ibv_devinfo -d siw_store)"
	contains "ibv_devinfo with its name as a word, as the guides have it, which it ignores" "$HCA1" "$(ibv_devinfo siw_store)"
	soon in_sync
	soon idle
	quiet rdmastate apply /root/specs/host.yaml
	modprobe rdma_ucm
	rpings 192.0.2.1
	note "the driver goes and comes back"
	modprobe -r siw
	! there || fail "siw_store outlived its driver"
	modprobe siw
	soon there
	soon idle
	refused "xists" rdma link add siw_two type siw netdev eth7
	reboot_now
fi

note "after a reboot"
! there || fail "siw_store without eth7"
dummy
soon there
soon in_sync
soon idle
modprobe rdma_ucm
rpings 192.0.2.1
quiet rdmastate apply /root/specs/host.yaml
printf 'version: 1\n' >/root/specs/none.yaml
rdmastate apply /root/specs/none.yaml
! there || fail "siw_store is left"
