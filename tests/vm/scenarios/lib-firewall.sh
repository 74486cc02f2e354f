# Helpers for scenarios with the real firewalld (`# with: firewall`): its files are not in the image, their packages are.

OWN=/etc/firewalld/zones/internal.xml PACKAGED=/usr/lib/firewalld/zones/internal.xml
S=/root/specs
WITH=$S/host.yaml OTHER=$S/other.yaml WITHOUT=$S/none.yaml UNKNOWN=$S/unknown.yaml
spec() { # FILE SERVER
	printf 'version: 1\nnfs: {server: {%s}}\n' "$2" >"$1"
}

FW=org.fedoraproject.FirewallD1
# listed ports|services [permanent]: of the zone, sorted; asked as firewall-cmd asks, which takes seconds to start
listed() {
	local each=1
	[ "$1" = services ] || each=2
	if [ $# = 1 ]; then
		busctl call $FW /org/fedoraproject/FirewallD1 $FW.zone get${1^} s internal
	else
		busctl call $FW "$(busctl call $FW /org/fedoraproject/FirewallD1/config $FW.config getZoneByName s internal | cut -d'"' -f2)" $FW.config.zone get${1^}
	fi | tr ' ' '\n' | sed -n 's/^"\(.*\)"$/\1/p' | xargs -r -n $each | tr ' ' / | sort | xargs
}
# asked EXPECTED: the same by firewall-cmd
asked() {
	same "--list-ports" "$1" "$(firewall-cmd --zone=internal --list-ports | tr ' ' '\n' | sort | xargs)"
	same "--permanent --list-ports" "$1" "$(firewall-cmd --permanent --zone=internal --list-ports | tr ' ' '\n' | sort | xargs)"
}
# ports EXPECTED: of both
ports() {
	same "the ports now" "$1" "$(listed ports)"
	same "the ports for good" "$1" "$(listed ports permanent)"
}
# both ARGUMENTS: somebody tells firewalld something by hand, now and for good
both() {
	firewall-cmd -q --zone=internal "$@"
	firewall-cmd -q --permanent --zone=internal "$@"
}
rules() { python3 -c 'import nftables; print(nftables.Nftables().cmd("list chain inet firewalld filter_IN_internal_allow")[1])'; }
# has ssh among what the zone has for good and now
ssh_stays() {
	contains "the services now" ssh "$(listed services)"
	contains "the services for good" ssh "$(listed services permanent)"
}
step() { note "$*, at $SECONDS s"; }

# installed: the packages' files, and what firewalld's postinst does besides compiling
installed() {
	unpacked /usr/lib/rig/debs/{firewalld,python3-,gir1.2-,libgirepository-,libnft}*
	ln -s org.fedoraproject.FirewallD1.server.policy.choice /usr/share/polkit-1/actions/org.fedoraproject.FirewallD1.policy
	[ "$(systemctl is-active polkit)" != active ] || systemctl restart polkit
	busctl call org.freedesktop.DBus / org.freedesktop.DBus ReloadConfig
	systemctl -q enable firewalld
}

# firewalld_runs: it does, and the zone is one in use, since the kernel has rules of such zones alone
firewalld_runs() {
	systemctl start firewalld
	same "firewalld" running "$(firewall-cmd --state)"
	both --add-source=192.0.2.0/24
}

mkdir -p $S
spec $WITH 'firewall: {zone: internal}'
spec $OTHER 'rdma_port: 20050, firewall: {zone: internal, roce: true}'
spec $WITHOUT ''
spec $UNKNOWN 'firewall: {zone: inner}'
