"""What modprobe itself reads in the files of section modules."""
import subprocess

from cases.trees import goes_around, tree

DIRECTORY = "etc/modprobe.d"

SPEC = """version: 1
rdma: {netns: exclusive}
modules:
  block: [rds_rdma, ib-isert]
  options:
    ib_ipoib: {recv_queue_size: 512, send-queue-size: 0x100}
    mlx4-core: {log_num_mac: 7, probe_vf: "0,1,2"}
    libfc: {hostile: "a=b%c*d;e:f/g+h@i-j_k.l,m"}
"""


def words_of(directory):
    """(command, module, the rest) of what modprobe goes by; it adds what stands in the kernel's command line."""
    told = subprocess.run(["/sbin/modprobe", "-C", directory, "-c"], capture_output=True, text=True, check=True)
    assert not told.stderr, told.stderr
    lines = [tuple(line.split(" ", 2)) for line in told.stdout.splitlines()]
    return {line for line in lines if line[0] in ("options", "install", "blacklist")}


def read_back(box, spec):
    root = tree(box, [DIRECTORY])
    (box.dir / "none").mkdir()
    box.write("spec.yaml", spec)
    box.run("apply", "spec.yaml", "--root", root).expect(0)
    return sorted(words_of(root / DIRECTORY) - words_of(box.dir / "none"))


def test_reads_what_the_spec_gives(box):
    assert read_back(box, SPEC) == [
        ("blacklist", "ib_isert"),
        ("blacklist", "rds_rdma"),
        ("install", "ib_isert", "/bin/false"),
        ("install", "rds_rdma", "/bin/false"),
        ("options", "ib_core", "netns_mode=0"),
        ("options", "ib_ipoib", "recv_queue_size=512"),
        ("options", "ib_ipoib", "send_queue_size=0x100"),
        ("options", "libfc", "hostile=a=b%c*d;e:f/g+h@i-j_k.l,m"),
        ("options", "mlx4_core", "log_num_mac=7"),
        ("options", "mlx4_core", "probe_vf=0,1,2"),
    ]


def test_go_with_the_spec(box):
    goes_around(box, SPEC, [DIRECTORY])
