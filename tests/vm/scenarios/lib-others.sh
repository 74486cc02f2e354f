# Who lives on the traffic over an interface, for scenarios in which a step would take it away (with: others): a mount
# of a server at the far end, and a session. The scenario has called peer_netns and peer_child with 192.0.2.2.

# far_exports: the far end serves /srv/export over NFS
far_exports() {
	mkdir -p /srv/export /mnt/projects
	mount -t tmpfs none /srv/export
	mkdir -p /srv/export/var/lib
	echo written >/srv/export/file
	$FAR bash -c 'mount -t nfsd nfsd /proc/fs/nfsd
exportfs -i -o rw,fsid=0,no_root_squash,insecure,no_subtree_check "*:/srv/export"
rpc.mountd -N 3
rpc.nfsd -N 3 2' || fail "no server"
}

# begin_sessions: from now on in_session works; end_sessions ends that
begin_sessions() {
	cat >/run/rig/far.py <<'PY'
import socket
with socket.create_server(("192.0.2.2", 7022)) as server:
    kept = []
    while True:
        kept.append(server.accept())
PY
	cat >/run/rig/session.py <<'PY'
import socket, subprocess, sys
with socket.create_connection(("192.0.2.2", 7022)):
    sys.exit(subprocess.call(["/bin/bash", "-c", '"$@"; exit $?', "-bash", *sys.argv[1:]]))
PY
	cp /usr/bin/python3 /run/rig/sshd
	$FAR /usr/bin/python3 /run/rig/far.py &
	SESSIONS=$!
	soon far_listens
}
far_listens() { [[ "$($FAR ss -Hltn)" == *:7022* ]]; }
end_sessions() {
	kill $SESSIONS
	wait $SESSIONS || true
}

# in_session COMMAND...: in a shell under a process called sshd that has a connection to the far end
in_session() { /run/rig/sshd /run/rig/session.py "$@"; }
