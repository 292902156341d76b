"""Template sets for parsing: those of two papers, and our own: `rich`, `lean` for what `rich` needs, `fast`,
`greedy`.

`rich_case`, `lean_case` and their like are the same for treebanks whose FEATS tell more than XPOS. Those in
`_forms` are for treebanks without FEATS or lemmas, in `_lemmas` for those without FEATS, in `_case_forms` for
those whose FEATS tell more but that have no lemmas, and in `_tags` for tokens of a word and one tag.
"""

from __future__ import annotations

from structron.features.lazy_presets import Made

# Huang & Sagae (2010), Table 1; for arc-standard.
HUANG_SAGAE = [
    *["s0.w", "s0.t", "s0.w s0.t", "s1.w", "s1.t", "s1.w s1.t", "q0.w", "q0.t", "q0.w q0.t"],
    *["s0.w s1.w", "s0.t s1.t", "s0.t q0.t", "s0.w s0.t s1.t", "s0.t s1.w s1.t", "s0.w s1.w s1.t"],
    *["s0.w s0.t s1.w", "s0.w s0.t s1.w s1.t"],
    *["s0.t q0.t q1.t", "s1.t s0.t q0.t", "s0.w q0.t q1.t", "s1.t s0.w q0.t"],
    *["s1.t s1.lc.t s0.t", "s1.t s1.rc.t s0.t", "s1.t s0.t s0.rc.t", "s1.t s1.lc.t s0.w"],
    *["s1.t s1.rc.t s0.w", "s1.t s0.w s0.lc.t"],
    "s2.t s1.t s0.t",
]

# The set released with their parser, which sees more of the queue and of the children.
HUANG_SAGAE_50 = [
    *HUANG_SAGAE,
    *["s2.t", "q1.t", "q2.t", "q1.w", "s0.lc.t", "s0.rc.t", "s1.lc.t", "s1.rc.t"],
    *["s2.t s1.t", "q0.t q1.t", "q1.t q2.t", "s0.t q1.t", "q0.t q1.t q2.t", "q1.w q1.t"],
    *["s0.w q0.w", "q0.w q1.w", "s1.rc.t s0.lc.t", "s2.t s1.lc.t", "s1.rc.t s0.t", "s1.t s0.lc.t"],
    *["s0.rc.t q0.t", "s1.t s0.t s0.lc.t"],
]

# Zhang & Nivre (2011), Tables 1 and 2; for arc-eager.
ZHANG_NIVRE = [
    *[f"{p}.w {p}.t" for p in ("s0", "q0", "q1", "q2")],
    *[f"{p}.{a}" for p in ("s0", "q0", "q1", "q2") for a in "wt"],
    *["s0.w s0.t q0.w q0.t", "s0.w s0.t q0.w", "s0.w q0.w q0.t", "s0.w s0.t q0.t", "s0.t q0.w q0.t"],
    *["s0.w q0.w", "s0.t q0.t", "q0.t q1.t"],
    *["q0.t q1.t q2.t", "s0.t q0.t q1.t", "s0.h.t s0.t q0.t", "s0.t s0.lc.t q0.t", "s0.t s0.rc.t q0.t"],
    "s0.t q0.t q0.lc.t",
    *[f"{a} d(s0,q0)" for a in ("s0.w", "s0.t", "q0.w", "q0.t", "s0.w q0.w", "s0.t q0.t")],
    *["s0.w s0.vr", "s0.t s0.vr", "s0.w s0.vl", "s0.t s0.vl", "q0.w q0.vl", "q0.t q0.vl"],
    *["s0.h.w", "s0.h.t", "s0.r"],
    *[f"{p}.{a}" for p in ("s0.lc", "s0.rc", "q0.lc") for a in "wtr"],
    *["s0.h.h.w", "s0.h.h.t", "s0.h.r"],
    *[f"{p}.{a}" for p in ("s0.lc2", "s0.rc2", "q0.lc2") for a in "wtr"],
    *["s0.t s0.lc.t s0.lc2.t", "s0.t s0.rc.t s0.rc2.t", "s0.t s0.h.t s0.h.h.t", "q0.t q0.lc.t q0.lc2.t"],
    *["s0.w s0.sr", "s0.t s0.sr", "s0.w s0.sl", "s0.t s0.sl", "q0.w q0.sl", "q0.t q0.sl"],
]

# Our own, for arc-standard: words and lemmas, both tag sets, morphology; pairs and triples around the two
# words that the next arc would join, with distance, valency, sets of relations, children and grandchildren.
_TOPS = ("s0", "s1")
_SIDES = ("lc", "rc")
_CHILDREN = [f"{p}.{c}" for p in _TOPS for c in ("lc", "rc", "lc2", "rc2")]
_OUTER = [f"{p}.{c}" for p in _TOPS for c in _SIDES]

