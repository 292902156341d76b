// The beam as a lattice: a column for each step, its items as plates, gold in its colour, and below the beam's edge
// gold that has fallen off. A column is made when it is first seen, and only those in view are in the picture, so that
// a step costs the same however long the sentence and however wide the beam.

import { calm, h, number, s, sized } from "../dom.js";

const ACROSS = 128, DOWN = 44, WIDE = 92, HIGH = 36, TOP = 34, LEFT = 14, FOOT = 16, MARKS = 10, SPARE = 3;

export const short = (action, most = 12) => {
  const said = action.replace(/^left:(.*)$/, "←\u00a0$1").replace(/^right:(.*)$/, "$1\u00a0→").replace(/^root:.*$/, "root");
  return said.length > most ? said.slice(0, most - 1) + "…" : said;
};

const behind = (value) => number(value, Math.abs(value) < 1 ? 2 : 1);
const curve = (a, b, c, d) => `M${a} ${b}C${a + 22} ${b} ${c - 22} ${d} ${c} ${d}`;

// The words of the source, those that are covered apart from the others.
function marks(words, built) {
  const wide = Math.min(9, (WIDE - 14) / words), left = (WIDE - words * wide) / 2, covered = new Set(built.flatMap(([start, end]) => Array.from({ length: end - start }, (_, i) => start + i)));
  const box = (i) => `M${(left + i * wide + 0.5).toFixed(1)} ${HIGH - 2}h${(wide - 1.5).toFixed(1)}v5h-${(wide - 1.5).toFixed(1)}z`;
  const drawn = (kind, is) => s("path", { class: kind, d: Array.from({ length: words }, (_, i) => (covered.has(i) === is ? box(i) : "")).join("") });
  return [drawn("open", false), drawn("covered", true)];
}

