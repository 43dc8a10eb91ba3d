#!/usr/bin/env python3
"""The counting in tools/figures, with sources written down as data."""
import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/figures"
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("figures", str(TOOL))
figures = importlib.util.module_from_spec(importlib.util.spec_from_loader("figures", loader))
loader.exec_module(figures)


def functions(text):
    return {name: lines for name, _, lines in figures.functions_of(text)}


class Functions(unittest.TestCase):
    def test_free_functions_and_members(self):
        self.assertEqual(functions("int f(int a) {\n  return a;\n}\n"), {"f": 3})
        self.assertEqual(functions("struct S {\n  S() : a_{1}, b_(2) {\n  }\n  int a_, b_;\n};\n"), {"S": 2})
        self.assertEqual(functions("namespace a { int A::b(int c)\n    const noexcept {\n if (c) { c(); }\n}\n}\n"), {"A::b": 4})
        self.assertEqual(functions("A::A(int x)\n    : base(x),\n      m_{x} {\n  f();\n}\n"), {"A::A": 5})

    def test_operators_and_templates(self):
        self.assertEqual(functions("template <class T>\nbool operator==(T a, T b) {\n}\n"), {"operator==": 3})
        self.assertEqual(functions("auto f(int x = int{3}) -> int {\n return x; }\n"), {"f": 2})

    def test_macros_that_name_tests(self):
        self.assertEqual(functions("TEST(Suite, Name) {\n\n}\n"), {"TEST(Suite, Name)": 3})

    def test_what_is_no_function(self):
        self.assertEqual(functions("enum class E : int { a, b };\nint x[] = {1, 2};\nstruct P { int y; };\n"), {})
        self.assertEqual(functions("const std::vector<R> rows = {\n {f(1), 2},\n};\n"), {})

    def test_lambdas_belong_to_their_function(self):
        self.assertEqual(functions("void f() {\n  g([] {\n    h();\n  });\n}\n"), {"f": 5})

    def test_texts_and_comments_have_no_braces(self):
        self.assertEqual(functions("void f() {  // {\n  s = \"{\"; c = '{';\n  r = R\"x({{)x\";\n /* { */\n}\n"), {"f": 5})
        self.assertEqual(functions("#define M(x) { x\nvoid f() {\n  n = 1'000;\n}\n"), {"f": 3})


class Rules(unittest.TestCase):
    def broken(self, files, rule):
        with tempfile.TemporaryDirectory() as folder:
            for path, text in files.items():
                place = pathlib.Path(folder) / path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text)
            return [name for name, _, _ in figures.broken(figures.House(folder), rule)]

    def test_each_finds_what_breaks_it(self):
        long = "void f() {\n" + "g();\n" * 60 + "}\n"
        self.assertEqual(self.broken({"a/b.cpp": '#include "a/c.h"\n#include "../a/d.h"\n', "a/d.h": ""}, "includes"), ["a/b.cpp"])
        self.assertEqual(self.broken({"a/b.cpp": long, "samples/ok/c.c": long}, "functions"), ["f"])
        self.assertEqual(self.broken({"a/b.cpp": "\n" * 501, "a/c.cpp": "\n" * 500}, "files"), ["b.cpp"])
        self.assertEqual(self.broken({f"a/{i}.h": "" for i in range(41)}, "folders"), ["a"])
        self.assertEqual(self.broken({"docs/a.md": "\n" * 201}, "documents"), ["docs/a.md"])
        self.assertEqual(self.broken({"a/b.cpp": "", "c/d.cpp": "", "c/README.md": ""}, "readmes"), ["a"])

    def test_knots_are_found(self):
        pairs = [("a/x.h", "a/y.h"), ("a/y.cpp", "a/x.h"), ("a/z.h", "a/x.h")]
        self.assertEqual(figures.knots(pairs), [["a/x", "a/y"]])


if __name__ == "__main__":
    unittest.main()
