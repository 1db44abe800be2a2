import itertools
import re
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workflow_scripts.core.reachability import Package

MAIN = 'if __name__ == "__main__":\n    run()\n'


def write(folder: Path, files: dict[str, str]) -> Package:
    """The package `pkg` with these modules, as it is now on disk."""
    for name, text in files.items():
        path = folder / "pkg" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
    return Package(folder / "pkg")


def reached(folder: Path, text: str, **others: str) -> set[str]:
    """What a command with this code reaches in a package with some other modules."""
    files = {f"{name}.py": other for name, other in others.items()}
    return set(write(folder, {"__init__.py": "", **files, "main.py": text}).definitions("main"))


def test_a_command_reaches_what_its_functions_name(tmp_path):
    found = reached(
        tmp_path,
        """
        from pkg.other import used, unused
        def run(): return helper()
        def helper(): return used()
        def alone(): return unused()
        if __name__ == "__main__":
            run()
        """,
        other="def used(): return CONSTANT\ndef unused(): pass\nCONSTANT = 1\nANOTHER = 2\n",
    )
    assert found == {"main.run", "main.helper", "other.used", "other.CONSTANT"}


def test_without_a_main_block_the_whole_module_counts(tmp_path):
    found = reached(
        tmp_path, "from pkg.other import f\ndef run(): pass\n", other="def f(): pass\ndef g(): pass\n"
    )
    assert found == {"main.run", "other.f"}


@pytest.mark.parametrize(
    ("imports", "call"),
    [
        ("from pkg.sub.other import f", "f()"),
        ("from pkg.sub.other import f as theirs", "theirs()"),
        ("from pkg.sub import other", "other.f()"),
        ("from pkg.sub import other as o", "o.f()"),
        ("import pkg.sub.other", "pkg.sub.other.f()"),
        ("import pkg.sub.other as o", "o.f()"),
        ("from .sub.other import f", "f()"),
        ("from .sub import other", "other.f()"),
        ("from . import sub, again", "sub.other.f()"),
        ("from pkg.again import f", "f()"),
        ("from pkg import again", "again.f()"),
        ("from pkg.sub import f", "f()"),
    ],
)
@pytest.mark.parametrize("inside", [False, True])
def test_an_import_in_any_form_leads_to_the_definition_only(tmp_path, imports, call, inside):
    body = (
        f"def run():\n    {imports}\n    return {call}\n"
        if inside
        else f"{imports}\ndef run(): return {call}\n"
    )
    files = {
        "__init__.py": "",
        "sub/__init__.py": "from pkg.sub.other import f\n",
        "sub/other.py": "def f(): pass\ndef g(): pass\n",
        "again.py": "from pkg.sub.other import f\n",
        "main.py": body + MAIN,
    }
    assert write(tmp_path, files).definitions("main") == {"main.run", "sub.other.f"}


def test_imports_are_followed_to_the_end(tmp_path):
    files = {
        "main.py": f"from pkg.one import f\ndef run(): return f()\n{MAIN}",
        "one.py": "from pkg.two import f as g\ndef f(): return g()\n",
        "two.py": "from pkg import three\ndef f(): return three.f()\n",
        "three.py": "def f():\n    from pkg.four import f\n    return f()\n",
    }
    package = write(tmp_path, {"__init__.py": "", **files, "four.py": "def f(): return 1\n"})
    assert package.definitions("main") == {"main.run", "one.f", "two.f", "three.f", "four.f"}
    assert write(tmp_path, {"four.py": "def f(): return 2\n"}).digest("main") != package.digest("main")


def test_circular_imports_end(tmp_path):
    found = reached(
        tmp_path,
        f"from pkg.other import f, lost\ndef run(): return f(), lost()\n{MAIN}",
        other="from pkg.main import run, lost\ndef f(): return run()\n",
    )
    assert found == {"main.run", "other.f"}


