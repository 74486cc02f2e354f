# what: ansible-pull on a host without a control node: a repository's spec and rdmastate-apply.service, and what the collection's README shows, changed and then not
# mode: snapshot
# with: packages ssh
# beside: ansible/guest/pull.py
# debs: ansible-core git
# timeout: 500
# seconds: 600
# when: named

unpacked "$RIG"/debs/*.deb
adapters
reachable
verdict
