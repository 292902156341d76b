// A tree as arcs over the words, and what is right under them. Scripts that run from right to left are mirrored.

import { s, sized } from "../dom.js";

const LEVEL = 30, RADIUS = 14, ROOT = 44;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const pen = document.createElement("canvas").getContext("2d");

export const runsLeft = (words) => words.filter((word) => RIGHT_TO_LEFT.test(word)).length * 2 > words.length;

export function wide(text, size = 16, weight = 400) {
  pen.font = `${weight} ${size}px system-ui, sans-serif`;
  return pen.measureText(text).width;
}

// The height of each arc: over all that it spans.
export function levels(arcs) {
  const found = new Map();
  const ends = ([child, head]) => (head ? [Math.min(child, head), Math.max(child, head)] : [child, child]);
  const size = (arc) => (arc[1] ? ends(arc)[1] - ends(arc)[0] : Infinity); // the arc of a root is drawn from the top
  for (const arc of [...arcs].sort((p, q) => (size(p) < size(q) ? -1 : 1))) {
    const [from, to] = ends(arc);
    const under = [...found].filter(([other]) => {
      const [a, b] = ends(other);
      return arc[1] ? a < to && b > from : a <= from && b >= from;
    });
    found.set(arc, 1 + Math.max(0, ...under.map(([, own]) => own)));
  }
  return found;
}

export const height = (arcs) => Math.max(0, ...levels(arcs).values());

// Words side by side, so far apart that labels find room.
function spread(words, tags, arcs) {
  const widths = words.map((word, i) => 22 + Math.max(20, wide(word), wide(tags?.[i] ?? "", 13)));
  for (const [child, head, label] of arcs) {
    if (!head) continue;
    const [a, b] = [Math.min(child, head) - 1, Math.max(child, head) - 1];
    const have = widths.slice(a, b + 1).reduce((sum, each) => sum + each, 0) - (widths[a] + widths[b]) / 2;
    const missing = wide(label, 13) + 34 - have;
    if (missing > 0) for (let i = a; i <= b; i++) widths[i] += missing / (b - a);
  }
  return widths;
}

