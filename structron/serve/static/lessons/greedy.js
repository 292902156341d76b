// Lesson 3: greedy search fails, on a sentence of one's own.

import { h, later, number, put } from "../dom.js";
import { tree } from "../draw/tree.js";
import { post } from "../server.js";
import { arcsOf, written } from "../beam/gold.js";
import { region } from "../beam/outputs.js";

export const title = "Greedy search regrets";
const WIDTHS = ["greedy", "beam:2", "beam:4", "beam:8", "beam:16"];
let under = null;

export const leave = () => under?.abort();

export function build(known) {
  const model = known.models.find((each) => each.live || each.name === "en") ?? known.models.find((each) => each.editor === "tree");
  const place = h("div", {}), told = h("p", { class: "told", "aria-live": "polite" });
  const text = h("textarea", { id: "greedy", rows: 1, dir: "auto", spellcheck: "false", value: model?.greedy ?? (model?.task === "pipeline" ? "Time flies like an arrow and fruit flies like a banana." : "light , water and saw the old house ."), oninput: later(() => ask(), 300) });

  async function ask() {
    under?.abort();
    under = new AbortController();
    if (!text.value.trim()) return put(place);
    try {
      const films = await Promise.all(WIDTHS.map((search) => post("/play/film", { model: model.name, input: text.value.trim(), search }, under.signal)));
      show(films);
    } catch (error) {
      if (error.name !== "AbortError") put(place, h("p", { class: "bad", role: "alert" }, error.message));
    }
  }

  // What a search found is the best item of its last step.
  function show(films) {
    const found = films.map((film) => { const item = film.steps.at(-1).items[0]; return { film, score: item.score, arcs: item.built, said: String([...item.built].sort((p, q) => p[0] - q[0])) }; });
    const most = Math.max(...found.map((each) => each.score)), best = found.find((each) => each.score === most), low = found[0];
    const lost = low.said !== best.said, heads = new Map(best.arcs.map(([child, head, label]) => [child, [head, label]]));
    const right = { heads: best.film.words.map((_, i) => heads.get(i + 1)[0]), relations: best.film.words.map((_, i) => heads.get(i + 1)[1]) };
    const wrong = new Set(low.arcs.filter(([child, head, label]) => right.heads[child - 1] !== head || right.relations[child - 1] !== label).map(([child]) => child));
    put(told, lost ? h("span", {}, "Greedy search lost a tree that the ", h("em", {}, "same model"), ` likes better, by ${number(most - low.score, 1)}. Red: what it did instead.`) : "Greedy search found what the widest beam found. Try another sentence.");
    put(place, h("table", {}, h("caption", {}, "The best that each search finds"), h("thead", {}, h("tr", {}, ["search", "score", "behind"].map((name) => h("th", { scope: "col", class: name === "search" ? "" : "number" }, name)))),
      h("tbody", {}, found.map((each, i) => h("tr", { class: each.score === most ? "gold" : "" }, h("td", {}, WIDTHS[i]), h("td", { class: "number" }, number(each.score, 1)), h("td", { class: "number" }, each.score === most ? "best" : number(each.score - most, 1)))))),
      h("h3", {}, "What greedy search finds"), region("What greedy search finds", tree({ words: low.film.words, tags: low.film.tags, arcs: low.arcs, wrong, below: lost ? arcsOf(right).filter(([child]) => wrong.has(child)) : [] })),
      lost ? h("p", {}, h("a", { href: "#" + new URLSearchParams({ view: "beam", model: model.name, text: text.value, search: "greedy", gold: written(right), step: "0" }) }, "Watch where greedy search loses it")) : null);
  }

  return {
    text: [
      "A greedy parser takes the best action, then the best after that, and never looks back. It is fast, and often right. But an action that looks good now may cost more later than it brought.",
      ["Here the same model parses with beams of five widths. ", h("strong", {}, "All five use the same weights"), ": a lower score is no other opinion, it is a better tree that was not found. That is a search error."],
      "Widening the beam helps, but never with certainty: a beam is a promise about what was looked at, and not about what is best. So the learner must know that search is not exact. The next two lessons show what happens if it does not.",
    ],
    todo: ["Watch on which step greedy search takes the wrong turn. Which word does it regret?", "Find a sentence of your own where greedy search loses. Long ones, and those with “that” or “and”, are good places to look.", "Can a wider beam find a tree that is worse? Think before you look: the beam keeps the best so far, not the best in the end."],
    stage: [h("label", { for: "greedy" }, "Sentence", text), told, place, model ? (setTimeout(ask), null) : h("p", {}, "No parser is served.")],
  };
}
