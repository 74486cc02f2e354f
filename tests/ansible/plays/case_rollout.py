"""Role and playbooks on trees: one batch after the other, specs as files, the same bytes on both ways.

Behind each `def` stand its seconds, which plays_test.py demands, and `always` where no default run leaves it out."""
import stage
from plays.place import never_applied

GROUP = {"version": 1, "network": {"backend": "none"}, "modules": {"load": ["ib_ipoib"]}, "ipoib": [{"name": "mlx4_ib0", "mode": "datagram", "mtu": "2044"}]}


def own(address, **more):
    return {"ipoib": [{"name": "mlx4_ib0", "match": {"port_guid": "f452:1403:007b:cba1"}, "ipv4": {"method": "manual", "addresses": [f"{address}/24"]}, **more}]}


def host(place, name, spec):
    """The variables of a host, whose tree this makes: once for each name."""
    return {"rdmastate_root": str(place.tree(name)), "rdmastate_directory": str(place.dir / f"{name}.specs"), "rdmastate_package": "",
            "rdmastate_install_packages": False, "rdmastate_become": False, "rdmastate_group_spec": GROUP, "rdmastate_spec": spec}


def test_the_first_host_that_fails_stops_the_rest(place):  # 7 s, always
    place.hosts(node1=host(place, "node1", own("192.0.2.1", mtu="65520")), node2=host(place, "node2", own("192.0.2.2")))
    failed = place.play("rdmastate.core.rollout").expect(2)
    assert "mtu" in failed.of("Apply the spec", "node1")["msg"] and "node2" not in failed.stats, failed.stats
    assert never_applied(place.dir / "node2") and not (place.dir / "node2.specs").exists()


def test_one_after_the_other_and_then_nothing(place):  # 31 s, always
    place.hosts(node1=host(place, "node1", own("192.0.2.1")), node2=host(place, "node2", own("192.0.2.2")))
    done = place.play("rdmastate.core.rollout").expect()
    order = [where for task, where, _ in done.tasks if task.endswith("Apply the spec")]
    assert order == ["node1", "node2"] and all(done.stats[name]["changed"] for name in order), done.stats
    told = done.of("Say that a local connection proves nothing", "node1")
    assert not told["skipped"] and "local" in told["msg"], told
    again = place.play("rdmastate.core.rollout").expect()
    assert [again.stats[name]["changed"] for name in order] == [0, 0], again.stats


def rollout(place, *words):
    """The role on the only host, with a directory for temporary files that has to be empty afterwards."""
    (place.dir / "temporary").mkdir(exist_ok=True)
    done = place.play("rdmastate.core.rollout", *words, env={"TMPDIR": str(place.dir / "temporary")})
    assert list((place.dir / "temporary").iterdir()) == [], done.out
    return done


def first_round_of(real, checked):
    """That check mode told the steps and the diffs of the real run's first round."""
    first = [step for step in real["steps"] if step["round"] == 1]
    assert first and checked["steps"] == first, (checked["steps"], real["steps"])
    assert checked["diff"] and checked["diff"] == real["diff"][:len(checked["diff"])]


def test_check_mode_of_the_role_is_the_first_round_of_what_the_inventory_says(place):  # 64 s
    """Before a first run, after it, after a change of the inventory, and for a spec with a mistake."""
    first = host(place, "node1", own("192.0.2.1"))
    place.hosts(node1=first)
    checked = rollout(place, "--check", "--diff").expect().of("Apply the spec")
    assert checked["changed"] and never_applied(place.dir / "node1") and not (place.dir / "node1.specs").exists(), checked
    first_round_of(rollout(place, "--diff").expect().of("Apply the spec"), checked)
    again = rollout(place, "--check").expect()
    assert again.stats["node1"]["changed"] == 0, again.out
    specs, boot = place.dir / "node1.specs/host.yaml", place.dir / "node1/etc/rdmastate/boot.json"
    before = specs.read_text(), boot.read_text()
    more = dict(GROUP, modules={"load": ["ib_ipoib", "ib_umad"]})
    place.hosts(node1=dict(first, rdmastate_spec=own("192.0.2.9"), rdmastate_group_spec=more))
    checked = rollout(place, "--check", "--diff").expect().of("Apply the spec")
    assert checked["changed"] and "192.0.2.9" in str(checked["diff"]) and "ib_umad" in str(checked["diff"]), checked
    assert (specs.read_text(), boot.read_text()) == before
    first_round_of(rollout(place, "--diff").expect().of("Apply the spec"), checked)
    place.hosts(node1=dict(first, rdmastate_spec=own("192.0.2.1", mtu="65520")))
    failed = rollout(place, "--check").expect(2).of("Apply the spec")
    assert failed["rc"] == 3 and "mtu" in failed["msg"], failed


def test_check_mode_before_the_agent_is_there(place):  # 10 s
    place.hosts(node1=dict(host(place, "node1", own("192.0.2.1")), rdmastate_executable="/nowhere/rdmastate"))
    applied = rollout(place, "--check").expect().of("Apply the spec")
    assert applied["changed"] and "/nowhere/rdmastate is not there yet" in " ".join(applied["warnings"]), applied


