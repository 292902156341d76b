"""The experiments run, sign and remember their numbers, and make their tables; on synthetic data."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.papers.loading import experiment_modules


@pytest.fixture(scope="module")
def code() -> Iterator[SimpleNamespace]:
    pytest.importorskip("matplotlib")
    with experiment_modules():
        names = ("corpora", "record", "report", "run", "huang2012.plan", "huang2012.results")
        modules = {name.rpartition(".")[2]: importlib.import_module(name) for name in names}
        collins = SimpleNamespace(
            plan=importlib.import_module("collins2002.plan"),
            results=importlib.import_module("collins2002.results"),
        )
        parsing = SimpleNamespace(
            plan=importlib.import_module("huang2012.parsing.plan"),
            results=importlib.import_module("huang2012.parsing.results"),
        )
        dror, learners, zhao, sun, sagae, zhang, attached = (
            SimpleNamespace(
                plan=importlib.import_module(f"{name}.plan"),
                results=importlib.import_module(f"{name}.results"),
            )
            for name in (
                *("dror2016", "learners", "zhao_huang2013", "sun2009", "huang_sagae2010", "zhang2013"),
                "dror2016.parsing",
            )
        )
        words = SimpleNamespace(
            **{
                name: SimpleNamespace(
                    plan=importlib.import_module(f"{name}.plan"),
                    results=importlib.import_module(f"{name}.results"),
                )
                for name in ("g2p", "yu2013_transduction")
            }
        )
        yield SimpleNamespace(
            **modules,
            collins=collins,
            parsing=parsing,
            dror=dror,
            learners=learners,
            zhao=zhao,
            sun=sun,
            sagae=sagae,
            zhang=zhang,
            attached=attached,
            words=words,
        )


@pytest.fixture(scope="module")
def entries(code: SimpleNamespace) -> list[dict[str, Any]]:
    few = {code.plan.beam(width, merge) for width in (1, 4) for merge in (True, False)}
    return [
        code.record.measure(run)
        for run in code.plan.corpus_runs("synthetic", quick=True)
        if run.search in few
    ]


def test_only_the_standard_update_is_ever_invalid(entries: list[dict[str, Any]]) -> None:
    for entry in entries:
        if entry["run"]["update"] != "standard":
            assert sum(entry["updates"]) > 0
            assert sum(entry["invalid"]) == 0


def test_greedy_standard_makes_invalid_updates(code: SimpleNamespace, entries: list[dict[str, Any]]) -> None:
    (greedy,) = code.results.at(entries, "synthetic", "standard", 1)
    assert code.results.invalid_share(greedy) > 0


def test_merging_means_nothing_to_a_beam_of_one(code: SimpleNamespace, entries: list[dict[str, Any]]) -> None:
    for method in code.plan.MAIN:
        (merged,) = code.results.at(entries, "synthetic", method, 1)
        (bare,) = code.results.at(entries, "synthetic", method, 1, merge=False)
        assert merged["dev"] == bare["dev"]
        assert merged["updates"] == bare["updates"]


def test_exact_search_has_no_invalid_update(code: SimpleNamespace) -> None:
    run = code.record.Run("synthetic", "exact", "standard", seed=0, epochs=1, quick=True)
    assert sum(code.record.measure(run)["invalid"]) == 0


def test_every_number_is_signed(entries: list[dict[str, Any]]) -> None:
    for entry in entries:
        assert set(entry["signature"]) == {"recipe", "data", "seed", "version", "machine"}
        assert all(entry["signature"][key] not in ("", None) for key in entry["signature"])
    recipes = {entry["signature"]["recipe"] for entry in entries}
    assert len(recipes) == len(entries)


def test_the_record_remembers_and_a_later_line_replaces_an_earlier_one(
    code: SimpleNamespace, entries: list[dict[str, Any]], tmp_path: Path
) -> None:
    path = tmp_path / "results.jsonl"
    record = code.record.Record(path)
    run = code.record.Run(**entries[0]["run"])
    assert not record.has(run)
    record.add(entries[0])
    record.add(entries[1])
    record.add(entries[0] | {"test": 12.5})
    again = code.record.Record(path)
    assert again.has(run)
    assert [entry["test"] for entry in again.of([run])] == [12.5]
    again.compact()
    assert len(path.read_text().splitlines()) == 2
    other = entries[0] | {"signature": entries[0]["signature"] | {"data": "0" * 12}}
    again.add(other)
    assert not again.has(run), "numbers of other data do not count"


def test_huang2012_makes_its_tables_and_pictures(
    code: SimpleNamespace, entries: list[dict[str, Any]], tmp_path: Path
) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("Before.\n\n<!-- figure5 -->\nold\n<!-- /figure5 -->\n\nAfter.\n")
    code.results.write(entries, tmp_path, ["synthetic"])
    text = readme.read_text()
    assert text.startswith("Before.") and "After." in text and "old" not in text
    for block in ("figure4 synthetic", "table1 synthetic", "table2 synthetic", "figure5"):
        assert text.count(f"<!-- {block} -->") == text.count(f"<!-- /{block} -->") == 1
    assert "| max-violation " in text
    code.report.fill(readme, {"figure5": code.results.table_figure5(entries, ["synthetic"])})
    assert readme.read_text() == text, "the same record gives the same page"
    for picture in ("figure4", "figure5"):
        assert (tmp_path / f"{picture}.png").read_bytes().startswith(b"\x89PNG")
        assert "<svg" in (tmp_path / f"{picture}.svg").read_text()


def test_standard_updates_of_a_parser_are_often_invalid_and_no_other_is(
    code: SimpleNamespace, tmp_path: Path
) -> None:
    entries = [
        code.record.measure(run) for run in code.parsing.plan.corpus_runs("synthetic-trees", quick=True)
    ]
    for entry in entries:
        assert (sum(entry["invalid"]) > 0) == (entry["run"]["update"] == "standard")
    shares = [
        code.parsing.results.invalid_share(
            code.parsing.results.one(entries, "synthetic-trees", "standard", b)
        )
        for b in (1, 8)
    ]
    assert shares[0] > shares[1] > 0, "the worse the search, the more updates are invalid"
    code.parsing.results.write(entries, tmp_path, ["synthetic-trees"])
    text = (tmp_path / "README.md").read_text()
    for block in ("table3 synthetic-trees", "race synthetic-trees", "figure5 parsing"):
        assert f"<!-- {block} -->" in text
    for picture in ("figure5", "figure6"):
        assert (tmp_path / f"{picture}.png").is_file() and (tmp_path / f"{picture}.svg").is_file()


def test_a_beam_with_dynamic_programming_finds_more_and_holds_more_derivations(
    code: SimpleNamespace, tmp_path: Path
) -> None:
    plan, results = code.sagae.plan, code.sagae.results
    # The run that is decoded is one of those that are trained, and stands in both lists of the plan.
    runs = [plan.search_run("synthetic-trees", quick=True)]
    runs += plan.training_runs("synthetic-trees", quick=True)
    entries = {run: run.measure() for run in runs}
    decoded = entries[runs[0]]["decoded"]
    assert decoded["dp:1"]["score"] == decoded["beam:1"]["score"] and decoded["dp:1"]["derivations"] == 1
    for width in (2, 4):
        assert decoded[f"dp:{width}"]["score"] >= decoded[f"beam:{width}"]["score"]
        assert decoded[f"dp:{width}"]["better"] >= decoded[f"dp:{width}"]["worse"]
    assert decoded["dp:4"]["derivations"] > decoded["dp:2"]["derivations"] > 1
    assert all(sum(entry["updates"]) > 0 == sum(entry["invalid"]) for entry in entries.values())
    results.write([entries[run] for run in runs], tmp_path)
    text = (tmp_path / "README.md").read_text()
    for block in ("search", "equal", "forest", "training"):
        assert f"<!-- {block} -->" in text
    assert text.count("| max-violation ") == text.count("| early ") == 2
    assert (tmp_path / "search.png").is_file() and (tmp_path / "search.svg").is_file()


def test_collins2002_makes_its_tables_and_picture(code: SimpleNamespace, tmp_path: Path) -> None:
    plan = code.collins.plan
    runs = [run for choice in plan.SEARCHES[1:] for run in plan.search_runs("synthetic", *choice, quick=True)]
    code.collins.results.write([code.record.measure(run) for run in runs], tmp_path, ["synthetic"])
    text = (tmp_path / "README.md").read_text()
    assert "<!-- averaging synthetic -->" in text and "beam 4, max-violation" in text
    assert (tmp_path / "epochs.png").is_file() and (tmp_path / "epochs.svg").is_file()


def test_dror2016_makes_its_tables_and_picture(code: SimpleNamespace, tmp_path: Path) -> None:
    plan = code.dror.plan
    few = {name: plan.OURS[name] for name in ("error spans, A-uniform", "MIRA, cap C")}
    runs = [*plan.model_runs(plan.PAPER, quick=True), *plan.model_runs(few, quick=True)]
    entries = [run.measure() for run in runs]
    assert all(
        set(entry["signature"]) == {"recipe", "data", "seed", "version", "machine"} for entry in entries
    )
    for entry in entries:
        if entry["run"]["model"] in ("A-WM", "A-WMR", "CSP"):
            assert sum(entry["invalid"]) == 0 < sum(entry["updates"])
    code.dror.results.write(entries, tmp_path)
    text = (tmp_path / "README.md").read_text()
    for kind in ("plain", "averaged"):
        for setting in (1, 2, 3):
            assert f"<!-- table1 {kind} {setting} -->" in text
    assert "75.47 (3.05)" in text and "| error spans, A-uniform" in text and "Bayes: Viterbi" in text
    assert (tmp_path / "table1.png").is_file() and (tmp_path / "table1.svg").is_file()


def test_dror2016_makes_its_table_of_parsers(code: SimpleNamespace, tmp_path: Path) -> None:
    plan, results = code.attached.plan, code.attached.results
    runs = [run for order in (1, 2) for run in plan.language_runs("synthetic-trees", order, quick=True)]
    entries = [run.measure() for run in runs]
    for entry in entries:
        model = entry["run"]["model"]
        assert ("dev" in entry) == (model != "CSP") and set(entry["test"]) == {"plain", "averaged"}
        assert model == "B-WM" or entry["invalid"] == 0 < entry["updates"]
    results.write(entries, tmp_path, ["synthetic-trees"])
    text = (tmp_path / "README.md").read_text()
    for block in ("table2 plain 1", "table2 averaged 2", "gaps", "enforced", "counts", "printed"):
        assert f"<!-- {block} -->" in text
    assert "| 2     |  E-WM |" in text and "Not measured yet" not in text
    # The printed averages are not those of the printed columns.
    assert "| 83.69 | 83.65 |    83.77 |     83.79 |" in text
    assert "| 82.92 | 82.87 |    83.00 |     83.01 |" in text
    record = code.record.Record(tmp_path / "results.jsonl", plan.KIND)
    record.add(entries[0])
    assert code.record.Record(tmp_path / "results.jsonl", plan.KIND).has(runs[0])


def test_held_out_sentences_are_not_learned_from(code: SimpleNamespace) -> None:
    split = sys.modules["dror2016.parsing.trees"].split
    for sentences, size in ((910, 91), (2999, 299), (3000, 1000), (12544, 1000)):
        left, held = split(sentences, 1)
        assert len(held) == size and sorted([*left, *held]) == [*range(sentences)]
    assert split(910, 1) == split(910, 1) != split(910, 2)


def test_top_and_test_are_as_the_paper_has_them(code: SimpleNamespace) -> None:
    def entry(model: str, beta: float, dev: float, test: float) -> dict[str, Any]:
        run = {"model": model, "beta": beta}
        return {"run": run, "dev": {"plain": dev}, "test": {"plain": test}}

    swvp = [
        entry("B-WM", b, *both) for b, both in ((2, (80, 70)), (1, (80, 71)), (3, (79.95, 72)), (4, (79, 73)))
    ]
    assert code.attached.results.four([entry("CSP", 0, 0, 71.5), *swvp], "plain") == (71.5, 71, 72, 73)


def test_only_the_standard_update_is_ever_invalid_with_cube_pruning(
    code: SimpleNamespace, tmp_path: Path
) -> None:
    plan, results = code.zhang.plan, code.zhang.results
    runs = plan.corpus_runs("synthetic-trees", quick=True)
    entries = [run.measure() for run in runs]
    for entry in entries:
        assert sum(entry["updates"]) > 0
        if entry["run"]["update"] != "standard":
            assert sum(entry["invalid"]) == 0
        if entry["run"]["update"] in ("standard", "skip"):
            assert sum(entry["below"]) == 0
    narrow = results.one(entries, "synthetic-trees", "standard", 1)
    assert results.invalid_share(narrow) > 0
    results.write(entries, tmp_path, ["synthetic-trees"])
    text = (tmp_path / "README.md").read_text()
    assert "<!-- methods synthetic-trees 4 -->" in text and "| parallel " in text and "UAS 93.50" in text
    assert (tmp_path / "epochs.png").is_file() and (tmp_path / "epochs.svg").is_file()


def test_the_six_indicators_of_dror2016_are_what_the_templates_count(code: SimpleNamespace) -> None:
    """Φ of the paper, but for x alone, which gold and guess share; y' alone is y where something follows."""
    chains = sys.modules["dror2016.chains"]
    task = chains.TaggingTask(("y0", "y1"), chains.TEMPLATES)
    xs, ys = chains.draw(1, 1, True).parts["train"]
    space = task.space(xs[0])
    state = space.initial()
    for place in range(8):
        found = list(space.features(state, 1))
        assert len(found) == (5 if place < 7 else 4), "y' alone is not counted at the last position"
        state = space.advance(state, 1)
    keys = [{space._keys[place][n][0] for place in range(8)} - {0} for n in range(2)]
    assert [len(each) for each in keys] == [1, 1] and len(ys[0]) == 8


