// The beam as a film: step by step, with gold on its way, the violation curve, and what each method would pick.

import { choose, h, later, number, put, say } from "./dom.js";
import { chart, tree } from "./draw.js";
import { post } from "./server.js";

const FIRST = { text: "light , water and saw fell .", gold: "NN , NN CC NN VBD ." };
let under = null;
let timer = 0;

export function leave() {
  under?.abort();
  clearInterval(timer);
}

export async function enter(main, known, { state, keep }) {
  const models = known.models.filter((model) => model.editor);
  if (!models.length) {
    return put(main, h("h1", {}, "The beam as a film"), h("p", {}, "No model is served that leaves a trace to make a film of. Train one under ", h("a", { href: "#view=train" }, "Training"), ", or start structron serve --open without a model."));
  }
  const given = state();
  const names = models.map((model) => model.name);
  let model = models.find((each) => each.name === given.model) ?? models.find((each) => each.name === "tagger") ?? models[0];
  let gold = null, film = null, shown = "", at = +(given.step ?? 0) || 0;
  const own = "the model's own";

  const pick = choose("Model", names, model.name, (name) => {
    const before = model;
    model = models.find((each) => each.name === name);
    gold = null;
    if (before.task !== model.task && model.editor === "output") text.value = written_as_text(model.example);
    ask();
  });
  const search = choose("Search", [own, ...known.choices.search], given.search ?? own, () => ask());
  const text = h("input", { id: "filmtext", spellcheck: "false", autocomplete: "off", oninput: later(() => { gold = null; ask(); }, 250) });
  const isFirst = given.text === undefined && model.name === "tagger";
  text.value = given.text ?? (isFirst || model.editor === "tree" ? FIRST.text : written_as_text(model.example));
  gold = read(given.gold ?? (isFirst ? FIRST.gold : ""), model);

  const editor = h("div", {}), stage = h("div", {}), trouble = h("p", { class: "bad", role: "alert" });

  async function ask() {
    keep({ view: "film", model: model.name, text: text.value, gold: written(gold, model), search: search.select.value === own ? null : search.select.value });
    under?.abort();
    under = new AbortController();
    put(trouble);
    if (!text.value.trim()) { put(editor); return put(stage, h("p", { class: "note" }, "Type a sentence.")); }
    const body = { model: model.name, input: text.value.trim(), gold }, asked = `${model.name} ${body.input}`;
    if (search.select.value !== own) body.search = search.select.value;
    try {
      film = await post("/play/film", body, under.signal);
    } catch (error) {
      if (error.name !== "AbortError") put(trouble, error.message);
      if (error.name !== "AbortError" && shown !== asked) { put(editor); put(stage); } // no film of something else
      return;
    }
    shown = asked;
    at = Math.min(Math.max(0, at), film.steps.length - 1);
    if (film.note) put(trouble, film.note);
    put(editor, edit(film, model, gold, (next) => { gold = next; ask(); }));
    build();
  }

  // ------------------------------------------------------------------------------------------- the film
  let move = () => {};
  function build() {
    clearInterval(timer);
    timer = 0;
    const last = film.steps.length - 1;
    const slider = h("input", { type: "range", min: 0, max: last, value: at, "aria-label": "Step", oninput: () => move(+slider.value) });
    const frame = h("div", { "aria-live": "polite" }), curve = h("figure", {});
    const play = h("button", { onclick: () => (timer ? stop() : start()) }, "Play");
    const stop = () => { clearInterval(timer); timer = 0; play.textContent = "Play"; };
    const start = () => {
      if (at === last) move(0);
      play.textContent = "Pause";
      timer = setInterval(() => (at === last ? stop() : move(at + 1)), 900);
    };
    const button = (sign, name, where) => h("button", { "aria-label": name, title: name, onclick: () => move(where()) }, sign);
    move = (step) => {
      at = Math.min(Math.max(0, step), last);
      slider.value = at;
      slider.setAttribute("aria-valuetext", `step ${at + 1} of ${last + 1}, ${film.steps[at].name}`);
      keep({ step: at || null });
      put(frame, beam(film, at));
      put(curve, violations(film, at));
    };
    put(stage,
      h("div", { class: "row", role: "group", "aria-label": "Film", onkeydown: (event) => {
        if (event.target === slider) return;
        if (event.key === "ArrowLeft") move(at - 1);
        if (event.key === "ArrowRight") move(at + 1);
      } }, button("|◀", "First step", () => 0), button("◀", "Step back", () => at - 1), play, button("▶", "Step forward", () => at + 1), button("▶|", "Last step", () => last), slider),
      frame, curve, methods(film, (step) => move(step)));
    move(at);
  }

  put(main, h("h1", {}, "The beam as a film"),
    h("p", { class: "lead" }, "What is in the beam at each step, with scores. Set the output right, and see where gold falls off and on which step each update method would fix it."),
    h("div", { class: "row" }, pick.element, search.element, h("label", { class: "wide", for: "filmtext" }, "Sentence", text)),
    trouble, editor, stage);
  await ask();
  say("");
}

