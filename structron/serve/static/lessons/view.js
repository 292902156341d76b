// Guided lessons: each is read in three minutes and ends in something to do.

import { h, put } from "../dom.js";
import * as perceptron from "./perceptron.js";
import * as viterbi from "./viterbi.js";
import * as greedy from "./greedy.js";
import * as standard from "./standard.js";
import * as fixing from "./fixing.js";
import * as latent from "./latent.js";

const LESSONS = [perceptron, viterbi, greedy, standard, fixing, latent];
let shown = null, onkey = null;

export function leave() {
  shown?.leave?.();
  shown = null;
  if (onkey) removeEventListener("keydown", onkey);
}

// Text beside what moves, and at the end what there is to do.
export function enter(main, known, { state, keep, title }) {
  const at = Math.min(Math.max(1, Math.round(+state().n) || 1), LESSONS.length), lesson = LESSONS[at - 1];
  keep({ view: "lesson", n: at });
  title(`${at}. ${lesson.title}`);
  shown = lesson;
  const { stage, text, todo } = lesson.build(known);
  const to = (n, name) => (n < 1 || n > LESSONS.length ? h("span", {}) : h("a", { href: `#view=lesson&n=${n}` }, name(LESSONS[n - 1].title)));
  put(main,
    h("ol", { class: "lessons" }, LESSONS.map((each, i) => h("li", {}, h("a", { href: `#view=lesson&n=${i + 1}`, "aria-current": i + 1 === at ? "step" : null }, `${i + 1} `, h("span", {}, each.title))))),
    h("h1", {}, lesson.title),
    h("div", { class: "lesson-body" },
      h("div", { class: "prose" }, text.map((each) => h("p", {}, each)), h("section", { class: "todo", "aria-label": "To do" }, h("h2", {}, "Now you"), h("ol", {}, todo.map((each) => h("li", {}, each))))),
      h("section", { class: "card", "aria-label": "Try it" }, stage)),
    h("div", { class: "row between turn" }, to(at - 1, (name) => `← ${name}`), to(at + 1, (name) => `${name} →`)));
  onkey = (event) => {
    const next = { PageUp: at - 1, PageDown: at + 1 }[event.key];
    if (next === undefined || next < 1 || next > LESSONS.length || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    event.preventDefault();
    location.hash = `#view=lesson&n=${next}`;
  };
  addEventListener("keydown", onkey);
}
