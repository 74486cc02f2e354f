# what: Ansible's role installs a package from its file, and reboots a host where its spec waits for that and the play asks for it, and never else; it fails where something waits after the reboot too
# mode: reboot
# with: ssh
# beside: ansible/guest/reboot.py
# debs: python3-apt
# timeout: 600
# seconds: 300

adapters
if [ "$BOOT" = 1 ]; then
	# It is there, with queues of its own, before the spec asks for others.
	ipoib
	dpkg -i "$RIG"/debs/*.deb >/run/rig/dpkg 2>&1 || fail "dpkg: $(cat /run/rig/dpkg)"
	# In the place of the agent's package: the agent itself is there already.
	mkdir -p /root/package/DEBIAN
	printf '%s\n' 'Package: rdmastate-play' 'Version: 1' 'Architecture: all' 'Maintainer: nobody <nobody@example.com>' 'Description: a test' \
		>/root/package/DEBIAN/control
	dpkg-deb --build /root/package /root/rdmastate.deb
fi
reachable
verdict
