# what: an NFS server's threads and exports change while it runs; a client mounts what is exported; what ends waits for who may disturb it; a restart brings all back, a rollback what was there before
# mode: snapshot
# timeout: 300
# seconds: 142
# releases: trixie

SERVER=nfs-server.service
THREADS=/proc/fs/nfsd/threads
ETAB=/var/lib/nfs/etab
ip link add eth7 type veth peer name far7
ip link set eth7 up
ip link set far7 up
ip addr add 192.0.2.1/24 dev eth7
mkdir -p /root/specs '/srv/my export' /srv/other /srv/hand /mnt/projects
for path in '/srv/my export' /srv/other /srv/hand; do
	mount -t tmpfs none "$path"  # exportfs refuses a directory of the root, an overlay
done
echo written >'/srv/my export/file'
printf '# nothing by hand\n' >/etc/exports
cat >/root/specs/host.yaml <<'SPEC'
version: 1
soft_devices:
  - {name: rxe_near, type: rxe, netdev: eth7}
nfs:
  server:
    threads: 4
    exports:
      - {path: /srv/my export, clients: [{host: 192.0.2.0/24, options: [rw, fsid=0, no_root_squash]}]}
SPEC
sed -e 's/threads: 4/threads: 6/' -e '$a\      - {path: /srv/other, clients: [{host: 192.0.2.0/24, options: [fsid=7]}]}' \
	/root/specs/host.yaml >/root/specs/more.yaml
sed '/exports:/,$d' /root/specs/host.yaml >/root/specs/none.yaml

started() { systemctl show -P ExecMainStartTimestampMonotonic $SERVER; }
exported() { exportfs -s | cut -d'(' -f1 | sed 's/  */ /g' | sort | xargs -d '\n' -I{} printf '%s;' "{}"; }
PROJECTS='/srv/my\040export 192.0.2.0/24;'

note "a server that was started by hand, and does not know yet"
systemctl start $SERVER
before=$(started)
same "exports" "" "$(exported)"
OUT=$(rdmastate plan /root/specs/host.yaml)
contains "the plan" "change nfs_threads of $SERVER" "$OUT"
contains "the plan" "export nfs_export /srv/my export to 192.0.2.0/24" "$OUT"

note "now: threads and export, without a restart"
rdmastate apply /root/specs/host.yaml
same "threads" 4 "$(cat $THREADS)"
same "exports" "$PROJECTS" "$(exported)"
for option in fsid=0 sec=sys,rw no_root_squash; do contains "options in force" $option "$(exportfs -v)"; done
same "when the server was started" "$before" "$(started)"
quiet rdmastate apply /root/specs/host.yaml
quiet rdmastate verify /root/specs/host.yaml

note "a client reads it over RDMA, without the option insecure"
timeout 60 mount -t nfs -o vers=4.2,rdma,port=20049 192.0.2.1:/ /mnt/projects
contains "the mount" proto=rdma "$(grep /mnt/projects /proc/mounts)"
same "the file over there" written "$(timeout 60 cat /mnt/projects/file)"
contains "what the kernel has exported" '/srv/my\040export' "$(cat /proc/fs/nfsd/exports)"

note "more threads and one more export, behind the back of no client"
rdmastate apply /root/specs/more.yaml
same "threads" 6 "$(cat $THREADS)"
same "exports" "$PROJECTS/srv/other 192.0.2.0/24;" "$(exported)"
same "the file over there" written "$(timeout 60 cat /mnt/projects/file)"
rdmastate rollback
same "threads, taken back" 4 "$(cat $THREADS)"
same "exports, taken back" "$PROJECTS" "$(exported)"
quiet rdmastate verify /root/specs/host.yaml

note "somebody ends the export by hand: verify says so, and apply exports it again"
exportfs -u '192.0.2.0/24:/srv/my export'
must_fail 2 rdmastate verify /root/specs/host.yaml
contains "verify" "nfs_export /srv/my export to 192.0.2.0/24" "$OUT"
rdmastate apply /root/specs/host.yaml
same "exports" "$PROJECTS" "$(exported)"

note "somebody exports by hand: a further export would end that, so it waits"
exportfs -o fsid=9 198.51.100.0/24:/srv/hand
rdmastate apply /root/specs/more.yaml
contains "exports" /srv/hand "$(cat $ETAB)"
must_fail 2 rdmastate verify /root/specs/more.yaml
contains "verify" "the export of /srv/hand to 198.51.100.0/24 ends, since no file has it" "$OUT"
exportfs -u 198.51.100.0/24:/srv/hand
rdmastate apply /root/specs/more.yaml
quiet rdmastate verify /root/specs/more.yaml