RICH = [
    *[f"{p}.{a}" for p in ("s0", "s1", "q0") for a in "wltxm"],
    *[f"{p}.w {p}.x" for p in ("s0", "s1", "q0", "s2", "q1")],
    *[f"{p}.l {p}.t" for p in ("s0", "s1", "q0")],
    *["s2.w", "s2.x", "s2.t", "s3.x", "q1.w", "q1.x", "q1.t", "q2.x", "q2.w"],
    # the two words on top
    *[f"s1.{a} s0.{b}" for a, b in ("ww", "ll", "tt", "xx", "mm", "wx", "xw", "lx", "xl", "lt", "tl")],
    *["s1.w s1.x s0.x", "s1.x s0.w s0.x", "s1.w s0.w s0.x", "s1.w s1.x s0.w", "s1.w s1.x s0.w s0.x"],
    # with what comes next
    *[f"s0.{a} q0.{b}" for a, b in ("ww", "ll", "tt", "xx", "wx", "xw", "lx", "xl")],
    *[f"s1.{a} q0.{b}" for a, b in ("xx", "ll", "lx", "xl")],
    *["q0.x q1.x", "q0.w q1.x", "q0.x q1.w", "q0.w q1.w", "q1.x q2.x", "q0.x q1.x q2.x"],
    *[f"s1.{a} s0.{b} q0.{c}" for a, b, c in ("xxx", "ttt", "lxx", "xlx", "xxl", "llx", "lxl", "xll")],
    *["s0.x q0.x q1.x", "s0.l q0.x q1.x", "s1.x q0.x q1.x", "s1.x s0.x q0.x q1.x"],
    # deeper in the stack
    *["s2.x s1.x", "s2.x s0.x", "s2.l s0.l", "s2.l s1.l", "s3.x s2.x s1.x s0.x", "s2.x s1.x s0.x q0.x"],
    *[f"s2.{a} s1.{b} s0.{c}" for a, b, c in ("xxx", "lxx", "xlx", "xxl")],
    # distance, valency, sets of relations
    *[f"{a} d(s1,s0)" for a in ("s1.x s0.x", "s1.t s0.t", "s1.l s0.l", "s1.l", "s0.l", "s1.x", "s0.x")],
    "d(s1,s0)",
    *[f"{p}.{a} {p}.{v}" for p in _TOPS for a in "lx" for v in ("vl", "vr", "sl", "sr")],
    *[f"s1.x s0.x {p}.{v}" for p in _TOPS for v in ("sl", "sr")],
    *["s1.t s1.sr s0.t s0.sl", "s1.l s1.sr s0.x", "s1.x s1.sr s0.l"],
    # children and grandchildren
    *[f"{child}.{a}" for child in _CHILDREN for a in "lxr"],
    *[f"s1.x s0.x {child}.{a}" for child in _OUTER for a in "xrl"],
    *["s1.x s1.rc.x s0.l", "s1.l s1.rc.x s0.x", "s1.l s1.rc.l s0.x"],
    *["s1.x s0.l s0.lc.x", "s1.l s0.x s0.lc.x", "s1.l s0.x s0.lc.l"],
    *[f"{p}.x {p}.{side}.x {p}.{side}2.x" for p in _TOPS for side in _SIDES],
    *["s1.rc.x s0.lc.x", "s1.rc.l s0.l", "s1.l s0.lc.l", "s1.rc.r s0.x q0.x", "s0.rc.x q0.x"],
    *["s0.x s0.rc.x q0.x", "s1.x s1.rc.x s1.rc.rc.x s0.x", "s0.rc.rc.x", "s1.rc.rc.x"],
]

