"""Raw text as a setting: how it is cut, what is made of it, and that it is made once."""

from __future__ import annotations

import io
import lzma
import random
from pathlib import Path

import pytest

from structron import Parser, Pipeline, Segmenter, Tagger
from structron.errors import DataError, SettingError
from structron.fit.raw_text import clusters as made
from structron.fit.raw_text.cutting import Cut, Cutter
from structron.io import Sentence, read
from structron.io.files import text_cache
from structron.progress import progress_to

NOUNS, VERBS = ("dog", "cat", "ox", "hen"), ("barks", "sleeps", "eats", "runs")
WORDS = [["the", noun, verb] for noun in NOUNS[:3] for verb in VERBS[:3]]
TAGS = [["D", "N", "V"]] * len(WORDS)


def raw(lines: int = 400) -> str:
    rng = random.Random(3)
    return "".join(f"The {rng.choice(NOUNS)} {rng.choice(VERBS)}. " for _ in range(lines)) + "\n"


@pytest.fixture
def text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    file = tmp_path / "raw.txt"
    file.write_text(raw())
    return file


# ------------------------------------------------------------------------------------------------ cutting


@pytest.mark.parametrize(
    ("labelled", "piece", "words"),
    [
        (["it", "'s", "do", "n't", "."], "doesn't", ["does", "n't"]),
        (["it", "'s"], "it's", ["it", "'s"]),
        (["it's", "don't", "we'll", "'s"], "it's", ["it's"]),
        (["l'", "d'", "eau"], "l'eau", ["l'", "eau"]),
        (["well", "-", "known", "-"], "well-known", ["well", "-", "known"]),
        (["well-known", "-"], "(well-known)...", ["(", "well-known", ")", "..."]),
        (["well", "-", "known"], "http://a-b.c/d", ["http://a-b.c/d"]),
        (["#one", "@two"], "#tag", ["#tag"]),
        (["#", "1", "#"], "#tag", ["#", "tag"]),
        ([], '"3.50!"', ['"', "3.50", "!", '"']),
        ([], "--", ["--"]),
        ([], "...?!", ["...", "?", "!"]),
    ],
)
def test_text_is_cut_as_most_labelled_words_are(labelled: list[str], piece: str, words: list[str]) -> None:
    assert Cutter.of(labelled).cut(piece) == words
    # Whatever is cut, nothing is lost.
    assert "".join(words) == piece


def test_sentences_end_at_full_stops_and_at_line_ends() -> None:
    lines = ["One TWO. Three", "four! (five.) six", "  ", "u.s. 3.5"]
    assert list(Cutter().sentences(lines)) == [
        ["one", "two", "."],
        ["three"],
        ["four", "!"],
        ["(", "five", ".", ")"],
        ["six"],
        ["u.s", "."],
        ["3.5"],
    ]


def test_where_words_are_characters_text_is_cut_into_them() -> None:
    cutter = Cutter.of(["我", "们", "去", "。"])
    assert cutter.characters and list(cutter.sentences(["我们去。他来。"])) == [list("我们去。他来。")]


