// The beam: type a sentence, watch its search, set the output right, and see what becomes of gold.

import { choose, h, later, put, say } from "../dom.js";
import { savers } from "../draw/save.js";
import { growing } from "../draw/tree.js";
import { post } from "../server.js";
import { cells } from "./cells.js";
import { figureThree, methods } from "./figure.js";
import { attached, arcsOf, buttons, editor, outputOf, read, written } from "./gold.js";
import { lattice } from "./lattice.js";
import { asTable, output, region, tagged } from "./outputs.js";
import { Player } from "./player.js";
import { decisionsOf, reasons } from "./reasons.js";
import { story, table } from "./story.js";
import { teach, told as taughtThat } from "./teach.js";

const TEACH = "Teach it this", OWN = "the model's own", LONGEST_LINK = 1500;
const LEGEND = {
  beam: "Each column is a step, best first; below the best, how far behind. What fades has no descendants. Click a plate to see what it has done.",
  stacks: "Each column is a stack: items that have translated so many words. The boxes are the words of the source, filled where they are translated. What fades has no descendants.",
  chart: "Each place above the words is a span of them, wider spans higher. Blue: what the best tree is built of. Gold: what gold is. Red: there gold scores less than another item of its cell.",
};
// The decision of the best output that is taken on a step, or is under way there: one may cover several letters or words.
function decisionOn(film, at) {
  const ends = [];
  for (let step = film.steps.length - 1, item = film.steps[step]?.items[0]; item; step = item.parentStep, item = film.steps[step]?.items.find((each) => each.rank === item.parent + 1)) ends.unshift(step);
  return ends.length === film.steps.at(-1).items[0]?.path.length ? ends.findIndex((step) => step >= at) : at;
}

export const FIRST = {
  pipeline: { text: "The horse raced past the barn fell.", gold: { heads: [2, 7, 2, 6, 6, 3, 0, 7], relations: ["det", "nsubj", "acl", "case", "det", "obl", "root", "punct"] } },
  tagging: { text: "light , water and saw fell .", gold: ["NN", ",", "NN", "CC", "NN", "VBD", "."] },
  parsing: { text: "light , water and saw the old house .", gold: null },
  transduction: { text: "knighting", gold: null }, segmentation: { text: "Time flies. It does.", gold: null },
};
const first = (model) => model.first ?? FIRST[model.task] ?? { text: Array.isArray(model.example) ? model.example.join(" ") : typeof model.example === "string" ? model.example : "", gold: null };

let under = null, player = null, onkey = null;

export function leave() {
  under?.abort();
  player?.stop();
  if (onkey) removeEventListener("keydown", onkey);
}

