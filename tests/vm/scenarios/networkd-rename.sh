# what: back end networkd: a port with P_Key children gets another name, is not disturbed, comes back, waits for a boot
# mode: snapshot
# with: managers rename
# timeout: 300
# seconds: 120

runs_its_own() { [ "$(networkd_state "$1")" = "configured /etc/systemd/network/60-rdmastate-$1.network" ]; }

adapters
networkd
ipoib
spec first0
rdmastate apply $SPEC
all_there first0
quiet rdmastate apply $SPEC
spec second0
kept_until_a_boot first0 second0

note "live: every address is under the new name when it ends"
rdmastate apply $SPEC
all_there second0
all_gone first0
lacks "files" first0 "$(ls /etc/systemd/network)"
quiet rdmastate apply $SPEC
contains "second apply" "Nothing to do" "$OUT"
crosses_partition second0
taken_back first0 second0
