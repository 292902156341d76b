"""Makes the models that come with structron, from the data folder: ``python models/make.py [en] [en-g2p]``.

The data folder is ``$STRUCTRON_DATA``. Files go to ``structron/models``, with checksums, sizes and figures in
``models.json`` there and the licences of the data beside them. The same data give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from structron import Pipeline, Segmenter, Transducer
from structron.engine.rows import without_small
from structron.fit.clustering.clustering import brown_clusters
from structron.io import Pair, Sentence, gather, read, read_pairs
from structron.io.formats.clusters import write_clusters
from structron.io.model_file.shipped_models import FOLDER
from structron.model import Model
from structron.tasks.pipeline.names.data import names_of
from structron.tasks.pipeline.names.entities import labels_of, put_labels

sys.path.append(str(Path(__file__).resolve().parent.parent / "benchmarks"))

EWT = "ud/UD_English-EWT"
CMUDICT = "g2p/cmudict"
RAW = 60_000_000  # characters of text that the segmenter learns abbreviations from
NAMES_OF_EWT = "ner/uner_ewt/en_ewt-ud-{}.iob2.gz"
# With how often each is repeated; chosen by folds over the last, see benchmarks/results/names.md.
NAMES = {
    "ner/wikigold/wikigold.conll.txt.gz": 1,
    "ner/wnut17/wnut17train.conll.gz": 1,
    "ner/wnut17/emerging.dev.conll.gz": 1,
    NAMES_OF_EWT.format("dev"): 2,
}
KINDS = {
    **{kind: kind for kind in ("PER", "ORG", "LOC")},
    "person": "PER",
    "location": "LOC",
    "corporation": "ORG",
    "group": "ORG",
}
# By part of `en`: smaller weights are left out. On EWT's dev part, and in the folds, the rest does as well.
SMALL = {"segmenter": 1.0, "names": 1.0}
HELD_OUT = 20  # every so many words of CMUdict are not learned from

LICENCES = {"en": f"{EWT}/LICENSE.txt", "en-g2p": f"{CMUDICT}/LICENSE"}
ABOUT = {
    "en": {
        "data": "UD English-EWT 2.16, the Universal Dependencies English Web Treebank (Silveira et al. 2014, "
        "A Gold Standard Dependency Corpus for English); universaldependencies.org. Names: WikiGold and "
        "WNUT-17 (CC BY 4.0), dev part of Universal NER's English-EWT (CC BY-SA 4.0). Classes of words and "
        "abbreviations: also Wikipedia (CC BY-SA 3.0), books in the public domain, Tatoeba (CC BY 2.0 FR); "
        "README.md beside the model says more",
        "licence": "CC BY-SA 4.0, as the treebank; the text is in LICENSE.en.txt beside the model",
    },
    "en-g2p": {
        "data": "CMUdict, the Carnegie Mellon Pronouncing Dictionary, (C) 1993-2015 Carnegie Mellon "
        "University; github.com/cmusphinx/cmudict",
        "licence": "BSD 2-clause, as the dictionary; the text is in LICENSE.en-g2p.txt beside the model",
    },
}
# The release that first made the files. A later one that makes the same weights makes the same bytes.
MADE_WITH = {"en": "0.3.0", "en-g2p": "0.3.0"}
FIGURES = ("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS")


def data_folder() -> Path:
    """Return the folder with the data."""
    place = os.environ.get("STRUCTRON_DATA")
    if not place or not Path(place, EWT).is_dir():
        sys.exit("STRUCTRON_DATA: no data folder there; say where it is, as STRUCTRON_DATA=... make models")
    os.environ["STRUCTRON_DATA"] = str(Path(place).resolve())
    return Path(place).resolve()


def treebank(folder: Path, part: str) -> list[Sentence]:
    """Read a part of EWT."""
    return list(read(folder / EWT / f"en_ewt-ud-{part}.conllu.gz"))


def pronunciations(folder: Path) -> tuple[list[Pair], list[Pair]]:
    """Read CMUdict: the part for training, and the held-out part."""
    pairs = gather(read_pairs(folder / CMUDICT / "cmudict.dict.gz", format="cmudict"))
    return [pair for i, pair in enumerate(pairs) if i % HELD_OUT], pairs[::HELD_OUT]


def make_en(folder: Path, place: Path) -> None:
    """Train the English pipeline; finished stages are saved beside it, and training resumes from them."""
    os.chdir(place.parent)  # a model tells the name of its clusters, which must not depend on where this is
    checkpoint, clusters, text = (Path(f"{place.name}.{end}") for end in ("checkpoint", "clusters", "text"))
    if not clusters.exists():
        print("word clusters", flush=True)
        threads = os.cpu_count() or 1
        write_clusters(
            brown_clusters(lower_text(folder), 1000, least=10, rounds=6, threads=threads), clusters
        )
    text.write_text("".join(some_text(folder)), encoding="utf-8")
    nlp = Pipeline(
        prefer="accuracy",
        clusters=str(clusters),
        text=str(text),
        names=labelled_names(folder),
        threads=os.cpu_count() or 1,
    )
    nlp.fit(
        treebank(folder, "train"),
        dev=treebank(folder, "dev"),
        on_stage=_told(),
        checkpoint=checkpoint,
        resume=checkpoint.exists(),
    )
    model = nlp.model_
    for name, least in SMALL.items():
        model.parts[name] = lighter(model.parts[name], least)
    signed(model, "en").save(place)
    for left in (checkpoint, clusters, text):
        left.unlink(missing_ok=True)


def some_text(folder: Path) -> Iterator[str]:
    """Yield the first lines of Wikipedia and of books, for the segmenter."""
    for name in ("wikipedia", "books"):
        left = RAW // 2
        with lzma.open(folder / "text" / "en" / f"{name}.txt.xz", "rt", encoding="utf-8") as lines:
            for line in lines:
                yield line
                left -= len(line)
                if left <= 0:
                    break


def lower_text(folder: Path) -> Iterator[list[str]]:
    """Yield the sentences that words are clustered on, all of them under free licences."""
    from cluster_text import as_in_treebanks, free_sentences

    train, dev = (treebank(folder, part) for part in ("train", "dev"))
    for sentence in free_sentences(Segmenter(half=True).fit(train, dev=dev)):
        yield [word.lower() for word in as_in_treebanks(sentence) if word]


def labelled_names(folder: Path) -> list[Sentence]:
    """Read the labelled names to learn from: persons, organisations and places."""
    found = []
    for name, times in NAMES.items():
        for item in names_of(folder / name):
            assert isinstance(item, Sentence), "these are columns"
            labels = [kept_label(label) for label in labels_of(item)]
            put_labels(item.tokens, labels)
            found += [item] * times
    return found


def kept_label(label: str) -> str:
    """Return a label with one of our three kinds; O for all others."""
    kind = KINDS.get(label[2:])
    return "O" if kind is None else f"{label[:2]}{kind}"


def names_to_score(folder: Path) -> list[Sentence]:
    """Return the test part of EWT with the names of Universal NER, whose sentences are in another order.

    Three of them are cut into more words there; the labels of the words that begin where ours do are taken.
    """
    labels: dict[str, list[dict[int, str]]] = {}
    for item in names_of(folder / NAMES_OF_EWT.format("test")):
        assert isinstance(item, Sentence), "these are columns"
        own = dict(zip(places_of(item.words()), labels_of(item)))
        labels.setdefault("".join(item.words()), []).append(own)
    sentences = treebank(folder, "test")
    for sentence in sentences:
        own = labels["".join(sentence.words())].pop(0)
        put_labels(sentence.tokens, [own[place] for place in places_of(sentence.words())])
    return sentences


def places_of(words: Sequence[str]) -> list[int]:
    """Return where words begin in the characters of their sentence, without blanks."""
    return list(accumulate(map(len, words[:-1]), initial=0))


def figures_of_en(folder: Path, nlp: Pipeline) -> dict[str, dict[str, float]]:
    """Compute F1 from raw text, in percent, as in CoNLL 2018."""
    found = {}
    for part in ("dev", "test"):
        shares = nlp.evaluate(treebank(folder, part))
        found[part] = {name: round(100 * shares[name].f1, 2) for name in FIGURES}
    found["test"]["Names"] = round(100 * nlp.evaluate_names(names_to_score(folder)).f1, 2)
    return found


def make_g2p(folder: Path, place: Path) -> None:
    """Train the pronunciations of English words."""
    train, _ = pronunciations(folder)
    # The quick one of the default (decisions 42 and 44), in the direction that its trial takes.
    quick = {"templates": "fast_alike", "cut": 3, "least": 10, "direction": "forward", "combine": "none"}
    model = Transducer(**quick, half=True).fit(train).model_
    # Without small weights it has 10 MB, for half a word in a hundred.
    signed(lighter(model, 2.3), "en-g2p").save(place)


def lighter(model: Model[Any], least: float) -> Model[Any]:
    """Return a model without smaller weights."""
    return Model(model.task, without_small(model.rows, least), model.search, model.about, model.parts)


def signed(model: Model[Any], name: str) -> Model[Any]:
    """Add the training data, the licence, and the release to a model.

    On which machine is left out: all make the same weights.
    """
    model.about |= ABOUT[name]
    for part in (model, *model.parts.values()):
        part.about["signature"]["version"] = MADE_WITH[name]
        part.about["signature"].pop("machine", None)
    return model


def figures_of_g2p(folder: Path, words: Transducer) -> dict[str, dict[str, float]]:
    """Compute word error rates on held-out words, in percent: with stress, and without."""
    _, held_out = pronunciations(folder)
    found = words.predict(held_out)
    with_stress = sum(guess not in pair.targets for guess, pair in zip(found, held_out))
    without = sum(_plain(guess) not in map(_plain, pair.targets) for guess, pair in zip(found, held_out))
    share = 100 / len(held_out)
    return {
        "held out": {
            "word errors": round(share * with_stress, 2),
            "word errors without stress": round(share * without, 2),
        }
    }


def _plain(phones: str) -> str:
    return "".join(c for c in phones if not c.isdecimal())


def _told() -> Callable[[str, int, int], None]:
    """Return a function that prints the name of each stage once."""
    last = ""

    def tell(name: str, done: int, total: int) -> None:
        nonlocal last
        if name != last:
            last = name
            print(name, flush=True)

    return tell


MAKERS: dict[str, tuple[Any, Any, type[Any]]] = {
    "en": (make_en, figures_of_en, Pipeline),
    "en-g2p": (make_g2p, figures_of_g2p, Transducer),
}


def noted(folder: Path, name: str, place: Path) -> dict[str, Any]:
    """Return the entry of a model in `models.json`."""
    content = place.read_bytes()
    figures = MAKERS[name][1](folder, MAKERS[name][2].load(str(place.absolute())))
    return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content), "figures": figures}


def main(names: Sequence[str]) -> None:
    """Make the models of these names, or all."""
    folder, list_place = data_folder(), FOLDER / "models.json"
    known = json.loads(list_place.read_text()) if list_place.exists() else {}
    for name in names or MAKERS:
        place = FOLDER / f"{name}.model"
        MAKERS[name][0](folder, place)
        shutil.copyfile(folder / LICENCES[name], FOLDER / f"LICENSE.{name}.txt")
        known[name] = noted(folder, name, place)
        list_place.write_text(json.dumps(dict(sorted(known.items())), indent=2) + "\n")
        print(f"{place.name}: {len(place.read_bytes()):,} bytes, {known[name]['figures']}")


if __name__ == "__main__":
    main(sys.argv[1:])