# What a command uses of `other`, and its code: `<before|after>` is an edit that changes what it computes.
EDITS = {
    "constant": ("CONSTANT", "CONSTANT = <1|2>"),
    "constant of a constant": ("OUTER", "INNER = <1|2>\nOUTER = [INNER]"),
    "one of several targets": ("A", "A, (B, *C) = <1|4>, (2, 3)"),
    "annotated constant": ("A", "A: int = <1|2>"),
    "method": ("K", "class K:\n    def m(self): return <1|2>"),
    "function of a method": ("K", "class K:\n    def m(self): return h()\ndef h(): return <1|2>"),
    "field": ("K", "class K:\n    a: int = <1|2>"),
    "annotation of a field": ("K", "class T: x = <1|2>\nclass K:\n    a: T"),
    "annotation in quotation marks": ("f", "class T: x = <1|2>\ndef f(a: 'list[T]'): pass"),
    "part of an annotation in quotation marks": ("f", "class T: x = <1|2>\ndef f(a: list['T']): pass"),
    "default": ("f", "D = <1|2>\ndef f(a=D): return a"),
    "default by keyword": ("f", "D = <1|2>\ndef f(*, a=D): return a"),
    "decorator": ("f", "def d(g): return <g|len>\n@d\ndef f(): pass"),
    "base": ("K", "class B:\n    x = <1|2>\nclass K(B): pass"),
    "base in another module": ("K", "from pkg.<third|fourth> import B\nclass K(B): pass"),
    "another library": ("loads", "from <json|tomllib> import loads"),
    "library of a function": ("f", "from <json|tomllib> import loads\ndef f(): return loads"),
    "a branch at the top": ("A", "A = 1\nif A:\n    A = <2|3>"),
    "a function under a condition": (
        "f",
        "import sys\nif sys.argv:\n    def f(): return h()\ndef h(): return <1|2>",
    ),
    "the library that is there": (
        "loads",
        "try:\n    from orjson import loads\nexcept ImportError:\n    from <json|simplejson> import loads",
    ),
    "an augmented constant": ("A", "A = [1]\nA += [<2|3>]"),
    "a filled constant": ("A", "A = {}\nA[1] = <2|3>"),
    "a constant that a call fills": ("A", "A = []\nA.append(<1|2>)"),
    "the order of copy and change": ("A", "B = [1]\n<A = list(B)\nB.append(2)|B.append(2)\nA = list(B)>"),
    "a call for its effect": ("A", "import os\nA = 1\nos.environ['X'] = '<1|2>'"),
    "an import for its effect": ("A", "<|import readline\n>A = 1"),
    "a name in the later of two definitions": ("f", "def f(): return 1\ndef f(): return <2|3>"),
    "an exception in the way": (
        "f",
        "class E(<Exception|OSError>): pass\ndef f():\n    try: pass\n    except E: return 1",
    ),
    "a pattern": ("f", "class P: x = <1|2>\ndef f(a):\n    match a:\n        case P(): return 1"),
    "a global that grows": ("f", "N = <0|5>\ndef f():\n    global N\n    N += 1"),
}


@pytest.mark.parametrize(("name", "code"), EDITS.values(), ids=EDITS)
@pytest.mark.parametrize(
    "through",
    [
        "from pkg.other import {0}\ndef run(): return {0}",
        "from pkg import other\ndef run(): return other.{0}",
    ],
)
def test_an_edit_of_what_is_used_counts(tmp_path, through, name, code):
    bases = {"third.py": "class B: x = 1\n", "fourth.py": "class B: x = 1\n"}
    files = {"__init__.py": "", "main.py": f"{through.format(name)}\n{MAIN}", **bases}
    before, after = (re.sub(r"<([^|]*)\|([^>]*)>", side, code) for side in (r"\1", r"\2"))
    digests = [write(tmp_path, {**files, "other.py": f"{text}\n"}).digest("main") for text in (before, after)]
    assert digests[0] != digests[1]


