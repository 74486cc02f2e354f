"""doctor: its exit codes, and each form read as who asked for it reads it."""
import contextlib
import json
import os
import re
import socket
import subprocess
import time
import xml.etree.ElementTree

from cases.specs import GUIDE
from support.harness import BINARY


def down(model):
    """Nobody answers on any port."""
    for device in model["rdma"]:
        for port in device["ports"]:
            port.update(state=2, phys_state=5, lid=0, sm_lid=0)


def hostile(model):
    down(model)
    model["rdma"][0]["name"] = 'ml"x\\\n\x1b[31m'


def test_healthy_hosts_are_well(box):
    for name in ("ci", "compute", "head", "minimal", "omnipath", "rhel-guide", "storage", "vm"):
        done = box.run("doctor", "--host", box.host(base=f"{name}.json")).expect(0)
        assert "0 errors, 0 warnings" in done.out and done.err == "", done.out


def test_errors_exit_2_with_cause_fix_and_evidence(box):
    host = box.host(down, base="storage.json")
    done = box.run("doctor", "--host", host).expect(2)
    assert "error: mlx5_0/1: " in done.out and "[no-subnet-manager]" in done.out, done.out
    line = re.search("fix:   Where this host is to run it: (.+})\\. Else", done.out)[1]
    box.write("fix.yaml", f"version: 1\n{line}\n")
    box.run("check", "fix.yaml").expect(0)
    assert "seen:  /sys/class/infiniband/mlx5_0/ports/1/sm_lid: 0" in done.out
    data = box.run("doctor", "--host", host, "-o", "json").expect(2).json
    [finding] = data["findings"]
    assert finding["id"] == "no-subnet-manager" and finding["severity"] == "error"
    assert finding["subject"] == {"about": "port", "name": "mlx5_0/1"}
    assert data["counts"] == {"error": 1, "warning": 0, "info": 0} and data["checks"] > 20


def test_junit_has_a_case_for_each_check(box):
    done = box.run("doctor", "--host", box.host(down, base="storage.json"), "-o", "junit").expect(2)
    cases = {case.get("name"): case for case in xml.etree.ElementTree.fromstring(done.out).iter("testcase")}
    assert cases["no-subnet-manager"].find("failure") is not None and cases["port-down"].find("failure") is None
    assert len(cases) > 20 and all(case.get("classname") == "rdmastate.doctor" for case in cases.values())


def samples(text):
    """{name and labels: value} of Prometheus' text format: HELP and TYPE before a metric, no timestamps, each once."""
    found, typed = {}, set()
    assert text.endswith("\n")
    for line in text.splitlines():
        if kind := re.fullmatch(r"# (HELP|TYPE) (\w+) (.+)", line):
            typed.add(kind[2])
            continue
        sample = re.fullmatch(r'(\w+)(\{(?:\w+="(?:[^"\\\n]|\\[\\"n])*",?)*\})? (\d+)', line)
        assert sample and sample[1] in typed, line
        key = sample[1] + (sample[2] or "")
        assert key not in found, line
        found[key] = int(sample[3])
    return found


def test_metrics_are_prometheus_text(box):
    found = samples(box.run("doctor", "--host", box.host(down, base="storage.json"), "-o", "prometheus").expect(2).out)
    assert found['rdmastate_doctor_findings{severity="error"}'] == 1 and found["rdmastate_doctor_unseen"] == 0
    assert found['rdmastate_doctor_finding{id="no-subnet-manager",severity="error",about="port",subject="mlx5_0/1"}'] == 1
    well = samples(box.run("doctor", "--host", box.host(base="storage.json"), "-o", "prometheus").expect(0).out)
    assert well['rdmastate_doctor_findings{severity="error"}'] == 0


def test_names_of_devices_drive_nothing(box):
    host = box.host(hostile, base="storage.json")
    assert "\x1b[31m" not in box.run("doctor", "--host", host).expect(2).out
    samples(box.run("doctor", "--host", host, "-o", "prometheus").expect(2).out)


def test_a_spec_adds_what_it_expects(box):
    box.write("spec.yaml", GUIDE)
    done = box.run("doctor", "spec.yaml", "--host", box.host(), "-o", "json").expect(2)
    ids = {finding["id"] for finding in done.json["findings"]}
    assert "spec-differs" in ids, ids
    differs = next(one for one in done.json["findings"] if one["id"] == "spec-differs")
    assert differs["fix"] == "`rdmastate apply spec.yaml`." and differs["subject"]["about"] == "resource"
    box.run("apply", "spec.yaml", "--host", box.host(), "--record", "after.json").expect(0)
    after = box.run("doctor", "spec.yaml", "--host", "after.json", "-o", "json").json
    assert not [one for one in after["findings"] if one["id"].startswith("spec-")], after["findings"]
    box.write("wrong.yaml", "version: 2\n")
    box.run("doctor", "wrong.yaml", "--host", box.host()).expect(3)


