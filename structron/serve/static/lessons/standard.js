// Lesson 4: the standard update with a beam learns less, live.

import { choose, h, number, put } from "../dom.js";
import { scores, updates } from "../train/curves.js";
import { Run, stopAll } from "../train/run.js";

export const title = "The standard update on a beam learns less";
const METHODS = [["standard", "a"], ["early", "b"], ["max_violation", "goldline"]];
export const leave = () => stopAll();

export function build(known) {
  const place = h("div", {}), told = h("p", { class: "told", "aria-live": "polite" });
  const width = choose("Search", known.choices.search.filter((each) => each !== "exact"), "beam:8"), seed = choose("Data", ["0", "1", "2", "3"], "0");
  let runs = [], due = 0;

  function start() {
    stopAll();
    const body = { task: "parsing", sentences: 300, epochs: 5, search: width.select.value, seed: +seed.select.value, learner: "perceptron" };
    runs = METHODS.map(([update, colour]) => new Run(update.replace("_", "-"), colour, { ...body, update }));
    for (const run of runs) run.go(() => { if (!due) due = requestAnimationFrame(() => { due = 0; draw(); }); });
    draw();
  }

  function draw() {
    const fault = runs.find((run) => run.fault), waiting = runs.find((run) => run.told.startsWith("waits"));
    if (fault) put(told, h("span", { class: "bad", role: "alert" }, fault.fault));
    else if (waiting) put(told, `${waiting.name} ${waiting.told}.`);
    else if (runs.length && runs.every((run) => run.isOver)) {
      const [standard, ...others] = runs, best = others.reduce((most, run) => (run.epochs.at(-1)?.dev > most.epochs.at(-1)?.dev ? run : most)), point = standard.points.at(-1);
      put(told, `Standard ends at ${number(100 * standard.epochs.at(-1).dev, 1)} %, ${best.name} at ${number(100 * best.epochs.at(-1).dev, 1)} %. ${point.invalid} of the ${point.updates} standard updates were invalid.`);
    } else put(told, runs.length ? "They learn …" : "Three parsers learn from the same 240 sentences, and 60 more are held out for the score.");
    put(place, runs.length ? [scores(runs), updates(runs)] : null);
  }

  draw();
  return {
    text: [
      "The standard update compares whole outputs: where the parser's tree is wrong, features of the right tree are raised, those of its own lowered. With exact search the wrong tree always scores more, and the update always fixes something.",
      ["With a beam the right tree may have fallen off early, though in the end it would have scored ", h("em", {}, "more"), ". Then nothing is wrong with the weights. The search is at fault, and yet the standard update changes the weights: an ", h("strong", { class: "bad" }, "invalid update"), ", which fixes no violation."],
      "Early update stops where gold falls off and learns from that prefix. Max-violation takes the prefix on which the beam is farthest ahead. Both always fix a violation, and so all that lesson 1 proved holds for them.",
      "The sentences are made up. On the sample of the Penn treebank, with a beam of 8, half of all standard updates are invalid. It comes to 78.2 %, and every other method to ten points more (experiments/huang2012/parsing).",
    ],
    todo: ["Start the three. Which is ahead after the first epoch, and which after the last?", "Try beam:2 and greedy. Where are there more invalid updates?", "On one of the four sets of data the standard update is hardly worse. Which, and is the share of its invalid updates smaller there?"],
    stage: [h("div", { class: "row" }, width.element, seed.element, h("button", { class: "main", onclick: start }, "Start the three"), h("button", { onclick: () => runs.forEach((run) => run.stop()) }, "Stop")), told, place],
  };
}