# What may lead to any name of `other`, in which `hidden` is then reached.
DISPATCH = {
    "the module as a value": ("def run(): return f(other)", ""),
    "getattr on the module": ("def run(): return getattr(other, input())", ""),
    "vars of the module": ("def run(): return vars(other)", ""),
    "the module in a list": ("READERS = [other]\ndef run(): return READERS", ""),
    "an attribute that is not there": ("def run(): return other.__dict__", ""),
    "globals": ("def run(): return other.f()", "def f(): return globals()"),
    "eval": ("def run(): return other.f()", "def f(): return eval(input())"),
    "exec": ("def run(): return exec(input())", ""),
    "names at the top": ("def run(): return other.ALL", "ALL = dict(vars())"),
    "importlib": ("import importlib\ndef run(): return importlib.import_module(input())", ""),
    "importlib by another name": (
        "from importlib import import_module as load\ndef run(): return load(input())",
        "",
    ),
    "runpy": ("import runpy\ndef run(): return runpy.run_module(input())", ""),
    "__import__": ("def run(): return __import__(input())", ""),
    "sys.modules": ("import sys\ndef run(): return sys.modules[input()]", ""),
    "sys.modules as a value": ("from sys import modules\ndef run(): return modules", ""),
    "the globals of a function": ("def run(): return other.f.__globals__", "def f(): pass"),
    "subclasses": ("def run(): return other.K.__subclasses__()", "class K: pass"),
    "everything imported": ("from pkg.other import *\ndef run(): return hidden()", ""),
    "a process": ('import subprocess\ndef run(): subprocess.run(["python", "-m", "pkg.other"])', ""),
    "a process with a name that is put together": ('def run(name): return ["-m", f"pkg.{name}"]', ""),
}
# What puts something into the list `KNOWN` when `other` is imported.
REGISTERING = {
    "a decorator": "@KNOWN.append\ndef hidden(): pass",
    "a decorator of a method": "class K:\n    @KNOWN.append\n    def m(self): return hidden()",
    "a base": (
        "class B:\n    def __init_subclass__(cls): KNOWN.append(cls)\n"
        "class C(B): pass\nclass D(C):\n    def m(self): return hidden()"
    ),
    "a metaclass": (
        "class M(type): pass\nclass B(metaclass=M): pass\nclass D(B):\n    def m(self): return hidden()"
    ),
    "a base of which nothing is known": (
        "from somewhere import Plugin, KNOWN\nclass D(Plugin):\n    def m(self): return hidden()"
    ),
    "a call": "def r(f): pass\nX = r(lambda: hidden())",
    "a default": "def f(a=KNOWN.append(1)): return hidden()",
    "a body": "class K:\n    KNOWN.append(1)\n    def m(self): return hidden()",
}
DISPATCH |= {
    f"{what} that registers": ("def run(): return other.KNOWN", f"KNOWN = []\n{code}")
    for what, code in REGISTERING.items()
}


@pytest.mark.parametrize(("code", "other"), DISPATCH.values(), ids=DISPATCH)
def test_where_a_name_cannot_be_told_all_names_count(tmp_path, code, other):
    code = f"from pkg import other\n{code}\n{MAIN}"
    assert "other.hidden" in reached(tmp_path, code, other=f"{other}\ndef hidden(): pass\n")


@pytest.mark.parametrize(
    "code",
    [
        "import sys\ndef run(): return len(sys.modules), 'torch' in sys.modules, sys.modules['torch']",
        "import importlib.metadata\ndef run(): return importlib.metadata.version('pkg'), other.f()",
        "def run(): return dict(locals()), other.f()",
        "class K:\n    def m(self): return vars(self), dir(self)\ndef run(): return K, other.f()",
        "def run(model): return model.eval(), getattr(model, input()), other.f",
        "import re\nfrom functools import cache\nP = re.compile('x')\n@cache\ndef run(): return P, other.f",
        "def run(): return 'pkg', 'see pkg.other', other.f",
    ],
)
def test_what_only_looks_like_dispatch_does_not_count(tmp_path, code):
    found = reached(
        tmp_path, f"from pkg import other\n{code}\n{MAIN}", other="def f(): pass\ndef hidden(): pass\n"
    )
    assert "other.hidden" not in found


def test_what_only_type_checkers_read_does_not_count(tmp_path):
    code = """
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from pkg.other import T
        else:
            from pkg.third import T
        def run(a: T) -> T: return a
        if __name__ == "__main__":
            run()
    """
    assert reached(tmp_path, code, other="class T: pass\n", third="class T: pass\n") == {
        "main.run",
        "third.T",
    }


