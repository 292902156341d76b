// Training in front of the class: update methods, searches or learners side by side, held and stepped at will.

import { choose, h, number, put, say } from "../dom.js";
import { blob, get } from "../server.js";
import { curves } from "./curves.js";
import { Run, stopAll } from "./run.js";
import { Upload } from "./upload.js";
import { Weights } from "./weights.js";

const COLOURS = ["a", "b", "c", "d", "e", "goldline"];
const PACE = 200; // milliseconds between two drawings of the curves
const USUAL = { search: "beam:8", update: "max_violation", learner: "perceptron" };
const COMPARED = { update: ["standard", "early", "max_violation"], search: ["greedy", "beam:8"], learner: ["perceptron", "mira"] };

const AXES = { update: "Updates to compare", search: "Searches to compare", learner: "Learners to compare" };

export const leave = () => stopAll(); // nobody would look at them

export async function enter(main, known, { state, keep }) {
  const given = state(), upload = new Upload();
  let runs = [];
  const weights = new Weights((error) => put(told, h("span", { class: "bad", role: "alert" }, error.message)));
  const pictures = h("div", { class: "panels wide", id: "curves" }), table = h("div", {}), told = h("p", { role: "status", class: "note" }), others = h("div", {});
  const task = choose("Task", known.choices.task, known.choices.task.includes(given.task) ? given.task : "parsing", remember);
  const whole = (label, name, usual, least, most) => {
    const input = h("input", { type: "number", min: least, max: most, value: given[name] ?? usual, onchange: remember });
    return { input, element: h("label", {}, label, input) };
  };
  const sentences = whole("Sentences", "sentences", 300, 1, known.choices.sentences), epochs = whole("Epochs", "epochs", 5, 1, known.choices.epochs), seed = whole("Seed", "seed", 0, 0, 2 ** 31);
  const axis = choose("Compare", ["update", "search", "learner"], given.compare ?? "update", () => { remember(); axes(); });
  const fixed = Object.fromEntries(Object.keys(USUAL).map((name) => [name, choose(name[0].toUpperCase() + name.slice(1), known.choices[name], given[name] ?? USUAL[name], remember)]));
  const place = h("div", { class: "row" });
  let boxes = [];

  const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value);
  const runOf = (value, i, body) => new Run(value.replace("_", "-"), COLOURS[i % COLOURS.length], body);

  // The choices of what is compared, and one of each of the others.
  function axes() {
    const name = axis.select.value, first = ((given.compare ?? "update") === name && given.values?.split(",")) || COMPARED[name];
    boxes = known.choices[name].map((value) => h("input", { type: "checkbox", value, checked: first.includes(value), onchange: remember }));
    put(place, h("fieldset", {}, h("legend", {}, AXES[name]), h("div", { class: "row checks" }, boxes.map((box) => h("label", { class: "check" }, box, box.value.replace("_", "-"))))),
      Object.entries(fixed).filter(([each]) => each !== name).map(([, pick]) => pick.element));
  }

  function remember() {
    keep({ view: "train", task: task.select.value, sentences: sentences.input.value, epochs: epochs.input.value, seed: seed.input.value, compare: axis.select.value,
      values: chosen().join(","), ...Object.fromEntries(Object.entries(fixed).map(([name, pick]) => [name, pick.select.value])) });
    if (!runs.length) draw();
  }

  const file = h("input", { type: "file", accept: ".conllu,.txt,.tsv", onchange: async () => {
    if (!file.files[0]) return madeUp();
    try {
      await upload.take(file.files[0]);
      say(`${file.files[0].name} will be learned from; a link does not share it.`);
    } catch (error) {
      file.value = ""; // or it would look as if it were learned from
      say(error.message);
    }
    forget.hidden = false;
  } });
  const forget = h("button", { hidden: true, onclick: () => madeUp() }, "Made-up data instead");

  function madeUp() {
    upload.forget();
    file.value = "";
    forget.hidden = true;
    say("");
  }

  // ---------------------------------------------------------------------------------------------- trainings
  function begin() {
    remember();
    let text;
    try {
      text = upload.wanted();
    } catch (error) {
      return put(told, h("span", { class: "bad", role: "alert" }, error.message));
    }
    const values = chosen();
    if (!values.length) return put(told, "Choose something to compare.");
    stopAll();
    put(told);
    const base = { task: task.select.value, sentences: +sentences.input.value, epochs: +epochs.input.value, seed: +seed.input.value };
    if (text !== null) base.text = text;
    for (const [name, pick] of Object.entries(fixed)) base[name] = pick.select.value;
    runs = values.map((value, i) => runOf(value, i, { ...base, [axis.select.value]: value }));
    for (const run of runs) run.go(() => changed(run)).then(look);
    weights.begin(runs);
    draw();
    return look();
  }

  let due = 0;
  function changed(run) {
    if (runs.includes(run) && !due) due = setTimeout(() => { due = 0; draw(); }, PACE);
  }

  const orTell = (promise) => Promise.resolve(promise).catch((error) => put(told, h("span", { class: "bad", role: "alert" }, error.message)));
  const under = () => runs.filter((run) => !run.isOver);
  const verb = (text, name) => h("button", { onclick: () => orTell(Promise.all(under().map((run) => run.hold(name)))) }, text);
  const [pause, step, resume] = [verb("Pause", "pause"), verb("Step one example", "step"), verb("Go on", "resume")];
  const start = h("button", { class: "main", onclick: begin }, "Start"), stop = h("button", { onclick: () => orTell(Promise.all(under().map((run) => run.stop()))) }, "Stop");

  function rowOf(run) {
    const last = run.epochs.at(-1), point = run.points.at(-1), own = run.model ?? run.held?.model;
    const beam = own && new URLSearchParams({ view: "beam", model: own, ...(run.held?.text ? { text: run.held.text } : {}), ...(run.held?.gold ? { gold: JSON.stringify(run.held.gold.heads ? [run.held.gold.heads, run.held.gold.relations] : run.held.gold) } : {}) });
    return h("tr", {}, h("th", { scope: "row" }, h("span", { class: "key " + run.colour }), run.name),
      h("td", { class: run.fault ? "bad" : "" }, run.fault || (run.held ? ["paused before ", h("q", { dir: "auto" }, run.held.text)] : run.told)),
      h("td", { class: "number" }, last?.dev === undefined || last?.dev === null ? "" : number(100 * last.dev, 1)), h("td", { class: "number" }, last?.epochErrors ?? ""),
      h("td", { class: "number" }, point?.updates ?? ""), h("td", { class: "number" + (point?.invalid ? " bad" : "") }, point?.invalid ?? ""),
      h("td", {}, own ? h("a", { href: "#" + beam, target: run.isOver ? null : "_blank", rel: "opener" }, "see its beam") : null, " ",
        run.isOver && run.model ? h("button", { class: "quiet", onclick: () => orTell(save(run)) }, "Download the model") : null));
  }

  function draw() {
    [start.disabled, stop.disabled, pause.disabled] = [false, !under().length, !under().length];
    step.disabled = resume.disabled = !under().length;
    put(table, runs.length && h("div", { class: "scroll card", tabindex: 0, role: "region", "aria-label": "Trainings" }, h("table", { id: "runs" },
      h("thead", {}, h("tr", {}, [axis.select.value, "state", "dev %", "errors", "updates", "invalid", "model"].map((name, i) => h("th", { scope: "col", class: i > 1 && i < 6 ? "number" : "" }, name)))), h("tbody", {}, runs.map(rowOf)))));
    put(pictures, curves(runs.length ? runs : chosen().map((value, i) => runOf(value, i, null)))); // empty frames until they start
    weights.draw();
  }

  // What others train on this server: theirs to stop, and a queue stands behind them.
  async function look() {
    try {
      const { lessons, places } = await get("/play/lessons"), own = new Set(runs.map((run) => run.lesson));
      const found = lessons.filter((each) => !own.has(each.lesson));
      put(others, found.length && h("details", {}, h("summary", {}, `${found.length} other ${found.length === 1 ? "training" : "trainings"} on this server, of which ${places} run at a time`), h("ul", {}, found.map((each) =>
        h("li", {}, `${each.task}, ${Object.values(each.settings).join(", ")}: ${each.place ? `number ${each.place} in the queue` : "runs"}`)))));
    } catch (error) {
      put(told, h("span", { class: "bad", role: "alert" }, error.message));
    }
  }

  axes();
  draw();
  put(main, h("h1", {}, "Train in front of the class"),
    h("p", { class: "lead" }, "The same data and the same search, and one thing that differs. A fifth of the data is held out for the score."),
    h("section", { class: "card", "aria-label": "Settings" }, h("div", { class: "row" }, task.element, sentences.element, epochs.element, seed.element, axis.element, h("label", {}, "Your own file instead of made-up data", file), forget), place,
      h("div", { class: "row" }, start, pause, step, resume, stop, h("button", { onclick: async () => { remember(); try { await navigator.clipboard.writeText(location.href); say("The link is in the clipboard."); } catch { say(location.href); } } }, "Copy a link to these settings"))),
    told, others, table, pictures, weights.element);
  await look();
}

async function save(run) {
  const url = URL.createObjectURL(await blob(`/play/lessons/${run.lesson}/model`));
  h("a", { href: url, download: `${run.model}.model` }).click();
  URL.revokeObjectURL(url);
}
