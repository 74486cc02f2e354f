# what: the suite that the recorded host keeps to, on the kernel: what Links, Rdma and Modules promise, and how they refuse
# mode: snapshot
# with: managers
# releases: bullseye sid trixie
# timeout: 200
# seconds: 87
# promise: contract facts

SUITE=/usr/lib/rdmastate-tests/contract_live
[ -x $SUITE ] || fail "there is no $SUITE: build the tests and put it into RDMASTATE_INSTALL"
# In a guest whose C library is older: by this machine's.
[ ! -d "$RIG/libc" ] || SUITE="$RIG/libc/ld-linux-x86-64.so.2 --library-path $RIG/libc $SUITE"
adapters dcb=1 mlx4=1
ipoib
ip link add near type veth peer name away
ip link set away up
export RDMASTATE_CONTRACT_LINK=near
run() {
	udevadm settle   # the suite before may have had drivers come back, whose interfaces udev renames
	RC=0
	OUT=$($SUITE --gtest_brief=1 --gtest_filter="$1" 2>&1) || RC=$?
	[ "$RC" = 0 ] || fail "$1: $OUT"
	contains "$1" "PASSED" "$OUT"
	lacks "$1" "SKIPPED" "$OUT"
	lacks "$1" "0 tests from 0 test" "$OUT"
	echo "$OUT" | tail -n 3
}
run 'Live/IpoibContract*'
run 'Live/BondContract*'
run 'Live/NetworkContract*'
ip link add link near name near.5 type vlan id 5
ip link add near.x type veth peer name away.x
modprobe -r rdma_ucm ib_iser rpcrdma   # rdma-core's, and on rdma_cm
only_namespace
# Debian's kernels have no siw; ours of it is for one release alone.
SIW=
modinfo siw >/dev/null 2>&1 || SIW='-*Siw*:*Fact9ADeviceGoesWithItsNetworkDevice*'
run "Live/RdmaContract*$SIW"
run 'Live/FabricContract*'
run 'Live/ConnectionsContract*'
run 'Live/DcbContract*'
note "one adapter without connected mode"
modprobe -r ib_ipoib
knob $HCA2 enhanced 1
ipoib
run 'Live/EnhancedContract*'
note "NetworkManager: what it takes, loads and activates"
networkmanager
[[ $(NetworkManager --version) != 1.[1-3]?.* ]] || export RDMASTATE_CONTRACT_NO_REAPPLY=1
run 'Live/NetworkManagerContract*'
systemctl stop NetworkManager
note "systemd: timers, units, and the NFS server that one of them starts"
run 'Live/TimersContract*'
run 'Live/UnitsContract*'
systemctl start nfs-server
run 'Live/NfsdContract*'
systemctl stop nfs-server
note "the modules last: they are unloaded and loaded"
IPOIB=Live/ModulesContract.IpoibTakesItsInterfacesWithItAndBringsThemBack/kernel
run "Live/ModulesContract*-$IPOIB"   # others bring interfaces back, which udev renames
run $IPOIB