export async function enter(main, known, { state, keep }) {
  const given = state(), models = known.models.filter((each) => !each.recorded); // of others a page without a server has only recordings
  if (!models.length) return put(main, h("h1", {}, "The beam"), h("p", {}, "No model is served."));
  let model = models.find((each) => each.name === given.model) ?? models.find((each) => each.name === "en") ?? models.find((each) => each.editor) ?? models[0];
  let film = null, shown = "", gold = null, sentence = +(given.sentence ?? 0) || 0, chosen = 0, isAlive = given.step === undefined;
  const isFirst = given.text === undefined;
  const pick = choose("Model", models.map((each) => each.name), model.name, (name) => {
    const before = model;
    model = models.find((each) => each.name === name);
    [gold, sentence] = [null, 0];
    put(taught);
    if (before.task !== model.task && text.value === first(before).text) ({ text: text.value, gold } = first(model));
    ask();
  });
  const search = choose("Search", [OWN, ...known.choices.search], given.search ?? (isFirst && model.task === "pipeline" ? "beam:8" : OWN), () => ask());
  const text = h("textarea", { id: "text", rows: 1, dir: "auto", spellcheck: "false", autocomplete: "off", oninput: later(() => { [gold, sentence, isAlive] = [null, 0, true]; ask(); }, 250) });
  text.value = given.text ?? first(model).text;
  gold = isFirst ? first(model).gold : read(given.gold, model.editor);
  const taught = h("div", {}), typed = new Set();

  // Another model for the same input and the same gold.
  function turnTo(name) {
    if (![...pick.select.options].some((each) => each.value === name)) pick.select.append(h("option", { value: name }, name));
    pick.select.value = name;
    model = models.find((each) => each.name === name);
    return ask();
  }

  async function correct(button) {
    const from = model.name.replace(/-corrected-\d+$/, "");
    button.disabled = true;
    button.textContent = "It learns …";
    try {
      const found = await teach(model, text.value.trim(), gold, { sentence, search: searchOf() }, [...typed]);
      isAlive = false;
      if (found.holds) {
        models.push({ ...model, name: found.model });
        await turnTo(found.model);
      }
      put(taught, taughtThat(found, from, () => { put(taught); turnTo(from); }));
      say(found.holds ? "The model has learned it." : found.reason);
    } catch (error) {
      put(trouble, error.message);
    }
    button.disabled = false;
    button.textContent = TEACH;
  }

  const searchOf = () => (search.select.value === OWN ? null : search.select.value);
  const stage = h("div", { class: "stage" }), trouble = h("p", { class: "bad", role: "alert" });

  async function ask() {
    const long = text.value.length > LONGEST_LINK;
    keep({ view: "beam", model: model.name, text: long ? null : text.value, gold: long ? null : written(gold), search: searchOf(), sentence: sentence || null });
    if (long) say("The text is too long for a link; the address does not hold it.");
    under?.abort();
    under = new AbortController();
    const asked = `${model.name} ${text.value} ${sentence}`;
    try {
      if (!text.value.trim()) { put(trouble); shown = ""; return put(stage, h("p", { class: "note" }, "Type something.")); }
      if (!model.editor) await plainly();
      else await filmed();
      put(trouble, film?.note);
      shown = asked;
    } catch (error) {
      if (error.name === "AbortError") return;
      put(trouble, error.message);
      if (shown !== asked) put(stage); // nothing of something else
      if (error.status === 413 && model.editor) await plainly().catch((second) => second.status === 413 && put(trouble, second.message)); // without a film, or too long for that, too
    }
  }

  async function plainly() {
    film = null;
    const answer = await post("/predict", { model: model.name, input: text.value.trim() }, under.signal);
    const why = h("section", { class: "why", "aria-label": "Why" });
    put(stage, h("div", { class: "card" }, output(answer.task, answer.output, model.explains ? (word, before) => explain(why, ({ decisions }) => decisionsOf({ decisions }, word, before)) : null)), why);
    if (model.explains && !["pipeline", "tagging", "lemmatisation"].includes(answer.task)) await explain(why, ({ decisions }) => decisions.slice(0, 6));
  }

  async function filmed() {
    const body = { model: model.name, input: text.value.trim(), gold };
    if (sentence) body.sentence = sentence;
    if (searchOf()) body.search = searchOf();
    film = await post("/play/film", body, under.signal);
    build();
  }

  // ------------------------------------------------------------------------------------------------- the film
  function build() {
    player?.stop();
    const labels = film.labels ?? model.labels ?? [], change = (next) => { gold = next; isAlive = false; ask(); };
    const isTree = film.editor === "tree", best = isTree ? arcsOf(film.guess) : null;
    const right = gold && isTree ? film.learned ?? gold : gold;
    const picture = h("div", { class: "output-picture" }), told = h("p", { class: "told", "aria-live": "polite" }), rows = region("What is in the beam");
    const why = h("section", { class: "why card", "aria-label": "Why" });
    const room = isTree ? film.steps.reduce((most, step) => { const arcs = step.items[0]?.built; return arcs && arcs.length >= most.length ? arcs : most; }, best) : null;
    const below = isTree && right ? arcsOf(right).filter(([child, head, label]) => film.guess.heads[child - 1] !== head || film.guess.relations[child - 1] !== label) : [];
    const drag = (child, head) => { const from = gold ?? outputOf(film); change(attached(from, child - 1, head, head ? (from.relations[child - 1] === "root" ? "dep" : from.relations[child - 1]) : "root")); };
    const grown = (needed) => { const own = growing({ words: film.words, tags: film.tags, room: needed, below, drag }); put(picture, region("Tree", own.element)); return own; };
    const isWrong = gold && JSON.stringify(outputOf(film)) !== JSON.stringify(isTree ? right : gold);
    const teachable = () => model.corrects && isWrong && h("button", { class: "main teach", onclick: (event) => correct(event.target) }, TEACH);
    typed.add(text.value.trim());
    let before = new Set(), tree = isTree ? grown(room) : null;
    const asRows = h("details", { ontoggle: () => list(player.at) }, h("summary", {}, "The beam as a table"), rows);
    const list = (at) => asRows.open && put(rows, table(film, at, chosen, select)); // made only where it is seen

    function draw(at, isFast = false) {
      const step = film.steps[at], item = step.items[chosen] ?? step.items[0];
      put(told, story(film, at, item ?? { path: [], built: [] }));
      list(at);
      if (!isTree) return;
      const arcs = item?.built ?? best, wrong = new Set(right ? arcs.filter(([child, head, label]) => right.heads[child - 1] !== head || right.relations[child - 1] !== label).map(([child]) => child) : []);
      const now = new Set(arcs.map(String)), fresh = new Set(isFast ? [] : arcs.filter((arc) => !before.has(String(arc))).map(([child]) => child));
      if (!tree.show(arcs, wrong, fresh)) (tree = grown([...room, ...arcs])).show(arcs, wrong, fresh); // higher than was expected
      before = now;
    }

    const parts = (film.kind === "chart" ? cells : lattice)(film, select);
    const curve = film.methods.length ? figureThree(film, 0, (step) => { player.stop(); chosen = 0; player.move(step); }) : null;
    // Browsers allow few changes of the address a second.
    const mine = film, remember = (at) => { if (film === mine && player.element.isConnected) keep({ step: at === film.steps.length - 1 ? null : at }); }, soon = later(remember, 150);
    function select(at, row) { player.stop(); chosen = row; player.move(at); }
    player = new Player(film.steps.length, (at, isFast) => {
      if (chosen >= film.steps[at].items.length) chosen = 0;
      (isFast ? soon : remember)(at);
      draw(at, isFast);
      parts.move(at, chosen, isFast);
      curve?.move(at);
    }, (at) => because(why, at === film.steps.length - 1 ? film.fall ?? at : at)); // of the whole, where gold was lost

    put(stage,
      film.sentences?.length > 1 && h("div", { class: "row sentences", role: "group", "aria-label": "Sentences" }, film.sentences.map((words, i) =>
        h("button", { "aria-pressed": String(i === sentence), onclick: () => { [sentence, gold, isAlive] = [i, null, true]; ask(); } }, h("bdi", {}, words.join(" ").slice(0, 40))))),
      h("section", { class: "card", "aria-label": "Output" },
        isTree ? picture : null, isTree ? null : editor(film, labels, gold, change),
        h("div", { class: "row between" }, isTree ? h("p", { class: "hint" }, gold ? (isWrong ? [h("span", { class: "key goldline" }), "under the words: what would be right. Red: what is wrong."] : "The guess is gold: there is nothing to learn here.") : "Is it wrong? Drag from a word to its head.") : h("span", {}), h("div", { class: "row tools" }, isTree ? savers(() => picture.querySelector("svg"), "tree") : null, buttons(film, gold, change), teachable())),
        isTree ? [editor(film, labels, gold, change), asTable(film.words, film.tags, best)] : null),
      h("section", { class: "card", "aria-label": "Beam" }, player.element, told, parts.element,
        h("div", { class: "row between" }, h("p", { class: "hint" }, LEGEND[film.kind], isTree && film.kind === "beam" ? ` In “${film.steps.find(({ name }) => /\S \| \S/.test(name))?.name ?? "a b | c"}” the bar stands between the stack and the words to come.` : null, " Keys: ← → step, space plays, ↑ ↓ choose an item."), savers(() => parts.whole(), film.kind === "chart" ? "chart" : "lattice")),
        asRows),
      h("div", { class: "panels wide" },
        h("section", { class: "card", "aria-label": "Figure 3" }, h("h2", {}, "Where would each method update?"), curve ? [curve.element, methods(film, (step) => { player.stop(); chosen = 0; player.move(step); })] : h("p", { class: "note" }, "Say what is right, and Figure 3 is drawn for this sentence: scores of beam and gold, and where each update method strikes.")),
        why),
);

    chosen = 0;
    const step = +(state().step ?? film.steps.length - 1);
    if (isAlive && film.steps.length > 1) player.begin();
    else player.move(Number.isFinite(step) ? step : 0);
    isAlive = false;
  }

  // ------------------------------------------------------------------------------------------------------ why
  let explained = null;
  async function explanation() {
    const input = film?.sentences ? film.sentences[sentence] : text.value.trim(), how = film ? searchOf() : null, key = `${model.name}\n${how}\n${input}`;
    if (explained?.key !== key) explained = { key, value: post("/play/explain", { model: model.name, input, ...(how && { search: how }) }) };
    return (await explained.value).explanation;
  }

  async function explain(place, choose_) {
    try {
      const found = choose_(await explanation());
      put(place, h("h2", {}, "Why?"), found.length ? found.map((each) => reasons(each, each.stage, model.task)) : h("p", { class: "note" }, "Nothing was decided here."));
    } catch (error) {
      put(place, h("p", { class: "bad" }, error.message));
    }
  }

  async function because(place, at) {
    place.hidden = !model.explains;
    if (!model.explains) return put(place);
    const mine = film;
    try {
      const { decisions } = await explanation();
      if (mine !== film || player.timer) return;
      const own = decisions.filter((each) => !each.stage || each.stage === "parser"), one = own[decisionOn(film, at)];
      const words = film.tags?.length && decisions.some((each) => each.stage === "upos") ? tagged(film.words, film.tags, (word, before) => explain(place, () => decisionsOf({ decisions: decisions.filter((each) => ["upos", "lemma"].includes(each.stage)) }, word, before))) : null;
      place.hidden = film.kind === "chart"; // whose decisions are not those of its cells
      put(place, h("h2", {}, `Why, on step ${at + 1}?`), one ? reasons(one, "", model.task) : h("p", { class: "note" }, "Nothing was decided on this step."), words && h("details", {}, h("summary", {}, "Why these tags?"), words));
    } catch (error) {
      put(place, h("p", { class: "bad" }, error.message));
    }
  }

  onkey = (event) => {
    if (!film || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA|SUMMARY|A)$/.test(event.target.tagName)) return;
    const row = { ArrowUp: chosen - 1, ArrowDown: chosen + 1 }[event.key];
    if (row !== undefined && event.target.closest?.(".stage")) {
      chosen = Math.min(Math.max(0, row), film.steps[player.at].items.length - 1);
      player.move(player.at);
      event.preventDefault();
    } else player?.key(event);
  };
  addEventListener("keydown", onkey);

  put(main, h("h1", {}, "Watch a beam decide"),
    h("p", { class: "lead" }, "A parser reads a sentence, keeps its best guesses, and loses the right one. Type your own, say what is right, and see where learning would strike."),
    h("div", { class: "row ask" }, h("label", { class: "wide", for: "text" }, "Sentence", text), pick.element, search.element),
    trouble, taught, stage);
  await ask();
}