# RICH without the templates that a trained parser does not need. They were removed a few at a time, with new
# training in between, on the dev set of EWT (decision 38). Templates of all children stay: English can do
# without those on the right of s1, but head-final languages cannot.
LEAN = [
    *[f"s0.{a}" for a in "ltxm"],
    *[f"s1.{a}" for a in "ltxm"],
    *["q0.l", "q0.x", "q0.m", "s2.t", "q1.w", "q1.x", "q1.t"],
    *[f"{p}.w {p}.x" for p in ("s1", "q0", "q1")],
    *[f"{p}.l {p}.t" for p in ("s0", "s1", "q0")],
    # the two words on top
    *[f"s1.{a} s0.{b}" for a, b in ("ll", "tt", "xx", "lx", "lt", "tl")],
    *["s1.w s1.x s0.x", "s1.w s0.w s0.x", "s1.w s1.x s0.w s0.x"],
    # with what comes next
    *[f"s0.{a} q0.{b}" for a, b in ("ww", "ll", "tt", "xx", "wx")],
    *[f"s1.{a} q0.{b}" for a, b in ("xx", "lx", "xl")],
    *["q0.x q1.x", "q0.w q1.x", "q0.x q1.w", "q0.w q1.w", "q0.x q1.x q2.x"],
    *[f"s1.{a} s0.{b} q0.{c}" for a, b, c in ("ttt", "lxx", "xxl", "llx", "lxl", "xll")],
    *["s0.x q0.x q1.x", "s0.l q0.x q1.x", "s1.x s0.x q0.x q1.x"],
    # deeper in the stack
    *["s2.x s1.x", "s2.x s0.x", "s2.x s1.x s0.x q0.x", "s2.l s1.x s0.x"],
    # distance, valency, sets of relations
    *[f"{a} d(s1,s0)" for a in ("s1.t s0.t", "s1.l s0.l", "s1.x", "s0.x")],
    "d(s1,s0)",
    *["s0.l s0.vr", "s0.l s0.sr", "s0.x s0.vl", "s0.x s0.vr", "s0.x s0.sl", "s0.x s0.sr"],
    *["s1.l s1.sr", "s1.x s1.vl", "s1.x s1.sl", "s1.x s1.sr"],
    *["s1.x s0.x s0.sl", "s1.x s0.x s0.sr", "s1.x s0.x s1.sr"],
    *["s1.t s1.sr s0.t s0.sl", "s1.l s1.sr s0.x"],
    # children and grandchildren
    *[f"{child}.{a}" for child in _CHILDREN for a in "lxr"],
    "s1.rc.rc.x",
    *[f"s1.x s0.x {a}" for a in ("s0.lc.x", "s0.lc.l", "s0.rc.r", "s1.rc.x", "s1.rc.l")],
    *["s1.l s1.rc.x s0.x", "s1.l s1.rc.l s0.x", "s1.l s0.x s0.lc.x", "s1.l s0.x s0.lc.l"],
    *["s0.x s0.lc.x s0.lc2.x", "s0.x s0.rc.x s0.rc2.x"],
    *["s1.rc.l s0.l", "s1.l s0.lc.l", "s1.rc.r s0.x q0.x", "s0.rc.x q0.x", "s0.x s0.rc.x q0.x"],
]

# Few templates that parse well, for arc-standard: fine tags and lemmas in pairs, coarse tags in triples.
FAST = [
    *["s0.l s0.x", "s1.l s1.x", "q0.l q0.x", "q1.l q1.x", "q2.x"],
    *["s1.x s0.x", "s1.l s0.l", "s1.l s0.x", "s1.x s0.l", "s0.l q0.x", "s0.x q0.l", "s0.l q0.l"],
    *["s1.t s0.t q0.t", "s1.l s0.x q0.x", "s1.x s0.l q0.x", "s0.t q0.t q1.t", "s0.l q0.x q1.x"],
    *["s2.t s1.t s0.t", "q0.t q1.t q2.t"],
    *[f"s1.t s0.t {child}.t" for child in ("s0.lc", "s1.rc", "s0.rc", "s1.lc")],
    "s1.t s0.t d(s1,s0)",
    *["s0.t s0.sl", "s1.t s1.sr", "s0.t s0.sr", "s1.t s1.sl"],
]

# The templates that a greedy parser of English needs most, found like LEAN but by greedy parsing, from FAST
# and 35 others (decision 40). It sees tags, a lemma and children of the two words on top, but no lemma pairs.
GREEDY = [
    *["s0.t", "s1.t", "q0.l", "q1.t", "s1.l s0.t", "q0.l q1.x"],
    *["s1.t s0.t q0.t", "s2.t s1.t s0.t"],
    *["s0.t s0.sl", "s0.t s0.sr", "s1.t s1.sl", "s1.t s1.sr", "s0.x s0.sl", "s1.x s1.sl"],
    *["s0.l s0.sr", "s1.l s1.sr", "s1.t s1.sr s0.t s0.sl"],
    *["s0.lc.l", "s0.lc.r", "s0.rc.l", "s1.t s0.t s1.lc.t", "s1.rc.r s0.x q0.x", "s0.rc.x q0.x"],
]


