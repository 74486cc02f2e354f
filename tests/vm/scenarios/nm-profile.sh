# what: a profile's name and further settings as the guide's nmcli gives them: NetworkManager says them, the interface stays up, drift is seen, rollback restores
# mode: snapshot
# with: managers
# timeout: 420
# seconds: 268

adapters
ipoib
networkmanager
mkdir -p /root/specs
SPEC=/root/specs/host.yaml
cat >$SPEC <<YAML
version: 1
ipoib:
  - name: $IB1
    mode: datagram
    ipv4: {method: manual, addresses: [203.0.113.1/24]}
YAML
rdmastate apply $SPEC
said() { nmcli -g connection.id,connection.zone,connection.autoconnect-priority connection show "$1" | tr '\n' ' '; }
# NetworkManager says the settings of an activation by this method alone.
applied_priority() {
	busctl call org.freedesktop.NetworkManager "$(nmcli -g GENERAL.DBUS-PATH device show "$IB1")" \
		org.freedesktop.NetworkManager.Device GetAppliedConnection u 0 | grep -o '"autoconnect-priority" i [-0-9]*' | cut -d' ' -f3
}
downs() { cat "/sys/class/net/$IB1/carrier_changes"; }
uuid=$(nmcli -g connection.uuid connection show "$IB1")
same "the interface's name" "$IB1  0 " "$(said "$uuid")"

note "another name is no bounce"
before=$(downs)
echo '    profile: storage net' >>$SPEC
OUT=$(rdmastate plan $SPEC)
lacks "the plan" "disrupts: link" "$OUT"
rdmastate apply $SPEC
same "the name" "storage net  0 " "$(said "$uuid")"
same "what runs" "storage net" "$(runs "$IB1")"
same "how often the link went" "$before" "$(downs)"
undisturbed rdmastate apply $SPEC

note "a zone beside it neither"
echo '    profile_settings: {connection.zone: trusted}' >>$SPEC
lacks "the plan" "disrupts: link" "$(rdmastate plan $SPEC)"
rdmastate apply $SPEC
same "the zone" "storage net trusted 0 " "$(said "$uuid")"
same "how often the link went" "$before" "$(downs)"
undisturbed rdmastate apply $SPEC

note "a priority is an activation, and said to be one"
sed -i 's/zone: trusted/zone: trusted, connection.autoconnect-priority: 10/' $SPEC
contains "the plan" "disrupts: link" "$(rdmastate plan $SPEC)"
rdmastate apply --max-disruption link $SPEC
same "all three" "storage net trusted 10 " "$(said "$uuid")"
undisturbed rdmastate apply $SPEC

note "what nmcli changes is drift, also where it is active already"
nmcli connection modify "storage net" connection.zone public connection.autoconnect-priority 20
nmcli connection up "storage net"
same "the priority that is applied" 20 "$(applied_priority)"
must_fail 2 rdmastate plan --detailed-exitcode $SPEC
rdmastate apply --max-disruption link $SPEC
same "as asked again" "storage net trusted 10 " "$(said "$uuid")"
same "the priority that is applied then" 10 "$(applied_priority)"

note "rollback gives the changed zone back"
rdmastate rollback
same "as nmcli left it" "storage net public 20 " "$(said "$uuid")"
