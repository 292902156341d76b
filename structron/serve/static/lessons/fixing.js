// Lesson 5: violation fixing, on the two examples where the standard update never ends.

import { choose, h, put } from "../dom.js";
import { figure } from "../draw/chart.js";
import { events } from "../server.js";

export const title = "Fix violations, and it converges";
let abort = null;
export const leave = () => abort?.abort();

export function build(known) {
  const { examples, search, update } = known.exhibits;
  const picks = { example: choose("Example", Object.keys(examples), "fruit", (name) => { abort?.abort(); put(rows); introduce(examples[name]); }), search: choose("Search", search, "greedy"), update: choose("Update", update, "standard") };
  const rows = h("tbody", {}), picture = h("div", {}), told = h("p", { class: "told", role: "status" });
  const start = h("button", { class: "main", onclick: () => run() }, "Start"), stop = h("button", { disabled: true, onclick: () => abort?.abort() }, "Stop");
  const mine = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(2));

  function draw(seen, ...said) {
    put(picture, figure({ title: "Length of the weights and its bound", x: "updates", y: "‖w‖", height: 220, series: [
      { name: "bound", class: "b dashed", points: seen.map((each) => [each.update, each.bound]) }, { name: "length", class: "a", points: seen.map((each) => [each.update, each.norm]) }] },
    h("span", { class: "key a" }), "‖w‖ ", h("span", { class: "key b dashed" }), "R√t. ", said));
  }

  function introduce(shown) {
    put(told, `“${shown.words.join(" ")}”, features ${shown.names.join(" and ")}: ${shown.said}.`);
    draw([]);
  }

  async function run() {
    const [example, how, which] = ["example", "search", "update"].map((name) => picks[name].select.value);
    abort?.abort();
    const own = (abort = new AbortController());
    stop.disabled = false;
    put(rows);
    const seen = [], shown = examples[example];
    introduce(shown);
    try {
      for await (const event of events(`/play/exhibit?example=${example}&search=${how}&update=${which}`, own.signal)) {
        if (event.over) {
          put(told, h("strong", { class: event.right ? "good" : "bad" }, event.right ? `It has converged after ${event.update} updates: ${event.label} is right.` : `No violation is left to fix after ${event.update} updates, and ${event.label} is still wrong.`));
          break;
        }
        seen.push(event);
        rows.append(h("tr", {}, [event.update, event.label, event.prefix, `(${event.change.map(mine)})`, mine(event.product)].map((cell) => h("td", {}, cell)),
          h("td", { class: event.valid ? "good" : "bad" }, event.valid ? "valid" : "invalid"), h("td", {}, `(${event.weights.map(mine)})`)));
        while (rows.children.length > 8) rows.firstChild.remove();
        draw(seen, event.invalid ? `${event.invalid} of ${event.update} updates were invalid: nothing holds the weights back.` : "Every update was valid so far.");
        if (seen.length > 500) seen.shift();
      }
    } catch (error) {
      if (error.name !== "AbortError") put(told, h("span", { class: "bad", role: "alert" }, error.message));
    }
    if (abort === own) stop.disabled = true;
  }

  introduce(examples.fruit);
  return {
    text: [
      ["A ", h("strong", {}, "violation"), " is a prefix on which the guess scores at least as much as gold. An update is valid if it is made on a violation. Valid updates grow the weights slowly, at most to R√t, because gold's features were not ahead already: w·ΔΦ ≤ 0."],
      "With greedy search the standard update has no such promise. In these two examples some weights are right, and yet it goes on for ever: each update makes one mistake good and brings back the other.",
      "Early, max-violation and latest choose a prefix that is a violation. So the bound of lesson 1 holds for any search, however bad: at most R²/δ² updates. That is the theorem of Huang, Fayong & Guo (2012).",
    ],
    todo: ["Start “fruit” with greedy search and the standard update. When does the first invalid update come, and what does the curve do after it?", "Which updates end “time” with greedy search, and after how many?", "With early update “fruit” never ends either, and yet the curve stays under its bound. Why is that no contradiction? (No weights put every prefix of gold ahead: there is no δ.)"],
    stage: [h("div", { class: "row" }, Object.values(picks).map((pick) => pick.element), start, stop), told, h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Updates" }, h("table", { id: "exhibit" },
      h("thead", {}, h("tr", {}, ["update", "guess", "prefix", "ΔΦ", "w·ΔΦ", "", "new w"].map((name) => h("th", { scope: "col" }, name || h("span", { class: "hidden" }, "valid"))))), rows)), picture],
  };
}