// ------------------------------------------------------------------------------------------ gold, by hand

const written_as_text = (example) => (Array.isArray(example) ? example.join(" ") : typeof example === "string" ? example : "");

function read(text, model) {
  if (!text) return null;
  if (model.editor === "output") return text;
  const parts = text.split(" ");
  if (model.editor === "tags") return parts;
  return { heads: parts.map((part) => +part.split(":")[0]), relations: parts.map((part) => part.split(":").slice(1).join(":")) };
}

function written(gold, model) {
  if (!gold) return null;
  if (model.editor === "output") return gold;
  return model.editor === "tags" ? gold.join(" ") : gold.heads.map((head, i) => `${head}:${gold.relations[i]}`).join(" ");
}

function edit(film, model, gold, change) {
  const clear = h("div", { class: "row" },
    h("button", { onclick: () => change(film.guess) }, "Take the guess for gold"),
    h("button", { onclick: () => change(null), disabled: !gold }, "No gold"));
  const list = (label, options, value, set) => h("select", { "aria-label": label, onchange: (event) => set(event.target.value) },
    options.map((each) => h("option", { value: each, selected: each === value }, each)));
  if (film.editor === "output") {
    const field = h("textarea", { id: "gold", rows: String(film.guess).split("\n").length, spellcheck: "false", autocomplete: "off", value: gold ?? film.guess, onchange: () => change(field.value.trim() || null) });
    return [h("h2", {}, "Write the output right"), h("p", { class: "note" }, "The model says: ", h("strong", {}, film.guess)), h("label", { for: "gold" }, "The right output"), field, clear];
  }
  if (film.editor === "tags") {
    const now = gold ?? film.guess;
    return [h("h2", {}, "Click the tags right"), h("ol", { class: "words" }, film.words.map((word, i) =>
      h("li", { class: "word" + (film.guess[i] === now[i] ? "" : " off") }, h("span", {}, word),
        list(`Gold tag of ${word}`, model.labels, now[i], (tag) => change(now.map((each, k) => (k === i ? tag : each)))),
        h("span", { class: "tag", title: "the model's guess" }, film.guess[i])))), clear];
  }
  const now = gold ?? film.guess;
  const set = (i, head, relation) => change({
    heads: now.heads.map((each, k) => (k === i ? head : head === 0 && each === 0 ? i + 1 : each)),
    relations: now.relations.map((each, k) => (k === i ? relation : each)),
  });
  const places = ["root", ...film.words.map((word, i) => `${i + 1} ${word}`)];
  return [h("h2", {}, "Drag the arcs right"),
    h("p", { class: "note" }, "Drag from a word to its head, or choose it from the lists. Red: what the model's guess has otherwise."),
    h("div", { class: "scroll" }, tree(film.words, film.tags, now.heads, now.relations, {
      gold: film.guess, drag: (child, head) => set(child - 1, head, now.relations[child - 1]),
    })),
    h("details", {}, h("summary", {}, "Heads and relations as lists"), h("ol", { class: "words" }, film.words.map((word, i) =>
      h("li", { class: "word" }, h("span", {}, word),
        list(`Head of ${word}`, places, places[now.heads[i]], (place) => set(i, places.indexOf(place), now.relations[i])),
        list(`Relation of ${word}`, model.labels, now.relations[i], (relation) => set(i, now.heads[i], relation)))))),
    clear];
}

