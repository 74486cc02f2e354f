"""The runner's own traps, without an emulator: python3 -m unittest discover -s tests/vm -p '*_test.py'"""
import contextlib
import importlib.util
import json
import pathlib
import re
import socket
import sys
import tempfile
import threading
import unittest
import unittest.mock

from rig import beside, debs, image, kernel, product, qemu, release, table, wire
from rig.cache import VM, Trouble
from rig.scenario import Scenario, every, order, reason, told


@contextlib.contextmanager
def monitor(path, states):
    """QEMU's monitor, of a machine that is in one state after the other: what it was asked."""
    asked, states = [], iter(states)

    def answer(listening):
        link, _ = listening.accept()
        with link, link.makefile("rw") as file:
            file.write("{}\n")
            file.flush()
            for line in file:
                asked.append(json.loads(line))
                file.write(json.dumps({"return": {"status": next(states)} if asked[-1]["execute"] == "query-status" else {}}) + "\n")
                file.flush()

    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        thread = threading.Thread(target=answer, args=(listening,), daemon=True)
        thread.start()
        yield asked
    thread.join()


class Verdict(unittest.TestCase):
    def ended(self, code, text):
        with tempfile.NamedTemporaryFile() as console:
            console.write(text)
            console.flush()
            return qemu.verdict(code, pathlib.Path(console.name))

    def test_both_agree(self):
        self.assertEqual(self.ended(1, b"x\r\n@@RC 0\r\n").status, 0)
        self.assertEqual(self.ended(7, b"\n@@RC 3\n").status, 3)

    def test_qemu_failing_is_no_pass(self):
        self.assertIsNone(self.ended(1, b"").status)

    def test_halting_is_no_pass(self):
        self.assertIsNone(self.ended(0, b"\n@@RC 0\n").status)

    def test_a_scenario_cannot_claim_it(self):
        self.assertIsNone(self.ended(1, b"\n@@RC 0\n\n@@RC 1\n").status)
        self.assertIsNone(self.ended(3, b"\n@@RC 0\n").status)

    def test_power_cut(self):
        self.assertTrue(self.ended(203, b"\n@@CUT\n").cut)
        self.assertFalse(self.ended(203, b"").cut)

    def test_a_machine_that_stands_still_is_not_waited_for(self):
        """As CI's console had it once, for six minutes."""
        said = "printf 'rcu: \\tPossible timer handling issue on cpu=0 timer-softirq=1964\\n' > $0; exec sleep 600"
        with tempfile.TemporaryDirectory() as directory:
            console = pathlib.Path(directory, "console")
            ended = qemu.boot(["sh", "-c", said, str(console)], console, 300)
            self.assertEqual((None, True), (ended.status, ended.stalled))
            self.assertFalse(qemu.boot(["sleep", "600"], console, 1).stalled)

    def test_one_that_never_wakes_up_either(self):
        """A thread of the name that QEMU gives to its processors, which sleeps."""
        sleeper = "import ctypes, time; ctypes.CDLL(None).prctl(15, b'CPU 0/TCG'); time.sleep(0.1); time.sleep(600)"
        with tempfile.TemporaryDirectory() as directory, unittest.mock.patch.object(qemu, "STANDS_STILL", 2):
            ended = qemu.boot([sys.executable, "-c", sleeper], pathlib.Path(directory, "console"), 300)
        self.assertEqual((None, True), (ended.status, ended.stalled))

    def test_no_console(self):
        self.assertIsNone(qemu.verdict(1, pathlib.Path("/nonexistent")).status)


class Told(unittest.TestCase):
    def test_of_every_boot(self):
        self.assertEqual(["6 points", "1 more"], told(["-- n\n@@TELL 6 points\n@@RC 0", "@@TELL 1 more\n"]))


class Reason(unittest.TestCase):
    def test_the_scenarios_own_word(self):
        self.assertEqual("FAILED: not undone | < a", reason("[ 0.1] mtrr\n-- note\nFAILED: not undone\n< a\n\n@@RC 1\n"))

    def test_the_kernel(self):
        self.assertEqual("rig: the kernel complained: | [ 1.0] BUG: x", reason("-- n\nrig: the kernel complained:\n[ 1.0] BUG: x\n@@RC 98"))

    def test_no_word(self):
        self.assertEqual("c | d | e | f", reason("a\nb\nc\nd\ne\nf\n@@RC 1\n"))


