# what: receive buffers of a port: sized before priorities with flow control come, rounded by the device, back at a reload
# mode: snapshot
# with: qos
# timeout: 180
# seconds: 40

adapters dcb=1

FIRST="0:0 1:0 2:0 3:0 4:0 5:0 6:0 7:0 / 0:262144 1:0 2:0 3:0 4:0 5:0 6:0 7:0"
OURS="0:0 1:0 2:0 3:1 4:0 5:0 6:0 7:0 / 0:131072 1:99968 2:0 3:0 4:0 5:0 6:0 7:0"
spec '{pfc: [3], priority_buffers: {3: 1}, buffers: {0: 128KiB, 1: 100000B}}' >/root/specs/buffers.yaml

note "flow control alone leaves the buffers to the driver"
spec '{pfc: [3]}' >/root/specs/pfc.yaml
rdmastate apply /root/specs/pfc.yaml
same "buffers" "$FIRST" "$(buffers)"
same "sets of them" 0 "$(buffer_sets)"
soon idle

note "a priority with flow control comes to a buffer that has its size, and leaves one that shrinks then: three sets"
rdmastate plan /root/specs/buffers.yaml >/run/rig/plan
contains "the plan" "100000B" "$(cat /run/rig/plan)"
same "a plan sets nothing" 0 "$(buffer_sets)"
rdmastate apply /root/specs/buffers.yaml
same "buffers" "$OURS" "$(buffers)"
same "sets of them" 3 "$(buffer_sets)"
soon idle
note "the device has rounded a size: as asked"
quiet rdmastate apply /root/specs/buffers.yaml
quiet rdmastate verify /root/specs/buffers.yaml
same "sets of them" 3 "$(buffer_sets)"
dcb buffer set dev dcb0 buffer-size 1:65536
must_fail 2 rdmastate verify /root/specs/buffers.yaml
contains "what somebody changed" "1: 64KiB" "$OUT"
rdmastate apply /root/specs/buffers.yaml
same "buffers" "$OURS" "$(buffers)"
soon idle

note "more than the device has: the plan says so"
spec '{buffers: {0: 1000000B, 1: 128KiB}}' >/root/specs/much.yaml
rdmastate plan /root/specs/much.yaml >/run/rig/plan || true
contains "the refusal" "would have 1131072 bytes together, and it has 1048576" "$(cat /run/rig/plan)"

note "a priority goes back to a small buffer as it loses flow control, and comes again by a rollback"
spec '{pfc: [], priority_buffers: {3: 2}, buffers: {1: 0, 2: 16KiB}}' >/root/specs/small.yaml
rdmastate apply /root/specs/small.yaml
contains "buffers" "3:2" "$(buffers)"
same "priorities with flow control" "" "$(pfc)"
soon idle
rdmastate rollback
soon idle
same "buffers" "$OURS" "$(buffers)"
same "priorities with flow control" 3 "$(pfc)"

note "the driver is loaded again: they come from boot.json"
unload fake_hca
modprobe fake_hca dcb=1
udevadm settle
buffers_are_back() { [ "$(buffers)" = "$OURS" ]; }
soon exists dcb0
soon buffers_are_back
soon idle
same "priorities with flow control" 3 "$(pfc)"
quiet rdmastate verify /root/specs/buffers.yaml

note "rolled back: priorities leave a buffer before it loses its size"
spec '{priority_buffers: {3: 0}, buffers: {1: 0}}' >/root/specs/one.yaml
rdmastate apply /root/specs/one.yaml
contains "buffers" "0:131072 1:0 " "$(buffers)"
soon idle
rdmastate rollback
soon idle
same "buffers" "$OURS" "$(buffers)"
