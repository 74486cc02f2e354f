"""The playbook accept: real qperf and iperf3 over the loopback, and a stand-in for perftest, which wants an RDMA device."""
import xml.etree.ElementTree as xml

import stage

# What perftest 4.4 prints with --report_gbits, below its heading.
PERFTEST = """#!/bin/sh
case "$*" in *127.0.0.1) ;; *) exit 0 ;; esac
cat <<'TEXT'
---------------------------------------------------------------------------------------
 #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
 65536      529431           0.00               92.53              0.176480
---------------------------------------------------------------------------------------
TEXT
"""
# Where no server of ssh listens.
NOBODY = {"ansible_connection": "ssh", "ansible_host": "127.0.0.1", "ansible_port": 1, "ansible_ssh_common_args": "-F none"}


# In the place of ssh: what it has to run elsewhere runs here, and can tell that it came this way.
SSH = """#!/bin/sh
for last; do :; done
CAME_BY=ssh exec /bin/sh -c "$last"
"""


def tools(place, *names):
    for name in names:
        path = place.write(f"bin/{name}", PERFTEST if name == "ib_write_bw" else f'#!/bin/sh\nexec /usr/bin/{name} "$@"\n')
        path.chmod(0o755)
    return str(place.dir / "bin")


def accept(place, bin_, hosts=("node1", "node2"), gone=(), env=None, **more):
    inventory = place.hosts(**{name: {"rdmastate_address": "127.0.0.1", **(NOBODY if name in gone else {})} for name in hosts})
    if env:  # Ansible's own way to a host
        inventory.write_text(inventory.read_text().replace('"ansible_connection": "local",', ""))
    words = {"rdmastate_tools_in": bin_, "rdmastate_junit": str(place.dir / "accept.xml"), "rdmastate_seconds": 1, **more}
    return place.play("rdmastate.core.accept", "-e", "@" + str(place.write("vars.json", words)), env=env)


def cases(place):
    (suite,) = xml.fromstring((place.dir / "accept.xml").read_text())
    assert int(suite.get("tests")) == len(suite)
    assert all(int(suite.get(count)) == len(suite.findall(f"testcase/{one}")) for count, one in (("failures", "failure"), ("skipped", "skipped")))
    return {case.get("classname"): case for case in suite}


def test_real_tools_over_the_loopback(place):  # 20 s
    done = accept(place, tools(place, "qperf", "iperf3"), rdmastate_rate=0.001, rdmastate_base_port=28515).expect()
    found = cases(place)
    assert found.keys() == {"accept.qperf", "accept.iperf3"} and not any(case.find("failure") is not None for case in found.values())
    assert all(case.get("name") == "node1 to node2" for case in found.values()) and "Gb/s of 0.001 Gb/s" in done.out


def test_what_is_too_slow_fails_and_is_named(place):  # 35 s
    done = accept(place, tools(place, "ib_write_bw"), rdmastate_rate=100).expect(2)
    failure = cases(place)["accept.ib_write_bw"].find("failure").get("message")
    assert failure == "node1 to node2, ib_write_bw: 92.53 Gb/s is less than 95 % of 100 Gb/s" and failure in done.out
    accept(place, tools(place, "ib_write_bw"), rdmastate_rate=100, rdmastate_thresholds={"ib_write_bw": 90}).expect()


def test_the_tools_run_on_the_hosts_and_not_here(place):  # 20 s
    """Hosts that say nothing of their connection, as those of an ordinary inventory."""
    bin_ = tools(place, "ib_write_bw")
    tool = place.dir / "bin/ib_write_bw"
    tool.write_text(PERFTEST.replace("#!/bin/sh\n", f"#!/bin/sh\necho $CAME_BY $# >>{place.dir}/came\n"))
    ssh = place.write("bin/ssh", SSH)
    ssh.chmod(0o755)
    done = accept(place, bin_, env={"ANSIBLE_SSH_EXECUTABLE": str(ssh), "ANSIBLE_SSH_TRANSFER_METHOD": "piped", "ANSIBLE_SSH_ARGS": ""}, rdmastate_rate=90)
    assert sorted((place.dir / "came").read_text().splitlines()) == ["ssh 5", "ssh 6"], done.out
    assert cases(place)["accept.ib_write_bw"].find("failure") is None and done.code == 0, done.out


def test_a_server_that_comes_late_is_waited_for(place):  # 20 s
    """iperf3 ends with 0 where nobody answers, and says so in its JSON alone."""
    bin_ = tools(place, "iperf3")
    (place.dir / "bin/iperf3").write_text('#!/bin/sh\n[ "$1" != -s ] || sleep 3\nexec /usr/bin/iperf3 "$@"\n')
    accept(place, bin_, rdmastate_rate=0.001, rdmastate_base_port=28515).expect()
    assert cases(place)["accept.iperf3"].find("failure") is None


def test_the_last_of_an_odd_number_is_told_and_skipped(place):  # 20 s
    done = accept(place, tools(place, "ib_write_bw"), hosts=("node1", "node2", "node3"), rdmastate_rate=90).expect()
    assert done.of("Say what is not measured")["msg"] == ["node3 is not measured: no other host is left to measure it with"]
    found = cases(place)
    assert found["accept.ib_write_bw"].get("name") == "node1 to node2" and found["accept.ib_write_bw"].find("skipped") is None
    assert found["accept.pair"].get("name") == "node3" and found["accept.pair"].find("skipped") is not None and len(found) == 2


def test_a_host_that_is_not_reached_is_told_and_the_other_pairs_are_measured(place):  # 22 s
    """Ansible's own exit code says that a host was not reached."""
    done = accept(place, tools(place, "ib_write_bw"), hosts=("node1", "node2", "node3", "node4"), gone=("node2",), rdmastate_rate=90).expect(4)
    why = "nothing is known of node2: not reached, or the look failed"
    assert done.stats["node2"]["unreachable"] == 1 and done.of("Say what is not measured")["msg"] == [f"node1 to node2 is not measured: {why}"], done.out
    found = cases(place)
    assert found["accept.pair"].get("name") == "node1 to node2" and found["accept.pair"].find("skipped").get("message") == why
    assert found["accept.ib_write_bw"].get("name") == "node3 to node4" and found["accept.ib_write_bw"].find("failure") is None and len(found) == 2


def test_pairs_that_are_given_are_measured_and_no_others(place):  # 25 s
    """The first of each is the client, and a host may be in several."""
    accept(place, tools(place, "ib_write_bw"), hosts=("node1", "node2", "node3"), rdmastate_rate=90, rdmastate_pairs=[["node3", "node1"], ["node1", "node3"]]).expect()
    suite = xml.fromstring((place.dir / "accept.xml").read_text())
    assert [case.get("name") for case in suite.iter("testcase")] == ["node3 to node1", "node1 to node3"], xml.tostring(suite)


def test_nothing_measured_is_no_pass(place):  # 12 s
    assert "nothing was measured" in accept(place, str(place.dir)).expect(2).out
    assert stage.STAGE.exists()


def test_a_port_whose_rate_is_not_known_wants_one(place):  # 16 s
    assert "give rdmastate_rate" in accept(place, tools(place, "ib_write_bw")).expect(2).out
