import gzip
import random
from collections import Counter
from pathlib import Path

import pytest

from workflow_scripts.core.counts import read_counts
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.core.processes import call
from workflow_scripts.filtering.bicleaner import bicleaner

LANGUAGES = {"source_language": "en", "target_language": "pt"}

GOOD = [
    ("I really like your new house.", "Eu gosto muito da sua casa nova."),
    ("She told me everything yesterday.", "Ela me contou tudo ontem."),
    ("He said «hello» to the cat.", "Ele disse «olá» ao\u00a0gato."),
]
BAD = [
    ("This is the very same sentence.", "This is the very same sentence.", "no_identical"),
    ("He never came back to us.", "", "no_empty"),
    ("Go now.", "Vai agora mesmo, por favor.", "not_too_short"),
    ("We have to talk about it.", "Temos que falar sobre isso " + "e mais " * 20, "length_ratio"),
]


def filtered(folder: Path, pairs: list[tuple[str, str]], tool: Path, **options) -> tuple[list[str], dict]:
    shard = folder / "shard.tsv.gz"
    write_lines(shard, map("\t".join, pairs))
    threshold = {"threshold": 0.5} if "pack" in options else {}
    settings = {**LANGUAGES, **threshold, "processes": 1, **options}
    bicleaner(shard, folder / "out.tsv.gz", folder / "counts.tsv", tool=tool, **settings)
    assert not list(folder.glob(".*")), "no temporary files are left"
    return read_lines(folder / "out.tsv.gz"), read_counts(folder / "counts.tsv")


@pytest.mark.slow
class TestHardRules:
    def test_rules_drop_what_they_name(self, tmp_path, hardrules_venv):
        bad = [pair[:2] for pair in BAD]
        kept, counts = filtered(tmp_path, [GOOD[0], *bad, *GOOD[1:]], hardrules_venv)
        assert kept == ["\t".join(pair) for pair in GOOD]
        assert counts == {
            "raw": 7,
            **{f"dropped:{rule}": 1 for rule in sorted(pair[2] for pair in BAD)},
            "hard_rules": 3,
        }

    def test_empty_shard(self, tmp_path, hardrules_venv):
        assert filtered(tmp_path, [], hardrules_venv) == ([], {"raw": 0, "hard_rules": 0})

    def test_processes_change_nothing(self, tmp_path, hardrules_venv):
        pairs = [(f"{left} {i}", f"{right} {i}") for i in range(3500) for left, right in GOOD]
        for processes in (1, 3):
            (tmp_path / str(processes)).mkdir()
        one, three = (
            filtered(tmp_path / str(count), pairs, hardrules_venv, processes=count) for count in (1, 3)
        )
        assert one == three
        assert len(one[0]) == 10_500


def vocabulary(rng: random.Random, letters: str) -> list[str]:
    words: list[str] = []
    while len(words) < 300:
        word = "".join(rng.choice(letters) for _ in range(rng.randint(4, 8)))
        if word not in words:
            words.append(word)
    return words


def generated_pairs(count: int, seed: int, folder: Path) -> list[tuple[str, str]]:
    """Word by word translations between two invented languages, with their dictionaries in `folder`."""
    rng = random.Random(seed)
    words = list(zip(vocabulary(rng, "abdeghilmnorstuy"), vocabulary(rng, "acdefijlmnopqruvz"), strict=True))
    pairs = []
    for _ in range(count):
        chosen = [words[min(int(rng.expovariate(0.02)), 299)] for _ in range(rng.randint(5, 12))]
        pairs.append(tuple(f"{' '.join(side).capitalize()}." for side in zip(*chosen, strict=True)))
    for side, (name, other) in enumerate((("en", "pt"), ("pt", "en"))):
        with gzip.open(folder / f"{name}-{other}.gz", "wt") as stream:
            stream.writelines(f"{pair[1 - side]} {pair[side]} 0.9\n" for pair in words)
        seen = Counter(w for pair in pairs for w in pair[side].lower().rstrip(".").split())
        with gzip.open(folder / f"{name}.freq.gz", "wt") as stream:
            stream.writelines(f"{count} {word}\n" for word, count in seen.most_common())
    return pairs


