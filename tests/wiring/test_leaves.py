from types import SimpleNamespace

from tests.commands import COMMANDS, parser
from tests.conftest import ROOT
from workflow_scripts.leaves.registry import load, load_papers
from workflow_scripts.wiring import checks
from workflow_scripts.wiring.leaves import files_of_papers, paths_of, shown

LEAVES = {leaf.name: leaf for leaf in load(ROOT / "resources/leaves.csv")}


def test_a_leaf_has_the_files_that_its_module_writes():
    endings = {"figure": ".svg", "table": ".csv", "comparison": ".compare.csv", "compare": ".compare.csv"}
    for name, leaf in LEAVES.items():
        module = f"papers.{leaf.paper}.{name.rpartition('/')[2]}".replace("-", "_")
        written = [endings[file] for file in parser(module).positional]
        # The comparison of Table 7 is a command of its own.
        written += [".compare.csv"] * (f"{module}_compare" in COMMANDS)
        assert paths_of(leaf) == [f"results/{name}{ending}" for ending in written]
    ours = files_of_papers(LEAVES.values(), "tydip")
    assert ours and all(path.startswith("results/tydip/") for path in ours)


def test_the_report_says_of_a_file_which_leaf_it_is():
    papers = load_papers(ROOT / "resources/papers.csv")
    told = shown("results/{name}.compare.csv", LEAVES, papers)
    assert told["category"]({"name": "table7"}) == papers["xformal"].label
    labels = told["labels"]({"name": "table7"})
    assert (labels["leaf"], labels["file"]) == ("Table 7", "compare.csv")


def test_keys_of_services_are_missed_by_the_jobs_that_ask_them(monkeypatch):
    def job(rule: str, key: str | None) -> SimpleNamespace:
        return SimpleNamespace(rule=SimpleNamespace(name=rule), wildcards=key)

    asked = {"ask": lambda key: SimpleNamespace(model=SimpleNamespace(key=key))}
    monkeypatch.setenv("SET_KEY", "x")
    jobs = [
        job("ask", "B_KEY"),
        job("ask", "A_KEY"),
        job("ask", "SET_KEY"),
        job("ask", None),
        job("copy", "C_KEY"),
    ]
    told = checks.missing_keys(jobs, asked)
    assert [line.partition(":")[0] for line in told] == [
        "the environment has no A_KEY",
        "the environment has no B_KEY",
    ]


def test_servers_of_ones_own_that_do_not_run_are_told(server):
    def job(rule: str, name: str, address: str, local: bool = True) -> SimpleNamespace:
        model = SimpleNamespace(name=name, address=address)
        return SimpleNamespace(
            rule=SimpleNamespace(name=rule), wildcards=SimpleNamespace(model=model), is_local=local
        )

    gone, asked = "http://127.0.0.1:1/v1", {"ask": lambda system: system}
    jobs = [
        job("ask", "b", gone),
        job("ask", "a", gone),
        job("ask", "runs", server.address),
        # Elsewhere, asked from elsewhere, and not asked.
        job("ask", "service", "https://host.invalid/v1"),
        job("ask", "node", "http://127.0.0.1:2/v1", local=False),
        job("copy", "other", "http://127.0.0.1:3/v1"),
    ]
    assert checks.silent_servers(jobs, asked) == [
        f"no server runs at {gone} (Connection refused): start the one that serves a, b; with --keep-going"
        " jobs take what the cache has"
    ]
    assert server.seen == []


def test_jobs_that_need_a_gpu_are_refused_where_there_is_none():
    def planned(*gpus: int | None, here: bool = True) -> SimpleNamespace:
        jobs = [SimpleNamespace(resources={} if gpu is None else {"gpu": gpu}) for gpu in gpus]
        dag = SimpleNamespace(needrun_jobs=lambda exclude_finished: jobs)
        return SimpleNamespace(dag=dag, local_exec=here)

    (line,) = checks.missing_gpu(planned(None, 0, 1), lambda: 0)
    assert line.startswith("device is cuda, but this machine has no GPU")
    assert checks.missing_gpu(planned(None, 0, 1), lambda: 2) == []
    assert checks.missing_gpu(planned(None, 0, 1, here=False), lambda: 0) == []
    # Downloads need none.
    assert checks.missing_gpu(planned(None, 0), lambda: 0) == []


def test_rules_that_make_files_are_described_by_their_logs():
    rules = [
        SimpleNamespace(name="a", log=["logs/transfer/a.log"], docstring="Two\n  lines."),
        SimpleNamespace(name="all", log=[], docstring=None),
    ]
    assert checks.described(rules) == [["a", "transfer", "Two lines."]]
