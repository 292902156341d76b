// Training in front of the class: two settings side by side, and the two examples that never end.

import { choose, h, number, put, say } from "./dom.js";
import { chart } from "./draw.js";
import { blob, events, post } from "./server.js";
import { Upload } from "./upload.js";

const USUAL = {
  a: { search: "beam:4", update: "max_violation", learner: "perceptron" },
  b: { search: "beam:4", update: "standard", learner: "perceptron" },
};
let aborts = [];

export function leave() {
  for (const abort of aborts) abort.abort();
  aborts = [];
}

export async function enter(main, known, { state, keep }) {
  const given = state();
  const runs = { a: null, b: null };
  const pictures = h("div", { class: "panels", id: "curves" });
  const sides = Object.fromEntries(["a", "b"].map((side) => [side, panel(side)]));
  const upload = new Upload();

  const task = choose("Task", known.choices.task, given.task ?? known.choices.task[0], remember);
  const whole = (label, name, usual, most) => {
    const input = h("input", { type: "number", min: 1, max: most, value: given[name] ?? usual, onchange: () => remember() });
    return { input, element: h("label", {}, label, input) };
  };
  const sentences = whole("Sentences", "sentences", 200, known.choices.sentences);
  const epochs = whole("Epochs", "epochs", 10, known.choices.epochs);
  const file = h("input", { type: "file", accept: ".conllu,.txt,.tsv", onchange: async () => {
    const chosen = file.files[0];
    if (!chosen) return madeUp();
    try {
      await upload.take(chosen);
      say(`${chosen.name} will be learned from; a link does not share it.`);
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

  function remember() {
    keep({ view: "train", task: task.select.value, sentences: sentences.input.value, epochs: epochs.input.value,
      ...Object.fromEntries(["a", "b"].flatMap((side) => Object.entries(sides[side].picks).map(([name, pick]) => [`${side}.${name}`, pick.select.value]))) });
  }

  // --------------------------------------------------------------------------------------- one of two settings
  function panel(side) {
    const picks = Object.fromEntries(Object.entries(USUAL[side]).map(([name, usual]) =>
      [name, choose(name[0].toUpperCase() + name.slice(1), known.choices[name], given[`${side}.${name}`] ?? usual, () => remember())]));
    const start = h("button", { class: "main", onclick: () => begin(side) }, "Start");
    const orTell = (promise) => promise.catch((error) => put(told, h("span", { class: "bad", role: "alert" }, error.message)));
    const stop = h("button", { disabled: true, onclick: () => runs[side] && orTell(post(`/play/lessons/${runs[side].lesson}/stop`, {})) }, "Stop");
    const download = h("button", { disabled: true, onclick: () => orTell(save(runs[side])) }, "Download the model");
    const told = h("p", { class: "note", role: "status" });
    const element = h("fieldset", { class: side }, h("legend", {}, `Setting ${side.toUpperCase()}`),
      h("div", { class: "row" }, Object.values(picks).map((pick) => pick.element)), h("div", { class: "row" }, start, stop, download), told);
    return { picks, start, stop, download, told, element };
  }

  async function begin(side) {
    const { picks, start, stop, download, told } = sides[side];
    if (start.disabled) return; // it is being trained
    let text;
    try {
      text = upload.wanted();
    } catch (error) {
      return put(told, h("span", { class: "bad", role: "alert" }, error.message));
    }
    start.disabled = true;
    remember();
    const body = { task: task.select.value, sentences: +sentences.input.value, epochs: +epochs.input.value };
    for (const [name, pick] of Object.entries(picks)) body[name] = pick.select.value;
    if (text !== null) body.text = text;
    const abort = new AbortController();
    aborts.push(abort);
    try {
      const { lesson, model } = await post("/play/lessons", body, abort.signal);
      const run = (runs[side] = { lesson, model, points: [], epochs: [] });
      [stop.disabled, download.disabled] = [false, true];
      put(told, "Training …");
      let isOver = false;
      for await (const event of events(`/play/lessons/${lesson}/events`, abort.signal)) {
        isOver = event.kind === "end" || event.kind === "error";
        if (event.kind === "error") { put(told, h("span", { class: "bad" }, event.error)); break; }
        if (event.kind === "point" || event.kind === "epoch") run.points.push(event);
        if (event.kind === "epoch") {
          run.epochs.push(event);
          put(told, `Epoch ${event.epoch}: ${event.dev === null ? "" : `dev ${number(100 * event.dev, 1)} %, `}${event.epochErrors} errors, ${event.epochUpdates} updates, ${event.epochInvalid} invalid.`);
        }
        if (event.kind === "end") {
          download.disabled = false;
          put(told, told.textContent, ` ${event.stopped ? "Stopped." : "Done."} The model is ${model}: `, h("a", { href: `#view=film&model=${model}` }, "see its beam"), ".");
        }
        draw();
      }
      if (!isOver) throw new Error("the server has ended the training; start it again");
    } catch (error) {
      if (error.name !== "AbortError") put(told, h("span", { class: "bad", role: "alert" }, error.message));
    }
    [start.disabled, stop.disabled] = [false, true];
  }

  let due = 0;
  function draw() { // at most once a frame
    if (!due) due = requestAnimationFrame(() => { due = 0; put(pictures, curves(runs)); });
  }

  put(main, h("h1", {}, "Training in front of the class"),
    h("p", { class: "lead" }, "Choose data and two settings, and watch them learn. A fifth of the data is kept for the development score."),
    h("div", { class: "row" }, task.element, sentences.element, epochs.element, h("label", {}, "Your own file instead of made-up data", file), forget),
    h("div", { class: "panels" }, sides.a.element, sides.b.element),
    h("div", { class: "row" }, h("button", { class: "main", onclick: () => { begin("a"); begin("b"); } }, "Start both"),
      h("button", { onclick: async () => { remember(); try { await navigator.clipboard.writeText(location.href); say("The link is in the clipboard."); } catch { say(location.href); } } }, "Copy a link to these settings")),
    pictures, exhibit(known.exhibits, given, keep));
  put(pictures, curves(runs));
}

async function save(run) {
  const url = URL.createObjectURL(await blob(`/play/lessons/${run.lesson}/model`));
  const link = h("a", { href: url, download: `${run.model}.model` });
  link.click();
  URL.revokeObjectURL(url);
}

const key = (side, text, dashed = "") => [h("span", { class: `key ${side} ${dashed}` }), text, " "];

function curves(runs) {
  const both = (name, points) => ["a", "b"].filter((side) => runs[side]).map((side) => ({ name: `${name}, setting ${side.toUpperCase()}`, class: side, points: points(runs[side]) }));
  const figure = (options, said) => h("figure", {}, chart(options), h("figcaption", {}, said));
  return [
    figure({ title: "Development score by epoch", x: "epoch", y: "score, %", low: 1, series: both("score", (run) => run.epochs.map((e) => [e.epoch, e.dev === null ? null : 100 * e.dev])) },
      [key("a", "A"), key("b", "B"), "Score on the development data after each epoch."]),
    figure({ title: "Errors by epoch", x: "epoch", y: "sentences", series: both("errors", (run) => run.epochs.map((e) => [e.epoch, e.epochErrors])) },
      "Sentences that came out wrong while learning."),
    figure({ title: "Updates, and invalid ones", x: "examples", y: "updates", series: [
      ...both("updates", (run) => run.points.map((p) => [p.seen, p.updates])),
      ...both("invalid", (run) => run.points.map((p) => [p.seen, p.invalid])).map((each) => ({ ...each, class: each.class + " dashed" })) ] },
      [key("a", "all updates;"), key("a", "invalid ones, which fix no violation.", "dashed")]),
    figure({ title: "Length of the weights and its bound", x: "updates", y: "‖w‖", series: [
      ...both("length", (run) => run.points.map((p) => [p.updates, p.norm])),
      ...both("bound", (run) => run.points.filter((p) => p.bound !== null).map((p) => [p.updates, p.bound])).map((each) => ({ ...each, class: each.class + " dashed" })) ] },
      [key("a", "‖w‖;"), key("a", "R√t, which it stays under if all updates are valid.", "dashed"), "R is the longest update so far. A margin and MIRA have other bounds; none is drawn."]),
  ];
}

// --------------------------------------------------------------------------------------- what never ends

function exhibit({ examples, search, update }, given, keep) {
  const picks = {
    example: choose("Example", Object.keys(examples), given.example ?? "fruit"),
    search: choose("Search", search, given["x.search"] ?? "greedy"),
    update: choose("Update", update, given["x.update"] ?? "standard"),
  };
  const rows = h("tbody", {}), picture = h("figure", {}), told = h("p", { class: "note", role: "status" });
  const start = h("button", { class: "main", onclick: () => run() }, "Start the exhibit");
  const stop = h("button", { disabled: true, onclick: () => abort?.abort() }, "Stop");
  let abort = null;
  const mine = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(2));

  async function run() {
    const [example, how, which] = ["example", "search", "update"].map((name) => picks[name].select.value);
    keep({ example, "x.search": how, "x.update": which });
    abort?.abort();
    abort = new AbortController();
    aborts.push(abort);
    [start.disabled, stop.disabled] = [true, false];
    put(rows);
    const seen = [];
    const shown = examples[example];
    put(told, `“${shown.words.join(" ")}”, features ${shown.names.join(" and ")}: ${shown.said}.`);
    try {
      for await (const event of events(`/play/exhibit?example=${example}&search=${how}&update=${which}`, abort.signal)) {
        if (event.over) {
          put(told, event.right ? `It has converged after ${event.update} updates: ${event.label} is right.` : `No violation is left to fix after ${event.update} updates, and ${event.label} is still wrong.`);
          break;
        }
        seen.push(event);
        rows.append(h("tr", { class: "new" }, [event.update, event.label, event.prefix, `(${event.change.map(mine)})`, mine(event.product)].map((cell) => h("td", {}, cell)),
          h("td", { class: event.valid ? "good" : "bad" }, event.valid ? "valid" : "invalid"), h("td", {}, `(${event.weights.map(mine)})`)));
        while (rows.children.length > 8) rows.firstChild.remove();
        put(picture, chart({ title: "Length of the weights and its bound", x: "updates", y: "‖w‖", series: [
          { name: "length", class: "b", points: seen.map((e) => [e.update, e.norm]) },
          { name: "bound", class: "b dashed", points: seen.map((e) => [e.update, e.bound]) }] }),
        h("figcaption", {}, key("b", "‖w‖;"), key("b", "R√t.", "dashed"), event.invalid ? `${event.invalid} of ${event.update} updates were invalid: nothing holds the weights back.` : "Every update was valid so far."));
        if (seen.length > 2000) seen.shift();
      }
    } catch (error) {
      if (error.name !== "AbortError") put(told, h("span", { class: "bad", role: "alert" }, error.message));
    }
    [start.disabled, stop.disabled] = [false, true];
  }

  return h("section", { "aria-label": "Exhibit" }, h("h2", {}, "The exhibit: what never ends"),
    h("p", { class: "lead" }, "Two sentences that can be learned, and on which the standard update with greedy search goes on for ever. With a beam of 2 it ends. With greedy search the second ends with every other update; the first never does, but valid updates keep the weights short."),
    h("div", { class: "row" }, Object.values(picks).map((pick) => pick.element), start, stop), told,
    h("div", { class: "panels" }, h("div", { class: "scroll" }, h("table", { id: "exhibit" },
      h("thead", {}, h("tr", {}, ["update", "guess", "prefix", "ΔΦ", "w·ΔΦ", "", "new w"].map((name) => h("th", { scope: "col" }, name)))), rows)), picture));
}
