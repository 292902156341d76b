// The beam as a lattice: a column for each step, its items as plates, gold in its colour, and below the beam's edge
// gold that has fallen off. It is drawn once; a step changes classes alone.

import { calm, h, number, s } from "../dom.js";

const ACROSS = 128, DOWN = 44, WIDE = 92, HIGH = 36, TOP = 34, LEFT = 14, FOOT = 16;

export const short = (action, most = 12) => {
  const said = action.replace(/^left:(.*)$/, "← $1").replace(/^right:(.*)$/, "$1 →").replace(/^root:.*$/, "root");
  return said.length > most ? said.slice(0, most - 1) + "…" : said;
};

export function lattice(film, pick) {
  const steps = film.steps, has = film.methods.length > 0;
  const rows = Math.max(...steps.map((step) => step.items.length)), edge = TOP + rows * DOWN + 4, fallen = edge + 16;
  const falls = steps.some((step) => step.inBeam === false && step.goldScore !== null);
  const width = LEFT + steps.length * ACROSS, height = (falls ? fallen + HIGH : edge) + FOOT;
  const x = (at) => LEFT + at * ACROSS, y = (row) => TOP + row * DOWN;
  const nodes = steps.map(() => []), edges = [];
  const curve = (a, b, c, d) => `M${a} ${b}C${a + 22} ${b} ${c - 22} ${d} ${c} ${d}`;
  const join = (step, row, from, parent, kind) => {
    const line = s("path", { class: "join " + kind, d: curve(x(from) + WIDE, y(parent) + HIGH / 2, x(step), y(row) + HIGH / 2) });
    edges.push({ line, step, row, from, parent });
    return line;
  };
  // Where an item stands in its column: by rank, and gold beyond those shown last of all.
  const rowOf = (step, rank) => steps[step]?.items.findIndex((item) => item.rank === rank + 1) ?? -1;

  const plate = (at, top, item, kind, behind, name) => s("g", { class: `plate ${kind}`, transform: `translate(${x(at)} ${top})` },
    s("title", {}, `${name}, ${number(item.score)}`),
    s("rect", { width: WIDE, height: HIGH, rx: 7 }),
    s("text", { class: "does", x: WIDE / 2, y: 15 }, short(name)),
    s("text", { class: "behind", x: WIDE / 2, y: 30 }, behind));

  const columns = steps.map((step, at) => {
    const best = Math.max(...step.items.map((item) => item.score));
    const lines = [], plates = [];
    step.items.forEach((item, row) => {
      const parent = item.parent === null || item.parentStep === undefined || item.parentStep === null ? -1 : rowOf(item.parentStep, item.parent);
      if (parent >= 0) {
        const bothGold = item.gold && steps[item.parentStep].items[parent].gold;
        lines.push(join(at, row, item.parentStep, parent, bothGold ? "gold" : ""));
      }
      for (const other of item.merged ?? []) {
        const from = rowOf(item.parentStep ?? -1, other);
        if (from >= 0) lines.push(s("path", { class: "join merged", d: curve(x(item.parentStep) + WIDE, y(from) + HIGH / 2, x(at), y(row) + HIGH / 2) }));
      }
      const node = plate(at, y(row), item, item.gold ? "gold" : "", item.score === best ? "best" : number(item.score - best, 1), item.path.at(-1) ?? "");
      node.addEventListener("click", () => pick(at, row));
      nodes[at].push(node);
      plates.push(node);
    });
    if (has && step.inBeam === false && step.goldScore !== null) {
      const before = steps[at - 1], last = before?.items.findIndex((item) => item.gold) ?? -1;
      const from = at === 0 ? null : before.inBeam === false && before.goldScore !== null ? fallen : last >= 0 ? y(last) : null;
      if (from !== null) lines.push(s("path", { class: "join gold lost", d: curve(x(at - 1) + WIDE, from + HIGH / 2, x(at), fallen + HIGH / 2) }));
      plates.push(plate(at, fallen, { score: step.goldScore }, `gold lost ${film.fall === at ? "falling" : ""}`, number(step.goldScore - best, 1), step.goldPath?.at(-1) ?? ""));
    }
    return s("g", { class: "column later" }, lines, plates, s("text", { class: "small", x: x(at) + WIDE / 2, y: 18 }, String(at + 1)));
  });

  const here = s("rect", { class: "here", y: 2, width: WIDE + 16, height: height - 4, rx: 10 });
  const picture = s("svg", { role: "img", class: "lattice", width, height, viewBox: `0 0 ${width} ${height}` },
    s("title", {}, "The beam as a lattice"),
    s("desc", {}, `${steps.length} steps, at most ${rows} items in each. ${film.fall === null || film.fall === undefined ? "" : `Gold falls off on step ${film.fall + 1}.`}`),
    here,
    falls && [s("path", { class: "edge", d: `M0 ${edge}H${width}` }), s("text", { class: "small edgetext", x: 6, y: fallen + 22 }, "")],
    columns);
  const box = h("div", { class: "scroll lattice", tabindex: 0, role: "region", "aria-label": "Lattice of the beam" }, picture);

  // Show the columns up to a step; fade what no item there descends from, and draw the way to the chosen item.
  function move(at, chosen) {
    columns.forEach((column, i) => column.setAttribute("class", `column ${i > at ? "later" : ""} ${i === at ? "now" : ""}`));
    const alive = new Set(nodes[at].map((_, row) => `${at} ${row}`)), way = new Set([`${at} ${chosen}`]);
    for (const { step, row, from, parent } of [...edges].reverse()) {
      if (step > at) continue;
      if (alive.has(`${step} ${row}`)) alive.add(`${from} ${parent}`);
      if (way.has(`${step} ${row}`)) way.add(`${from} ${parent}`);
    }
    nodes.forEach((column, step) => column.forEach((node, row) => {
      node.classList.toggle("dead", step < at && !alive.has(`${step} ${row}`) && edges.length > 0);
      node.classList.toggle("way", way.has(`${step} ${row}`));
    }));
    for (const { line, step, row, from, parent } of edges) {
      line.classList.toggle("dead", step <= at && !alive.has(`${step} ${row}`));
      line.classList.toggle("way", way.has(`${step} ${row}`) && way.has(`${from} ${parent}`));
    }
    here.setAttribute("x", x(at) - 8);
    const left = x(at) - box.clientWidth * 0.6;
    box.scrollTo({ left, behavior: calm() ? "auto" : "smooth" });
  }
  return { element: box, picture, move };
}
