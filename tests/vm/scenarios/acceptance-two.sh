# what: two machines on a wire: ping, ibv_rc_pingpong and rping of examples/acceptance.md between them, over rxe devices that rdmastate made
# mode: snapshot
# with: ssh
# beside: vm/beside/acceptance_page.py
# machines: 2
# wire: yes
# timeout: 300
# seconds: 90
# when: named

modprobe rdma_ucm
wired
reachable
verdict
