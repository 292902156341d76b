// Lesson 4: the standard update with a beam learns less, live, from real English.

import { choose, h, number, put } from "../dom.js";
import { scores, updates } from "../train/curves.js";
import { Run, stopAll } from "../train/run.js";

export const title = "The standard update on a beam learns less";
const METHODS = [["standard", "a"], ["early", "c"], ["max_violation", "goldline"]];
const DATA = { "Pride and Prejudice": { english: true, sentences: 600, epochs: 4, seed: 2 }, "made up": { sentences: 300, epochs: 5, seed: 0 } };
export const leave = () => stopAll();

export function build(known) {
  const place = h("div", {}), told = h("p", { class: "told", "aria-live": "polite" });
  const width = choose("Search", known.choices.search.filter((each) => each !== "exact"), "beam:8"), data = choose("Data", Object.keys(DATA), "", () => draw());
  let runs = [], due = 0;

  function start() {
    stopAll();
    const body = { task: "parsing", search: width.select.value, learner: "perceptron", ...DATA[data.select.value] };
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
    } else put(told, runs.length ? "They learn …" : `Three parsers learn from the same ${0.8 * DATA[data.select.value].sentences} sentences, and ${0.2 * DATA[data.select.value].sentences} more are held out for the score.`);
    const shown = runs.length ? runs : METHODS.map(([update, colour]) => new Run(update.replace("_", "-"), colour, null)); // empty frames until they start
    put(place, scores(shown), updates(shown));
  }

  draw();
  return {
    text: [
      "The standard update compares whole outputs: where the parser's tree is wrong, features of the right tree are raised, those of its own lowered. With exact search the wrong tree always scores more, and the update always fixes something.",
      ["With a beam the right tree may have fallen off early, though in the end it would have scored ", h("em", {}, "more"), ". Then nothing is wrong with the weights. The search is at fault, and yet the standard update changes the weights: an ", h("strong", { class: "bad" }, "invalid update"), ", which fixes no violation."],
      "Early update stops where gold falls off and learns from that prefix. Max-violation takes the prefix on which the beam is farthest ahead. Both always fix a violation, and so all that lesson 1 proved holds for them.",
      ["The sentences are the beginning of ", h("em", {}, "Pride and Prejudice"), ", and right is what the English model says of them. Nearly half of all standard updates are invalid, and the parser gets worse the longer it learns. The Penn treebank shows the same: standard comes to 78.2 % with a beam of 8, and every other method to ten points more (experiments/huang2012/parsing)."],
    ],
    todo: ["Start the three. Which is ahead after the first epoch, and which after the last?", "Try greedy and beam:16. Where are there more invalid updates, and what do they cost?", "Take the data that is made up: a small grammar, nine words a sentence. Why does the standard update do so much less harm there?"],
    stage: [h("div", { class: "row" }, data.element, width.element, h("button", { class: "main", onclick: start }, "Start the three"), h("button", { onclick: () => runs.forEach((run) => run.stop()) }, "Stop")), told, place],
  };
}
