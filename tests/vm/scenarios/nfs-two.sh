# what: two machines on a wire, README's chapter followed word by word: a file of one is read over NFS/RDMA by the other, both ways, and after both have rebooted
# mode: reboot
# with: managers ssh
# beside: vm/beside/nfs_chapter.py
# machines: 2
# wire: yes
# timeout: 600
# seconds: 300
# when: named

wired
reachable
verdict
