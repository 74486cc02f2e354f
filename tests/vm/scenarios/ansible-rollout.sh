# what: Ansible's rollout over two machines: the first that fails leaves the second untouched
# mode: snapshot
# with: managers ssh
# beside: ansible/guest/rollout.py
# machines: 2
# timeout: 300
# seconds: 120

adapters
reachable
verdict
