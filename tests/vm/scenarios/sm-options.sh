# what: every option that a spec takes is one of the real OpenSM's, read without a complaint, and in force in what runs
# mode: snapshot
# timeout: 300
# seconds: 120
# when: named

NEAR=0xf4521403007bcba1
UNIT=opensm@$NEAR.service CONF=/etc/opensm/opensm.conf.$NEAR
mkdir -p /root/specs /root/out
spec() { # NAME OPTIONS
	cat >/root/specs/"$1".yaml <<SPEC
version: 1
modules: {load: [ib_umad]}
subnet_manager:
  run: true
  instances: [{port_guid: "$NEAR", priority: 5, options: {$2}}]
SPEC
}
names() { awk 'NF && $1 !~ /^#/ { print $1 }' "$1" | sort -u; }
sysfs() { cat /sys/class/infiniband/"$1"/ports/1/"$2"; }
is() { case "$(sysfs "$1" "$2")" in *"$3"*) ;; *) return 1 ;; esac; }
pid() { systemctl show -P MainPID "$1"; }
# What OpenSM makes of the configuration and the command of the unit that runs: all its options, into FILE.
effective() { # FILE
	local command
	command=$(tr '\0' ' ' <"/proc/$(pid $UNIT)/cmdline")
	contains "the unit's command" "--config $CONF" "$command"
	$command -c "$1" >/root/out/said
	grep -q "Reading Cached Option File: $CONF" /root/out/said || fail "OpenSM did not read $CONF: $(cat /root/out/said)"
	if grep -E 'Unrecognized|Parsing error|Invalid Cached|improperly' /root/out/said; then fail "OpenSM complains"; fi
}
value() { awk -v name="$2" '$1 == name { $1 = ""; print substr($0, 2) }' "$1"; }

adapters smp=1
modprobe ib_umad
rdmastate schema >/root/out/schema.json
printf 'version: 1\nsubnet_manager: {run: false}\n' >/root/specs/none.yaml
rdmastate apply /root/specs/none.yaml
dpkg -i --force-confold /usr/lib/rig/debs/{opensm,libopensm,libosm}*.deb >/run/rig/dpkg 2>&1 || fail "dpkg: $(cat /run/rig/dpkg)"
mkdir -p /etc/systemd/system/opensm@.service.d
printf '[Service]\nTimeoutStopSec=3\n' >/etc/systemd/system/opensm@.service.d/50-stop.conf

note "the options that a spec takes, and those that it refuses, are together those that opensm -c writes"
opensm -c /root/out/usual >/dev/null
names /root/out/usual >/root/out/theirs
cat >/root/out/taken.py <<'PY'
import json
def walk(node):
    if isinstance(node, dict):
        found = node.get("propertyNames", {}).get("enum", [])
        if "routing_engine" in found:
            yield from found
        for value in node.values():
            yield from walk(value)
    elif isinstance(node, list):
        for value in node:
            yield from walk(value)
print("\n".join(sorted(set(walk(json.load(open("/root/out/schema.json")))))))
PY
python3 /root/out/taken.py >/root/out/taken
[ "$(wc -l </root/out/taken)" -gt 100 ] || fail "the schema names $(wc -l </root/out/taken) options"
same "taken, and not OpenSM's" "" "$(comm -23 /root/out/taken /root/out/theirs)"
comm -13 /root/out/taken /root/out/theirs >/root/out/refused
{
	printf 'version: 1\nsubnet_manager:\n  run: true\n  instances:\n    - port_guid: "%s"\n      options:\n' "$NEAR"
	sed 's/.*/        &: 1/' /root/out/refused
} >/root/specs/refused.yaml
must_fail 3 rdmastate check /root/specs/refused.yaml
lacks "the refusals" "none of OpenSM" "$OUT"
same "refusals" "$(wc -l </root/out/refused)" "$(grep -c 'error: subnet_manager.instances\[0\].options' <<<"$OUT")"

note "each with the value that opensm -c writes: read without a complaint, and nothing changes"
{
	printf 'version: 1\nmodules: {load: [ib_umad]}\nsubnet_manager:\n  run: true\n  instances:\n'
	printf '    - port_guid: "%s"\n      options:\n' "$NEAR"
	while read -r name; do
		written=$(value /root/out/usual "$name")
		if [ "$written" != "(null)" ]; then printf '        %s: "%s"\n' "$name" "$written"; fi
	done </root/out/taken
} >/root/specs/usual.yaml
rdmastate apply /root/specs/usual.yaml
soon is "$HCA2" state ACTIVE
effective /root/out/all
same "what OpenSM goes by" "$(grep -vE '^(#|guid |log_file )' /root/out/usual)" "$(grep -vE '^(#|guid |log_file )' /root/out/all)"
same "lines written" "$(grep -c '^        ' /root/specs/usual.yaml)" "$(grep -vc '^#' $CONF)"
quiet rdmastate apply /root/specs/usual.yaml

note "others: started anew by who may, in force in the program, and lmc on the wire"
spec some 'lmc: 1, sweep_interval: 7, max_wire_smps: 8, routing_engine: "updn,minhop", qos: true, log_flags: 0x07'
before=$(pid $UNIT)
must_fail 6 rdmastate apply /root/specs/some.yaml
contains "the refusal" "stops and starts anew" "$OUT"
same "the process" "$before" "$(pid $UNIT)"
rdmastate apply --allow-fabric /root/specs/some.yaml
[ "$(pid $UNIT)" != "$before" ] || fail "it was not started anew"
effective /root/out/some
for pair in lmc=1 sweep_interval=7 max_wire_smps=8 routing_engine=updn,minhop qos=TRUE log_flags=0x07 sm_priority=5; do
	same "${pair%%=*}" "${pair#*=}" "$(value /root/out/some "${pair%%=*}")"
done
for hca in "$HCA1" "$HCA2"; do
	soon is "$hca" lid_mask_count 1
	soon is "$hca" state ACTIVE
done
quiet rdmastate verify /root/specs/some.yaml
quiet rdmastate apply /root/specs/some.yaml

note "the host's own spec has them"
rdmastate show --as-spec >/root/specs/own.yaml
grep -q 'routing_engine: "*updn,minhop' /root/specs/own.yaml || fail "$(cat /root/specs/own.yaml)"
quiet rdmastate apply /root/specs/own.yaml

note "without them the configuration goes, and the usual one counts again"
spec bare ''
rdmastate apply --allow-fabric /root/specs/bare.yaml
[ ! -e $CONF ] || fail "$CONF stayed"
lacks "its command" "--config" "$(tr '\0' ' ' <"/proc/$(pid $UNIT)/cmdline")"
soon is "$HCA2" lid_mask_count 0
rdmastate rollback
same "lmc, taken back" "lmc 1" "$(grep ^lmc $CONF)"
soon is "$HCA2" lid_mask_count 1
