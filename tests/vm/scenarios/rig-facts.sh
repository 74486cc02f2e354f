# what: how the kernel's ib_ipoib really behaves; the product is built on these facts
# mode: snapshot
# releases: bullseye sid trixie
# seconds: 24

adapters
ipoib
SYS=/sys/class/net
child() { ip link add link $IB1 name "$@"; }

note "1. children made by netlink have no sysfs mode and pkey, those of create_child do"
child $IB1.8001 type ipoib pkey 0x8001
[ ! -e $SYS/$IB1.8001/mode ] && [ ! -e $SYS/$IB1.8001/pkey ] || fail "a netlink child has sysfs files"
same "its P_Key by netlink" 0x8001 "$(pkey_of $IB1.8001)"
same "its mode by netlink" datagram "$(mode_of $IB1.8001)"
write_sysfs $SYS/$IB1/create_child 0x8004
same "mode of a sysfs child" datagram "$(cat $SYS/$IB1.8004/mode)"
same "P_Key of a sysfs child" 0x8004 "$(cat $SYS/$IB1.8004/pkey)"

note "2. netlink takes the same P_Key twice, even the parent's; create_child refuses its own kind's and the parent's"
child twin type ipoib pkey 0x8001
child twin2 type ipoib pkey 0xffff
same "P_Key of a twin of the parent" 0xffff "$(pkey_of twin2)"
refused "Name not unique" write_sysfs $SYS/$IB1/create_child 0x8004
child other type ipoib pkey 0x800a
write_sysfs $SYS/$IB1/create_child 0x800a   # netlink children do not count
same "P_Key of the second one" 0x800a "$(pkey_of $IB1.800a)"
refused "File exists" write_sysfs $SYS/$IB1/create_child 0x8001   # the name is taken
refused "Name not unique" write_sysfs $SYS/$IB1/create_child 0xffff

note "3. a P_Key cannot be set afterwards and a parent cannot be deleted, and neither says so"
ip link set $IB1.8001 type ipoib pkey 0x8007
same "P_Key" 0x8001 "$(pkey_of $IB1.8001)"
ip link del $IB1
exists $IB1 || fail "the parent could be deleted"

note "4. P_Keys are made full members; 0x8000 and 0 are refused"
refused "Invalid argument" child bad type ipoib pkey 0x8000
refused "Invalid argument" child bad type ipoib pkey 0
for pkey in 0 0x8000 0x10000; do
	refused "Invalid argument" write_sysfs $SYS/$IB1/create_child $pkey
done
child five type ipoib pkey 0x0005
same "P_Key from 0x0005" 0x8005 "$(pkey_of five)"
write_sysfs $SYS/$IB1/create_child 0x0006
same "P_Key of the child named after 0x0006" 0x8006 "$(cat $SYS/$IB1.0006/pkey)"

note "5. a P_Key that the port does not have gives a child without carrier; a child of a child is refused"
child absent type ipoib pkey 0x9999
ip link set $IB1 up
ip link set absent up
soon has_carrier $IB1
sleep 1
has_carrier absent && fail "carrier without a P_Key"
contains "flags" UP "$(link absent flags)"
contains "the kernel's log" "absent: P_Key 0x9999 is not found" "$(dmesg)"
refused "Invalid argument" ip link add link five name grandchild type ipoib pkey 0x8008
knob $HCA1 pkeys +0x9999
soon has_carrier absent
knob $HCA1 pkeys -0x9999
soon lost_carrier absent

note "MTU: the port's until the group is joined, the group's afterwards"
child seven type ipoib pkey 0x8007
same "MTU of a child that was never up" 4092 "$(link seven mtu)"
ip link set seven up
soon has_carrier seven
same "MTU of a child in a group of 2048" 2044 "$(link seven mtu)"
soon has_carrier five   # the parent took it up

note "6. connected mode brings its MTU, datagram takes it away again"
ip link set five type ipoib mode connected
same "MTU, connected" 65520 "$(link five mtu)"
same "mode" connected "$(mode_of five)"
ip link set five type ipoib mode datagram
same "MTU, datagram" 2044 "$(link five mtu)"
refused "Invalid argument" ip link set five mtu 65520
ip link set five mtu 4092
same "4092 in a group of 2048" 2044 "$(link five mtu)"
write_sysfs $SYS/$IB1/mode connected
same "MTU of a parent, connected" 65520 "$(link $IB1 mtu)"
write_sysfs $SYS/$IB1/mode datagram

note "what else sysfs and netlink refuse: a mode without its newline, another's hardware address, a child of nothing"
refused "Invalid argument" write_sysfs_raw $SYS/$IB1/mode connected
refused "Invalid argument" write_sysfs $SYS/$IB1/mode Connected
refused "Invalid argument" ip link add orphan type ipoib pkey 0x8001
refused "No such device" ip link add link lo name orphan type ipoib pkey 0x8001
child heir type ipoib
same "P_Key of a child that names none" 0xffff "$(pkey_of heir)"
address=$(link heir address)
refused "Invalid argument" ip link set heir address "80:00:00:01${address:11}"
ip link set heir address "${address%??}77"
same "address" "${address%??}77" "$(link heir address)"
ip link del heir

note "7. the parent takes its children up and down, soon after itself since Linux 6.17"
is_up() { case "$(link "$1" flags)" in *UP*) ;; *) false ;; esac; }
both_down() { ! is_up five && ! is_up absent; }
ip link set $IB1 down
soon both_down
ip link set $IB1 up
soon is_up five

note "17. an interface that is up cannot be renamed before Linux 6.2; one that is down can"
if since 6.2 "$(uname -r)"; then
	ip link set five name risen
	exists risen
	ip link set risen name five
else
	refused "busy" ip link set five name six
fi
ip link set five down
ip link set five name six
exists six

note "IFLA_IPOIB_* in one request with the creation"
child full type ipoib pkey 0x8009 mode connected umcast 1
same "mode" connected "$(mode_of full)"
same "umcast" 0001 "$(umcast_of full)"
refused "Invalid argument" child all type ipoib pkey 0x800b   # a sysctl directory has that name

note "8. delete_child takes its own kind only, by the P_Key that it has, and takes its time"
refused "No such device" write_sysfs $SYS/$IB1/delete_child 0x8009
refused "No such device" write_sysfs $SYS/$IB1/delete_child 0x0006
write_sysfs $SYS/$IB1/delete_child 0x8006
soon gone $IB1.0006
write_sysfs $SYS/$IB1/delete_child 0x8004
soon gone $IB1.8004

note "a port that goes down takes the carrier"
soon has_carrier $IB1
knob $HCA1 state down
soon lost_carrier $IB1
same "state" "1: DOWN" "$(cat /sys/class/infiniband/$HCA1/ports/1/state)"
knob $HCA1 state active
soon has_carrier $IB1
