"""`packages`: what the spec needs of each distribution, by name."""
import json

from cases.specs import GUIDE, NM, file
from support.harness import TOP

SOFT = "version: 1\nnetwork: {backend: none}\nsoft_devices: [{name: rxe0, type: rxe, netdev: enp1s0}]\n"


def named(box, *words):
    done = box.run("packages", "spec.yaml", *words, "-o", "json").expect(0)
    return {one["name"]: one["for"] for one in done.json["packages"]}


def test_by_distribution(box):
    box.write("spec.yaml", SOFT)
    every = {"debian": {"rdma-core", "libibverbs1", "ibverbs-providers", "linux-image-amd64"},
             "ubuntu": {"rdma-core", "libibverbs1", "ibverbs-providers", "linux-image-generic"},
             "rhel": {"rdma-core", "libibverbs", "kernel-modules", "kernel-modules-extra"},
             "suse": {"rdma-core", "libibverbs1", "libibverbs", "libmlx4-1", "libmlx5-1", "kernel-default"}}
    for distribution, names in every.items():
        found = named(box, "--for", distribution)
        assert set(found) == names, (distribution, found)
        assert all(parts == ["soft_devices"] for parts in found.values()), found


def test_by_section_and_back_end(box):
    box.write("spec.yaml", "version: 1\n")
    assert named(box, "--for", "debian") == {}
    assert box.run("packages", "spec.yaml", "--for", "debian").expect(0).out == ""
    box.write("spec.yaml", GUIDE)
    assert named(box, "--for", "debian") == {"rdma-core": ["modules", "ipoib"], "linux-image-amd64": ["modules", "ipoib"]}
    box.write("spec.yaml", NM)
    assert named(box, "--for", "debian")["network-manager"] == ["network.backend=networkmanager"]
    box.write("spec.yaml", NM.replace("networkmanager", "auto"))
    assert "network-manager" not in named(box, "--for", "debian")


def test_of_nfs_alone(box):
    both = {"debian": ("nfs-kernel-server", "nfs-common"), "ubuntu": ("nfs-kernel-server", "nfs-common"),
            "rhel": ("nfs-utils", "nfs-utils"), "suse": ("nfs-kernel-server", "nfs-client")}
    for distribution, (server, client) in both.items():
        box.write("spec.yaml", "version: 1\nnfs: {server: {rdma_port: 20049}}\n")
        found = named(box, "--for", distribution)
        assert found["rdma-core"] == ["nfs"] and found[server] == ["nfs.server"], (distribution, found)
        box.write("spec.yaml", 'version: 1\nnfs: {client: {mounts: [{source: "server.example.com:/nfs/projects", target: /mnt}]}}\n')
        found = named(box, "--for", distribution)
        assert found["rdma-core"] == ["nfs"] and found[client] == ["nfs.client"], (distribution, found)


def test_tools_are_named_when_asked_for(box):
    box.write("spec.yaml", SOFT)
    every = {"debian": {"ibverbs-utils", "infiniband-diags", "rdmacm-utils", "iproute2"},
             "ubuntu": {"ibverbs-utils", "infiniband-diags", "rdmacm-utils", "iproute2"},
             "rhel": {"libibverbs-utils", "infiniband-diags", "librdmacm-utils", "iproute"},
             "suse": {"libibverbs-utils", "infiniband-diags", "librdmacm-utils", "iproute2"}}
    for distribution, tools in every.items():
        needed = set(named(box, "--for", distribution))
        assert not needed & tools, needed
        assert set(named(box, "--for", distribution, "--with-tools")) == needed | tools, distribution
        done = box.run("packages", "spec.yaml", "--for", distribution, "--with-tools", "-o", "json").expect(0)
        assert {one["name"] for one in done.json["packages"] if one["tool"]} == tools, done.out
    last = box.run("packages", "spec.yaml", "--for", "rhel", "--with-tools").expect(0).out.splitlines()[-1]
    assert last == "iproute               # to check soft_devices: rdma link, ip address", last
    box.write("spec.yaml", GUIDE)
    assert {"iperf3", "qperf"} <= set(named(box, "--for", "rhel", "--with-tools"))
    box.write("spec.yaml", "version: 1\n")
    assert named(box, "--for", "rhel", "--with-tools") == {}


def test_a_line_says_why(box):
    box.write("spec.yaml", SOFT)
    lines = box.run("packages", "spec.yaml", "--for", "rhel").expect(0).out.splitlines()
    assert lines[0].startswith("rdma-core ") and "# for soft_devices: " in lines[0], lines
    assert len({line.index("#") for line in lines}) == 1, "the reasons stand in one column"


