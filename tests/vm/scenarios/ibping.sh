# what: the guide's ibping between two adapters that rdmastate named, by LID and by GUID, by a user whom permissions.umad lets
# mode: snapshot
# timeout: 120

adapters
modprobe ib_umad
groupadd ibdiag
useradd -G ibdiag fabric
useradd nobody2
mkdir -p /root/specs
cat >/root/specs/names.yaml <<YAML
version: 1
network: {backend: none}
devices:
  - {match: {node_guid: "f452:1403:007b:cba0"}, name: mlx4_0}
  - {match: {node_guid: "f452:1403:007b:cbb0"}, name: mlx4_1}
permissions: {umad: {group: ibdiag, mode: "0660"}}
YAML
rdmastate apply /root/specs/names.yaml
rdmastate verify /root/specs/names.yaml

# as USER COMMAND...
as() { runuser -u "$1" -- "${@:2}"; }
lid() { echo $(($(cat "/sys/class/infiniband/$1/ports/1/lid"))); }
sent() { cat "/sys/class/infiniband/$1/ports/1/counters/port_xmit_packets"; }

note "as the guides write it, and as the page says that it is good"
systemd-run -q --unit=pingd -p User=fabric ibping -S -C mlx4_1 -P 1
soon systemctl -q is-active pingd
before=$(sent mlx4_1)
contains "by LID" "0% packet loss" "$(as fabric ibping -c 5 -C mlx4_0 -P 1 -L "$(lid mlx4_1)")"
[ "$(sent mlx4_1)" -ge $((before + 5)) ] || fail "mlx4_1 sent $before packets before, $(sent mlx4_1) now"
contains "by GUID" "0% packet loss" "$(as fabric ibping -c 5 -C mlx4_0 -P 1 -G 0xf4521403007bcbb1)"
refused "f4521403007bcbb0" as fabric ibping -c 1 -C mlx4_0 -P 1 -G 0xf4521403007bcbb0

note "nobody answers, or the user is not in the group"
systemctl stop pingd
contains "without a server" "100% packet loss" "$(as fabric ibping -c 1 -C mlx4_0 -P 1 -L "$(lid mlx4_1)" || true)"
! as nobody2 ibping -c 1 -C mlx4_0 -P 1 -L "$(lid mlx4_1)" || fail "a user out of the group sends management packets"
