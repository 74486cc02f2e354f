# what: traffic classes of a port are set as the spec has them, others stay; what DCBX negotiates is left to its owner
# mode: snapshot
# releases: trixie
# with: qos
# timeout: 240
# seconds: 76

adapters dcb=1

note "traffic classes: those that are named are set, the vendor's others stay"
VENDORS="0:vendor 1:vendor 2:vendor 3:vendor 4:vendor 5:vendor 6:vendor 7:vendor / 0:1 1:0 2:2 3:3 4:4 5:5 6:6 7:7"
OURS="0:ets:40 1:vendor 2:vendor 3:ets:60 4:vendor 5:vendor 6:strict 7:vendor / 0:0 1:0 2:2 3:3 4:4 5:5 6:6 7:7"
ETS='{trust: dscp, pfc: [3], dscp: {26: 3}, priorities: {0: 0, 3: 3}, classes: {0: 40%, 3: 60%, 6: strict}}'
same "traffic classes" "$VENDORS" "$(ets)"
spec "$ETS" >/root/specs/ets.yaml
rdmastate plan /root/specs/ets.yaml >/run/rig/plan
same "a plan sets nothing" 0 "$(ets_sets)"
rdmastate apply /root/specs/ets.yaml
same "traffic classes" "$OURS" "$(ets)"
same "one set of them" 1 "$(ets_sets)"
systemctl daemon-reload
soon idle
quiet rdmastate apply /root/specs/ets.yaml
quiet rdmastate verify /root/specs/ets.yaml
same "one set of them" 1 "$(ets_sets)"
# dcb(8) wants 100 of all classes together, and mlx5 shows 100 of each one that is not shared
dcb ets set dev dcb0 tc-bw all:0 0:30 3:70
must_fail 2 rdmastate plan --detailed-exitcode /root/specs/ets.yaml
contains "what somebody changed" "3: 70%" "$OUT"
rdmastate apply /root/specs/ets.yaml
same "traffic classes" "$OURS" "$(ets)"
soon idle
note "the driver is loaded again: they come from boot.json"
unload fake_hca
modprobe fake_hca dcb=1
udevadm settle
classes_are_back() { [ "$(ets)" = "$OURS" ]; }
soon exists dcb0
soon classes_are_back
soon idle
note "a class of somebody else's that has bandwidth too"
dcb ets set dev dcb0 tc-tsa 5:ets tc-bw all:0 0:40 3:30 5:30
rdmastate plan /root/specs/ets.yaml >/run/rig/plan || true
contains "the plan" "the classes of dcb0 would have 130% together" "$(cat /run/rig/plan)"
dcb ets set dev dcb0 tc-tsa 5:vendor tc-bw all:0 0:40 3:60
quiet rdmastate verify /root/specs/ets.yaml

note "0% beside 100%, which the driver shows as 100% of both: left as it is, and flow control goes on"
dcb ets set dev dcb0 tc-bw all:0 3:100
contains "what is shown" "0:ets:100 1:vendor 2:vendor 3:ets:100" "$(ets)"
must_fail 2 rdmastate plan --detailed-exitcode /root/specs/ets.yaml
contains "the plan" "the classes of dcb0 have 200% together" "$OUT"
dcb ets set dev dcb0 tc-bw all:0 0:40 3:60
quiet rdmastate verify /root/specs/ets.yaml

note "an adapter's firmware that negotiates is the owner"
dcb dcbx set dev dcb0 lld-managed ieee
quiet rdmastate verify /root/specs/ets.yaml
spec '{pfc: [3, 4]}' >/root/specs/more.yaml
must_fail 1 rdmastate apply /root/specs/more.yaml
contains "who owns it" "may negotiate the priorities of dcb0 with the switch (DCBX)" "$OUT"
same "priorities with flow control" 3 "$(pfc)"
dcb dcbx set dev dcb0 host ieee
rdmastate apply /root/specs/more.yaml
same "priorities with flow control" "3 4" "$(pfc)"
soon idle
rdmastate rollback
soon idle
same "priorities with flow control" 3 "$(pfc)"
note "so is lldpad while it runs"
cat >/run/systemd/system/lldpad.service <<'UNIT'
[Service]
ExecStart=/usr/bin/sleep infinity
UNIT
systemctl daemon-reload
systemctl start lldpad.service
must_fail 1 rdmastate apply /root/specs/more.yaml
contains "who owns it" "lldpad negotiates the priorities of dcb0" "$OUT"
same "priorities with flow control" 3 "$(pfc)"
systemctl stop lldpad.service
note "and where it starts with the next boot"
mkdir -p /etc/systemd/system/multi-user.target.wants
ln -s /run/systemd/system/lldpad.service /etc/systemd/system/multi-user.target.wants/lldpad.service
must_fail 1 rdmastate apply /root/specs/more.yaml
contains "who owns it" "lldpad is enabled" "$OUT"
rm /run/systemd/system/lldpad.service /etc/systemd/system/multi-user.target.wants/lldpad.service
systemctl daemon-reload
soon idle

note "rolled back, a class is the vendor's again"
dcb ets set dev dcb0 tc-tsa all:vendor tc-bw all:0
spec '{classes: {2: 100%}}' >/root/specs/one.yaml
rdmastate apply /root/specs/one.yaml
contains "the class" "2:ets:100" "$(ets)"
soon idle
rdmastate rollback
soon idle
contains "the class" "2:vendor" "$(ets)"
