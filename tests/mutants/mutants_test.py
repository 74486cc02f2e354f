"""Functions and patterns are found: python3 -m unittest discover -s tests/mutants -p '*_test.py'"""
import pathlib
import tempfile
import textwrap
import unittest

from mutant import Mutant, Trouble, all_mutants
from source import definitions, places

SOURCE = r"""
#include <string>  // what { nobody closes
namespace one {
namespace {
/* } */
constexpr std::string_view brace = "}\"{";
const std::map<int, Row> rows{{1, {2}}, {3, {}}};
enum class Kind : char { a = '{', b };
class Held final : public Base<int> {
 public:
  explicit Held(int n) : n_(n), all_{n, {}} { go(); }
  ~Held() { end(); }
  bool is(int n = {}) const { return n == n_; }
  bool operator==(const Held&) const = default;
  Row operator()(int) const { return {}; }

 private:
  int n_ = 0;
};
template <typename T, typename = std::enable_if_t<true>>
std::vector<std::vector<T>> nested(T t) { if (t) { return {}; } return R"x(})x"; }
template <> int Text<std::string>::read(int a) { return a; }
}
struct stat status_of(int fd) noexcept(true) {
  const auto ask = [&](int n) { return n; };
  return ask(1'000);
}
Held::Held() : n_{1} {}
void late(std::function<void(int)> f = [](int) {}) {}
auto tail(int n) -> Row { return {n}; }
}
"""


class Functions(unittest.TestCase):
    def test_each_has_its_name_and_extent(self):
        found = {one.name: SOURCE[one.start:one.end] for one in definitions(SOURCE)}
        self.assertEqual(["brace", "rows", "Held::Held", "Held::~Held", "Held::is", "Held::operator()", "nested",
                          "Text<std::string>::read", "status_of", "late", "tail"],
                         list(dict.fromkeys(name for name in found if name != "Held::n_")))
        self.assertEqual("~Held() { end(); }", found["Held::~Held"])
        self.assertTrue(found["nested"].endswith('R"x(})x"; }'))
        self.assertTrue(found["status_of"].endswith("1'000);\n}"))
        self.assertEqual('constexpr std::string_view brace = "}\\"{";', found["brace"])

    def test_overloads_are_all_found(self):
        bodies = [SOURCE[one.start:one.end] for one in definitions(SOURCE) if one.name == "Held::Held"]
        self.assertEqual(["explicit Held(int n) : n_(n), all_{n, {}} { go(); }", "Held::Held() : n_{1} {}"], bodies)


class Patterns(unittest.TestCase):
    def found(self, text, pattern):
        return [text[one.start:one.end] for one in places(text, pattern)]

    def test_layout_makes_no_difference(self):
        text = "if (a &&  // why\n    !b_)\n  go();"
        self.assertEqual(["a &&  // why\n    !b_"], self.found(text, "a&&!b_"))

    def test_tokens_are_whole(self):
        self.assertEqual([], self.found("max_size == 1; x = \"max\";", "max"))
        self.assertEqual([], self.found("a == b", "="))

    def test_dots_are_as_little_as_can_be_in_pairs(self):
        text = "if (x()) no(1); if (y(2, {3})) arm(f(4), [] { h(); }); rest(5);"
        self.assertEqual(["if (y(2, {3})) arm(f(4), [] { h(); });"], self.found(text, "if (...) arm(...);"))
        self.assertEqual(("f(4), [] { h(); }",), places(text, "arm(...)")[0].parts)
        self.assertEqual(("",), places("arm()", "arm(...)")[0].parts)

    def test_dots_stay_in_one_statement(self):
        self.assertEqual(["return b ? c"], self.found("return a; return b ? c : d;", "return ... ? c"))


class Mutants(unittest.TestCase):
    def made(self, change, function="f", sources=None):
        text = f"why: w\nroom: agent/room\nfunction: {function}\ntest: t F.*\n{textwrap.dedent(change)}"
        with tempfile.TemporaryDirectory() as top:
            room = pathlib.Path(top) / "agent/room/in"
            room.mkdir(parents=True)
            for name, source in (sources or {"a.cpp": "int f(int n) {\n  return one(n) || two(n);\n}\nint g() { return two(1); }\n"}).items():
                (room / name).write_text(source)
            made = Mutant("name", text, pathlib.Path(top)).made()
            return made.path.name, made.wrong

    def test_only_the_named_function_changes(self):
        self.assertEqual("int f(int n) {\n  return one(n) || 3;\n}\nint g() { return two(1); }\n", self.made("- two(...)\n+ 3")[1])

    def test_without_a_text_it_goes(self):
        self.assertIn("return one(n) ;", self.made("- || two(...)")[1])

    def test_dots_come_back_in_their_order(self):
        self.assertIn("return two(n) || one(n).x;", self.made("- one(...) || two(...)\n+ two(...) || one(...).x")[1])
        with self.assertRaisesRegex(Trouble, "more `...`"):
            self.made("- one\n+ ...")

    def test_of_files_with_the_same_name_the_pattern_chooses(self):
        sources = {"a.cpp": "void f() { a(); }", "b.cpp": "void f() { b(); }"}
        self.assertEqual(("b.cpp", "void f() {  }"), self.made("- b();", sources=sources))

    def test_what_is_not_found_once_is_shown(self):
        with self.assertRaisesRegex(Trouble, r"(?s)agent/room, f: .* 0 times.*: gone\(\)\nagent/room/in/a.cpp:\nint f\(int n\) {.*}\n$"):
            self.made("- gone()")
        with self.assertRaisesRegex(Trouble, "2 times"):
            self.made("- (n)")
        with self.assertRaisesRegex(Trouble, "no source of agent/room defines h"):
            self.made("- n", function="h")

    def test_a_file_must_say_all(self):
        with self.assertRaisesRegex(Trouble, "needs why, room"):
            Mutant("name", "why: w\nfile: f\ntest: t F\n- a")
        with self.assertRaisesRegex(Trouble, "a pattern"):
            Mutant("name", "why: w\nroom: r\nfunction: f\ncli: c\n+ a")

    def test_none_of_today_counts_tests(self):
        """Numbers of cases are those of a table's rows, which move when a row is added."""
        for mutant in all_mutants():
            self.assertNotRegex(mutant.filter, r"\.\d+$", mutant.name)

    def test_each_of_today_finds_its_place(self):
        for mutant in all_mutants():
            with self.subTest(mutant.name):
                made = mutant.made()
                self.assertNotEqual(made.right, made.wrong)


if __name__ == "__main__":
    unittest.main()
