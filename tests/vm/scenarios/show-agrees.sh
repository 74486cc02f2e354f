# what: every value that ibv_devices, ibv_devinfo, ibstat, rdma link and the IPoIB sysfs files print is in show, and equal
# mode: snapshot
# releases: trixie

adapters
ipoib
ETH=$(ls /sys/bus/pci/devices/0000:00:06.0/virtio*/net)
ip link set $ETH up
knob $HCA1 netdev $ETH
knob $HCA2 state init
ip link set $IB1 up
write_sysfs /sys/class/net/$IB1/create_child 0x8002
write_sysfs /sys/class/net/$IB1.8002/mode connected
ip link set $IB1.8002 up
soon has_carrier $IB1.8002
udevadm settle

rdmastate show -o json >/run/rig/show.json
rdmastate show >/run/rig/show.txt
ibv_devices >/run/rig/devices
ibv_devinfo >/run/rig/devinfo
rdma -j link show >/run/rig/rdma.json
ibstat >/run/rig/ibstat

/usr/bin/python3 - <<'PY'
import json, pathlib, re, sys

show = json.load(open("/run/rig/show.json"))
text = pathlib.Path("/run/rig/show.txt").read_text()
devices = {one["name"]: one for one in show["facts"]["devices"]}
details = {one["name"]: one for one in show["details"]}
compared = 0

def same(what, theirs, ours):
    global compared
    compared += 1
    if str(theirs).lower() != str(ours).lower():
        sys.exit(f"FAILED: {what}: they say {theirs!r}, show says {ours!r}")

def plain(guid):
    return guid.replace(":", "").replace("0x", "")

def ports(name):
    both = zip(devices[name]["ports"], details[name]["ports"])
    return {facts["number"]: {**more, **facts} for facts, more in both}

listed = re.findall(r"^\s+(\S+)\s+([0-9a-f]{16})$", pathlib.Path("/run/rig/devices").read_text(), re.M)
same("number of devices", len(listed), len(devices))
for name, guid in listed:
    same(name + " node GUID, ibv_devices", guid, plain(devices[name]["node_guid"]))

def pairs(block):
    return dict(re.findall(r"^[ \t]*([\w ]+?):[ \t]+(\S.*?)[ \t]*$", block, re.M))

for block in pathlib.Path("/run/rig/devinfo").read_text().split("hca_id:")[1:]:
    name = block.split()[0]
    head, *rest = re.split(r"^\s*port:\s+", block, flags=re.M)
    says, device, detail = pairs(head.split("\n", 1)[1]), devices[name], details[name]
    same(name + " transport", says["transport"].split()[0], detail["transport"])
    same(name + " fw_ver", says.get("fw_ver", ""), device["firmware"])
    same(name + " node_guid", says["node_guid"], device["node_guid"])
    same(name + " sys_image_guid", says["sys_image_guid"], device["sys_image_guid"])
    same(name + " vendor_id", says["vendor_id"], f"0x{detail['vendor_id']:04x}")
    same(name + " vendor_part_id", says["vendor_part_id"], detail["vendor_part_id"])
    same(name + " hw_ver", int(says["hw_ver"], 16), detail["hw_ver"])
    same(name + " board_id", says.get("board_id", ""), device["board_id"])
    same(name + " phys_port_cnt", says["phys_port_cnt"], len(detail["ports"]))
    for one in rest:
        number, says = int(one.split()[0]), pairs(one)
        port = ports(name)[number]
        where = f"{name} port {number} "
        same(where + "state", re.search(r"\((\d)\)", says["state"])[1], port["state"])
        same(where + "max_mtu", says["max_mtu"].split()[0], port["max_mtu"])
        same(where + "active_mtu", says["active_mtu"].split()[0], port["active_mtu"])
        same(where + "sm_lid", says["sm_lid"], port["sm_lid"])
        same(where + "port_lid", says["port_lid"], port["lid"])
        same(where + "port_lmc", int(says["port_lmc"], 16), port["lmc"])
        same(where + "link_layer", says["link_layer"], port["link_layer"])