def test_an_id_is_explained(box):
    done = box.run("doctor", "no-subnet-manager").expect(0)
    assert done.out.startswith("no-subnet-manager: A port's link is up") and "opensm" in done.out
    assert done.out.count("\n") == 3 and done.err == "", "a title and a paragraph, which only a terminal's width breaks"
    wrong = box.run("doctor", "no-subnet-manger").expect(1)
    assert "did you mean no-subnet-manager?" in wrong.err, wrong.err


def test_what_apply_wrote_is_not_set_up_by_hand(box):
    box.write("spec.yaml", "version: 1\nmodules: {load: [ib_ipoib]}\nmemlock: {group: rdma, soft: unlimited, hard: unlimited}\n")
    box.run("apply", "spec.yaml", "--host", box.host(), "--record", "after.json").expect(0)
    findings = box.run("doctor", "--host", "after.json", "-o", "json").expect(0).json["findings"]
    assert not [one for one in findings if one["id"] == "set-up-by-hand"], findings


def test_two_looks(box):
    def counted(value):
        def change(model):
            model["files"]["/sys/class/infiniband/mlx5_0/ports/1/counters/link_downed"] = {"content": f"{value}\n"}
        return change
    before = box.host(counted(1), "before.json", "storage.json")
    after = box.host(counted(3), "after.json", "storage.json")
    box.write("look.json", box.run("doctor", "--host", before, "-o", "json").expect(0).out)
    said = box.run("doctor", "--host", after, "--since", "look.json").expect(0)
    assert "[link-flaps]" in said.out and "2 more, now 3" in said.out, said.out
    assert "[link-flaps]" not in box.run("doctor", "--host", before, "--since", "look.json").expect(0).out
    wrong = box.run("doctor", "--host", after, "--since", before).expect(1)
    assert "before.json: it has no counters" in wrong.err, wrong.err


def test_an_interval_is_waited_for_between_two_looks(box):
    started = time.monotonic()
    done = box.run("doctor", "--interval", "1s", "-o", "junit")
    assert time.monotonic() - started >= 1 and done.code in (0, 2), done.err
    cases = {case.get("name"): case for case in xml.etree.ElementTree.fromstring(done.out).iter("testcase")}
    for name in ("link-flaps", "link-errors", "packets-lost", "receive-buffers-short", "drops-without-pause"):
        assert cases[name].find("skipped") is None, name
    assert cases["spec-differs"].find("skipped") is not None, "the other checks that did not look are still told"


def addressed(model):
    """compute.json whose first InfiniBand interface has an address, as has one that NCCL may not name: link-local."""
    links = {one["name"]: one for one in model["links"]}
    for name, address in (("ibp24s0", "192.0.2.1/24"), ("ibp64s0", "fe80::1/64")):
        links[name].update(up=True, carrier=True)
        model["addresses"].append({"link": name, "address": address})


def test_env_names_interfaces_and_open_mpis_way(box):
    host = box.host(addressed, base="compute.json")
    data = {one["name"]: one["value"] for one in box.run("doctor", "--env", "--host", host, "-o", "json").expect(0).json["variables"]}
    assert data["NCCL_SOCKET_IFNAME"] == "=ibp24s0" and data["OMPI_MCA_pml"] == "ucx", data
    text = box.run("doctor", "--env", "--host", host).expect(0).out
    assert "export NCCL_SOCKET_IFNAME='=ibp24s0'" in text and "export OMPI_MCA_pml='ucx'" in text, text
    without = box.run("doctor", "--env", "--host", box.host(base="compute.json")).expect(0).out
    assert "NCCL_SOCKET_IFNAME" not in without and "export OMPI_MCA_pml='ucx'" in without, without


def test_env_fits_the_host(box):
    compute = box.run("doctor", "--env", "--host", box.host(base="compute.json")).expect(0).out
    ports = ",".join(f"mlx5_{at}:1" for at in range(8))
    assert f"export NCCL_IB_HCA='={ports}'" in compute and f"export UCX_NET_DEVICES='{ports}'" in compute, compute
    assert "# mlx5_8:1,mlx5_9:1 are left out" in compute, compute
    assert box.run("doctor", "--env", "--host", box.host(base="ci.json")).expect(0).out == "# No port of InfiniBand or RoCE is ACTIVE: rdmastate doctor says why.\n"