note "an export by hand is replaced where that is allowed: a rollback says that nothing brings it back, and is over"
rdmastate apply --restart nfs-server /root/specs/host.yaml
same "exports" "$PROJECTS" "$(exported)"
exportfs -o rw,fsid=7 192.0.2.0/24:/srv/other
rdmastate apply /root/specs/more.yaml
contains "the export by hand" '192.0.2.0/24(rw' "$(grep /srv/other $ETAB)"
rdmastate apply --restart nfs-server /root/specs/more.yaml
contains "the export as the spec has it" '192.0.2.0/24(ro' "$(grep /srv/other $ETAB)"
OUT=$(rdmastate rollback 2>&1)
contains "the rollback" "no file had it so" "$OUT"
same "exports, as the files say" "$PROJECTS/srv/other 192.0.2.0/24;" "$(exported)"
rdmastate apply --restart nfs-server /root/specs/host.yaml

note "a reload would narrow an export of others whose file changed behind the server: it waits; a directory is no file of exports"
mkdir /etc/exports.d/x.exports
printf '/srv/hand 198.51.100.0/24(rw,fsid=9)\n' >/etc/exports
exportfs -r
sed -i 's/rw/ro/' /etc/exports
rdmastate apply /root/specs/more.yaml
contains "the export of others" '198.51.100.0/24(rw' "$(grep /srv/hand $ETAB)"
must_fail 2 rdmastate verify /root/specs/more.yaml
contains "verify" "the export of /srv/hand to 198.51.100.0/24 gets ro,fsid=9 in place of rw,fsid=9" "$OUT"
sed -i 's/ro/rw/' /etc/exports

note "files of others are read as exportfs reads them: a plan that exports one more finds each in the table as its file has it"
rdmastate apply /root/specs/host.yaml
cat >/etc/exports.d/z.exports <<'NASTY'
# a comment does not go on \
/srv/hand
/srv/far -sync,sec=krb5 198.51.100.1(rw) 198.51.100.2(sec=sys,rw,sec=krb5p,ro) \
	"198.51.100.3(rw, no_root_squash)" -ro
"/srv/my export" 198.51.100.4(ro) 198.51.100.4(rw)
/srv/d\043e#f 198.51.100.5(rw,async,anonuid=-2)
/srv/end 198.51.100.6(rw
/srv/unread 198.51.100.7(rw)
NASTY
RC=0
OUT=$(exportfs -r 2>&1) || RC=$?
note "exportfs ended with $RC: $OUT"
contains "what exportfs says" "z.exports" "$OUT"
same "exports in the table" 9 "$(grep -c . $ETAB)"
contains "what has no client" '/srv/hand	(ro' "$(cat $ETAB)"
OUT=$(rdmastate plan /root/specs/more.yaml)
contains "the plan" "/srv/other to 192.0.2.0/24" "$OUT"
for difference in "no file has it" " in place of " " begins, since "; do lacks "the plan" "$difference" "$OUT"; done
sed -i '/end/d' /etc/exports.d/z.exports
OUT=$(rdmastate plan /root/specs/more.yaml)
contains "the plan" "the export of /srv/unread to 198.51.100.7 begins, since /etc/exports.d/z.exports has it" "$OUT"
rm /etc/exports.d/z.exports
printf '# nothing by hand\n' >/etc/exports
exportfs -r
rdmastate apply /root/specs/more.yaml
quiet rdmastate verify /root/specs/more.yaml

note "after a restart the same"
umount /mnt/projects
systemctl restart $SERVER
same "threads" 6 "$(cat $THREADS)"
same "exports" "$PROJECTS/srv/other 192.0.2.0/24;" "$(exported)"
quiet rdmastate verify /root/specs/more.yaml
quiet rdmastate apply /root/specs/more.yaml

note "what the spec no longer has ends where that is allowed, by a reload"
before=$(started)
timeout 60 mount -t nfs -o vers=4.2,rdma,port=20049 192.0.2.1:/ /mnt/projects
rdmastate apply /root/specs/none.yaml
[ ! -e /etc/exports.d/rdmastate.exports ] || fail "the file of exports is left"
same "exports" "$PROJECTS/srv/other 192.0.2.0/24;" "$(exported)"
OUT=$(rdmastate plan --restart nfs-server /root/specs/none.yaml)
for part in "end nfs_export (2): " "/srv/other to 192.0.2.0/24  [disrupts: service]" "NFS client 192.0.2.1:"; do
	contains "the plan that may disturb" "$part" "$OUT"
done
umount /mnt/projects
rdmastate apply --restart nfs-server /root/specs/none.yaml
same "exports" "" "$(exported)"
same "when the server was started" "$before" "$(started)"
quiet rdmastate verify /root/specs/none.yaml
systemctl stop $SERVER
