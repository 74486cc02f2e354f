# what: Ansible's role has dnf install the agent's package from its file, and has nothing to do afterwards
# mode: snapshot
# with: packages ssh
# beside: ansible/guest/dnf.py
# debs: dnf python3-dnf rpm
# timeout: 300
# seconds: 170
# when: named

unpacked "$RIG"/debs/*.deb
# In the place of the agent's package: the agent itself is there already.
printf '%s\n' 'Name: rdmastate-play' 'Version: 1' 'Release: 1' 'Summary: a test' 'License: Apache-2.0' 'BuildArch: noarch' '%description' 'A test.' '%files' \
	>/root/play.spec
rpmbuild --quiet -bb --define "_rpmdir /root" --define "_build_name_fmt rdmastate.rpm" /root/play.spec
reachable
verdict