def roce(indexes):
    """compute.json without InfiniBand, whose adapters have their RoCE v2 GID of an IPv4 address at these indexes."""
    def change(model):
        model["rdma"] = [one for one in model["rdma"] if one["ports"][0]["link_layer"] == "ethernet"]
        for device, index in zip(model["rdma"], indexes):
            path = f"/sys/class/infiniband/{device['name']}/ports/1"
            model["files"][f"{path}/gids/{index}"] = {"content": "0000:0000:0000:0000:0000:ffff:c000:0201\n"}
            model["files"][f"{path}/gid_attrs/types/{index}"] = {"content": "RoCE v2\n"}
    return change


def test_env_says_where_one_index_cannot_serve_all(box):
    same = box.run("doctor", "--env", "--host", box.host(roce((3, 3)), base="compute.json"), "-o", "json").expect(0).json
    assert {one["name"]: one["value"] for one in same["variables"]}["NCCL_IB_GID_INDEX"] == "3" and not same["remarks"]
    differs = box.run("doctor", "--env", "--host", box.host(roce((3, 5)), base="compute.json")).expect(0).out
    assert "NCCL_IB_GID_INDEX=" not in differs and "3 on mlx5_8:1, 5 on mlx5_9:1" in differs, differs


def test_env_leaves_out_a_port_that_nccl_cannot_use(box):
    def change(model):
        roce((3, 3))(model)
        model["files"]["/sys/class/infiniband/mlx5_9/ports/1/gids/3"] = {"content": "fe80:0000:0000:0000:0211:22ff:fe33:4455\n"}
    said = box.run("doctor", "--env", "--host", box.host(change, base="compute.json")).expect(0).out
    assert "# mlx5_9:1 has no RoCE v2 GID of an IPv4 address" in said and "export NCCL_IB_HCA='=mlx5_8:1'" in said, said
    assert "export NCCL_IB_GID_INDEX='3'" in said, said


def test_env_says_where_the_gids_of_a_port_are_not_seen(box):
    said = box.run("doctor", "--env", "--host", box.host(roce((3,)), base="compute.json")).expect(0).out
    assert "# The GIDs of mlx5_9:1 could not be seen." in said and "export NCCL_IB_HCA='=mlx5_8:1,mlx5_9:1'" in said, said
    assert "NCCL_IB_GID_INDEX=" not in said, said


def test_env_is_safe_to_source(box):
    def change(model):
        model["rdma"][0]["name"] = "x';touch owned;'"
    text = box.run("doctor", "--env", "--host", box.host(change, base="storage.json")).expect(0).out
    box.write("env.sh", text)
    done = subprocess.run(["sh", "-c", ". ./env.sh; printf %s \"$UCX_NET_DEVICES\""], cwd=box.dir, capture_output=True, text=True, check=True)
    assert done.stdout == "x';touch owned;':1" and not (box.dir / "owned").exists(), done


# --- connections. No machine that runs these tests has to have an RDMA device: where it has none, doctor says so.

NO_DEVICE = not os.path.isdir("/sys/class/infiniband") or not os.listdir("/sys/class/infiniband")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


@contextlib.contextmanager
def listener(box, *words):
    """A doctor that listens, when it listens; and its port."""
    port = free_port()
    command = [BINARY, "doctor", "--listen", "--bind", "127.0.0.1", "--tcp-port", port, *words]
    with subprocess.Popen(command, cwd=box.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert f"waits at 127.0.0.1 port {port} for one peer" in process.stderr.readline()
            yield process, int(port)
        finally:
            process.kill()


def connected(port):
    """A connection to who is about to listen."""
    for _ in range(200):
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=30)
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise AssertionError(f"nobody listens at {port}")


def test_messages_leave_from_this_host_alone(box):
    host = box.host(base="storage.json")
    for words in (["--active"], ["--active", "--peer", "192.0.2.1"], ["--listen", "--bind", "127.0.0.1"]):
        done = box.run("doctor", *words, "--host", host).expect(1)
        assert f"{words[0]} does not go with --host: it sends messages through this host's ports" in done.err, done.err
    assert "--root" in box.run("doctor", "--active", "--root", str(box.dir)).expect(1).err, "a tree"


def test_times_and_ports_out_of_range(box):
    for words in (["--active", "--port-timeout", "61s"], ["--active", "--port-timeout", "5"],
                  ["--active", "--peer", "192.0.2.1", "--tcp-port", "65536"]):
        assert box.run("doctor", *words).expect(1).out == "", words