@pytest.fixture(scope="module")
def pack(tmp_path_factory, bicleaner_venv):
    folder = tmp_path_factory.mktemp("pack")
    pairs = generated_pairs(10_500, 1, folder)
    write_lines(folder / "train.tsv", map("\t".join, pairs))
    files = {
        "-d": "en-pt.gz",
        "-D": "pt-en.gz",
        "-f": "en.freq.gz",
        "-F": "pt.freq.gz",
        "-c": "en-pt.classifier",
    }
    options = [str(word) for flag, name in files.items() for word in (flag, folder / name)]
    call(
        [
            *(bicleaner_venv / "bin" / "bicleaner-train", folder / "train.tsv", "-m", folder / "en-pt.yaml"),
            *("-s", "en", "-t", "pt", *options, "--disable_lang_ident", "--seed", "1", "-p", "1"),
            # By default the tool tries ten forests, each five times.
            *("--classifier_type", "nn"),
        ]
    )
    return folder / "en-pt.yaml"


@pytest.mark.long
class TestClassifier:
    def test_mismatched_pairs_score_lower(self, tmp_path, bicleaner_venv, pack):
        pairs = generated_pairs(300, 1, tmp_path)
        mismatched = [(left, pairs[i - 7][1]) for i, (left, _) in enumerate(pairs)]
        kept, counts = filtered(tmp_path, pairs + mismatched, bicleaner_venv, pack=pack)
        good = set(map("\t".join, pairs))
        right = sum(line in good for line in kept)
        assert right > 0.9 * len(pairs)
        assert len(kept) - right < 0.1 * len(pairs)
        assert counts["raw"] == 600
        assert counts["classifier"] == len(kept) == counts["hard_rules"] - counts["dropped:classifier"]

    def test_threshold_orders_the_kept(self, tmp_path, bicleaner_venv, pack):
        pairs = generated_pairs(100, 1, tmp_path)
        pairs += [(left, pairs[i - 7][1]) for i, (left, _) in enumerate(pairs)]
        sizes = [
            len(filtered(tmp_path, pairs, bicleaner_venv, pack=pack, threshold=value)[0])
            for value in (0, 0.5, 1.01)
        ]
        assert sizes[0] > sizes[1] > sizes[2] == 0

    def test_pack_of_other_languages(self, tmp_path, bicleaner_venv, pack):
        with pytest.raises(InputError, match="a pack for en-pt, not en-fr"):
            filtered(tmp_path, GOOD, bicleaner_venv, pack=pack, target_language="fr")


def pretend(venv: Path, script: str, name: str = "bicleaner-hardrules") -> Path:
    program = venv / "bin" / name
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return venv


def answering(venv: Path, *answers: str, name: str = "bicleaner-hardrules") -> Path:
    """A tool whose answers to the lines that it is given are known."""
    return pretend(venv, f"""printf '%s\\n' {" ".join(f"'{answer}'" for answer in answers)} > "$2\"""", name)


def pack_of(folder: Path, source: str = "en", target: str = "pt") -> Path:
    text = f"source_lang: {source}\ntarget_lang: {target}\ndisable_lang_ident: true\n"
    (folder / "pack.yaml").write_text(text)
    return folder / "pack.yaml"


