"""What udev itself reads in rules: `udevadm test` over devices of a /sys of our own making, each tree's rules at a time."""
import json
import subprocess
import sys
import textwrap

RULES = "etc/udev/rules.d"

# Runs in namespaces of its own: rules come from the trees alone, and nothing real is there to be found.
PROGRAM = textwrap.dedent(r'''
    import json, os, pathlib, re, shutil, subprocess, sys
    def mount(where):
        os.makedirs(where, exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "none", where], check=True)
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    asked = json.load(sys.stdin)
    for where in ("/sys", "/run", "/usr/lib/udev", "/etc/udev"):
        mount(where)
    os.makedirs("/run/udev")
    os.makedirs("/etc/udev/rules.d")
    arguments = pathlib.Path("/run/arguments")
    program = pathlib.Path("/usr/lib/udev/rdma_rename")
    program.write_text('#!/usr/bin/python3\nimport json, sys\njson.dump(sys.argv[1:], open("/run/arguments", "w"))\n')
    program.chmod(0o755)
    def made(device):
        for one in pathlib.Path("/sys").iterdir():
            shutil.rmtree(one)
        parent = pathlib.Path("/sys/devices", device.get("parent", "pci0"))
        at = parent / device["subsystem"] / device["name"]
        for path in ("/sys/bus/pci/drivers/" + device.get("driver", "drv"), "/sys/class/" + device["subsystem"], "/sys/module", at):
            os.makedirs(path)
        (parent / "subsystem").symlink_to("/sys/bus/pci")
        (parent / "driver").symlink_to("/sys/bus/pci/drivers/" + device.get("driver", "drv"))
        (parent / "uevent").write_text("")
        module = device["subsystem"] == "module"
        (at / "subsystem").symlink_to("/sys/module" if module else "/sys/class/" + device["subsystem"])
        for key, value in device.get("attributes", {}).items():
            (at / key).parent.mkdir(parents=True, exist_ok=True)
            (at / key).write_text(value + "\n")
        (at / "uevent").write_text(device.get("uevent", ""))
        return at
    def tested(device):
        arguments.unlink(missing_ok=True)
        shutil.rmtree("/run/udev/data", ignore_errors=True)
        done = subprocess.run(["udevadm", "test", "--action=add", str(made(device))], capture_output=True, timeout=60,
                              env={"PATH": os.environ["PATH"], "SYSTEMD_DEVICE_VERIFY_SYSFS": "0", "SYSTEMD_LOG_LEVEL": "debug", "SYSTEMD_LOG_TARGET": "console", "SEQNUM": "7"})
        out, said = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
        complaints = re.findall(r"rules\.d/([^ ]*(?:Invalid|Unknown|Failed|ignoring|deprecated|undefined|missing|not).*)$", said, re.M | re.I)
        acts = re.findall(r"rules:\d+ ((?:NAME|GROUP|MODE|OWNER|SYMLINK|RUN) .*)$", said, re.M)
        kept = re.findall(r"^(SYSTEMD_WANTS|TAGS)=(.*)$", out, re.M)
        return [complaints, acts, kept, json.loads(arguments.read_text()) if arguments.exists() else None]
    answers = {}
    for key, tree in asked.items():
        for old in pathlib.Path("/etc/udev/rules.d").iterdir():
            old.unlink()
        for name, text in tree["rules"].items():
            pathlib.Path("/etc/udev/rules.d", name).write_text(text)
        answers[key] = [tested(device) for device in tree["devices"]]
    json.dump(answers, sys.stdout)
''')


class Udev:
    """`devices(values)` are those the rules are tried on, for a record's names; one of another name is always among them."""

    def __init__(self, box, devices):
        self.box, self.devices = box, devices

    def __call__(self, trees, names):
        asked = {key: {"rules": {path.name: path.read_text() for path in (root / RULES).glob("*.rules")}, "devices": self.devices(names[key])} for key, root in trees.items()}
        done = subprocess.run(["unshare", "-m", "-n", sys.executable, "-c", PROGRAM], input=json.dumps(asked).encode(), capture_output=True, timeout=300)
        assert done.returncode == 0, done.stderr.decode()[-3000:]
        return json.loads(done.stdout)


def network(name, address="80:00:00:00:fe:80:00:00:00:00:00:00:f4:52:14:03:00:7b:cb:a1", kind="32", **more):
    return {"subsystem": "net", "name": name, "attributes": {"type": kind, "address": address}, "uevent": f"INTERFACE={name}\nIFINDEX=7\n", **more}


def infiniband(name, **more):
    return {"subsystem": "infiniband", "name": name, "attributes": {"node_guid": "f452:1403:007b:cba0", "board_id": more.pop("board_id", "MT_1")}, **more}
