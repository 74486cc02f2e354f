"""Which sources agent/units.cmake compiles as one: python3 -m unittest discover -s tests/lint -p '*_test.py'"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from support import compiled  # noqa: E402 (the path has to be set first)

PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(units LANGUAGES CXX)
set(RDMASTATE_UNITS ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
include("{HERE.parents[1]}/agent/units.cmake")
file(GLOB sources ${{PROJECT_SOURCE_DIR}}/agent/*.cpp)
add_library(room OBJECT ${{sources}})
in_units(room)
"""


def own(declaration):
    return f"namespace {{\n\n{declaration}\n\n}}  // namespace\n"


def units_of(headers=(), **texts):
    """The units that CMake makes of these sources, by their names; the sources are compiled."""
    with tempfile.TemporaryDirectory() as directory:
        top = pathlib.Path(directory)
        (top / "agent").mkdir()
        (top / "CMakeLists.txt").write_text(PROJECT)
        for name, text in headers:
            (top / "agent" / name).write_text(text)
        for name, text in texts.items():
            (top / "agent" / f"{name}.cpp").write_text(f"#include <string>\n{text}")
        for command in (["cmake", "-S", top, "-B", top / "build"], ["cmake", "--build", top / "build"]):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                raise AssertionError(done.stdout + done.stderr)
        return sorted([source.stem for source in compiled.sources(path, top)] for path in compiled.commands(top / "build"))


class Units(unittest.TestCase):
    def test_sources_without_names_of_their_own_are_one(self):
        self.assertEqual(units_of(a="int a() { return 1; }\n", b="int b() { return 2; }\n"), [["a", "b"]])

    def test_those_with_a_library_share_a_unit(self):
        library = "#include <agent/App.hpp>\n"
        number = own("int number() { return 1; }")
        self.assertEqual(units_of(headers=[("App.hpp", "")], a=number + "int a() { return number(); }\n",
                                  b=library + number + "int b() { return number(); }\n", c=library), [["a"], ["b", "c"]])

    def test_two_of_one_name_are_not(self):
        self.assertEqual(units_of(a=own("int gap() { return 1; }") + "int a() { return gap(); }\n",
                                  b=own("int gap() { return 2; }") + "int b() { return gap(); }\n"), [["a"], ["b"]])

    def test_a_function_is_not_taken_for_anothers_of_its_name(self):
        self.assertEqual(units_of(headers=[("number.hpp", "inline long number(long n) { return n; }\n")],
                                  a=own("int number(int n) { return -n; }") + "int a() { return number(1); }\n",
                                  b='#include "number.hpp"\nlong b() { return number(1); }\n'), [["a"], ["b"]])

    def test_types_variables_and_names_behind_brackets_count(self):
        for declaration in ("struct Part {};", "enum class Part { one };", "using Part = int;", "const int Part[] = {1};",
                            "const std::string Part = \"[;\";"):
            mine = own("bool is_bracket(char c) { return c == '['; }\n" + declaration)
            self.assertEqual(units_of(a=mine, b=mine.replace("is_bracket", "is_other")), [["a"], ["b"]], declaration)

    def test_words_of_texts_comments_and_members_do_not(self):
        a = own("int gap() { return 1; }") + "int a() { return gap(); }\n"
        b = "// gap\nstruct B { int x; };\nstd::string b() { return \"gap\"; }\n"
        self.assertEqual(units_of(headers=[("has.hpp", "struct Has {\n  int gap;\n};\n")], a=a,
                                  b=b + '#include "has.hpp"\nint c(const Has& has) { return has.gap; }\n'), [["a", "b"]])

    def test_a_type_of_a_header_s_name_stays_alone(self):
        header = [("name.hpp", "struct Name {\n  int n;\n};\n"),
                  ("user.hpp", '#include "name.hpp"\ninline int n_of(Name name) { return name.n; }\n')]
        a = own("struct Name {\n  int other;\n};") + "int a() { return Name{1}.other; }\n"
        b = '#include "user.hpp"\nint b() { return n_of({2}); }\n'
        self.assertEqual(units_of(headers=header, a=a, b=b), [["a"], ["b"]])
        self.assertEqual(units_of(headers=header, c=a, b=b), [["b"], ["c"]])


if __name__ == "__main__":
    unittest.main()
