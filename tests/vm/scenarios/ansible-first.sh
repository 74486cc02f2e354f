# what: Ansible over ssh: changed, then not; check mode; the session's guard, also with async; a host that loses its link comes back by itself
# mode: snapshot
# with: managers ssh
# beside: ansible/guest/first.py
# timeout: 400
# seconds: 150
# promise: Ansible

adapters
ipoib
reachable
# The far end of the partition over which Ansible will come, in a namespace of this machine: relay.py passes an ssh on.
peer_netns "$IB2"
peer_child 0x8002 192.0.2.2/24
cat >/run/rig/relay.py <<'PY'
import os, socket, sys, threading
link = socket.create_connection((sys.argv[1], int(sys.argv[2])), 20)
link.settimeout(None)
def outward():
    while data := os.read(0, 65536):
        link.sendall(data)
    link.shutdown(socket.SHUT_WR)
threading.Thread(target=outward, daemon=True).start()
while data := link.recv(65536):
    os.write(1, data)
PY
verdict