def test_a_module_that_is_imported_only_counts_for_what_its_import_does(tmp_path):
    other = "import os\nfrom pkg.third import set_up\nset_up()\ndef f(): pass\n"
    third = "def set_up(): return helper()\ndef helper(): pass\ndef unused(): pass\n"
    code = f"from pkg.other import f\ndef run(): pass\n{MAIN}"
    assert reached(tmp_path, code, other=other, third=third) == {"main.run", "third.set_up", "third.helper"}
    # Another module's main block does not run when it is imported.
    assert reached(tmp_path, code, other=f"def run(): pass\n{MAIN}", third="") == {"main.run"}


def test_the_packages_above_a_module_are_imported_too(tmp_path):
    files = {
        "__init__.py": "",
        "a/__init__.py": "import os\nos.umask(1)\n",
        "a/b.py": f"def run(): pass\n{MAIN}",
    }
    before = write(tmp_path, files).digest("a.b")
    assert write(tmp_path, {"a/__init__.py": "import os\nos.umask(2)\n"}).digest("a.b") != before


def test_an_unknown_module_is_a_bug(tmp_path):
    with pytest.raises(ValueError, match=r"no module pkg\.nowhere"):
        write(tmp_path, {"__init__.py": ""}).digest("nowhere")


COMMAND = f"""
\"\"\"A module.\"\"\"
from pkg import other
LIMIT = 3

def run():
    \"\"\"A command.\"\"\"
    return Kind(LIMIT).value()  # the value

class Kind:
    \"\"\"A class.\"\"\"
    size: int
    \"\"\"A field.\"\"\"
    def __init__(self, size): self.size = size
    def value(self): return other.twice(self.size)

{MAIN}
"""
OTHER = "def twice(x): return x * FACTOR\nFACTOR = 2\nprint('imported')\n"
FILES = {"__init__.py": "", "main.py": COMMAND, "other.py": OTHER}
NAMES = st.sampled_from(["run", "Kind", "LIMIT", "other", "twice", "FACTOR", "print", "fresh"])
BODIES = st.lists(NAMES, max_size=4).map(lambda names: ", ".join(names) or "None")
UNREACHABLE = st.one_of(
    BODIES.map(lambda body: "def {0}():\n    return " + body),
    BODIES.map(lambda body: "async def {0}(a: int = 1, *b, **c):\n    return lambda: (" + body + ")"),
    BODIES.map(lambda body: "@staticmethod\ndef {0}():\n    import pkg.other\n    return " + body),
    BODIES.map(lambda body: "class {0}(Exception):\n    x = 1\n    def m(self):\n        return " + body),
    st.integers().map(lambda number: "{0} = " + repr([number])),
    st.text(max_size=5).map(lambda text: "{0}: str = " + repr(text).replace("{", "{{").replace("}", "}}")),
)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    numbers = itertools.count()
    return lambda: tmp_path_factory.mktemp(f"package{next(numbers)}")


@given(st.lists(st.tuples(UNREACHABLE, st.sampled_from(["main.py", "other.py"]), st.booleans()), max_size=4))
@settings(max_examples=60)
def test_a_definition_that_nothing_reaches_changes_no_digest(folders, added):
    folder = folders()
    before = write(folder, FILES)
    files = dict(FILES)
    for number, (text, file, first) in enumerate(added):
        definition = text.format(f"fresh{number}") + "\n"
        files[file] = definition + files[file] if first else files[file] + definition
    after = write(folder, files)
    assert after.digest("main") == before.digest("main")
    assert after.definitions("main") == {"main.run", "main.Kind", "main.LIMIT", "other.twice", "other.FACTOR"}


def test_comments_docstrings_layout_and_order_change_nothing(tmp_path):
    before = write(tmp_path, FILES).digest("main")
    text = COMMAND
    for old, new in (
        ("A module.", "Another one."),
        ("A command.", "Some other."),
        ("A class.", "A kind."),
        ("A field.", "The field."),
        ("# the value", "# what it is"),
        ("return Kind(LIMIT).value()", "return (\n        Kind(LIMIT)\n        .value()\n    )"),
    ):
        assert old in text
        text = text.replace(old, new)
    start, middle, end = text.index("def run"), text.index("class Kind"), text.index("if __name__")
    text = text[:start] + text[middle:end] + text[start:middle] + text[end:]
    assert write(tmp_path, {"main.py": text}).digest("main") == before
