// Figure 3 of Huang, Fayong & Guo (2012) for the sentence on the page: scores of beam and gold, and where each update
// method would strike.

import { choose, h, number, put } from "../dom.js";
import { figure } from "../draw/chart.js";
import { savers } from "../draw/save.js";

const SCALES = { "behind the best": true, "as they are": false };
let scale = "behind the best";

const struck = (film) => film.methods.filter((each) => each.step !== null && each.step !== undefined);

export function figureThree(film, at, go) {
  const place = h("div", { class: "figure3" });
  let drawn = null;
  const pick = choose("Scores", Object.keys(SCALES), scale, (value) => { scale = value; draw(at); });
  const head = h("div", { class: "row between" }, pick.element, savers(() => place.querySelector("svg"), "figure"));

  function draw(now) {
    at = now;
    const relative = SCALES[scale], steps = film.steps;
    const y = (value, step) => (value === null || value === undefined ? null : relative ? value - step.best : value);
    const points = (name) => steps.map((step, i) => [i + 1, y(step[name], step)]);
    const crowd = new Map();
    for (const each of struck(film)) crowd.set(`${each.step} ${each.valid}`, [...(crowd.get(`${each.step} ${each.valid}`) ?? []), each]);
    drawn = figure({
      title: "Scores of beam and gold at each step, and where each update method strikes",
      x: "step", y: relative ? "score, behind the best in the beam" : "score",
      series: [
        { name: "beam", class: "beam", points: points("best"), area: points("worst") },
        { name: "best in the beam", class: "a", points: points("best") },
        { name: "gold", class: "goldline", points: points("goldScore") },
      ].filter((each) => each.area === undefined || each.area.every(([, value]) => value !== null)),
      marks: [...crowd.values()].map((each) => ({ x: each[0].step + 1, class: each[0].valid ? "" : "bad", text: (each.length === film.methods.length ? "all methods" : each.map(({ method }) => method).join(", ")) + (each[0].valid ? "" : ": invalid") })),
      fall: film.fall === null || film.fall === undefined ? null : film.fall + 1,
      cursor: at + 1, height: 270, low: relative ? 10 : null, onpoint: (step) => go(step - 1),
    }, h("span", { class: "key a" }), "best in the beam ", h("span", { class: "key goldline" }), "gold. ",
    "Where gold is below, the beam is a violation: an update there helps. Where gold is above, the search has failed, and an update would be invalid. After Huang, Fayong & Guo (2012), Figure 3.");
    put(place, drawn);
  }
  draw(at);
  const move = (now) => { at = now; drawn.point(now + 1); };
  return { element: h("div", {}, head, place), move };
}

export function methods(film, go) {
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Update methods" }, h("table", { class: "methods" },
    h("thead", {}, h("tr", {}, ["update", "strikes on step", "excess", "is it a violation?"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, film.methods.map((each) => {
      if (each.step === null || each.step === undefined) return h("tr", {}, h("td", {}, each.method), h("td", { colspan: 3 }, "none: there is nothing to fix"));
      return h("tr", {}, h("td", {}, each.method),
        h("td", {}, h("button", { class: "quiet", onclick: () => go(each.step) }, `${each.step + 1} (${film.kind === "chart" ? film.steps[each.step].name.replace(/^\S+ /, "") : film.steps[each.step].name})`)),
        h("td", { class: "number" }, number(each.excess)),
        h("td", { class: each.valid ? "good" : "bad" }, each.valid ? "valid" : "invalid: gold already scores more"));
    }))));
}