class Releases(unittest.TestCase):
    TRIXIE = "Suite: stable\nVersion: 13.2\nDate: Sat, 15 Nov 2025 09:16:30 UTC\n"

    def test_a_point_release_or_a_day_is_a_state_of_its_own(self):
        self.assertEqual("13.2", release.stamp(self.TRIXIE))
        self.assertEqual("30 Oct 2026", release.stamp("Suite: unstable\nDate: Fri, 30 Oct 2026 08:08:01 UTC\n"))
        with self.assertRaises(Trouble):
            release.stamp("Suite: stable\n")

    def test_what_is_made_after_it_is_made_anew(self):
        inputs = []
        for version in ("13.2", "13.3"):
            with unittest.mock.patch.object(release, "_index", return_value=self.TRIXIE.replace("13.2", version)):
                inputs.append(release.Debian("trixie").inputs())
        self.assertNotEqual(*inputs)

    def test_without_its_mirror_what_is_kept_is_used(self):
        with tempfile.TemporaryDirectory() as place, unittest.mock.patch.object(release, "PLACE", pathlib.Path(place)), \
                unittest.mock.patch.object(release, "_index", side_effect=Trouble("no way there")), unittest.mock.patch.object(release, "log"):
            debian = release.Debian("trixie")
            with self.assertRaises(Trouble):
                debian.stamp
            for name, recipe, stamp in (("a", debian._recipe(), "13.2"), ("b", "of other packages", "13.9")):
                folder = pathlib.Path(place, f"release-trixie-{name}")
                folder.mkdir()
                (folder / "recipe").write_text(recipe)
                (folder / "stamp").write_text(stamp)
            self.assertEqual("13.2", debian.stamp)

    def test_scenarios_of_one_release_share_it(self):
        self.assertIs(release.of("trixie"), release.of("trixie"))
        self.assertIs(release.of(), release.of(release.of_host()))

    def test_of_alternatives_the_first_that_it_has(self):
        with unittest.mock.patch.object(release.Debian, "has", lambda self, name: name in ("b", "c")):
            self.assertEqual("b", release.Debian("sid").first("a | b | c"))
            self.assertEqual("a", release.Debian("sid").first("a"), "one alone is downloaded, or apt says why not")
            with self.assertRaisesRegex(Trouble, "sid has none of a | d"):
                release.Debian("sid").first("a | d")


class Kernel(unittest.TestCase):
    NAME = "7.2.13+deb14-amd64"

    def test_an_empty_image_points_to_its_parts(self):
        depends = f"dracut | initramfs-tools (>= 0.120), linux-base-{self.NAME} (= 7.2.13-1), linux-binary-{self.NAME} (= 7.2.13-1), linux-modules-{self.NAME} (= 7.2.13-1)"
        self.assertEqual([f"linux-binary-{self.NAME}", f"linux-modules-{self.NAME}"], kernel.parts(self.NAME, depends))
        self.assertEqual([], kernel.parts("6.1.0-56-amd64", "kmod, linux-base (>= 4.3~), initramfs-tools (>= 0.120+deb8u2) | linux-initramfs-tool"))

    def test_the_image_is_in_boot_or_beside_the_modules(self):
        for path in (f"boot/vmlinuz-{self.NAME}", f"usr/lib/modules/{self.NAME}/vmlinuz"):
            with tempfile.TemporaryDirectory() as package:
                file = pathlib.Path(package, path)
                file.parent.mkdir(parents=True)
                file.touch()
                self.assertEqual(file, kernel.image(pathlib.Path(package), self.NAME))

    def test_what_it_complains_of_is_found(self):
        spec = importlib.util.spec_from_file_location("agent", VM / "guest/root/usr/lib/rig/agent.py")
        agent = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(agent)
        for line in ("WARNING: CPU: 0 PID: 1 at kernel/x.c:7 f+0x1/0x2", "WARNING: kernel/x.c:7 at f+0x1/0x2, CPU#0: swapper/0/1", "BUG: unable to handle"):
            self.assertTrue(agent.TROUBLE.search(line), line)
        self.assertFalse(agent.TROUBLE.search("process: WARNING: polling idle and HT enabled, performance may degrade"))


class Table(unittest.TestCase):
    def test_the_readmes_is_that_of_the_headers(self):
        self.assertIn(table.table(), (VM / "README.md").read_text(), "python3 -m rig.table, in tests/vm, prints it")


class Product(unittest.TestCase):
    def test_the_youngest_symbol_decides(self):
        self.assertEqual(34, product.needs(b"\0GLIBC_2.4\0GLIBC_2.34\0GLIBC_2.2.5\0"))
        self.assertEqual(0, product.needs(b"static"))