def test_learners_make_their_tables(code: SimpleNamespace, tmp_path: Path) -> None:
    runs = code.learners.plan.corpus_runs("synthetic", quick=True)
    entries = [run.measure() for run in runs]
    code.learners.results.write(entries, tmp_path, ["synthetic"])
    text = (tmp_path / "README.md").read_text()
    assert (
        "<!-- families synthetic -->" in text and "| averaged perceptron" in text and "`mira:C=0.1`" in text
    )


def test_schedules_make_their_tables_and_more_workers_never_slow_the_simulated_clock(
    code: SimpleNamespace, tmp_path: Path
) -> None:
    plan, results = code.zhao.plan, code.zhao.results
    entries = [run.measure() for run in plan.sizes("synthetic", True)[:2] + plan.mixing("synthetic", True)]
    results.write(entries, tmp_path)
    text = (tmp_path / "README.md").read_text()
    assert "<!-- sizes -->" in text and "<!-- simulated -->" in text and "mixing, as many shards" in text
    clock = next(entry for entry in entries if entry["run"]["clock"])
    times = [results.simulated_batches(clock, 16, workers, True) for workers in (1, 2, 8)]
    assert times == sorted(times, reverse=True)
    assert results.simulated_batches(clock, 16, 1, True) == pytest.approx(
        results.simulated_batches(clock, 16, 1, False)
    )


