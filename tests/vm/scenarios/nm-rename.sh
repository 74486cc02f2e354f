# what: back end networkmanager: a port with P_Key children gets another name, is not disturbed, comes back, waits for a boot
# mode: snapshot
# with: managers rename
# timeout: 300
# seconds: 120

runs_its_own() { [ "$(runs "$1")" = "$1" ]; }

adapters
networkmanager
ipoib
spec first0
rdmastate apply $SPEC
all_there first0
undisturbed rdmastate apply $SPEC
spec second0
kept_until_a_boot first0 second0

note "live: every address is under the new name when it ends, and what others have on a child of theirs is there too"
ip link add link first0 name others type ipoib pkey 0x8005
ip link set others up
ip addr add 198.51.100.129/25 dev others
ip addr add 2001:db8:77::1/64 dev others
ip route add 203.0.113.128/25 via 198.51.100.130 dev others
rdmastate apply $SPEC
all_there second0
same "addresses of others' child" "198.51.100.129/25 2001:db8:77::1/64" "$(addresses others)"
contains "others' route" "via 198.51.100.130 dev others" "$(ip route show 203.0.113.128/25)"
all_gone first0
lacks "profiles" first0 "$(nmcli -g NAME connection)"
undisturbed rdmastate apply $SPEC
contains "second apply" "Nothing to do" "$OUT"
crosses_partition second0
taken_back first0 second0
