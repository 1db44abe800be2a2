"""Every option of every command has a description: its command's own, or the shared one."""

import re
from collections import Counter
from importlib import import_module
from inspect import getsource

import defopt
import pytest

from tests.commands import COMMANDS, parser
from workflow_scripts.core.options import described, shared

SHARED = {name: said.doc for name, said in defopt.signature(shared.__doc__).parameters.items()}


@pytest.mark.parametrize("module", COMMANDS)
def test_every_option_is_described_once(module):
    imported = import_module(f"workflow_scripts.{module}")
    names = re.findall(r"^    run\((.+)\)$", getsource(imported), flags=re.MULTILINE)
    # The bar of an installation runs before there is a library for command lines.
    assert names or module == "progress.install"
    for name in ", ".join(names).split(", ") if names else []:
        function = getattr(imported, name)
        own = {name: said.doc for name, said in defopt.signature(function).parameters.items()}
        told = {name: said.doc for name, said in defopt.signature(described(function)).parameters.items()}
        assert [name for name in own if not told.get(name)] == []
        for name, text in own.items():
            assert text != SHARED.get(name), f"{name}: core.options says it"
            assert told[name] == (text or SHARED[name])


def test_help_shows_own_and_shared_descriptions(module):
    done = module("control.decode", "--help")
    said = " ".join(done.stdout.split())
    assert done.returncode == 0
    assert "--levels [{formal,informal,none} ...] for each source the level of its translation" in said
    assert f"--threads THREADS {SHARED['threads']} --checkpoints CHECKPOINTS {SHARED['checkpoints']}" in said
    assert f"{SHARED['chunk_size']} (default: 20000)" in said


def test_shared_descriptions_serve_several_commands():
    counts = Counter(
        name
        for module in COMMANDS
        if module != "progress.install"
        for name in (*parser(module).positional, *parser(module).options)
    )
    assert [name for name in SHARED if counts[name] < 2] == []
