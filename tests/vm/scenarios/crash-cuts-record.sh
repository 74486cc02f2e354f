# what: power cut while an apply records, stages and renames, and right after its end: the boot makes it old or new, wholly
# mode: reboot
# when: named
# timeout: 700

SPEC=/root/specs/host.yaml
RUNS=/var/lib/rdmastate/runs
if [ "$BOOT" = 1 ]; then
	mkdir -p /root/specs
	cat >$SPEC <<'YAML'
version: 1
network: {backend: none}
modules: {load: [ib_ipoib], options: {ib_ipoib: {recv_queue_size: 256}}}
ipoib:
  - name: store0
    match: {port_guid: "f452:1403:007b:cba1"}
    mode: connected
    ipv4: {method: manual, addresses: [203.0.113.1/24]}
  - parent: store0
    pkey: 0x8002
    ipv4: {method: manual, addresses: [192.0.2.1/24]}
memlock: {group: users, soft: unlimited, hard: unlimited}
YAML
fi
adapters

is_new() {
	soon exists store0.8002
	same "addresses of the child" 192.0.2.1/24 "$(addresses store0.8002)"
	same "addresses of the port" 203.0.113.1/24 "$(addresses store0)"
	same "mode of the port" connected "$(mode_of store0)"
	same "the module's option" 256 "$(cat /sys/module/ib_ipoib/parameters/recv_queue_size)"
	contains "the limit" "@users hard memlock unlimited" "$(tr -s ' \t' ' ' </etc/security/limits.d/95-rdmastate.conf)"
}

reach_before_record() { stands_at mkdirat "$RUNS>, \"[0-9]+\"" rdmastate apply $SPEC; }
reach_recorded() { stands_at renameat,fsync "\"round-01.json\"\) = 0 then fsync\(\d+<$RUNS/[0-9]+>\)" rdmastate apply $SPEC; }
reach_staged() { stands_at fsync "fsync\(\d+</etc/[^>]*\.rdmastate-[0-9a-f]+>" rdmastate apply $SPEC; }
reach_file_renamed() { stands_at renameat "renameat\(\d+</etc/" rdmastate apply $SPEC; }
reach_module_loaded() { stands_at finit_module,init_module "finit_module\(\d+<[^>]*/ib_ipoib" rdmastate apply $SPEC; }
reach_finished() { stands_at fdatasync "fdatasync\(\d+<[^>]*/progress>" rdmastate apply $SPEC; }

ENDS_NEW=finished
cuts finished before-record recorded staged file-renamed module-loaded