class Headers(unittest.TestCase):
    def scenario(self, text):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "x.sh")
            path.write_text(text)
            return Scenario(path)

    def test_read(self):
        one = self.scenario("# what: it works\n# mode: reboot\n# memory: 4096\n")
        self.assertEqual(("x", "it works", "reboot", 4096), (one.name, one.what, one.mode, one.memory))

    def test_missing(self):
        for text in ("# what: x\n", "# mode: reboot\n", "# what: x\n# mode: often\n"):
            with self.assertRaises(Trouble):
                self.scenario(text)

    def test_a_logged_disk_is_plugged_into_a_snapshot(self):
        one = self.scenario("# what: x\n# mode: snapshot\n# logged: 32\n# judge: crash/power.py\n")
        self.assertEqual((32, True), (one.logged, one.judge.exists()))
        with self.assertRaises(Trouble):
            self.scenario("# what: x\n# mode: reboot\n# logged: 32\n")

    def test_libraries(self):
        head = "# what: w\n# mode: reboot\n"
        self.assertNotIn(b"stands_at()", self.scenario(head).library)
        self.assertIn(b"stands_at()", self.scenario(head + "# with: cuts\n").library)
        with self.assertRaises(Trouble):
            self.scenario(head + "# with: nothing\n")

    def test_packages_of_its_own(self):
        one = self.scenario("# what: w\n# mode: snapshot\n# debs: slurmd munge\n")
        with tempfile.TemporaryDirectory() as directory, unittest.mock.patch.object(debs, "cached", return_value=pathlib.Path(directory)) as kept:
            pathlib.Path(directory, "munge_1_amd64.deb").write_bytes(b"m")
            self.assertEqual({"debs/munge_1_amd64.deb": b"m", "more": b"x"}, {name: data for name, data in order(one, {"more": b"x"}).items() if not name.endswith(".sh")})
            self.assertEqual(["lib.sh", "scenario.sh"], list(order(self.scenario("# what: w\n# mode: snapshot\n"), {})))
        self.assertEqual(1, kept.call_count, "who names no package waits for none")

    def test_refused_on_a_release(self):
        head = "# what: w\n# mode: reboot\n"
        self.assertEqual({"bullseye": "too old"}, self.scenario(head + "# refused: bullseye: too old\n").refused)
        for wrong in ("# refused: bullseye\n", "# releases: bullseye\n# refused: bullseye: too old\n"):
            with self.assertRaises(Trouble):
                self.scenario(head + wrong)

    def test_all_have_them(self):
        self.assertTrue(every())

    def test_what_runs_always_does_not_wait_to_be_named(self):
        head = "# what: w\n# mode: reboot\n# promise: undo, a power cut\n"
        self.assertEqual(["undo", "a power cut"], self.scenario(head).promises)
        with self.assertRaises(Trouble):
            self.scenario(head + "# when: named\n")

    def test_a_program_beside_several_machines(self):
        one = self.scenario("# what: w\n# mode: snapshot\n# beside: ansible/guest/first.py\n# machines: 2\n")
        self.assertEqual((2, "first.py"), (one.machines, one.beside.name))
        with self.assertRaises(Trouble):
            self.scenario("# what: w\n# mode: snapshot\n# machines: 2\n")

    def test_virtual_functions_cost_a_cold_boot(self):
        one = self.scenario(head := "# what: it works\n# mode: snapshot\n# functions: virtual\n")
        self.assertEqual((True, True), (one.vfs, one.boots_cold))
        self.assertFalse(self.scenario("# what: it works\n# mode: snapshot\n").boots_cold)
        with self.assertRaisesRegex(Trouble, "functions"):
            self.scenario(head.replace("virtual", "some"))

    def test_an_image_of_its_own_is_made_for_who_names_it(self):
        head = "# what: it works\n# mode: reboot\n"
        one = self.scenario(head + "# image: selinux\n# when: named\n")
        self.assertTrue(one.boots_cold)
        plain = release.of()
        self.assertIs(release.of(None, "selinux"), one.debian)
        self.assertEqual("", image.words(plain))
        self.assertIn(" enforcing=1", image.words(one.debian))
        self.assertEqual(["selinux-policy-default", "policycoreutils"], image.packages(one.debian)[len(image.packages(plain)):])
        with unittest.mock.patch.object(kernel, "release", return_value="6.1.0-1-amd64"):
            self.assertEqual(kernel.kernel_inputs(plain), kernel.kernel_inputs(one.debian))
            self.assertNotEqual(image.image_inputs(plain), image.image_inputs(one.debian))
        for wrong in ("# image: selinux\n", "# image: apparmor\n# when: named\n"):
            with self.assertRaisesRegex(Trouble, "image"):
                self.scenario(head + wrong)

    def test_a_wire_joins_two_machines(self):
        head = "# what: w\n# mode: reboot\n# beside: vm/beside/x.py\n"
        self.assertEqual([True, False], [self.scenario(head + more).wired for more in ("# machines: 2\n# wire: yes\n", "# machines: 2\n")])
        for wrong in ("# wire: yes\n", "# machines: 3\n# wire: yes\n", "# machines: 2\n# wire: no\n"):
            with self.assertRaises(Trouble):
                self.scenario(head + wrong)

    def test_what_one_end_of_a_wire_sends_the_other_gets(self):
        """By programs that inherit an end as QEMU does, by the number in its words."""
        program = "import socket, sys; one = socket.socket(fileno=int(sys.argv[1].rsplit('=')[-1])); {}"
        near, far = wire.ends()
        with tempfile.TemporaryDirectory() as directory:
            console = pathlib.Path(directory, "console")
            for end, work in ((near, "one.send(b'frame')"), (far, f"open('{directory}/got', 'wb').write(one.recv(9))")):
                qemu.boot([sys.executable, "-c", program.format(work), end.words()[1]], console, 60, inherited=[end.link])
                end.link.close()
            self.assertEqual(b"frame", pathlib.Path(directory, "got").read_bytes())

    def test_a_card_is_plugged_in_when_the_machine_is_awake(self):
        near, far = wire.ends()
        with tempfile.TemporaryDirectory() as directory, monitor(pathlib.Path(directory, "qmp"), ["inmigrate", "running"]) as asked:
            far.plug(pathlib.Path(directory))
        self.assertEqual(["qmp_capabilities", "query-status", "query-status", "device_add"], [one["execute"] for one in asked])
        self.assertEqual({"driver": "virtio-net-pci", "netdev": "wire", "mac": "52:54:00:00:00:02", "addr": wire.SLOT, "speed": 10000, "duplex": "full"}, asked[-1]["arguments"])
        self.assertRaises(ConnectionRefusedError, near.link.send, b"to a machine that is off")
        near.link.close()

    def test_a_machine_is_reached_through_this_hosts_loopback_alone(self):
        words = beside.reachable(["qemu", "-netdev", "user,id=lan,restrict=on", "-m", "1024"], 4711)
        self.assertEqual(["qemu", "-netdev", f"{beside.LAN},hostfwd=tcp:127.0.0.1:4711-{beside.GUEST}:22", "-m", "1024"], words)
        self.assertIn("restrict=on", beside.LAN)

    def test_seconds(self):
        head = "# what: w\n# mode: snapshot\n"
        self.assertEqual([12, 30], [self.scenario(head + more).seconds for more in ("# seconds: 12\n", "")])


