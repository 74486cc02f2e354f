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


def tools(place, *names):
    for name in names:
        path = place.write(f"bin/{name}", PERFTEST if name == "ib_write_bw" else f'#!/bin/sh\nexec /usr/bin/{name} "$@"\n')
        path.chmod(0o755)
    return str(place.dir / "bin")


def accept(place, bin_, **more):
    place.hosts(node1={"rdmastate_address": "127.0.0.1"}, node2={"rdmastate_address": "127.0.0.1"})
    words = {"rdmastate_tools_in": bin_, "rdmastate_junit": str(place.dir / "accept.xml"), "rdmastate_seconds": 1, **more}
    return place.play("rdmastate.core.accept", "-e", "@" + str(place.write("vars.json", words)))


def cases(place):
    (suite,) = xml.fromstring((place.dir / "accept.xml").read_text())
    assert int(suite.get("tests")) == len(suite) and int(suite.get("failures")) == len(suite.findall("testcase/failure"))
    return {case.get("classname"): case for case in suite}


def test_real_tools_over_the_loopback(place):
    done = accept(place, tools(place, "qperf", "iperf3"), rdmastate_rate=0.001, rdmastate_base_port=28515).expect()
    found = cases(place)
    assert found.keys() == {"accept.qperf", "accept.iperf3"} and not any(case.find("failure") is not None for case in found.values())
    assert all(case.get("name") == "node1 to node2" for case in found.values()) and "Gb/s of 0.001 Gb/s" in done.out


def test_what_is_too_slow_fails_and_is_named(place):
    done = accept(place, tools(place, "ib_write_bw"), rdmastate_rate=100).expect(2)
    failure = cases(place)["accept.ib_write_bw"].find("failure").get("message")
    assert failure == "node1 to node2, ib_write_bw: 92.53 Gb/s is less than 95 % of 100 Gb/s" and failure in done.out
    accept(place, tools(place, "ib_write_bw"), rdmastate_rate=100, rdmastate_thresholds={"ib_write_bw": 90}).expect()


def test_nothing_measured_is_no_pass(place):
    assert "nothing was measured" in accept(place, str(place.dir)).expect(2).out
    assert stage.STAGE.exists()


def test_a_port_whose_rate_is_not_known_wants_one(place):
    assert "give rdmastate_rate" in accept(place, tools(place, "ib_write_bw")).expect(2).out
