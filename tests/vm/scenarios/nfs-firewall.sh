# what: firewalld lets an NFS server's clients in, now and for good; what others let in stays through changes, rollback and release; where it does not run the zone's file gets one entry
# mode: snapshot
# timeout: 400
# seconds: 120

OWN=/etc/firewalld/zones/internal.xml PACKAGED=/usr/lib/firewalld/zones/internal.xml
mkdir -p /root/specs
spec() { # NAME SERVER
	printf 'version: 1\nnfs: {server: {%s}}\n' "$2" >/root/specs/"$1".yaml
}
spec host 'firewall: {zone: internal}'
spec other 'rdma_port: 20050, firewall: {zone: internal, roce: true}'
spec none ''
spec unknown 'firewall: {zone: inner}'

# opened STORE: the ports of the zone, by firewall-cmd
opened() {
	case $1 in now) firewall-cmd --zone=internal --list-ports ;; *) firewall-cmd --permanent --zone=internal --list-ports ;; esac |
		tr ' ' '\n' | sort | xargs
}
rules() { python3 -c 'import nftables; print(nftables.Nftables().cmd("list ruleset")[1])'; }
services() { firewall-cmd --zone=internal --list-services; }
# ports EXPECTED: of both
ports() {
	same "the ports now" "$1" "$(opened now)"
	same "the ports for good" "$1" "$(opened permanent)"
}

note "before its package: pending, and nothing of it is made"
rdmastate apply /root/specs/host.yaml
contains "the plan" "firewalld is not installed here" "$(rdmastate plan /root/specs/host.yaml)"
[ ! -e /etc/firewalld ] || fail "a directory of firewalld was made"
rdmastate apply /root/specs/none.yaml || true

note "the package, without its polkitd: firewalld then goes by the user number"
cd /usr/lib/rig/debs
dpkg -i --force-depends firewalld_* python3-* gir1.2-* libgirepository-* libnftables1_* libnftnl11_* >/run/rig/dpkg 2>&1 || fail "dpkg: $(cat /run/rig/dpkg)"
busctl call org.freedesktop.DBus / org.freedesktop.DBus ReloadConfig
systemctl restart firewalld
soon firewall-cmd --state
before=$(services)

note "now and for good, and the second run is silent"
rdmastate apply /root/specs/host.yaml
ports "20049/tcp 20049/udp"
same "the services" "$before" "$(services)"
contains "the kernel's rules" "tcp dport 20049" "$(rules)"
quiet rdmastate apply /root/specs/host.yaml
quiet rdmastate verify --allow-pending /root/specs/host.yaml

note "what somebody adds for good afterwards does not write it away, and a reload brings both"
firewall-cmd --permanent --zone=internal --add-service=http
firewall-cmd --reload
ports "20049/tcp 20049/udp"
contains "the services" http "$(services)"
contains "the services" ssh "$(services)"
quiet rdmastate apply /root/specs/host.yaml

note "another port: the old one closes; rollback gives it back, and the other's service stays"
rdmastate apply --max-disruption service /root/specs/other.yaml
ports "20050/tcp 20050/udp 4791/udp"
rdmastate rollback
ports "20049/tcp 20049/udp"
contains "the services" http "$(services)"

note "without the field: closed"
rdmastate apply /root/specs/none.yaml
ports ""
contains "the services" "http" "$(services)"
contains "the services" "ssh" "$(services)"

note "what others let in, alone and in a range, is no step, and is not closed"
for store in '' --permanent; do
	firewall-cmd $store --zone=internal --add-port=20049/tcp
	firewall-cmd $store --zone=internal --add-port=20040-20060/udp
done
theirs="20040-20060/udp 20049/tcp"
lacks "the plan" open "$(rdmastate plan /root/specs/host.yaml)"
rdmastate apply /root/specs/host.yaml || true
ports "$theirs"
rdmastate apply /root/specs/none.yaml || true
ports "$theirs"
rdmastate apply /root/specs/host.yaml || true
rdmastate release nfs || true
ports "$theirs"
for store in '' --permanent; do
	firewall-cmd $store --zone=internal --remove-port=20049/tcp
	firewall-cmd $store --zone=internal --remove-port=20040-20060/udp
done

note "a zone that it does not have"
must_fail 1 rdmastate apply /root/specs/unknown.yaml
contains "what is said" "firewalld has no zone inner: it has block, dmz" "$OUT"

note "a user who may not ask it"
contains "what a user is told" "unseen" "$(runuser -u nobody -- rdmastate plan /root/specs/host.yaml 2>&1 || true)"

note "while it does not run: one entry in a copy of the package's zone, which its start reads"
systemctl stop firewalld
rm -f $OWN $OWN.old
rdmastate apply /root/specs/host.yaml
contains "the plan" "firewalld does not run here" "$(rdmastate plan /root/specs/host.yaml)"
same "lines that the package's zone does not have" 3 "$(diff $PACKAGED $OWN | grep -c '^>')"
same "lines that only it has" 0 "$(diff $PACKAGED $OWN | grep -c '^<' || true)"
systemctl start firewalld
soon firewall-cmd --state
ports "20049/tcp 20049/udp"
contains "the services" ssh "$(services)"
quiet rdmastate apply /root/specs/host.yaml
systemctl stop firewalld
rdmastate apply /root/specs/none.yaml
[ ! -e $OWN ] || fail "the copy is there: $(cat $OWN)"
