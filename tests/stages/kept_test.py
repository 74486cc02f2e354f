"""What is kept: two versions side by side, made once, bounded, and never taken from who uses it."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

from support import kept  # noqa: E402 (the path has to be set first)

MIB = 1 << 20


def writes(text, size=0):
    def make(directory):
        (directory / "what").write_text(text + "." * size)
    return make


class Kept(unittest.TestCase):
    def setUp(self):
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        self.addCleanup(kept.let_go)
        self.place, self.said = pathlib.Path(room.name), []

    def folder(self, name, inputs, make=writes("x"), most=None):
        return kept.folder(name, inputs, make, self.place, self.said.append, most)

    def names(self):
        return sorted(path.name for path in self.place.iterdir() if path.name != "locks")

    def test_made_once(self):
        self.folder("image", "1", writes("first"))
        self.assertEqual("first", (self.folder("image", "1", writes("second")) / "what").read_text())
        kept.let_go()
        self.assertEqual("first", (self.folder("image", "1", writes("third")) / "what").read_text())
        self.assertEqual(1, len(self.said))

    def test_two_versions(self):
        old, new = self.folder("image", "1", writes("old")), self.folder("image", "2", writes("new"))
        self.assertEqual(["old", "new"], [(path / "what").read_text() for path in (old, new)])

    def test_what_failed_is_not_there(self):
        def fails(directory):
            (directory / "half").write_text("")
            raise OSError("no mirror")
        with self.assertRaises(OSError):
            self.folder("image", "1", fails)
        self.assertEqual("x", (self.folder("image", "1") / "what").read_text())
        self.assertEqual(["image-1"], self.names())

    def test_the_least_recently_used_goes(self):
        for number, inputs in enumerate("123"):
            self.folder("image", inputs, writes("x", MIB))
            os.utime(self.place / "locks" / f"image-{inputs}", (number, number))
        kept.let_go()
        self.folder("image", "1")
        kept.let_go()
        self.folder("image", "4", writes("x", MIB), most=3 * MIB + MIB // 2)
        self.assertEqual(["image-1", "image-3", "image-4"], self.names())
        self.assertIn("image-2", self.said[-1])

    def test_nothing_in_use_goes(self):
        program = ("import sys; sys.path.append(sys.argv[1]); from support import kept; import pathlib\n"
                   "kept.folder('image', '1', None, pathlib.Path(sys.argv[2])); print('has it', flush=True); sys.stdin.read()")
        self.folder("image", "1", writes("x", MIB))
        kept.let_go()
        other = subprocess.Popen([sys.executable, "-c", program, sys.path[-1], str(self.place)], text=True,
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.assertEqual("has it\n", other.stdout.readline())
        self.folder("image", "2", writes("x", MIB), most=0)
        self.assertEqual(["image-1", "image-2"], self.names())
        other.communicate("")
        self.folder("image", "3", writes("x", MIB), most=0)
        self.assertEqual(["image-2", "image-3"], self.names())

    def test_what_a_killed_maker_left_goes(self):
        self.folder("image", "1")
        (self.place / "image-1").rename(self.place / "image-1.new")
        kept.let_go()
        self.folder("kernel", "1")
        self.assertEqual(["kernel-1"], self.names())

    def test_two_at_once_make_it_once(self):
        program = ("import sys, time; sys.path.append(sys.argv[1]); from support import kept; import pathlib\n"
                   "def make(where): print('made', flush=True); time.sleep(0.5)\n"
                   "print(kept.folder('image', '1', make, pathlib.Path(sys.argv[2])).is_dir())")
        both = [subprocess.Popen([sys.executable, "-c", program, sys.path[-1], str(self.place)], text=True, stdout=subprocess.PIPE)
                for _ in range(2)]
        said = "".join(one.communicate()[0] for one in both).split()
        self.assertEqual(["True", "True", "made"], sorted(said))

    def test_the_users_folder(self):
        with unittest.mock.patch.dict(os.environ, {"XDG_CACHE_HOME": str(self.place)}):
            self.assertEqual(self.place / "rdmastate", kept.home())

    def test_only_passes_are_kept(self):
        one = kept.Passed(self.place)
        self.assertFalse(one.has("a"))
        one.note("a")
        self.assertEqual([True, False], [one.has("a"), one.has("b")])
        self.assertEqual("kept: 1 of 3 files judged before, the same inputs", one.told("files"))


if __name__ == "__main__":
    unittest.main()