def test_the_dev_part_chooses_and_the_test_part_only_measures(code: SimpleNamespace) -> None:
    entry = {
        "run": {"setting": 1, "number": 1, "model": "B-WM"},
        "dev": {"plain": [70.0, 80.0, 80.0]},
        "test": {"plain": [90.0, 60.0, 75.0]},
    }
    assert code.dror.results.chosen(entry, "plain") == 60.0
    assert code.dror.results.generalised([entry], "plain") == 0


def test_a_command_makes_what_is_due_and_no_more(
    code: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = code.record.Run("synthetic", "beam:1+merge", "early", seed=0, epochs=1, quick=True)
    results = SimpleNamespace(write=lambda found, out: (out / "count").write_text(str(len(found))))
    papers = {"huang2012": (SimpleNamespace(runs=lambda quick: {"tiny": [run]}), results)}
    monkeypatch.setattr(code.run, "PAPERS", papers)
    command = ["huang2012:tiny", "--quick", "--jobs", "1", "--out", str(tmp_path)]
    for extra, made in ([], True), ([], False), (["--again"], True), (["--report"], False):
        assert code.run.main(command + extra) == 0
        assert ("huang2012:tiny 1/1: early beam:1+merge seed 0" in capsys.readouterr().err) == made
    (line,) = (tmp_path / "huang2012" / "results.jsonl").read_text().splitlines()
    assert json.loads(line)["run"]["update"] == "early"
    assert (tmp_path / "huang2012" / "count").read_text() == "1"


def test_missing_data_are_told_in_one_sentence(
    code: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STRUCTRON_DATA", str(tmp_path))
    code.corpora.load.cache_clear()
    assert code.run.main(["huang2012:penn", "--quick", "--jobs", "1", "--out", str(tmp_path)]) == 2
    message = capsys.readouterr().err
    assert message.startswith(
        "experiments: $STRUCTRON_DATA has no ptb_sample/pos.train.tsv.gz; set STRUCTRON_DATA"
    )
    assert message.count("\n") == 1


def test_words_seen_once_are_unknown_to_the_templates_of_words_only(code: SimpleNamespace) -> None:
    parts = {
        "train": ([["the", "dog", "the"]], [["D", "N", "D"]]),
        "dev": ([["the", "cat"]], [["D", "N"]]),
        "test": ([], []),
    }
    corpus = code.corpora.tagging("tiny", "Tiny", parts)
    assert corpus.train[0] == [[("the", "the"), ("dog", "<unk>"), ("the", "the")]]
    assert corpus.dev[0] == [[("the", "the"), ("cat", "<unk>")]]


@pytest.mark.parametrize(
    ("tag", "simple"),
    [
        *[("nn-tl", "nn"), ("fw-nn-tl-hl", "nn"), ("ppss+bem", "ppss"), ("bedz*", "bedz"), ("do*-hl", "do")],
        *[("np$", "np$"), ("*", "*"), ("--", "--"), ("fw-*", "*"), ("vb+ppo-nc", "vb"), (".-hl", ".")],
    ],
)
def test_brown_tags_lose_their_marks(code: SimpleNamespace, tag: str, simple: str) -> None:
    assert code.corpora.simple_tag(tag) == simple


def test_transducers_are_measured_and_make_their_tables(code: SimpleNamespace, tmp_path: Path) -> None:
    plan, results = code.words.yu2013_transduction.plan, code.words.yu2013_transduction.results
    few = [run for run in plan.corpus_runs("synthetic", quick=True) if run.search != "beam:16"]
    entries = [run.measure() for run in few]
    for entry in entries:
        assert set(entry["signature"]) == {"recipe", "data", "seed", "version", "machine"}
        if entry["run"]["update"] != "standard":
            assert sum(entry["updates"]) > 0 == sum(entry["invalid"])
    results.write(entries, tmp_path, ["synthetic"])
    assert "| max-violation " in (tmp_path / "README.md").read_text()
    assert (tmp_path / "epochs.png").is_file() and (tmp_path / "epochs.svg").is_file()
    record = code.record.Record(tmp_path / "results.jsonl", plan.KIND)
    record.add(entries[0])
    assert code.record.Record(tmp_path / "results.jsonl", plan.KIND).has(few[0])


def test_g2p_tables_have_a_row_for_each_lexicon(code: SimpleNamespace, tmp_path: Path) -> None:
    run = code.words.g2p.plan.run("synthetic", 2, quick=True)
    entry = run.measure()
    assert 0 < entry["test_per"] < entry["test_wer"] <= 100 and "test WER" in run.line(entry)
    entries = [
        entry | {"run": entry["run"] | {"corpus": corpus}}
        for corpus in ("sigmorphon2020:fre", "sigmorphon2020:kor", "transliteration:arabic")
    ]
    whole = code.words.g2p.plan.run("synthetic", 2, quick=True, whole=True).measure()
    entries += [
        entry | {"run": entry["run"] | {"corpus": "cmudict"}},
        whole | {"run": whole["run"] | {"corpus": "cmudict"}},
    ]
    code.words.g2p.results.write(entries, tmp_path)
    text = (tmp_path / "README.md").read_text()
    for name in ("French", "Korean", "macro average", "Arabic", "19 of 20 words", "| all "):
        assert name in text


def test_two_sub_labels_win_where_labels_hide_a_state(code: SimpleNamespace, tmp_path: Path) -> None:
    """Learning is not convex, yet every start that was tried gets past what labels alone can say."""
    runs = [code.sun.plan.Hidden("cycles", hidden, seed, 20) for seed in (1, 2, 3) for hidden in (1, 2)]
    entries = [run.measure() for run in runs]
    plain, hidden = ([e["test"] for e in entries if e["run"]["hidden"] == h] for h in (1, 2))
    assert min(hidden) > max(plain) + 3
    assert all(sum(entry["invalid"]) == 0 for entry in entries)
    code.sun.results.write(entries, tmp_path, ["cycles"])
    assert "| seed 3 |" in (tmp_path / "README.md").read_text()


def test_translators_are_measured_against_their_dense_start(
    code: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    captions, trials, results = (
        importlib.import_module(f"yu2013.{name}") for name in ("captions", "trials", "results")
    )
    nouns = {"haus": "house", "buch": "book", "kind": "child", "pferd": "horse"}
    verbs = {"singt": "sings", "liest": "reads", "steht": "stands", "schläft": "sleeps"}
    pairs = [
        (f"das {n} das {v} {w}".split(), [f"the {nouns[n]} that {verbs[v]} {verbs[w]}".split()])
        for n in nouns
        for v in verbs
        for w in verbs
    ]
    made = captions.Captions(pairs[:50], pairs[50:57], pairs[57:])
    monkeypatch.setattr(captions, "load_captions", lambda quick=False: made)
    monkeypatch.setattr(trials, "load_captions", lambda quick=False: made)
    few = {"sentences": 20, "quick": True}
    runs = [
        trials.Trial("reach", limit=0, folds=-1, **few),
        trials.Trial("reach", limit=6, folds=0, **few),
        *(trials.Trial(aim=aim, update="standard", width=4, **few) for aim in ("reference", "hope")),
        trials.Trial(part="longest", outlook=False, folds=0, width=4, **few),
        *(trials.Trial(learner="mira:C=0.003", batch=size, **few) for size in (1, 16)),
        *(trials.Trial(frozen=False, by_class=each, epochs=2, **few) for each in (False, True)),
    ]
    monkeypatch.setattr(results, "drifts", lambda quick: runs[-2:])
    monkeypatch.setattr(results, "batches", lambda quick: runs[5:7])
    assert len(runs[4].places()) == 10, "a fifth of what there is"
    entries = [run.measure() for run in runs]
    for entry in entries[2:]:
        assert len(entry["language_model"]) == 1 + entry["run"]["epochs"]
        assert (len(set(entry["language_model"])) == 1) == entry["run"]["frozen"], "what is frozen stays"
    assert entries[0]["reachable"] <= entries[0]["with_prefixes"] <= 100
    for entry in entries[2:]:
        low, high = entry["difference"][1:3]
        assert low <= entry["held"] - entry["start"] <= high
    results.write(entries, tmp_path)
    text = (tmp_path / "README.md").read_text()
    assert "7 trainings and 2 counts" in text
    assert "| stack by stack " in text and "| over the same words " in text
    assert "| 0.003 |     1 |" in text and "| 0.003 |    16 |" in text, "one pair at a time, and a minibatch"


def test_rules_with_gaps_are_learned_by_every_method_of_the_plan(
    code: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bitexts, plan, results = (
        importlib.import_module(f"zhao2014.{name}") for name in ("bitexts", "plan", "results")
    )
    nouns = {"haus": "house", "buch": "book", "kind": "child", "pferd": "horse"}
    verbs = {"singt": "sings", "liest": "reads", "steht": "stands", "schläft": "sleeps"}
    made = [
        {
            "de": f"das {n} das {v} {w}",
            "en": f"the {nouns[n]} {'that' if len(n + v + w) % 2 else 'which'} {verbs[w]} {verbs[v]}",
        }
        for n in nouns
        for v in verbs
        for w in verbs
    ]
    monkeypatch.setattr(bitexts, "lines", lambda part, language, count: [x[language] for x in made][:count])
    runs = plan.runs(quick=True)
    assert {run.update for run in runs["updates"]} == {"none", *plan.METHODS}
    reach = [run for run in runs["reachability"] if run.least == 2]
    few = [run for run in runs["updates"] if run.update in ("none", "standard", "max_violation")]
    entries = [run.measure() for run in (*reach, *few, *runs["whole"])]
    for entry in entries[: len(reach)]:
        assert 0 < entry["left_out"][0] <= entry["whole"][0] <= entry["pairs"] == len(made)
    for entry in entries[len(reach) :]:
        assert entry["run"]["update"] == "standard" or sum(entry["invalid"]) == 0
        assert entry["run"]["update"] != "max_violation" or sum(entry["updates"]) > 0
    results.write(entries, tmp_path)
    text = (tmp_path / "README.md").read_text()
    assert "| hiero, tuned" in text and "| standard " in text and f"{len(entries)} runs in" in text
    assert [entry["test"] is not None for entry in entries[-3:]] == [False, True, True]
    whole = text.split("<!-- whole -->")[1].split("<!-- /whole -->")[0]
    assert "| phrases " in whole and "| hiero " in whole and f" {entries[-1]['test']:.2f} |" in whole
