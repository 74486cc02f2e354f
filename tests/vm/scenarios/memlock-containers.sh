# what: of the real containerd a container has the limit that containerd had when the container was made, also after a restart of containerd, and rdmastate says so until it is gone
# mode: snapshot
# with: packages
# timeout: 150
# seconds: 120
# when: named
# debs: containerd runc

SPEC=/root/host.yaml
ROOT=/root/container
unpacked "$RIG"/debs/*.deb
rm "$RIG"/debs/*.deb

# A root file system without an image or a registry: a shell, sleep, and what they are linked with.
mkdir -p $ROOT/{proc,dev,sys}
for program in /bin/sh /bin/sleep; do
	for file in $program $(ldd $program | grep -o '/[^ ]*'); do cp --dereference --parents --update "$file" $ROOT; done
done
cat >$SPEC <<'YAML'
version: 1
memlock: {soft: 1GiB, hard: 2GiB, services: [containerd.service]}
YAML

engine() { systemctl show -P MainPID containerd; }
limit_of() { awk '/^Max locked memory/ {print $4, $5}' "/proc/$1/limits"; }
process_of() { ctr task list | awk -v name="$1" '$1 == name {print $2}'; }
contain() { ctr run --detach --rootfs $ROOT "$1" /bin/sleep 1000; }
inside() { ctr task exec --exec-id "$RANDOM" "$1" /bin/sh -c 'ulimit -S -l; ulimit -H -l' | xargs; }
GIB=$((1024 * 1024 * 1024))
USUAL="$((8 * 1024 * 1024)) $((8 * 1024 * 1024))" WANTED="$GIB $((2 * GIB))"

systemctl start containerd
contain old
old=$(process_of old)
same "the container's limit" "$USUAL" "$(limit_of "$old")"
contains "doctor" "what it starts may pin 8MiB of memory" "$(rdmastate doctor)"

note "the file alone: containerd runs on with what it has, and says nothing of it to new containers"
first=$(engine)
rdmastate apply $SPEC
same "containerd" "$first" "$(engine)"
must_fail 2 rdmastate verify $SPEC
contains "verify" "containerd.service runs with 8MiB (hard 8MiB) until it is started anew: --restart containerd.service does it now" "$OUT"

note "the restart that was asked for: the container goes on, with the limit that it has, also for what is started in it"
contains "the plan" "[disrupts: service]" "$(rdmastate plan --restart containerd $SPEC)"
rdmastate apply --restart containerd.service $SPEC
[ "$(engine)" != "$first" ] || fail "containerd was not started anew"
same "containerd's limit" "$WANTED" "$(limit_of "$(engine)")"
same "the container" "$old" "$(process_of old)"
same "its limit" "$USUAL" "$(limit_of "$old")"
same "the limit of what is started in it" "8192 8192" "$(inside old)"

note "which is said, and no other restart would help"
must_fail 2 rdmastate verify $SPEC
contains "verify" "1 process of containerd.service, containerd-shim, runs since before its last start with 8MiB (hard 8MiB) until it ends, and so does what it starts" "$OUT"
rdmastate verify --allow-pending $SPEC
contains "doctor" "1 of its processes, such as containerd-shim, may pin 8MiB of memory" "$(rdmastate doctor)"
second=$(engine)
quiet rdmastate apply --restart containerd $SPEC
same "containerd" "$second" "$(engine)"

note "a container that is made now has the new limit; when the old one is gone, all is well"
contain new
same "the limit of the new one" "$WANTED" "$(limit_of "$(process_of new)")"
same "the limit of what is started in it" "$((GIB / 1024)) $((GIB / 512))" "$(inside new)"
ctr task delete --force old
ctr container delete old
soon rdmastate verify $SPEC
quiet rdmastate verify $SPEC
lacks "doctor" containerd "$(rdmastate doctor)"