// A tree that may grow. `arcs` and `below`: [child, head, relation]; `room`: the arcs that there must be room for.
// `show` draws other arcs over the same words: elements of arcs that stay are kept.
export function growing({ words, tags, room, below = [], drag = null, title = "Dependency tree" }) {
  const widths = spread(words, tags, [...room, ...below]), left = drag ? 64 : 16;
  const total = widths.reduce((sum, each) => sum + each, left + 16), mirrored = runsLeft(words);
  const turn = (x) => (mirrored ? total - x : x);
  const centres = [];
  let x = left;
  for (const width of widths) { centres.push(turn(x + width / 2)); x += width; }
  const floor = LEVEL * Math.max(height(room), 1) + 22, base = floor + (tags?.length ? 48 : 28);
  const depth = below.length ? LEVEL * height(below) + 22 : 0;
  const at = (place) => (place ? centres[place - 1] : turn(ROOT / 2 + 8));

  // What is drawn of each arc: a line, its tip, its label, and where they are.
  function shapes(list, up) {
    const level = levels(list), ground = up ? floor : base, sign = up ? -1 : 1;
    // The arcs of a word leave side by side, the widest next to its middle.
    const leaving = new Map();
    for (const arc of [...list].sort((p, q) => level.get(q) - level.get(p))) {
      const side = `${arc[1]}${Math.sign(at(arc[0]) - at(arc[1]))}`, before = leaving.get(side) ?? 0;
      leaving.set(side, before + 1);
      leaving.set(arc, 7 + 6 * before);
    }
    return list.map((arc) => {
      const [child, head, label] = arc, b = at(child), top = ground + sign * (LEVEL * level.get(arc) - 4), tip = `M${b - 4.5} ${ground + sign * 8}h9l-4.5 ${-sign * 8}z`;
      if (!head) {
        const high = ground + sign * (LEVEL * level.get(arc) + 2);
        return { child, tip, line: `M${b} ${high}V${ground + sign * 8}`, label: label || "root", x: b, y: high + (up ? -5 : 14) };
      }
      const a = at(head) + Math.sign(b - at(head)) * leaving.get(arc), bend = Math.sign(b - a) * Math.min(RADIUS, Math.abs(b - a) / 2), turned = top - sign * RADIUS;
      return { child, tip, line: `M${a} ${ground}V${turned}Q${a} ${top} ${a + bend} ${top}H${b - bend}Q${b} ${top} ${b} ${turned}V${ground + sign * 8}`, label, x: (a + b) / 2, y: top + 4 };
    });
  }

  const drawn = new Map(), lines = s("g", {}), names = s("g", {}); // names over all lines
  const elements = () => ({ line: s("path", { pathLength: 1 }), tip: s("path", {}), label: s("text", {}), held: "" });
  function place(own, shape, kind) {
    const held = `${kind} ${shape.line} ${shape.label}`;
    if (own.held === held) return own;
    own.held = held;
    for (const [name, element] of [["line", own.line], ["tip", own.tip]]) element.setAttribute("d", shape[name]);
    own.label.setAttribute("x", shape.x);
    own.label.setAttribute("y", shape.y);
    own.label.textContent = shape.label;
    for (const [element, before] of [[own.line, ""], [own.tip, "head "], [own.label, "label "]]) element.setAttribute("class", before + kind);
    return own;
  }

  const said = (list) => list.map(([child, head, label]) => `${words[child - 1]} depends on ${head ? words[head - 1] : "the root"} as ${label || "modifier"}`).join("; ");
  const told = s("desc", {}), high = base + depth + 8;
  const picture = s("svg", { role: "img", class: "tree", width: total, height: high, viewBox: `0 0 ${total} ${high}` },
    s("title", {}, title), told,
    drag && s("text", { class: "wordtext rootword", x: at(0), y: floor + 20 }, "root"),
    lines, names, shapes(below, false).map((shape) => { const { line, tip, label } = place(elements(), shape, "arc gold"); return [line, tip, label]; }),
    words.map((word, i) => [
      s("text", { class: "wordtext", x: centres[i], y: floor + 20, direction: RIGHT_TO_LEFT.test(word) ? "rtl" : null }, word),
      tags?.[i] && s("text", { class: "tagtext", x: centres[i], y: floor + 39 }, tags[i]),
    ]));
  sized(picture, total, 0.7); // smaller at first, then scrolled
  if (drag) draggable(picture, [at(0), ...centres], widths, floor, drag);

  // Return whether there was room.
  function show(arcs, wrong = new Set(), fresh = new Set()) {
    if (height(arcs) > Math.max(height(room), 1)) return false;
    const kept = new Set();
    for (const shape of shapes(arcs, true)) {
      const own = drawn.get(shape.child) ?? elements();
      place(own, shape, `arc${wrong.has(shape.child) ? " wrong" : ""}${fresh.has(shape.child) ? " fresh" : ""}`);
      if (!drawn.has(shape.child)) { lines.append(own.line, own.tip); names.append(own.label); }
      drawn.set(shape.child, own);
      kept.add(shape.child);
    }
    for (const [child, { line, tip, label }] of drawn) {
      if (kept.has(child)) continue;
      for (const each of [line, tip, label]) each.remove();
      drawn.delete(child);
    }
    told.textContent = said(arcs) + (below.length ? `. Right would be: ${said(below)}` : "");
    return true;
  }
  return { element: picture, show };
}

// A tree that stays as it is.
export function tree({ arcs, wrong, ...rest }) {
  const { element, show } = growing({ ...rest, room: arcs });
  show(arcs, wrong);
  return element;
}

// From a word to its new head, with a mouse or a finger; lists do the same by keyboard.
function draggable(picture, places, widths, floor, drag) {
  const line = s("path", { class: "drag", d: "" });
  let from = 0;
  const here = (event) => {
    const box = picture.getBoundingClientRect();
    return (event.clientX - box.left) * (picture.viewBox.baseVal.width / box.width);
  };
  const nearest = (x) => places.reduce((best, place, i) => (Math.abs(place - x) < Math.abs(places[best] - x) ? i : best), 0);
  places.slice(1).forEach((place, i) => {
    picture.append(s("rect", {
      class: "handle", x: place - widths[i] / 2 + 3, y: floor + 2, width: widths[i] - 6, height: 42, rx: 6, "data-word": i + 1,
      onpointerdown: (event) => { from = i + 1; picture.setPointerCapture(event.pointerId); event.preventDefault(); },
    }));
  });
  picture.append(line);
  const stop = () => { from = 0; line.setAttribute("d", ""); };
  picture.addEventListener("pointermove", (event) => {
    if (from) line.setAttribute("d", `M${places[from]} ${floor}Q${(places[from] + here(event)) / 2} ${floor - 44} ${here(event)} ${floor}`);
  });
  picture.addEventListener("pointercancel", stop);
  picture.addEventListener("pointerup", (event) => {
    const [child, head] = [from, nearest(here(event))];
    stop();
    if (child && head !== child) drag(child, head);
  });
}
