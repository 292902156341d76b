"""All mistakes as one page for a browser; it loads nothing, and no text is taken for markup."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from structron.metrics import Judgement

MOST = 5000  # examples with mistakes on one page
NOTHING = "–"

STYLE = """
:root { color-scheme: light dark; --back: #fff; --ink: #1a1a1a; --dim: #666; --line: #ddd;
  --bad: #b3261e; --good: #146c2e; --mark: #fdecea; }
@media (prefers-color-scheme: dark) {
  :root { --back: #16181b; --ink: #e6e6e6; --dim: #9aa0a6; --line: #383c41;
    --bad: #f2b8b5; --good: #9bd6a6; --mark: #3b2523; } }
body { background: var(--back); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
  max-width: 60rem; margin: 1.5rem auto; padding: 0 1rem; }
h1 { font-size: 1.3rem; } .dim { color: var(--dim); }
form { position: sticky; top: 0; background: var(--back); padding: .6rem 0; display: flex; gap: 1rem;
  flex-wrap: wrap; border-bottom: 1px solid var(--line); }
select, input { font: inherit; max-width: 100%; }
li { margin: .7rem 0; border-bottom: 1px solid var(--line); padding-bottom: .7rem; overflow-wrap: anywhere; }
.wrong { background: var(--mark); border-radius: .3rem; padding: 0 .25rem; display: inline-block; }
del { color: var(--bad); } ins { color: var(--good); text-decoration: none; font-weight: 600; }
[hidden] { display: none; }
"""

SCRIPT = """
const pair = document.getElementById("pair"), text = document.getElementById("text");
const items = [...document.querySelectorAll("ol > li")], count = document.getElementById("count");
function sift() {
  const word = text.value.toLowerCase();
  let shown = 0;
  for (const item of items) {
    const fits = !pair.value || item.dataset.pairs.split(" ").includes(pair.value);
    item.hidden = !(fits && item.textContent.toLowerCase().includes(word));
    shown += !item.hidden;
  }
  count.textContent = shown + " of " + items.length + " shown";
}
pair.addEventListener("change", sift);
text.addEventListener("input", sift);
document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
sift();
"""


def error_page(judged: Sequence[Judgement], title: str, score: float) -> str:
    """Return a page of the examples with mistakes, marked, and a list of confusions that filters them."""
    wrong = [each for each in judged if not each.is_right]
    times = Counter(pair for each in wrong for pair in _pairs(each))
    pairs = sorted(times, key=lambda pair: (-times[pair], pair))
    number = {pair: i for i, pair in enumerate(pairs)}
    options = "".join(
        f'<option value="{i}">{_shown(*pair)} ({times[pair]})</option>' for i, pair in enumerate(pairs)
    )
    items = "\n".join(_item(each, number) for each in wrong[:MOST])
    measure = judged[0].measure if judged else "score"
    left = f", the first {MOST:,} of them here" if len(wrong) > MOST else ""
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{escape(title)}</title><style>{STYLE}</style></head><body>
<h1>{escape(title)}</h1>
<p>{escape(measure)} {100 * score:.2f}; {len(wrong):,} of {len(judged):,} examples have mistakes{left}.
<span class="dim">Struck out is the guess, green is gold.</span></p>
<form><label>mistake <select id="pair"><option value="">all</option>{options}</select></label>
<label>text <input id="text" type="search"></label>
<span class="dim" id="count" role="status"></span></form>
<ol>
{items}
</ol>
<script>{SCRIPT}</script></body></html>
"""


def _pairs(each: Judgement) -> list[tuple[str, str]]:
    return [(a, b) for a, b, right in zip(each.gold, each.guess, each.right) if not right]


def _shown(gold: str, guess: str) -> str:
    """Render a pair of labels that was confused; if both are the same, the head is wrong."""
    if gold == guess:
        return f"{escape(gold)}, wrong head"
    return f"{escape(gold or NOTHING)} → {escape(guess or NOTHING)}"


def _item(each: Judgement, number: dict[tuple[str, str], int]) -> str:
    pairs = " ".join(map(str, sorted({number[pair] for pair in _pairs(each)})))
    if len(each.words) == len(each.gold):
        parts = " ".join(_decision(each, i) for i in range(len(each.words)))
    else:
        symbols = " ".join(_symbol(*both) for both in zip(each.gold, each.guess))
        parts = f"{escape(each.text)} <br>{symbols}"
    return f'<li data-pairs="{pairs}"><div class="dim">{escape(each.place)}</div>{parts}</li>'


def _decision(each: Judgement, i: int) -> str:
    word = escape(each.words[i])
    if each.right[i]:
        return word
    gold, guess = each.gold[i], each.guess[i]
    if each.heads:
        gold, guess = (f"{label} of {_head(each, head)}" for label, head in zip((gold, guess), each.heads[i]))
    return f'<span class="wrong">{word} {_symbol(gold, guess)}</span>'


def _symbol(gold: str, guess: str) -> str:
    if gold == guess:
        return escape(gold)
    return f"<del>{escape(guess or NOTHING)}</del> <ins>{escape(gold or NOTHING)}</ins>"


def _head(each: Judgement, head: int) -> str:
    if head < 1:
        return "another sentence" if head else "the root"
    return f"{each.words[head - 1]} ({head})"