def test_a_package_for_dpkg_is_taken_from_its_file(place):  # 22 s
    """In check mode, so that nothing is installed: whether dpkg would take it shows that the file was read."""
    place.write("package/DEBIAN/control", "Package: rdmastate-play\nVersion: 1\nArchitecture: all\nMaintainer: nobody <nobody@example.com>\nDescription: a test\n")
    file = place.dir / "rdmastate.deb"
    stage.must("dpkg-deb", "--build", place.dir / "package", file)
    wanted = host(place, "node1", own("192.0.2.1"))
    for package, good in ((file, True), (place.dir / "nowhere.deb", False)):
        place.hosts(node1=dict(wanted, rdmastate_package=str(package)))
        done = place.play("rdmastate.core.rollout", "--check").expect(0 if good else 2)
        told = done.of("Install the agent from a file for dpkg")
        assert told["failed"] is not good and done.of("Install the agent")["skipped"], told
        assert "Preparing to unpack" in told["stdout"] if good else "nowhere.deb" in told["msg"], told
    assert "rdmastate-play" not in stage.must("dpkg-query", "--show"), "it was installed"


def test_a_wrong_variable_is_refused_before_the_first_task(place):  # 1 s
    place.hosts(node1=dict(host(place, "node1", own("192.0.2.1")), rdmastate_max_disruption="some"))
    failed = place.play("rdmastate.core.rollout").expect(2)
    assert "rdmastate_max_disruption" in failed.out and never_applied(place.dir / "node1")


def test_render_writes_what_the_role_writes(place):  # 26 s
    place.hosts(node1=host(place, "node1", own("192.0.2.1")), node2=host(place, "node2", own("192.0.2.2")))
    place.play("rdmastate.core.rollout").expect()
    rendered = place.play("rdmastate.core.render", "-e", f"rdmastate_render_to={place.dir}/specs", "-e", "rdmastate_check=true").expect()
    assert rendered.of("Check them against each other", "node1")["rc"] == 0
    for name in ("node1", "node2"):
        assert (place.dir / "specs" / f"{name}.yaml").read_text() == (place.dir / f"{name}.specs/host.yaml").read_text()
        assert (place.dir / "specs/group.yaml").read_text() == (place.dir / f"{name}.specs/group.yaml").read_text()
    again = place.play("rdmastate.core.render", "-e", f"rdmastate_render_to={place.dir}/specs").expect()
    assert all(one["changed"] == 0 for one in again.stats.values()), again.stats


def test_render_speaks_to_no_host(place):  # 6 s
    """Though the inventory says how each is reached."""
    place.hosts(node1={**host(place, "node1", own("192.0.2.1")), "ansible_connection": "ssh", "ansible_host": "127.0.0.1", "ansible_port": 1,
                       "ansible_python_interpreter": "/nowhere/python3", "ansible_become": True, "ansible_become_exe": "/nowhere/sudo"})
    place.play("rdmastate.core.render", "-e", f"rdmastate_render_to={place.dir}/specs", "-e", "rdmastate_check=true").expect()
    assert (place.dir / "specs/node1.yaml").exists()


def test_render_refuses_what_check_refuses(place):  # 6 s
    place.hosts(node1=host(place, "node1", own("192.0.2.1")), node2=host(place, "node2", own("192.0.2.2", mtu="65520")))
    failed = place.play("rdmastate.core.render", "-e", f"rdmastate_render_to={place.dir}/specs", "-e", "rdmastate_check=true").expect(2)
    checked = failed.of("Check them against each other")
    assert checked["rc"] == 3 and f"{place.dir}/specs/node2.yaml" in checked["stderr"] and "mtu" in checked["stderr"], checked


def test_filters_make_specs_that_the_agent_takes(place):  # 5 s
    connections = [{"name": "mlx4_ib0", "interface_name": "mlx4_ib0", "type": "infiniband", "zone": "internal"},
                   {"name": "mlx4_ib0.8002", "type": "infiniband", "infiniband": {"p_key": 0x8002, "transport_mode": "datagram"}, "parent": "mlx4_ib0",
                    "ip": {"dhcp4": False, "address": ["192.0.2.1/24", "2001:db8:1::1/64"]}}]
    state = {"interfaces": [{"name": "mlx4_ib0", "type": "infiniband", "state": "up", "infiniband": {"mode": "connected"}, "mtu": 65520,
                             "ipv4": {"enabled": True, "dhcp": False, "address": [{"ip": "192.0.2.1", "prefix-length": 24}]}, "ipv6": {"enabled": False}}]}
    place.hosts(node1={"connections": connections, "state": state})
    for source in ("connections | rdmastate.core.from_network_connections", "state | rdmastate.core.from_nmstate"):
        tasks = [{"name": "turn", "ansible.builtin.set_fact": {"taken": "{{ %s }}" % source}},
                 {"name": "write", "ansible.builtin.copy": {"content": "{{ taken.spec | rdmastate.core.spec_text }}", "dest": str(place.dir / "spec.yaml"), "mode": "0644"}}]
        done = place.play([{"hosts": "all", "gather_facts": False, "tasks": tasks}]).expect()
        left = done.of("turn")["ansible_facts"]["taken"]["left_out"]
        assert len(left) == ("connections" in source), left
        stage.must(stage.BINARY, "check", place.dir / "spec.yaml", "--strict")
