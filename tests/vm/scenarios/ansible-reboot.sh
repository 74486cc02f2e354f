# what: Ansible's role reboots a host where its spec waits for that and the play asks for it, and never else
# mode: reboot
# with: ssh
# beside: ansible/guest/reboot.py
# timeout: 600
# seconds: 170

adapters
# ib_ipoib is there, with queues of its own, before the spec asks for others.
[ "$BOOT" != 1 ] || ipoib
reachable
verdict