def test_an_address_that_is_not_this_hosts(box):
    done = box.run("doctor", "--listen", "--bind", "203.0.113.77", "--timeout", "5s").expect(1)
    assert "listening at 203.0.113.77 port 4795: Cannot assign requested address (EADDRNOTAVAIL)" in done.err, done.err
    done = box.run("doctor", "--listen", "--bind", "host.example.com", "--timeout", "5s").expect(1)
    assert "listening at host.example.com port 4795" in done.err, done.err


def test_nobody_comes_and_nobody_listens(box):
    done = box.run("doctor", "--listen", "--bind", "127.0.0.1", "--tcp-port", free_port(), "--timeout", "1s").expect(1)
    assert "no peer came within 1 s" in done.err and done.out == "", done.err
    port = free_port()
    done = box.run("doctor", "--active", "--peer", "127.0.0.1", "--tcp-port", port).expect(1)
    assert f"connecting to 127.0.0.1 port {port}: Connection refused (ECONNREFUSED)" in done.err, done.err


def test_a_device_that_is_not_there(box):
    done = box.run("doctor", "--active", "--device", "no_such_0").expect(1)
    assert "--device no_such_0: this host has no such RDMA device or port" in done.err, done.err


def test_without_a_device_nothing_is_tried_and_that_is_an_error(box):
    if not NO_DEVICE:
        return
    done = box.run("doctor", "--active").expect(2)
    assert "error: no port of this host could be tried [rc-nothing-to-try]" in done.out, done.out
    cases = {case.get("name"): case for case in xml.etree.ElementTree.fromstring(box.run("doctor", "--active", "-o", "junit").expect(2).out).iter("testcase")}
    assert cases["rc-nothing-to-try"].find("failure") is not None
    assert cases["rc-no-answer"].find("skipped") is not None, "nothing was sent"
    found = samples(box.run("doctor", "--active", "-o", "prometheus").expect(2).out)
    assert found['rdmastate_doctor_finding{id="rc-nothing-to-try",severity="error",about="host",subject=""}'] == 1
    usual = box.run("doctor", "--host", box.host(base="storage.json"), "-o", "junit").expect(0)
    cases = {case.get("name"): case for case in xml.etree.ElementTree.fromstring(usual.out).iter("testcase")}
    skipped = {name: case.find("skipped").get("message") for name, case in cases.items() if case.find("skipped") is not None}
    for name, reason in (("rc-nothing-to-try", "nothing was sent"), ("peer-mtu-differs", "no peer"), ("spec-differs", "no spec"),
                         ("link-flaps", "no earlier look")):
        assert reason in skipped[name], skipped
    assert "port-down" not in skipped, skipped


def test_two_without_a_device_tell_each_other(box):
    if not NO_DEVICE:
        return
    with listener(box, "-o", "json") as (process, port):
        connected_done = None
        for _ in range(100):
            connected_done = box.run("doctor", "--active", "--peer", "127.0.0.1", "--tcp-port", str(port), "-o", "json")
            if "Connection refused" not in connected_done.err:
                break
            time.sleep(0.05)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 2 and "127.0.0.1 has connected" in err, err
    for data in (json.loads(out), connected_done.expect(2).json):
        symptoms = {one["symptom"] for one in data["findings"] if one["id"] == "rc-nothing-to-try"}
        assert symptoms == {"no port of this host could be tried", "no port of the peer 127.0.0.1 could be tried"}, symptoms


def test_one_peer_and_no_more(box):
    with listener(box) as (process, port), connected(port):
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5) as second:
                second.settimeout(5)
                assert second.recv(1) == b"", "a second peer was answered"
        except ConnectionError:
            pass
        out = process.communicate(timeout=40)[0]
        assert process.returncode == 2 and "[peer-broke-off]" in out, out


def test_what_a_peer_says_is_not_believed(box):
    for line, said in ((b"GET / HTTP/1.1\r\n\r\n", "is not what rdmastate says"), (b"x" * 70000, "sent a line of more than 65536 bytes"),
                       (b'{"rdmastate_peer":2,"patience_ms":5000,"ports":[]}\n', "it speaks version 2"),
                       (b'{"rdmastate_peer":1,"patience_ms":5000,"ports":[],"run":"id"}\n', "run"), (b"", "closed the connection")):
        with listener(box) as (process, port):
            with connected(port) as peer:
                try:
                    peer.sendall(line)
                    peer.shutdown(socket.SHUT_WR)
                except ConnectionError:
                    pass
                out, err = process.communicate(timeout=40)
            assert process.returncode == 2 and "[peer-broke-off]" in out and said in out, (line[:40], out, err)
            assert "\r" not in out + err