// ------------------------------------------------------------------------------------------------ pictures

function beam(film, at) {
  const step = film.steps[at], gold = step.goldPath;
  const tail = (path) => {
    if (film.kind === "chart") return path.map((arc, i) => [i ? ", " : "", gold && !gold.includes(arc) ? h("span", { class: "bad" }, arc) : arc]);
    const first = Math.max(0, path.length - 12);
    const cells = path.slice(first).map((label, i) => {
      const wrong = gold && gold[first + i] !== label;
      return [i && film.editor !== "tags" ? " · " : " ", wrong ? h("span", { class: "bad" }, label) : label];
    });
    return [first ? "…" : "", cells];
  };
  const here = film.methods.filter((each) => each.step === at).map((each) => each.method);
  const rows = step.items.map((item) => h("tr", { class: item.gold ? "gold" : "" },
    h("td", { class: "number" }, item.rank), h("td", { class: "number" }, number(item.score)),
    h("td", {}, item.gold ? "● " : "", tail(item.path), item.gold ? " (gold)" : "")));
  if (step.size > step.items.length) rows.push(h("tr", {}, h("td", {}), h("td", {}), h("td", {}, `… and ${step.size - step.items.length} more`)));
  if (step.inBeam === false && step.goldScore !== null) {
    rows.push(h("tr", { class: "fallen" }, h("td", {}, "✗"), h("td", { class: "number" }, number(step.goldScore)),
      h("td", {}, gold ? tail(gold) : "", film.fall === at ? " gold falls off here" : " gold is off")));
  }
  return [h("h2", {}, `Step ${at + 1} of ${film.steps.length}: ${step.name}`, here.length ? ` ◀ ${here.join(", ")}` : ""),
    h("div", { class: "scroll" }, h("table", { class: "beam" }, h("caption", { class: "hidden" }, `What is in the ${film.kind === "chart" ? "cell" : "beam"}, search ${film.search}`),
      h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, ""), h("th", { scope: "col", class: "number" }, "score"), h("th", { scope: "col" }, film.editor === "tags" ? "tags so far" : film.kind === "chart" ? "arcs" : "actions so far"))),
      h("tbody", {}, rows)))];
}

function violations(film, at) {
  if (!film.methods.length) return h("figcaption", {}, "With gold, the violation curve stands here: take the guess for gold and change something.");
  const rows = new Map();
  const marks = film.methods.filter((each) => each.step !== null && each.step !== undefined).map((each) => {
    const row = rows.get(each.step) ?? 0;
    rows.set(each.step, row + 1);
    return { x: each.step + 1, text: each.method + (each.valid ? "" : " (invalid)"), row };
  });
  return [chart({
    title: "Violation curve: how far the best is ahead of gold at each step", x: "step", y: "excess = best - gold", marks, zero: true,
    fall: film.fall === null || film.fall === undefined ? null : film.fall + 1, height: 220 + 14 * Math.max(0, ...rows.values()),
    series: [{ name: "excess", class: "a", points: film.steps.map((step, i) => [i + 1, step.excess]) }],
    dots: (i) => (film.steps[i].violation ? "" : "bad") + (i === at ? " here" : ""),
  }), h("figcaption", {}, "The violation curve (Huang, Fayong & Guo 2012, Figure 3). A red point is no violation: gold scores more, or is the best.")];
}

function methods(film, go) {
  if (!film.methods.length) return null;
  return [h("h2", {}, "What each method would update on"), h("div", { class: "scroll" }, h("table", { class: "methods" },
    h("thead", {}, h("tr", {}, ["update", "step", "excess", ""].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, film.methods.map((each) => {
      if (each.step === null || each.step === undefined) return h("tr", {}, h("td", {}, each.method), h("td", {}, "none"), h("td", {}), h("td", {}));
      return h("tr", {}, h("td", {}, each.method),
        h("td", {}, h("button", { onclick: () => go(each.step) }, `${each.step + 1} (${film.steps[each.step].name})`)),
        h("td", { class: "number" }, number(each.excess)),
        h("td", { class: each.valid ? "good" : "bad" }, each.valid ? "valid" : "invalid: gold already scores more"));
    }))))];
}