class Reboot(unittest.TestCase):
    """What a program beside a machine does until it is back (support/guests.py)."""

    def done(self, answers):
        """The ssh commands' last words, which succeed or not one after the other."""
        with unittest.mock.patch.dict("os.environ", RDMASTATE_VM_PORTS="1 2", RDMASTATE_VM_KEY="/key"):
            from support import guests
        asked, answers = [], iter(answers)

        def quietly(*command, timeout=0):
            asked.append(command[-1].removesuffix(" /proc/sys/kernel/random/boot_id"))
            return next(answers)

        with unittest.mock.patch.multiple(guests, _quietly=quietly, on=lambda *words: "b1", atexit=unittest.mock.Mock()), \
                unittest.mock.patch("time.sleep"):
            guests.reboot(0)
        return asked

    def test_the_old_login_is_kept_until_it_ends(self):
        self.assertEqual(["grep -q b1", "grep -q b1", "exit", "-M", "! grep -q b1"], self.done([True, False, True, True, True]))

    def test_a_login_to_the_boot_that_ends_does_not_count(self):
        self.assertEqual(["grep -q b1", "exit", "-M", "! grep -q b1"] * 2, self.done([False, True, True, False, False, True, True, True]))


class Readme(unittest.TestCase):
    def test_each_promise_has_its_scenario(self):
        """The table is the list of what must always run: a promise that loses its scenario is missed here."""
        text = (VM / "README.md").read_text().split("| promise | scenario |")[1]
        table = re.findall(r"^\| ([^|]+) \| `([^`]+)` \|$", text.split("\n\n")[0], re.M)
        self.assertEqual(sorted(table), sorted((promise, one.name) for one in every() for promise in one.promises))


if __name__ == "__main__":
    unittest.main()
