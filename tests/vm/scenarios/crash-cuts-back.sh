# what: power cut in mid-rollback, and when NetworkManager has loaded a profile: the boot or one command makes it old, wholly
# mode: reboot
# timeout: 400

# A place is left here for in-confirm-window.
SPEC=/root/specs/host.yaml
if [ "$BOOT" = 1 ]; then
	mkdir -p /root/specs
	cat >/root/specs/none.yaml <<'YAML'
version: 1
network: {backend: none}
modules: {load: [ib_ipoib]}
ipoib:
  - name: store0
    match: {port_guid: "f452:1403:007b:cba1"}
    mode: connected
    ipv4: {method: manual, addresses: [203.0.113.1/24]}
  - parent: store0
    pkey: 0x8002
    ipv4: {method: manual, addresses: [192.0.2.1/24]}
YAML
	sed 's/backend: none/backend: networkmanager/' /root/specs/none.yaml >/root/specs/nm.yaml
	ln -s none.yaml $SPEC
fi
adapters

is_new() {
	soon exists store0.8002
	[ "$(readlink $SPEC)" = none.yaml ] || soon sh -c 'nmcli -g GENERAL.STATE device show store0.8002 | grep -q "^100"'
	same "addresses of the child" 192.0.2.1/24 "$(addresses store0.8002)"
	same "addresses of the port" 203.0.113.1/24 "$(addresses store0)"
	same "mode of the port" connected "$(mode_of store0)"
}

reach_in_rollback() {
	rdmastate apply $SPEC
	stands_at unlinkat 'unlinkat\(\d+</etc/modules-load.d>, "rdmastate.conf"' rdmastate rollback
}
reach_profile_loaded() {
	# From here on NetworkManager owns them: what was there before is another state.
	networkmanager enable
	ln -sfn nm.yaml $SPEC
	host_state >$CUTS/old
	sync
	stands_at sendmsg 'LoadConnections' rdmastate apply $SPEC
	profile() { nmcli -g FILENAME connection show | grep "^$PROFILES/"; }
	soon profile
}

cuts in-rollback profile-loaded
