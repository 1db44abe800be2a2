"""What the package does to Snakemake's objects."""

import inspect
from types import SimpleNamespace

from workflow_scripts.core.snakemake_internals import keep_parameters


class Wired:
    def given(self, wildcards, input):
        return input


def test_functions_are_asked_once_what_they_take(monkeypatch):
    from snakemake import common
    from snakemake.resources import Resource

    def plain(wildcards, *, attempt):
        return attempt

    # Snakemake makes such functions, and says itself what they take.
    def made(*arguments):
        return arguments

    common.overwrite_function_params(made, inspect.signature(plain).parameters)
    method, evaluate = Wired().given, Resource("mem_mb", plain).evaluate
    info = SimpleNamespace(input=((plain,), {}), params=((), {"of": method, "as": made}), resources=None)
    keep_parameters(SimpleNamespace(rules=[SimpleNamespace(ruleinfo=info)]))
    given = dict.fromkeys(("attempt", "input"))
    with monkeypatch.context() as without:
        without.setattr(inspect, "signature", None)
        taken = [common.get_input_function_aux_params(one, given) for one in (plain, method, made, evaluate)]
    assert [sorted(one) for one in taken] == [["attempt"], ["input"], ["attempt"], ["attempt", "input"]]
