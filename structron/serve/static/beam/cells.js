// A chart of the graph-based parser: a triangle with a cell for each span of words, those of the best tree and of gold
// joined from what they are made of, bottom up. Cells where gold loses are ringed.

import { calm, h, number, s, sized } from "../dom.js";
import { wide } from "../draw/tree.js";

const MOST = 34, LEAST = 15, TOP = 24, FOOT = 46, SIDE = 24;

export function cells(film, pick) {
  const words = ["root", ...film.words], n = words.length, steps = film.steps;
  const across = Math.max(36, 14 + Math.max(...words.map((word) => wide(word, 14))), Math.min(96, 1000 / n)), down = Math.max(LEAST, Math.min(MOST, 460 / n)), radius = Math.min(11, down * 0.34);
  const width = 2 * SIDE + n * across, height = TOP + n * down + FOOT;
  const x = ([begin, end]) => SIDE + across * ((begin + end) / 2 + 0.5), y = ([begin, end]) => TOP + down * (n - 0.5 - (end - begin)), key = (cell) => String(cell);

  // A cell is looked at several times, once for each way in which it may end.
  const at = new Map();
  steps.forEach((step, i) => at.set(key(step.cell), [...(at.get(key(step.cell)) ?? []), i]));
  const joins = (list, kind) => (list ?? []).map(([b, e, from, to]) => {
    const line = s("path", { class: `join ${kind}`, d: `M${x([from, to])} ${y([from, to])}L${x([b, e])} ${y([b, e])}` });
    return { line, cell: [b, e] };
  });
  const best = joins(film.derivations?.best, "way"), gold = joins(film.derivations?.gold, "gold");
  const inBest = new Set(best.map(({ cell }) => key(cell))), inGold = new Set(gold.map(({ cell }) => key(cell)));

  const dots = [], nodes = new Map();
  for (let size = 0; size < n; size++) {
    for (let begin = 0; begin + size < n; begin++) {
      const cell = [begin, begin + size], own = at.get(key(cell)), isOnWay = inBest.has(key(cell)) || inGold.has(key(cell)) || own || !size;
      if (!isOnWay) dots.push(`M${x(cell)} ${y(cell)}h0`);
      else if (size) {
        const lost = own?.some((i) => steps[i].inBeam === false), violated = own?.some((i) => steps[i].violation && !(steps[i].excess < 0));
        const node = s("circle", { class: `cell ${inGold.has(key(cell)) || (own && film.methods.length) ? "gold" : ""} ${inBest.has(key(cell)) ? "way" : ""} ${lost ? "lost" : ""} ${violated ? "violated" : ""}`, cx: x(cell), cy: y(cell), r: radius },
          s("title", {}, `${words[cell[0]]} … ${words[cell[1]]}${own ? own.map((i) => `, ${number(steps[i].best)}${steps[i].excess ? `, gold ${number(steps[i].excess, 1)} behind` : ""}`)[0] : ""}`));
        if (own) node.addEventListener("click", () => pick(own.find((i) => steps[i].violation) ?? own.at(-1), 0));
        nodes.set(key(cell), node);
      }
    }
  }
  const here = s("circle", { class: "ring", r: radius + 5 }), span = s("path", { class: "span", d: "" });
  const picture = s("svg", { role: "img", class: "lattice chartcells", width, height, viewBox: `0 0 ${width} ${height}` },
    s("title", {}, "The chart, bottom up"),
    s("desc", {}, `${n} words with the root, ${steps.length} steps through the cells of ${film.methods.length ? "gold" : "the best tree"}.`),
    span, s("path", { class: "dots", d: dots.join("") }), best.map(({ line }) => line), gold.map(({ line }) => line), [...nodes.values()], here,
    words.map((word, i) => [s("path", { class: "stem", d: `M${x([i, i])} ${y([i, i]) + 4}v10` }), s("text", { class: "middle", x: x([i, i]), y: height - 18, direction: "auto" }, word)]));
  sized(picture, width, 0.6);
  const box = h("div", { class: "scroll lattice", tabindex: 0, role: "region", "aria-label": "Chart" }, picture);

  // What is built by then is drawn in full.
  function move(step) {
    const cell = steps[step].cell, done = new Set(steps.slice(0, step + 1).map((each) => key(each.cell))), size = cell[1] - cell[0];
    const isDone = (other) => done.has(key(other)) || (!at.has(key(other)) && other[1] - other[0] <= size);
    for (const { line, cell: top } of [...best, ...gold]) line.classList.toggle("dead", !isDone(top));
    for (const [name, node] of nodes) node.classList.toggle("dead", !isDone(name.split(",").map(Number)));
    here.setAttribute("cx", x(cell));
    here.setAttribute("cy", y(cell));
    const [left, right] = [x([cell[0], cell[0]]) - across / 2, x([cell[1], cell[1]]) + across / 2];
    span.setAttribute("d", `M${left} ${height - 38}H${right}L${x(cell)} ${y(cell)}Z`);
    if (picture.clientWidth > box.clientWidth) box.scrollTo({ left: (x(cell) / width) * picture.clientWidth - box.clientWidth / 2, behavior: calm() ? "auto" : "smooth" });
  }
  return { element: box, picture, move, whole: () => picture };
}
