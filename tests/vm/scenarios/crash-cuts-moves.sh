# what: power cut while an apply writes its own last files, unconfirmed, in mid-rollback, and when NetworkManager has a profile: old, wholly
# mode: reboot
# timeout: 900
# with: managers cuts

reach_address_set() { stands_at sendto 'nlmsg_type=RTM_NEWADDR' rdmastate apply $SPEC; }
reach_boot_json_written() { stands_at renameat '"boot.json"\) = 0' rdmastate apply $SPEC; }
reach_ledger_written() { stands_at renameat '"ledger.json"\) = 0' rdmastate apply $SPEC; }
reach_in_confirm_window() {
	rdmastate apply $SPEC --confirm-within 1h
	is_new
}
reach_in_rollback() {
	rdmastate apply $SPEC
	stands_at unlinkat 'unlinkat\(\d+</etc/modules-load.d>, "rdmastate.conf"' rdmastate rollback
}
reach_profile_loaded() {
	# From here on NetworkManager owns them: what was there before is another state.
	networkmanager enable
	write_spec networkmanager
	host_state >$CUTS/old
	sync
	stands_at sendmsg 'LoadConnections' rdmastate apply $SPEC
	profile() { nmcli -g FILENAME connection show | grep "^$PROFILES/"; }
	soon profile
}

cuts address-set boot-json-written ledger-written in-confirm-window in-rollback profile-loaded