def test_of_a_host(box):
    box.write("spec.yaml", SOFT)

    def is_a(os_release, kernel):
        def change(model):
            model["files"]["/usr/lib/os-release"] = file(os_release)
            model["files"]["/proc/sys/kernel/osrelease"] = file(kernel + "\n")
        return box.host(change)
    assert "kernel-default" in named(box, "--host", is_a('ID="sles"\nVERSION_ID="15.6"\n', "6.4.0-1-default"))
    assert "kernel-modules-extra" in named(box, "--host", is_a('ID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.4"\n', "5.14.0"))
    assert "linux-modules-extra-6.8.0-31-generic" in named(box, "--host", is_a("ID=ubuntu\nID_LIKE=debian\n", "6.8.0-31-generic"))
    assert "linux-image-arm64" in named(box, "--host", is_a("ID=debian\n", "6.1.0-28-cloud-arm64"))
    refused = box.run("packages", "spec.yaml", "--host", is_a('ID=slackware\nPRETTY_NAME="Slackware 15"\n', "6.1")).expect(1)
    assert "Slackware 15" in refused.err and "--for" in refused.err, refused.err


def test_of_a_tree(box):
    box.write("spec.yaml", SOFT)
    (box.dir / "tree/etc").mkdir(parents=True)
    box.write("tree/etc/os-release", "ID=ubuntu\nID_LIKE=debian\nVERSION_ID=24.04\n")
    assert "linux-image-generic" in named(box, "--root", "tree")


def test_one_of_for_host_and_root(box):
    box.write("spec.yaml", SOFT)
    box.run("packages", "spec.yaml", "--for", "rhel", "--host", box.host()).expect(1)
    box.run("packages", "spec.yaml", "--for", "plan9").expect(1)
    box.write("spec.yaml", "version: 2\n")
    box.run("packages", "spec.yaml", "--for", "rhel").expect(3)


HFI = "version: 1\ndevices: [{match: {driver: hfi1}}]\n"
OMNI_PATH = str(TOP / "examples/hosts/omnipath.json")


def test_firmware_of_the_driver_that_the_spec_names(box):
    box.write("spec.yaml", HFI)
    every = {"debian": "firmware-misc-nonfree", "ubuntu": "linux-firmware", "rhel": "linux-firmware", "suse": "kernel-firmware-intel"}
    for distribution, name in every.items():
        assert named(box, "--for", distribution)[name] == ["devices.match.driver=hfi1"], distribution
    line = box.run("packages", "spec.yaml", "--for", "debian").expect(0).out.splitlines()[-1]
    assert line == "firmware-misc-nonfree  # for devices.match.driver=hfi1: the firmware that hfi1 loads", line
    box.write("spec.yaml", HFI.replace("hfi1", "mlx5_core"))
    for distribution in every:
        assert not [name for name in named(box, "--for", distribution) if "firmware" in name]


def test_firmware_of_the_devices_that_the_spec_selects(box):
    """A host knows the drivers of its devices, and facts those of a tree's hardware."""
    omnipath = (TOP / "examples/omnipath.yaml").read_text()
    box.write("spec.yaml", omnipath)
    assert "linux-firmware" in named(box, "--host", OMNI_PATH)
    assert "linux-firmware" not in named(box, "--for", "rhel")
    box.write("facts.json", box.run("show", "--host", OMNI_PATH, "-o", "json").expect(0).out)
    (box.dir / "tree/etc").mkdir(parents=True)
    box.write("tree/etc/os-release", "ID=debian\nVERSION_ID=12\n")
    assert "firmware-misc-nonfree" not in named(box, "--root", "tree")
    assert "firmware-misc-nonfree" in named(box, "--root", "tree", "--facts", "facts.json")
    box.write("spec.yaml", omnipath.replace("0011:7501:0167:1ddd", "0011:7501:0167:1dde"))
    assert "linux-firmware" not in named(box, "--host", OMNI_PATH), "an adapter that the spec does not select"
    box.write("spec.yaml", 'version: 1\ndevices: [{match: {node_guid: "0011:7501:0167:1ddd"}}]\n')
    assert "linux-firmware" in named(box, "--host", OMNI_PATH)


def test_what_ofed_brings_is_left_out(box):
    box.write("spec.yaml", SOFT)
    host = json.loads((TOP / "examples/hosts/minimal.json").read_text())
    box.write("inbox.json", json.dumps(host))
    host["files"]["/etc/infiniband/openib.conf"] = {"content": "ONBOOT=yes\n"}
    box.write("ofed.json", json.dumps(host))
    inbox = box.run("packages", "spec.yaml", "--host", "inbox.json", "-o", "json").expect(0).json
    ofed = box.run("packages", "spec.yaml", "--host", "ofed.json", "-o", "json").expect(0).json
    assert inbox["brought_by_ofed"] == [] and "rdma-core" in [one["name"] for one in inbox["packages"]]
    assert ofed["brought_by_ofed"] == ["rdma-core", "libibverbs1", "ibverbs-providers"]
    assert [one["name"] for one in ofed["packages"]] == ["linux-image-amd64"]
    tools = box.run("packages", "spec.yaml", "--host", "ofed.json", "--with-tools", "-o", "json").expect(0).json
    assert [one["name"] for one in tools["packages"]] == ["linux-image-amd64", "iproute2"]
    last = box.run("packages", "spec.yaml", "--host", "ofed.json").expect(0).out.splitlines()[-1]
    assert last == ("# MLNX_OFED or DOCA-OFED is here and brings rdma-core, libibverbs1, ibverbs-providers: "
                    "the distribution's own would take their place")
