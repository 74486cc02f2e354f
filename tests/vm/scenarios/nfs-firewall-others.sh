# what: what others let into a zone of firewalld is no step and is never closed; a zone that is not there, a user who may not ask
# mode: snapshot
# with: packages firewall
# timeout: 400
# seconds: 112

installed
firewalld_runs

step "what others let in, alone and in a range, is no step, and is not closed"
both --add-port=20049/tcp --add-port=20040-20060/udp
theirs="20040-20060/udp 20049/tcp"
OUT=$(rdmastate plan $WITH)
contains "the plan" "nfs_listener rdma 20049" "$OUT"
lacks "the plan" firewall_port "$OUT"
lacks "the plan" zone_port "$OUT"
rdmastate apply $WITH
ports "$theirs"
rdmastate apply $WITHOUT
ports "$theirs"
both --remove-port=20049/tcp --remove-port=20040-20060/udp

step "a zone that it does not have"
must_fail 1 rdmastate apply $UNKNOWN
contains "what is said" "firewalld has no zone inner: it has block, dmz" "$OUT"

step "a user who may not ask it"
install -m 644 $WITH /run/rig/host.yaml
contains "what a user is told" "unseen" "$(runuser -u nobody -- rdmastate plan /run/rig/host.yaml)"
