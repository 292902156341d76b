// Pictures: trees and curves.

import { s } from "./dom.js";

const CHAR = 8.2;

// A tree as arcs above the words. With `drag`, an arc is drawn from a word to its new head.
export function tree(words, tags, heads, relations, { gold = null, drag = null } = {}) {
  const widths = words.map((word, i) => Math.max(36, CHAR * Math.max(word.length, (tags?.[i] || "").length, 0.8 * (relations?.[i] || "").length) + 18));
  const centres = [];
  let x = 40;
  for (const width of widths) { centres.push(x + width / 2); x += width; }
  const at = (place) => (place === 0 ? 20 : centres[place - 1]);
  const arcs = heads.map((head, i) => ({ head, child: i + 1, label: relations?.[i] || "" }));
  const span = (arc) => Math.abs(arc.head - arc.child);
  const level = new Map();
  for (const arc of [...arcs].sort((p, q) => span(p) - span(q))) {
    const [from, to] = [Math.min(arc.head, arc.child), Math.max(arc.head, arc.child)];
    const under = [...level].filter(([other]) => {
      const [a, b] = [Math.min(other.head, other.child), Math.max(other.head, other.child)];
      return a < to && b > from;
    }).map(([, own]) => own);
    level.set(arc, 1 + Math.max(0, ...under));
  }
  const floor = 26 + 26 * Math.max(1, ...level.values());
  const curve = (arc, kind) => {
    const [a, b, top] = [at(arc.head) + (arc.head < arc.child ? 5 : -5), at(arc.child), floor - 26 * level.get(arc)];
    const bend = Math.sign(b - a) * Math.min(14, Math.abs(b - a) / 2);
    return [
      s("path", { class: "arc " + kind, d: `M${a} ${floor}V${top + 14}Q${a} ${top} ${a + bend} ${top}H${b - bend}Q${b} ${top} ${b} ${top + 14}V${floor - 4}` }),
      s("path", { class: "head", d: `M${b - 4} ${floor - 8}h8l-4 7z` }),
      s("text", { class: "label", x: (a + b) / 2, y: top - 4 }, arc.label),
    ];
  };
  const children = arcs.map((arc) => {
    const wrong = gold && (gold.heads[arc.child - 1] !== arc.head || (gold.relations && gold.relations[arc.child - 1] !== arc.label));
    return curve(arc, wrong ? "wrong" : "");
  });
  const said = arcs.map((arc) => `${words[arc.child - 1]} depends on ${arc.head ? words[arc.head - 1] : "the root"} as ${arc.label || "modifier"}`).join("; ");
  const picture = s("svg", { role: "img", width: x + 20, height: floor + 48, viewBox: `0 0 ${x + 20} ${floor + 48}` },
    s("title", {}, "Dependency tree"), s("desc", {}, said), children,
    s("text", { class: "wordtext small", x: 20, y: floor + 18 }, "root"),
    words.map((word, i) => [
      s("text", { class: "wordtext", x: centres[i], y: floor + 18 }, word),
      s("text", { class: "tagtext", x: centres[i], y: floor + 36 }, tags?.[i] || ""),
    ]));
  if (drag) draggable(picture, [20, ...centres], floor, drag);
  return picture;
}

// From a word to its new head, with a mouse or a finger; the lists under the words do the same by keyboard.
function draggable(picture, places, floor, drag) {
  const line = s("path", { class: "drag", d: "" });
  let from = 0;
  const here = (event) => {
    const box = picture.getBoundingClientRect();
    return (event.clientX - box.left) * (picture.viewBox.baseVal.width / box.width);
  };
  const nearest = (x) => places.reduce((best, place, i) => (Math.abs(place - x) < Math.abs(places[best] - x) ? i : best), 0);
  places.slice(1).forEach((place, i) => {
    picture.append(s("rect", {
      class: "handle", x: place - 18, y: floor + 2, width: 36, height: 40, "data-word": i + 1,
      onpointerdown: (event) => { from = i + 1; picture.setPointerCapture(event.pointerId); event.preventDefault(); },
    }));
  });
  picture.append(line);
  picture.addEventListener("pointermove", (event) => {
    if (from) line.setAttribute("d", `M${places[from]} ${floor}Q${(places[from] + here(event)) / 2} ${floor - 40} ${here(event)} ${floor}`);
  });
  picture.addEventListener("pointerup", (event) => {
    const [child, head] = [from, nearest(here(event))];
    from = 0;
    line.setAttribute("d", "");
    if (child && head !== child) drag(child, head);
  });
}

