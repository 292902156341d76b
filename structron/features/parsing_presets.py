"""Template sets for parsing: `huang_sagae`, `huang_sagae_50`, `zhang_nivre`, and our own."""

from __future__ import annotations

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

# The set released with their parser, which looks at more of the queue and of the children.
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

PARSING_PRESETS: dict[str, list[str]] = {
    "huang_sagae": HUANG_SAGAE,
    "huang_sagae_50": HUANG_SAGAE_50,
    "zhang_nivre": ZHANG_NIVRE,
}
