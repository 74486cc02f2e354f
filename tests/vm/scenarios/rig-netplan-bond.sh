# what: what netplan by itself makes of bonds over IPoIB, for either renderer, and of a port or a bond that it does not define
# mode: snapshot
# with: packages
# timeout: 120
# debs: netplan.io

unpacked "$RIG"/debs/*.deb
ROOT=/run/rig/root

# generates RENDERER: what is on standard input as netplan's file of a root of its own; $OUT is what netplan said
generates() {
	rm -rf $ROOT
	mkdir -p $ROOT/etc/netplan
	{ printf 'network:\n  version: 2\n  renderer: %s\n' "$1"; cat; } >$ROOT/etc/netplan/60-rig.yaml
	chmod 0600 $ROOT/etc/netplan/60-rig.yaml
	OUT=$(SYSTEMD_OFFLINE=1 netplan generate --root-dir $ROOT 2>&1)
}
# has LINE FILE: that line, in a file that netplan generated
has() { contains "${2##*/}" "$1" "$(cat "$ROOT/run/$2")"; }
not_generated() { [ ! -e "$ROOT/run/$1" ] || fail "netplan generated $1"; }

PARAMETERS='{mode: active-backup, mii-monitor-interval: 100, primary: ib1, fail-over-mac-policy: active}'

note "27. for networkd: a .netdev file of the bond, and Bond= and PrimarySlave= in the files of its ports, which get no addresses"
generates networkd <<YAML
  ethernets: {ib1: {dhcp4: false, mtu: 2044}, ib2: {dhcp4: false, mtu: 2044}}
  bonds: {bond0: {interfaces: [ib1, ib2], mtu: 2044, addresses: [192.0.2.1/24], parameters: $PARAMETERS}}
YAML
for line in Kind=bond Mode=active-backup MIIMonitorSec=100ms FailOverMACPolicy=active MTUBytes=2044; do has $line systemd/network/10-netplan-bond0.netdev; done
has Address=192.0.2.1/24 systemd/network/10-netplan-bond0.network
for line in Bond=bond0 PrimarySlave=true LinkLocalAddressing=no; do has $line systemd/network/10-netplan-ib1.network; done
has Bond=bond0 systemd/network/10-netplan-ib2.network
lacks "the other port" PrimarySlave "$(cat $ROOT/run/systemd/network/10-netplan-ib2.network)"

note "for NetworkManager: profiles of the bond and of its ports, which are of InfiniBand only with infiniband-mode"
generates NetworkManager <<YAML
  ethernets: {ib1: {infiniband-mode: datagram, dhcp4: false}, ib2: {dhcp4: false}}
  bonds: {bond0: {interfaces: [ib1, ib2], mtu: 2044, addresses: [192.0.2.1/24], parameters: $PARAMETERS}}
YAML
for line in type=bond mode=active-backup miimon=100 fail_over_mac=active primary=ib1 mtu=2044; do has $line NetworkManager/system-connections/netplan-bond0.nmconnection; done
for line in type=infiniband slave-type=bond master=bond0; do has $line NetworkManager/system-connections/netplan-ib1.nmconnection; done
has type=ethernet NetworkManager/system-connections/netplan-ib2.nmconnection

note "a port that netplan does not define is an error of the whole host's files, so a P_Key child, for which it has no key, is none"
! generates networkd <<'YAML' || fail "netplan takes a port that it does not define"
  ethernets: {ib1: {dhcp4: false}}
  bonds: {bond0: {interfaces: [ib1.8002], parameters: {mode: active-backup}}}
YAML
contains "what netplan says" "bond0: interface 'ib1.8002' is not defined" "$OUT"
not_generated systemd/network/10-netplan-ib1.network

note "defined as a card, it is a port; the file that makes it is not netplan's"
generates networkd <<'YAML'
  ethernets: {ib1.8002: {dhcp4: false}}
  bonds: {bond0: {interfaces: [ib1.8002], parameters: {mode: active-backup}}}
YAML
has Bond=bond0 systemd/network/10-netplan-ib1.8002.network
not_generated systemd/network/10-netplan-ib1.8002.netdev

note "for NetworkManager a port's profile names a bond that is not netplan's, by what is passed through"
generates NetworkManager <<'YAML'
  ethernets:
    ib1: {infiniband-mode: datagram, dhcp4: false, networkmanager: {passthrough: {connection.master: bond0, connection.slave-type: bond}}}
YAML
for line in type=infiniband slave-type=bond master=bond0; do has $line NetworkManager/system-connections/netplan-ib1.nmconnection; done
