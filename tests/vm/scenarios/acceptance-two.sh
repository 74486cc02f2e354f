# what: two machines on a wire: each row of examples/acceptance.md but ibping, and doctor's own test, between them, over rxe devices that rdmastate made
# mode: snapshot
# with: managers ssh
# beside: vm/beside/acceptance_page.py
# machines: 2
# wire: yes
# debs: qperf perftest iperf3
# timeout: 600
# when: named

dpkg -i "$RIG"/debs/*.deb >/run/rig/dpkg 2>&1 || fail "dpkg: $(cat /run/rig/dpkg)"
modprobe rdma_ucm
wired
reachable
verdict