def test_half_of_the_data_cut_as_all_of_them() -> None:
    words = ["it", "'s", "a", "well", "-", "known", "fact", ".", "n't"] * 50
    assert Cutter.of(words) == Cutter.of(words[: len(words) // 2])


def test_remembered_pieces_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = list(Cutter().sentences([raw()]))
    monkeypatch.setattr("structron.fit.raw_text.cutting.MOST_KEPT", 2)
    assert list(Cutter().sentences([raw()])) == whole


# ------------------------------------------------------------------------------------- what is made of it


def test_a_tagger_learns_what_words_are_alike_from_text(text: Path, tmp_path: Path) -> None:
    tagger = Tagger(text=text, epochs=3).fit(WORDS, TAGS)
    clusters = tagger.model_.task.clusters
    assert clusters is not None and clusters.name == "raw.txt, cut at blanks and marks"
    assert {"the", "dog", "hen", "runs", "."} <= set(clusters.words)
    assert "cluster[0]" in tagger.model_.task.templates
    assert tagger.predict([["the", "hen", "runs"]]) == [["D", "N", "V"]]
    tagger.save(tmp_path / "model")
    text.unlink()  # the model has all it needs
    again = Tagger.load(tmp_path / "model")
    assert again.predict([["the", "hen", "runs"]]) == [["D", "N", "V"]]
    assert again.get_params()["text"] == str(tmp_path / "raw.txt")


def test_what_was_made_is_read_again_and_never_serves_another_text(
    text: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    real = made.clustered
    monkeypatch.setattr(made, "clustered", lambda *a: calls.append(1) or real(*a))
    first = Tagger(text=str(text), epochs=2).fit(WORDS, TAGS)
    (kept,) = text.parent.glob("raw.txt.*.clusters")
    second = Tagger(text=[text], epochs=2).fit(WORDS, TAGS)
    assert calls == [1] and first.model_.task.clusters == second.model_.task.clusters
    kept.write_text("nonsense\n")  # what cannot be read is made again
    assert Tagger(text=text, epochs=2).fit(WORDS, TAGS).model_.task.clusters == first.model_.task.clusters
    text.write_text(raw(500))
    Tagger(text=text, epochs=2).fit(WORDS, TAGS)
    assert calls == [1] * 3


def test_where_nothing_can_be_written_it_is_kept_in_the_folder_for_caches(
    text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = made.write_clusters

    def write(found: object, place: Path) -> None:
        if place.parent == tmp_path:
            raise DataError("it cannot be written")
        real(found, place)  # type: ignore[arg-type]

    monkeypatch.setattr(made, "write_clusters", write)
    Tagger(text=text, epochs=1).fit(WORDS, TAGS)
    assert not list(tmp_path.glob("*.clusters"))
    assert len(list((tmp_path / "caches" / "structron").glob("raw.txt.*.clusters"))) == 1
    assert text_cache.cache_folder() == tmp_path / "caches" / "structron"


def test_packed_text_and_several_files_are_one_text(text: Path, tmp_path: Path) -> None:
    (tmp_path / "b.txt.xz").write_bytes(lzma.compress(b"A fox jumps.\n" * 5))
    clusters = Tagger(text=f"{text},{tmp_path / 'b.txt.xz'}", epochs=1).fit(WORDS, TAGS).model_.task.clusters
    assert (
        clusters is not None and clusters.name.startswith("raw.txt + b.txt.xz, ") and "fox" in clusters.words
    )


def test_threads_do_not_change_what_is_made(text: Path) -> None:
    cut = Cut(Cutter().sentences, "one")
    one = made.clusters_of_text([str(text)], cut, 1)
    assert one == made.clusters_of_text([str(text)], Cut(cut.sentences, "two"), 3)


CONLLU = """1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_
2\tdog\tdog\tNOUN\tNN\tNumber=Sing\t3\tnsubj\t_\t_
3\tbarks\tbark\tVERB\tVBZ\tNumber=Sing\t0\troot\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_

"""


def treebank(noun: str) -> list[Sentence]:
    return list(read(io.StringIO(CONLLU.replace("dog", noun)), format="conllu"))


def test_parsers_and_all_stages_of_a_pipeline_have_clusters_of_the_text(text: Path) -> None:
    sentences = [s for noun in NOUNS for s in treebank(noun)]
    parser = Parser(text=text, epochs=1, templates="lean").fit(sentences)
    assert "s0.cluster" in parser.model_.task.templates and len(parser.model_.task.clusters) > 5
    nlp = Pipeline(text=text, folds=2, prefer="balance").fit(sentences)
    parts = {name: getattr(part.task, "clusters", None) for name, part in nlp.model_.parts.items()}
    words = {name: found for name, found in parts.items() if found is not None}
    assert set(words) >= {"upos", "xpos", "feats", "parser"}
    assert len(set(map(id, words.values()))) >= 1 and len({found.lines for found in words.values()}) == 1
    assert {found.name for found in words.values()} == {"raw.txt, cut by the segmenter"}
    # The segmenter of the pipeline has cut the text, and what it learned of abbreviations is kept, too.
    assert len(list(text.parent.glob("raw.txt.*.clusters"))) == 2
    assert len(list(text.parent.glob("raw.txt.*.habits"))) == 1


def test_experts_see_clusters_and_a_file_brings_them_back(text: Path, tmp_path: Path) -> None:
    sentences = [s for noun in NOUNS for s in treebank(noun)]
    parser = Parser(text=text, epochs=1, combine="eager+arcs", search="beam:2").fit(sentences)
    task = parser.model_.task
    assert [expert.task.clusters for expert in task.experts] == [task.clusters] * 2
    assert "s0.cluster" in task.experts[0].task.templates and "h.cluster d" in task.experts[1].task.templates
    parser.save(tmp_path / "model")
    again = Parser.load(tmp_path / "model")
    assert again.predict(sentences) == parser.predict(sentences)
    assert [expert.task.clusters for expert in again.model_.task.experts] == [task.clusters] * 2


def test_habits_are_read_again(text: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = treebank("dog") * 3
    first = Segmenter(text=text, epochs=1).fit(sentences).model_.task.habits
    monkeypatch.setattr("structron.tasks.segmentation.fitting.habits_from_text.habits_from_text", None)
    assert first and Segmenter(text=text, epochs=1).fit(sentences).model_.task.habits == first


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"text": "nix.txt"}, "nix.txt: "),
        ({"text": 3}, "text = 3 is not possible; name a file, or give none"),
        ({"text": [""]}, "text = .. is not possible; name a file, or give none"),
        ({"clusters": "c.txt"}, "text and clusters both give clusters of words; give one of them"),
        ({"templates": ["w[0]"]}, "text becomes clusters, and no template has one; add cluster"),
    ],
)
def test_what_cannot_be_is_one_sentence(text: Path, settings: dict[str, object], message: str) -> None:
    with pytest.raises((DataError, SettingError), match=message.replace("[", r"\[")):
        Tagger(**{"text": text} | settings).fit(WORDS, TAGS)


def test_what_is_no_text_is_one_sentence(text: Path) -> None:
    text.write_bytes(b"one\ntw\xff\n")
    with pytest.raises(
        DataError, match=r"raw.txt, line 2: byte 0xff at position 3 is not UTF-8; convert the text to UTF-8$"
    ):
        Tagger(text=text).fit(WORDS, TAGS)


def test_text_without_words_is_one_sentence(text: Path) -> None:
    text.write_text("\n \n")
    with pytest.raises(DataError, match=r"raw.txt: there are no words in the text; give more text"):
        Tagger(text=text).fit(WORDS, TAGS)
    text.write_text("so few words\n")
    with pytest.raises(DataError, match=r"raw.txt: no word is seen 3 times; give more text$"):
        Tagger(text=text).fit(WORDS, TAGS)


def test_progress_never_goes_back(text: Path) -> None:
    told: list[tuple[str, int, int]] = []
    with progress_to(lambda *now: told.append(now)):
        Tagger(text=text, epochs=1).fit(WORDS, TAGS)
    ours = [(done, total) for name, done, total in told if name == "clustering words"]
    shares = [done / total for done, total in ours]
    assert shares == sorted(shares) and shares[0] == 0 and shares[-1] == 1
    assert any(name.startswith("reading ") for name, _, _ in told)
