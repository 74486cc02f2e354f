# what: two machines on a wire: the collection's playbook accept measures between their rxe devices with the real perftest, qperf and iperf3, passes, and fails by a threshold, with what JUnit's file says
# mode: snapshot
# with: managers ssh
# beside: ansible/guest/accept.py
# machines: 2
# wire: yes
# debs: qperf perftest iperf3
# timeout: 400
# when: named

dpkg -i "$RIG"/debs/*.deb >/run/rig/dpkg 2>&1 || fail "dpkg: $(cat /run/rig/dpkg)"
modprobe rdma_ucm
wired
reachable
verdict
