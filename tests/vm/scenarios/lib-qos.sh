# For scenarios of the priorities of dcb0 (adapters dcb=1), the network device of port 2 (`# with: qos`).
mkdir -p /root/specs

# spec QOS: prints a spec with this for the port
spec() {
	cat <<YAML
version: 1
devices:
  - match: {node_guid: "f452:1403:007b:cba0"}
    ports: {2: {qos: $1}}
YAML
}

# pfc, dscp: as iproute2 has them: "3 4", and "26:3 46:6"
pfc() {
	dcb -j pfc show dev dcb0 prio-pfc | /usr/bin/python3 -c '
import json, sys
print(*[i for i, on in enumerate(json.load(sys.stdin)["prio_pfc"]) if on])'
}
dscp() { dcb -N app show dev dcb0 dscp-prio | sed 's/^dscp-prio *//' | xargs -n1 | sort -n | xargs; }
# sets: what dcb0's driver was asked to set, and what it cost: "PFC APP BOUNCES"
sets() { cat /sys/class/net/dcb0/dcb/{pfc_sets,app_sets,bounces} | xargs; }

# ets: the traffic classes of dcb0, as iproute2 has them: class:algorithm[:percent] of each, then priority:class of each
ets() {
	dcb -j ets show dev dcb0 | /usr/bin/python3 -c '
import json, sys
ets = json.load(sys.stdin)
bw = ets["tc_bw"]
print(*[f"{i}:{tsa}" + (f":{bw[i]}" if tsa == "ets" else "") for i, tsa in enumerate(ets["tc_tsa"])], "/",
      *[f"{i}:{tc}" for i, tc in enumerate(ets["prio_tc"])])'
}
ets_sets() { cat /sys/class/net/dcb0/dcb/ets_sets; }

# buffers: the receive buffers of dcb0, as iproute2 has them: priority:buffer of each, then buffer:bytes of each
buffers() {
	dcb -j buffer show dev dcb0 | /usr/bin/python3 -c '
import json, sys
buffer = json.load(sys.stdin)
print(*[f"{i}:{its}" for i, its in enumerate(buffer["prio_buffer"])], "/",
      *[f"{i}:{size}" for i, size in enumerate(buffer["buffer_size"])])'
}
buffer_sets() { cat /sys/class/net/dcb0/dcb/buffer_sets; }