const nice = (value) => (Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : String(+value.toPrecision(3)));

// Curves over one axis. `series`: {name, points: [[x, y]], class}; `marks`: {x, text}; `dots` on the first series.
export function chart({ title, x: xName, y: yName, series, marks = [], fall = null, dots = null, zero = false, low = null, height = 200 }) {
  const [width, left, right, top, bottom] = [560, 52, 12, 26 + 14 * Math.max(0, ...marks.map((m) => m.row || 0)) + (marks.length ? 14 : 0), 34];
  const all = series.flatMap((each) => each.points).filter(([, y]) => y !== null);
  const xs = all.map(([x]) => x), ys = all.map(([, y]) => y);
  let [x0, x1] = [Math.min(...xs, Infinity), Math.max(...xs, -Infinity)];
  let [y0, y1] = [low === null || !ys.length ? Math.min(0, ...ys) : Math.min(...ys) - low, ys.length ? Math.max(...ys, low === null ? 0 : -Infinity) : 1];
  if (!(x1 > x0)) [x0, x1] = [Number.isFinite(x0) ? x0 - 0.5 : 0, Number.isFinite(x0) ? x0 + 0.5 : 1];
  if (!(y1 > y0)) y1 = y0 + 1;
  const px = (x) => left + (width - left - right) * (x - x0) / (x1 - x0);
  const py = (y) => height - bottom - (height - bottom - top) * (y - y0) / (y1 - y0);
  const path = (points) => points.filter(([, y]) => y !== null).map(([x, y], i) => `${i ? "L" : "M"}${px(x).toFixed(1)} ${py(y).toFixed(1)}`).join("");
  const said = series.map((each) => { const last = each.points.at(-1); return last ? `${each.name}: last ${nice(last[1] ?? 0)}` : `${each.name}: nothing yet`; }).join("; ");
  return s("svg", { role: "img", width, height, viewBox: `0 0 ${width} ${height}` },
    s("title", {}, title), s("desc", {}, said),
    [y0, (y0 + y1) / 2, y1].map((y) => [
      s("path", { class: "grid", d: `M${left} ${py(y)}H${width - right}` }),
      s("text", { class: "small", x: left - 6, y: py(y) + 4, "text-anchor": "end" }, nice(y)),
    ]),
    zero && y0 < 0 && s("path", { class: "zero", d: `M${left} ${py(0)}H${width - right}` }),
    [x0, x1].map((x, i) => s("text", { class: "small", x: px(x), y: height - 18, "text-anchor": i ? "end" : "start" }, nice(x))),
    s("text", { class: "small", x: (left + width) / 2, y: height - 4, "text-anchor": "middle" }, xName),
    s("text", { class: "small", x: 4, y: 11 }, yName),
    fall !== null && s("path", { class: "fall", d: `M${px(fall)} ${top}V${height - bottom}` }),
    fall !== null && s("text", { class: "mark", x: px(fall), y: height - bottom + 12 }, "gold falls off"),
    series.map((each) => s("path", { class: "series " + each.class, d: path(each.points) })),
    dots && series[0].points.map(([x, y], i) => y !== null && s("circle", { class: "dot " + dots(i), cx: px(x), cy: py(y), r: 4 })),
    marks.map((mark) => s("text", { class: "mark", x: Math.min(Math.max(px(mark.x), left + 30), width - 40), y: 26 + 14 * (mark.row || 0) }, mark.text)));
}
