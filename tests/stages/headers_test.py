"""The lint of headers on small headers: one that includes a model has nothing else from the precompiled header of that model.

A model is a header of ours that a pch*.hpp includes (class Models of tests/lint/headers.py): here model.hpp and wide.hpp."""
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "lint"))

import headers

FILES = {
    "pch_models.hpp": '#include "pch.hpp"\n#include "model.hpp"\n#include "wide.hpp"\n', "model.hpp": "#pragma once\nstruct Model {};\n",
    "wide.hpp": '#pragma once\n#include "model.hpp"\nstruct Wide : Model {};\n', "pch.hpp": "#pragma once\n",
    "sound.hpp": '#pragma once\n\n#include "wide.hpp"\n// Both.\nstruct Sound { Model model; Wide wide; };\n',
    "forgot.hpp": '#pragma once\n#include "model.hpp"\nstruct Forgot { Wide wide; };\n',
    "late.hpp": '#pragma once\nstruct Late { Model* model; };\n#include "model.hpp"\n',
}


class Headers(unittest.TestCase):
    def setUp(self):
        self.room = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name, text in FILES.items():
            (self.room / name).write_text(text)
        plain = self.room / "plain.pch"
        subprocess.run(["clang++", "-std=c++20", "-x", "c++-header", self.room / "pch.hpp", "-o", plain], check=True)
        self.enterContext(unittest.mock.patch.multiple(headers, AGENT=self.room, PLAIN=plain))
        self.models = headers.Models(lambda header: ["clang++", "-std=c++20", f"-I{self.room}"], self.room)

    def complaint(self, name):
        return headers.judged(self.room / name, self.models)

    def test_a_header_has_the_largest_model_that_it_includes(self):
        self.assertEqual("wide.pch", self.models.before(self.room / "sound.hpp").name)
        self.assertEqual("model.pch", self.models.before(self.room / "wide.hpp").name)
        self.assertEqual("plain.pch", self.models.before(self.room / "model.hpp").name)

    def test_what_a_header_forgot_is_not_there(self):
        self.assertEqual("", self.complaint("sound.hpp"))
        self.assertIn("Wide", self.complaint("forgot.hpp"))

    def test_code_before_an_include_has_nothing_of_it(self):
        self.assertIn("Model", self.complaint("late.hpp"))


if __name__ == "__main__":
    unittest.main()