STATES = {1: ("Down", "DOWN"), 2: ("Initializing", "INIT"), 3: ("Armed", "ARMED"), 4: ("Active", "ACTIVE")}
PHYSICAL = {2: ("Polling", "POLLING"), 3: ("Disabled", "DISABLED"), 5: ("LinkUp", "LINK_UP")}
for block in re.split(r"^CA '", pathlib.Path("/run/rig/ibstat").read_text(), flags=re.M)[1:]:
    name = block.split("'")[0]
    head, *rest = re.split(r"^\s*Port (?=\d+:$)", block, flags=re.M)
    says, device, detail = pairs(head.split("\n", 1)[1]), devices[name], details[name]
    same(name + " CA type", says.get("CA type", ""), detail["type"])
    same(name + " Number of ports", says["Number of ports"], len(detail["ports"]))
    same(name + " Firmware version", says.get("Firmware version", ""), device["firmware"])
    same(name + " Hardware version", says.get("Hardware version", ""), detail["hardware"])
    same(name + " Node GUID", plain(says["Node GUID"]), plain(device["node_guid"]))
    same(name + " System image GUID", plain(says["System image GUID"]), plain(device["sys_image_guid"]))
    for one in rest:
        number, says = int(one.split(":")[0]), pairs(one)
        port = ports(name)[number]
        where = f"{name} Port {number} "
        same(where + "State", says["State"], STATES[port["state"]][0])
        same(where + "Physical state", says["Physical state"], PHYSICAL[port["phys_state"]][0])
        same(where + "Rate", says["Rate"], port["rate"].split()[0])
        same(where + "Base lid", says["Base lid"], port["lid"])
        same(where + "LMC", says["LMC"], port["lmc"])
        same(where + "SM lid", says["SM lid"], port["sm_lid"])
        same(where + "Capability mask", says["Capability mask"], port["capability_mask"])
        same(where + "Port GUID", plain(says["Port GUID"]), plain(port["guid"]))
        same(where + "Link layer", says["Link layer"], port["link_layer"])

for link in json.load(open("/run/rig/rdma.json")):
    port = ports(link["ifname"])[link["port"]]
    where = f"rdma link {link['ifname']}/{link['port']} "
    same(where + "state", link["state"], STATES[port["state"]][1])
    same(where + "physical_state", link["physical_state"], PHYSICAL[port["phys_state"]][1])
    same(where + "netdev", link.get("netdev", ""), port["netdev"])
    if "lid" in link:
        same(where + "lid", link["lid"], port["lid"])
        same(where + "sm_lid", link["sm_lid"], port["sm_lid"])
        same(where + "lmc", link["lmc"], port["lmc"])
        same(where + "subnet_prefix", link["subnet_prefix"], port["subnet_prefix"])

for link in show["ipoib"]:
    files = pathlib.Path("/sys/class/net") / link["name"]
    if not (files / "mode").exists():
        sys.exit(f"FAILED: {link['name']} has no sysfs files to compare with")
    for field in ("mode", "mtu"):
        same(f"{link['name']} {field}", (files / field).read_text().strip(), link[field])
    same(f"{link['name']} carrier", (files / "carrier").read_text().strip() if link["up"] else "0", int(link["carrier"]))
    same(f"{link['name']} pkey", (files / "pkey").read_text().strip(), link["pkey"])
    if (files / "umcast").exists():
        same(f"{link['name']} umcast", (files / "umcast").read_text().strip(), int(link["umcast"]))
same("IPoIB interfaces", sum(1 for one in pathlib.Path("/sys/class/net").iterdir() if (one / "mode").exists()), len(show["ipoib"]))

for device in show["details"]:
    for word in (device["name"], f"vendor 0x{device['vendor_id']:04x}", f"part {device['vendor_part_id']}"):
        if word not in text:
            sys.exit(f"FAILED: the text of show lacks '{word}'")
print(f"{compared} values agree")
if compared < 80:
    sys.exit("FAILED: that is fewer values than there are")
PY