export function lattice(film, pick) {
  const steps = film.steps, has = film.methods.length > 0, stacks = film.kind === "stacks", high = HIGH + (stacks ? MARKS : 0), down = DOWN + (stacks ? MARKS : 0);
  const rows = Math.max(...steps.map((step) => step.items.length)), edge = TOP + rows * down + 4, fallen = edge + 16;
  const isOff = (step) => step && step.inBeam === false && step.goldScore !== null;
  const falls = steps.some(isOff), width = LEFT + steps.length * ACROSS, height = (falls ? fallen + high : edge) + FOOT;
  const x = (at) => LEFT + at * ACROSS, y = (row) => TOP + row * down;

  // Where an item stands in its column: by rank, and gold beyond those shown last of all.
  const rowAt = steps.map((step) => new Map(step.items.map((item, row) => [item.rank, row])));
  const parents = steps.map((step) => step.items.map((item) => {
    const row = item.parent === null || item.parent === undefined ? undefined : rowAt[item.parentStep ?? -1]?.get(item.parent + 1);
    return row === undefined ? null : [item.parentStep, row];
  }));
  const joined = parents.some((column) => column.some(Boolean));

  const plate = (top, at, item, kind, behind, name, built) => s("g", { class: `plate ${kind}`, transform: `translate(${x(at)} ${top})` },
    s("title", {}, `${name}, ${number(item.score)}`),
    s("rect", { width: WIDE, height: high, rx: 7 }),
    s("text", { class: "does", x: WIDE / 2, y: 15 }, short(stacks ? name.replace(/^.* → /, "") : name)),
    s("text", { class: "behind", x: WIDE / 2, y: 30 }, behind),
    stacks && built ? marks(film.words.length, built) : null);

  function made(at) {
    const step = steps[at], best = Math.max(...step.items.map((item) => item.score)), lines = [], plates = [], nodes = [], ways = [];
    const join = (from, parent, row, kind) => s("path", { class: "join " + kind, d: curve(x(from) + WIDE, y(parent) + high / 2, x(at), y(row) + high / 2) });
    step.items.forEach((item, row) => {
      const parent = parents[at][row];
      ways.push(parent && join(...parent, row, item.gold && steps[parent[0]].items[parent[1]].gold ? "gold" : ""));
      for (const other of item.merged ?? []) {
        const from = rowAt[item.parentStep ?? -1]?.get(other + 1);
        if (from !== undefined) lines.push(join(item.parentStep, from, row, "merged"));
      }
      const node = plate(y(row), at, item, item.gold ? "gold" : "", item.score === best ? "best" : behind(item.score - best), item.path.at(-1) ?? "", item.built);
      node.dataset.row = row;
      node.dataset.at = at;
      nodes.push(node);
    });
    if (has && isOff(step)) {
      const before = steps[at - 1], last = before?.items.findIndex((item) => item.gold) ?? -1;
      const from = at === 0 ? null : isOff(before) ? fallen : last >= 0 ? y(last) : null;
      if (from !== null) lines.push(s("path", { class: "join gold lost", d: curve(x(at - 1) + WIDE, from + high / 2, x(at), fallen + high / 2) }));
      plates.push(plate(fallen, at, { score: step.goldScore }, `gold lost ${film.fall === at ? "falling" : ""}`, behind(step.goldScore - best), step.goldPath?.at(-1) ?? "", step.goldBuilt));
    }
    const covered = stacks ? (step.items[0]?.built ?? step.goldBuilt ?? []).reduce((sum, [start, end]) => sum + end - start, 0) : 0;
    return { lines: s("g", { class: "lines" }, lines, ways.filter(Boolean)), plates: s("g", { class: "column" }, nodes, plates,
      s("text", { class: "small", x: x(at) + WIDE / 2, y: 18 }, stacks ? `${covered} ${covered === 1 ? "word" : "words"}` : String(at + 1))), nodes, ways, flags: nodes.map(() => 0) };
  }

  const columns = [], here = s("rect", { class: "here", x: -8, y: 2, width: WIDE + 16, height: height - 4, rx: 10 }), under = s("g", {}), over = s("g", {});
  const picture = s("svg", { role: "img", class: "lattice", width, height, viewBox: `0 0 ${width} ${height}` },
    s("title", {}, stacks ? "The stacks as a lattice" : "The beam as a lattice"),
    s("desc", {}, `${steps.length} steps, at most ${rows} items in each. ${film.fall === null || film.fall === undefined ? "" : `Gold falls off on step ${film.fall + 1}.`}`),
    here, falls && s("path", { class: "edge", d: `M0 ${edge}H${width}` }), under, over);
  picture.addEventListener("click", ({ target }) => {
    const found = target.closest(".plate[data-row]");
    if (found) pick(+found.dataset.at, +found.dataset.row);
  });
  const box = h("div", { class: "scroll lattice", tabindex: 0, role: "region", "aria-label": "Lattice of the beam" }, sized(picture, width));

  // `room` and `left` are in the picture's own numbers, which on slides are more than a pixel each.
  let now = 0, alive = [], way = [], room = 1100, scale = 1, left = 0, target = 0, shown = new Set();

  // Which items have descendants on the step that is shown, and which lead to the chosen one.
  function follow(at, chosen) {
    alive = steps.map((step, i) => new Uint8Array(step.items.length).fill(i === at ? 1 : 0));
    way = steps.map((step) => new Uint8Array(step.items.length));
    if (way[at].length) way[at][Math.min(chosen, way[at].length - 1)] = 1;
    for (let i = at; i > 0; i--) {
      parents[i].forEach((parent, row) => {
        if (!parent) return;
        if (alive[i][row]) alive[parent[0]][parent[1]] = 1;
        if (way[i][row]) way[parent[0]][parent[1]] = 1;
      });
    }
  }

  // The classes of a column, where they have changed.
  function mark(at) {
    const { nodes, ways, flags, plates } = columns[at];
    plates.classList.toggle("now", at === now);
    nodes.forEach((node, row) => {
      const isAlive = alive[at][row] || !joined, flag = (isAlive ? 0 : 1) | (way[at][row] ? 2 : 0);
      if (flags[row] === flag) return;
      flags[row] = flag;
      for (const each of [node, ways[row]]) {
        each?.classList.toggle("dead", !isAlive);
        each?.classList.toggle("way", Boolean(way[at][row]));
      }
    });
  }

  // Put in what can be seen, now and where scrolling leads, and take out the rest.
  function view(isWhole = false) {
    const wanted = new Set();
    const add = (from, to) => { for (let i = Math.max(0, from); i <= Math.min(now, to); i++) wanted.add(i); };
    for (const at of [left, target]) add(Math.floor((at - LEFT) / ACROSS) - SPARE, Math.ceil((at + room) / ACROSS) + SPARE);
    if (isWhole) add(0, now);
    wanted.add(now);
    for (const at of shown) {
      if (wanted.has(at)) continue;
      columns[at].lines.remove();
      columns[at].plates.remove();
    }
    for (const at of [...wanted].sort((p, q) => p - q)) {
      columns[at] ??= made(at);
      mark(at);
      if (shown.has(at)) continue;
      under.append(columns[at].lines);
      over.append(columns[at].plates);
    }
    shown = wanted;
  }

  let due = 0;
  const later = () => { due ||= requestAnimationFrame(() => { due = 0; view(); }); };
  box.addEventListener("scroll", () => { left = box.scrollLeft / scale; later(); }, { passive: true });
  const measure = () => {
    if (!box.clientWidth) return;
    scale = picture.getBoundingClientRect().width / width || 1;
    room = box.clientWidth / scale;
    aim();
  };
  const watch = new ResizeObserver(measure);
  watch.observe(box);
  watch.observe(picture);

  // The step that is shown is in view.
  function aim(isFast = true) {
    target = Math.max(0, Math.min(width - room, x(now) - room * 0.6));
    view();
    box.scrollTo({ left: target * scale, behavior: calm() || isFast ? "auto" : "smooth" });
  }

  // Where somebody scrubs, nothing moves but what must.
  function move(at, chosen, isFast = false) {
    box.classList.toggle("fast", isFast);
    now = at;
    follow(at, chosen);
    here.setAttribute("transform", `translate(${x(at)} 0)`);
    aim(isFast);
  }
  // All columns up to this one, for those who save the picture.
  const whole = () => { view(true); setTimeout(() => view()); return picture; };
  return { element: box, picture, move, whole };
}
