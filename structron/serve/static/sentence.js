// Type a sentence, and see tags, tree, sounds or whatever the model gives, at once.

import { choose, h, later, put, say } from "./dom.js";
import { tree } from "./draw.js";
import { post } from "./server.js";

const EXAMPLES = {
  tagging: "light , water and saw the old house .", parsing: "light , water and saw the old house .",
  transduction: "knighting", pipeline: "Time flies. It does.", segmentation: "Time flies. It does.",
};
const MOST = 12; // decisions that are shown together
let under = null; // the request under way

export async function enter(main, known, { state, keep }) {
  const names = known.models.map((model) => model.name);
  // A model that takes any text, if there is one; the small ones know few words.
  const usual = known.models.find((each) => each.task === "pipeline")?.name ?? (names.includes("parser") ? "parser" : names[0]);
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
  async function explain(word, before) {
    if (!model().explains) return;
    const key = model().name + "\n" + text.value;
    if (explained?.key !== key) {
      explained = { key, value: post("/play/explain", { model: model().name, input: text.value.trim() }) };
    }
    try {
      const { explanation } = await explained.value;
      if (explained.key === key) put(why, h("strong", {}, "Why?"), decisionsOf(explanation, word, before).map(reasons));
    } catch (error) {
      put(why, h("p", { class: "bad" }, error.message));
    }
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
    const said = [];
    return output.sentences.map(({ words }) => {
      const [forms, tags] = [words.map((w) => w.form), words.map((w) => w.upos)];
      const first = said.length;
      said.push(...forms);
      const later = (word, before) => explain(word, said.slice(0, first).filter((each) => each === word).length + before);
      return words.every((w) => w.head !== null) ? parsed(forms, tags, words.map((w) => w.head), words.map((w) => w.deprel), later) : tagged(forms, tags, later);
    });
  }
  if (task === "segmentation") return h("ol", {}, output.sentences.map((one) => h("li", { class: "cut" }, why(one.words.join(" · "), explain))));
  const said = Array.isArray(output) ? output.join(" ") : String(output ?? "nothing found");
  return h("p", { class: "output" }, why(said, explain));
}

// An output that is one thing: all its decisions are behind it.
const why = (said, explain) => h("strong", { tabindex: 0, onmouseenter: () => explain(null, 0), onfocus: () => explain(null, 0) }, said);

function tagged(words, tags, explain) {
  return h("ol", { class: "words", "aria-label": tags ? "Words with their tags" : "Words" }, words.map((word, i) => {
    const ask = () => explain(word, words.slice(0, i).filter((each) => each === word).length);
    return h("li", { class: "word", tabindex: 0, onmouseenter: ask, onfocus: ask }, h("span", {}, word), tags ? h("span", { class: "tag" }, tags[i]) : null);
  }));
}

function parsed(words, tags, heads, relations, explain) {
  return [h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Tree" }, tree(words, tags, heads, relations)),
    tagged(words, tags, explain),
    h("details", {}, h("summary", {}, "As a table"), h("table", {},
      h("thead", {}, h("tr", {}, ["", "word", "tag", "head", "relation"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, words.map((word, i) => h("tr", {}, h("td", { class: "number" }, i + 1), h("td", {}, word), h("td", {}, tags?.[i] ?? ""),
        h("td", {}, heads[i] ? words[heads[i] - 1] : "root"), h("td", {}, relations?.[i] ?? ""))))))];
}

// The decisions about one word, which may stand there several times: of each stage that which is about it alone,
// or those that speak of it, as transitions do. Without a word, the first of all.
function decisionsOf({ decisions = [] }, word, before) {
  if (word === null) return decisions.slice(0, MOST);
  return [...new Set(decisions.map((each) => each.stage))].flatMap((stage) => {
    const own = decisions.filter((each) => each.stage === stage);
    const exact = own.filter((each) => each.about === word);
    return exact.length ? [exact[before] ?? exact[0]] : own.filter((each) => each.about?.split(/[ |]+/).includes(word)).slice(0, 4);
  });
}

function reasons({ stage, about: where, guess, runner_up: other, score, runner_up_score: second, features }) {
  const about = stage ? `${stage}, ${where}` : where;
  const said = other === null ? `${about}: ${guess}, nothing else to compare with` : `${about}: ${guess} and not ${other}, by ${(score - second).toFixed(2)}`;
  return h("div", {}, h("p", {}, said), h("ul", {}, features.map((each) => h("li", {}, h("code", {}, each.name), ` ${(each.guess - each.runner_up).toFixed(2)}`))));
}
