# what: Ansible over two machines: a rollout whose first host fails leaves the second untouched, and what its README shows, as it stands, brings both to their specs
# mode: snapshot
# with: managers ssh
# beside: ansible/guest/rollout.py
# machines: 2
# timeout: 400
# seconds: 150

adapters
reachable
verdict
