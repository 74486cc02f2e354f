# what: two machines on one InfiniBand cable: the OpenSM that rdmastate runs on one makes the other's port active, with its P_Key; IP and ibping cross; and it hands over
# mode: snapshot
# with: managers ssh
# beside: vm/beside/two_managers.py
# machines: 2
# wire: yes
# timeout: 600
# seconds: 430
# when: named

wired
[ "$NODE" = 1 ] || SECOND=guid=0xf4521403007bcca0	# both machines make the same GUIDs by themselves
adapters smp=1 trunk=enp1s0 ${SECOND:-}
printf 'version: 1\nsubnet_manager: {run: false}\n' >/root/none.yaml
chmod 600 /root/none.yaml
rdmastate apply /root/none.yaml
dpkg -i --force-confold /usr/lib/rig/debs/{opensm,libopensm,libosm}*.deb >/run/rig/dpkg 2>&1 || fail "dpkg: $(cat /run/rig/dpkg)"
reachable
verdict
