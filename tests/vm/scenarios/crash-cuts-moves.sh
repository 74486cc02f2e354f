# what: power cut while an apply moves the kernel and writes its own last files: the boot makes it old, wholly
# mode: reboot
# when: named
# timeout: 500

SPEC=/root/specs/host.yaml
if [ "$BOOT" = 1 ]; then
	mkdir -p /root/specs
	cat >$SPEC <<'YAML'
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
fi
adapters

is_new() {
	soon exists store0.8002
	same "addresses of the child" 192.0.2.1/24 "$(addresses store0.8002)"
	same "addresses of the port" 203.0.113.1/24 "$(addresses store0)"
	same "mode of the port" connected "$(mode_of store0)"
}

reach_child_created() { stands_at sendto 'nlmsg_type=RTM_NEWLINK, nlmsg_flags=[^,]*NLM_F_CREATE.*"ipoib"' rdmastate apply $SPEC; }
reach_address_set() { stands_at sendto 'nlmsg_type=RTM_NEWADDR' rdmastate apply $SPEC; }
reach_boot_json_written() { stands_at renameat '"boot.json"\) = 0' rdmastate apply $SPEC; }
reach_ledger_written() { stands_at renameat '"ledger.json"\) = 0' rdmastate apply $SPEC; }

cuts child-created address-set boot-json-written ledger-written
