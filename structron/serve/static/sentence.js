// Type a sentence, and see tags, tree, sounds or whatever the model gives, at once.

import { choose, h, later, put, say } from "./dom.js";
import { tree } from "./draw.js";
import { post } from "./server.js";

const EXAMPLES = {
  tagging: "light , water and saw the old house .", parsing: "light , water and saw the old house .",
  transduction: "knighting", pipeline: "Time flies. It does.", segmentation: "Time flies. It does.",
};
let under = null; // the request under way

export async function enter(main, known, { state, keep }) {
  const names = known.models.map((model) => model.name);
  const usual = names.includes("parser") ? "parser" : names[0];
  const model = () => known.models.find((each) => each.name === pick.select.value);
  const pick = choose("Model", names, names.includes(state().model) ? state().model : usual, () => {
    keep({ model: model().name });
    ask();
  });
  const text = h("textarea", { id: "text", rows: 2, spellcheck: "false", autocomplete: "off", oninput: () => later_() });
  text.value = state().text ?? EXAMPLES[model()?.task] ?? "";
  const found = h("div", { id: "found" });
  const why = h("div", { class: "why", role: "status" });
  const later_ = later(() => ask(), 150);

  async function ask() {
    keep({ view: "sentence", text: text.value, model: model().name });
    under?.abort();
    under = new AbortController();
    put(why);
    if (!text.value.trim()) return put(found, h("p", { class: "note" }, "Type something."));
    try {
      const answer = await post("/predict", { model: model().name, input: text.value.trim() }, under.signal);
      put(found, shown(answer.task, answer.output, explain));
      say("");
    } catch (error) {
      if (error.name === "AbortError") return;
      put(found, h("p", { class: "bad", role: "alert" }, error.message));
    }
  }

  // Explanations are asked for once, when somebody points at a decision.
  let explained = null;
  async function explain(i, word) {
    if (!model().explains) return;
    const key = model().name + "\n" + text.value;
    if (explained?.key !== key) {
      try {
        explained = { key, value: (await post("/play/explain", { model: model().name, input: text.value.trim() })).explanation };
      } catch { return; }
    }
    put(why, h("strong", {}, "Why?"), decisionsOf(explained.value, i, word).map(reasons));
  }

  put(main, h("h1", {}, "A sentence"),
    h("p", { class: "lead" }, "Type, and see what the model makes of it."),
    h("div", { class: "row" }, pick.element), h("label", { for: "text" }, "Sentence"), text, found, why,
    h("p", { class: "note" }, "Models: ", known.models.map((each) => `${each.name} (${each.task})`).join(", "), "."));
  await ask();
}

export function leave() { under?.abort(); }

function shown(task, output, explain) {
  if (task === "tagging") return tagged(output.words, output.tags, explain);
  if (task === "lemmatisation") return tagged(output.words, output.lemmas, explain);
  if (task === "parsing") return parsed(output.words, output.tags, output.heads, output.relations, explain);
  if (task === "pipeline") {
    return output.sentences.map(({ words }) => {
      const [forms, tags] = [words.map((w) => w.form), words.map((w) => w.upos)];
      return words.every((w) => w.head !== null) ? parsed(forms, tags, words.map((w) => w.head), words.map((w) => w.deprel), explain) : tagged(forms, tags, explain);
    });
  }
  if (task === "segmentation") return h("ol", {}, output.sentences.map((one) => h("li", {}, one.words.join(" · "))));
  const said = Array.isArray(output) ? output.join(" ") : String(output ?? "nothing found");
  return h("p", { class: "output" }, h("strong", {}, said));
}

function tagged(words, tags, explain) {
  return h("ol", { class: "words", "aria-label": "Words with their tags" }, words.map((word, i) =>
    h("li", { class: "word", tabindex: 0, onmouseenter: () => explain(i, word), onfocus: () => explain(i, word) },
      h("span", {}, word), h("span", { class: "tag" }, tags[i]))));
}

function parsed(words, tags, heads, relations, explain) {
  return [h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Tree" }, tree(words, tags, heads, relations)),
    tags ? tagged(words, tags, explain) : null,
    h("details", {}, h("summary", {}, "As a table"), h("table", {},
      h("thead", {}, h("tr", {}, ["", "word", "tag", "head", "relation"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, words.map((word, i) => h("tr", {}, h("td", { class: "number" }, i + 1), h("td", {}, word), h("td", {}, tags?.[i] ?? ""),
        h("td", {}, heads[i] ? words[heads[i] - 1] : "root"), h("td", {}, relations?.[i] ?? ""))))))];
}

// The decisions about one word: of a tagger there is one for each, of a parser those that speak of it.
function decisionsOf({ decisions = [] }, i, word) {
  if (decisions[i]?.about?.includes(word)) return [decisions[i]];
  return decisions.filter((each) => each.about?.includes(word)).slice(0, 4);
}

function reasons({ about, guess, runner_up: other, score, runner_up_score: second, features }) {
  const said = other === null ? `${about}: ${guess}, there was no other choice` : `${about}: ${guess} and not ${other}, by ${(score - second).toFixed(2)}`;
  return h("div", {}, h("p", {}, said), h("ul", {}, features.map((each) => h("li", {}, h("code", {}, each.name), ` ${(each.guess - each.runner_up).toFixed(2)}`))));
}
