# what: firewalld lets an NFS server's clients in, now and for good, through a drift, others' changes, a reload and a rollback
# mode: snapshot
# with: packages firewall
# timeout: 400
# seconds: 234
# releases: trixie

step "before its package: pending, and nothing of it is made"
rdmastate apply $WITH
contains "the plan" "firewalld.service is not installed here" "$(rdmastate plan $WITH)"
[ ! -e /etc/firewalld ] || fail "a directory of firewalld was made"
rdmastate apply $WITHOUT

step "its package"
installed
firewalld_runs
before=$(listed services)

step "now and for good, and the second run is silent"
rdmastate apply $WITH
ports "20049/tcp 20049/udp"
asked "20049/tcp 20049/udp"
same "the services" "$before" "$(listed services)"
contains "the kernel's rules" "tcp dport 20049" "$(rules)"
quiet rdmastate apply $WITH
quiet rdmastate verify --allow-pending $WITH

step "somebody closes it by hand, now and for good: verify sees it, apply mends it"
firewall-cmd -q --zone=internal --remove-port=20049/tcp
must_fail 2 rdmastate verify --allow-pending $WITH
contains "verify" "20049/tcp of zone internal" "$OUT"
rdmastate apply $WITH
firewall-cmd -q --permanent --zone=internal --remove-port=20049/udp
must_fail 2 rdmastate verify --allow-pending $WITH
contains "verify" "20049/udp of zone internal" "$OUT"
rdmastate apply $WITH
ports "20049/tcp 20049/udp"

step "what somebody adds for good afterwards does not write it away, and a reload brings both"
firewall-cmd -q --permanent --zone=internal --add-service=http
firewall-cmd -q --reload
ports "20049/tcp 20049/udp"
contains "the services" http "$(listed services)"
ssh_stays
quiet rdmastate apply $WITH

step "another port: the old one closes; rollback gives it back, and the other's service stays"
rdmastate apply --max-disruption service $OTHER
ports "20050/tcp 20050/udp 4791/udp"
contains "the kernel's rules" "udp dport 4791" "$(rules)"
rdmastate rollback
ports "20049/tcp 20049/udp"
contains "the services" http "$(listed services)"

step "without the field: closed; released: it stays"
rdmastate apply $WITHOUT
ports ""
contains "the services" http "$(listed services)"
ssh_stays
rdmastate apply $WITH
rdmastate release nfs
ports "20049/tcp 20049/udp"
both --remove-port=20049/tcp --remove-port=20049/udp