class TestFailures:
    def test_failing_tool(self, tmp_path):
        tool = pretend(
            tmp_path / "v", "echo starting >&2; echo 'ValueError: no luck' >&2; echo bye >&2; exit 3"
        )
        with pytest.raises(
            InputError, match=r"bicleaner-hardrules failed \(exit code 3\): ValueError: no luck"
        ):
            filtered(tmp_path, GOOD, tool)
        assert not (tmp_path / "out.tsv.gz").exists()

    def test_lost_block_of_lines(self, tmp_path):
        tool = answering(tmp_path / "v", "1\tkeep")
        with pytest.raises(InputError, match="answered for 1 of 3 pairs"):
            filtered(tmp_path, GOOD, tool)

    def test_filters_that_do_not_load(self, tmp_path):
        tool = pretend(
            tmp_path / "v", 'echo "WARNING - Error loading metadata."; printf "1\\tkeep\\n" > "$2"'
        )
        with pytest.raises(InputError, match="cannot load the filters"):
            filtered(tmp_path, GOOD[:1], tool, pack=pack_of(tmp_path))

    def test_rules_are_counted_without_the_side(self, tmp_path):
        """Of a rule that looks at each side the tool names the side too."""
        tool = answering(tmp_path / "v", "1\tkeep", "0\tno_titles(left)", "0\tno_titles(right)")
        kept, counts = filtered(tmp_path, GOOD, tool)
        assert kept == ["\t".join(GOOD[0])]
        assert counts == {"raw": 3, "dropped:no_titles": 2, "hard_rules": 1}

    def test_a_score_at_the_threshold_passes(self, tmp_path):
        tool = answering(tmp_path / "v", *["1\tkeep"] * 3)
        answering(tool, "0.49", "0.5", "0.51", name="bicleaner-classify")
        kept, counts = filtered(tmp_path, GOOD, tool, pack=pack_of(tmp_path))
        assert kept == ["\t".join(pair) for pair in GOOD[1:]]
        assert (counts["classifier"], counts["dropped:classifier"]) == (2, 1)

    def test_pack_of_the_reverse_direction(self, tmp_path):
        with pytest.raises(InputError, match="a pack for pt-en, not en-pt"):
            filtered(tmp_path, GOOD, tmp_path, pack=pack_of(tmp_path, "pt", "en"))

    def test_the_model_of_languages_is_put_where_the_tool_looks_for_it(self, tmp_path):
        """FastSpell would download it, and take whatever comes."""
        pack, model = tmp_path / "pack.yaml", tmp_path / "model.bin"
        pack.write_text("source_lang: en\ntarget_lang: pt\n")
        model.write_bytes(b"right")
        tool = pretend(tmp_path / "v", "cat lib/python3.11/site-packages/fastspell/lid.176.bin >&2; exit 1")
        call_in_tool = pretend(tmp_path / "w", f'cd {tool}; exec "{tool}/bin/bicleaner-hardrules" "$@"')
        with pytest.raises(InputError, match="identifies languages, which needs --identifier"):
            filtered(tmp_path, GOOD, call_in_tool, pack=pack)
        with pytest.raises(InputError, match="w: no FastSpell in this environment"):
            filtered(tmp_path, GOOD, call_in_tool, pack=pack, identifier=model)
        (call_in_tool / "lib").symlink_to(tool / "lib")
        place = tool / "lib/python3.11/site-packages/fastspell/lid.176.bin"
        place.parent.mkdir(parents=True)
        for before in (None, b"other"):
            if before:
                place.write_bytes(before)
            with pytest.raises(InputError, match=r"bicleaner-hardrules failed \(exit code 1\): right"):
                filtered(tmp_path, GOOD, call_in_tool, pack=pack, identifier=model)
            assert [path.name for path in place.parent.iterdir()] == ["lid.176.bin"]

    def test_missing_tool(self, tmp_path):
        with pytest.raises(InputError, match="no such program"):
            filtered(tmp_path, GOOD, tmp_path / "nowhere")

    @pytest.mark.parametrize("text", ["just words\n", "a: [\n", "source_lang: en\n"])
    def test_not_a_pack(self, tmp_path, text):
        pack = tmp_path / "pack.yaml"
        pack.write_text(text)
        with pytest.raises(InputError, match="not the metadata of a Bicleaner pack"):
            filtered(tmp_path, GOOD, tmp_path, pack=pack)

    def test_pack_without_a_threshold(self, tmp_path):
        with pytest.raises(
            InputError, match=r"a pack needs --threshold; set filtering\.bicleaner\.threshold"
        ):
            filtered(tmp_path, GOOD, tmp_path, pack=tmp_path, threshold=None)

    @pytest.mark.parametrize(
        ("line", "problem"),
        [
            ("no tab here", "1 tab-separated fields instead of 2"),
            # Where hardrules' Python would end a line.
            ("a\rb\tc", "a carriage return"),
        ],
    )
    def test_line_that_is_no_pair(self, tmp_path, line, problem):
        shard = tmp_path / "shard.tsv.gz"
        write_lines(shard, ["a\tb", line])
        with pytest.raises(InputError, match=rf"shard.tsv.gz:2: {problem}"):
            bicleaner(
                shard,
                tmp_path / "o.gz",
                tmp_path / "c",
                tool=tmp_path,
                processes=1,
                **LANGUAGES,
            )