def with_case(templates: list[str]) -> list[str]:
    """Adapt templates to treebanks without fine tags: use coarse tag, case and verb form instead."""
    fine = {"x": ("t", "m(Case)", "m(VerbForm)")}
    found: list[str] = []
    for template in templates:
        atoms = [atom.rsplit(".", 1) for atom in template.split()]
        words = [".".join([*place, look]) for *place, name in atoms for look in fine.get(name, (name,))]
        found.append(" ".join(dict.fromkeys(words)))
    return list(dict.fromkeys(found))


def with_one_tag(templates: list[str]) -> list[str]:
    """Adapt templates to words with one tag, which replaces other columns, and the lowercased word lemmas."""
    read = {"l": "lower", "x": "t", "m": "t"}
    found: list[str] = []
    for template in templates:
        atoms = [atom.rsplit(".", 1) for atom in template.split()]
        text = " ".join(".".join([*path, read.get(name, name)]) for *path, name in atoms)
        found.append(text)
    return list(dict.fromkeys(found))


def with_lemmas(templates: list[str]) -> list[str]:
    """Adapt templates to treebanks without FEATS."""
    return [template for template in templates if not any(atom.endswith(".m") for atom in template.split())]


def without_lemmas(templates: list[str]) -> list[str]:
    """Adapt templates to treebanks without lemmas: use the lowercased word instead."""
    words = [
        [f"{a[:-1]}lower" if a.endswith(".l") else a for a in template.split()] for template in templates
    ]
    found = [" ".join(atoms) for atoms in words]
    return list(dict.fromkeys(found))


def with_forms(templates: list[str]) -> list[str]:
    """Adapt templates to treebanks without FEATS or lemmas: use the lowercased word for its lemma."""
    return without_lemmas(with_lemmas(templates))


PARSING_PRESETS = Made(
    {
        "huang_sagae": lambda: HUANG_SAGAE,
        "huang_sagae_50": lambda: HUANG_SAGAE_50,
        "zhang_nivre": lambda: ZHANG_NIVRE,
        "rich": lambda: RICH,
        "rich_case": lambda: with_case(RICH),
        "rich_forms": lambda: with_forms(RICH),
        "rich_lemmas": lambda: with_lemmas(RICH),
        "rich_case_forms": lambda: without_lemmas(with_case(RICH)),
        "rich_tags": lambda: with_one_tag(RICH),
        "lean": lambda: LEAN,
        "lean_case": lambda: with_case(LEAN),
        "lean_forms": lambda: with_forms(LEAN),
        "lean_lemmas": lambda: with_lemmas(LEAN),
        "lean_case_forms": lambda: without_lemmas(with_case(LEAN)),
        "lean_tags": lambda: with_one_tag(LEAN),
        "fast": lambda: FAST,
        "fast_case": lambda: with_case(FAST),
        "fast_forms": lambda: with_forms(FAST),
        "fast_case_forms": lambda: without_lemmas(with_case(FAST)),
        "fast_tags": lambda: with_one_tag(FAST),
        "greedy": lambda: GREEDY,
        "greedy_case": lambda: with_case(GREEDY),
        "greedy_forms": lambda: with_forms(GREEDY),
        "greedy_case_forms": lambda: without_lemmas(with_case(GREEDY)),
        "greedy_tags": lambda: with_one_tag(GREEDY),
    }
)

# Templates added to a set if words have clusters. Koo et al. (2008) use short prefixes of the path, which
# resemble tags, and whole paths, which resemble words.
CLUSTERED = [
    *[f"{p}.cluster" for p in ("s0", "s1", "q0", "q1")],
    *[f"{p}.cluster(6)" for p in ("s0", "s1", "q0")],
    *["s1.cluster(4) s0.cluster(4)", "s1.cluster(6) s0.cluster(6)", "s1.cluster s0.cluster"],
    *["s0.cluster(6) q0.cluster(6)", "s0.cluster q0.cluster"],
    *["s1.cluster s0.t", "s1.t s0.cluster", "s0.cluster q0.t", "s0.t q0.cluster"],
    *["s1.w s0.cluster", "s1.cluster s0.w"],
    *["s1.cluster(6) s0.cluster(6) q0.cluster(6)", "s2.cluster(6) s1.cluster(6) s0.cluster(6)"],
]

# Templates added to the lean sets, found in the same way.
LEAN_CLUSTERED = [
    *["s0.cluster", "s1.cluster", "q0.cluster", "s0.cluster(6)", "s1.cluster(6)"],
    *["s1.cluster(4) s0.cluster(4)", "s1.cluster(6) s0.cluster(6)"],
    *["s0.cluster(6) q0.cluster(6)", "s0.cluster q0.cluster", "s1.t s0.cluster", "s0.t q0.cluster"],
    "s2.cluster(6) s1.cluster(6) s0.cluster(6)",
]
