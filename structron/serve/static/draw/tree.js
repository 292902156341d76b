// A tree as arcs over the words, and what is right under them. Scripts that run from right to left are mirrored.

import { s } from "../dom.js";

const LEVEL = 30, RADIUS = 14, ROOT = 44;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const pen = document.createElement("canvas").getContext("2d");

export const runsLeft = (words) => words.filter((word) => RIGHT_TO_LEFT.test(word)).length * 2 > words.length;

export function wide(text, size = 16) {
  pen.font = `${size}px system-ui, sans-serif`;
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

// `arcs` and `below`: [child, head, relation]. `room`: the arcs that there must be room for, where a tree grows.
export function tree({ words, tags, arcs, below = [], room = arcs, wrong = new Set(), fresh = new Set(), drag = null, title = "Dependency tree" }) {
  const widths = spread(words, tags, [...room, ...below]), left = drag ? 64 : 16;
  const total = widths.reduce((sum, each) => sum + each, left + 16), mirrored = runsLeft(words);
  const turn = (x) => (mirrored ? total - x : x);
  const centres = [];
  let x = left;
  for (const width of widths) { centres.push(turn(x + width / 2)); x += width; }
  const ceiling = LEVEL * Math.max(height(arcs), height(room), 1) + 22;
  const floor = ceiling, base = floor + (tags?.length ? 48 : 28);
  const depth = below.length ? LEVEL * height(below) + 22 : 0;
  const at = (place) => (place ? centres[place - 1] : turn(ROOT / 2 + 8));

  function drawn(list, up, kind) {
    const level = levels(list), ground = up ? floor : base, sign = up ? -1 : 1;
    // The arcs of a word leave side by side, the widest next to its middle.
    const leaving = new Map();
    for (const arc of [...list].sort((p, q) => level.get(q) - level.get(p))) {
      const side = `${arc[1]}${Math.sign(at(arc[0]) - at(arc[1]))}`;
      const before = leaving.get(side) ?? 0;
      leaving.set(side, before + 1);
      leaving.set(arc, 7 + 6 * before);
    }
    return list.map((arc) => {
      const [child, head, label] = arc, b = at(child), top = ground + sign * (LEVEL * level.get(arc) - 4);
      const style = `arc ${kind} ${wrong.has(child) && up ? "wrong" : ""} ${fresh.has(child) && up ? "fresh" : ""}`;
      const tip = s("path", { class: "head " + style, d: `M${b - 4.5} ${ground + sign * 8}h9l-4.5 ${-sign * 8}z` });
      if (!head) {
        const high = ground + sign * (LEVEL * level.get(arc) + 2);
        return [s("path", { class: style, pathLength: 1, d: `M${b} ${high}V${ground + sign * 8}` }), tip, s("text", { class: "label " + style, x: b, y: high + (up ? -5 : 14) }, label || "root")];
      }
      const a = at(head) + Math.sign(b - at(head)) * leaving.get(arc), bend = Math.sign(b - a) * Math.min(RADIUS, Math.abs(b - a) / 2), turned = top - sign * RADIUS;
      return [
        s("path", { class: style, pathLength: 1, d: `M${a} ${ground}V${turned}Q${a} ${top} ${a + bend} ${top}H${b - bend}Q${b} ${top} ${b} ${turned}V${ground + sign * 8}` }),
        tip, s("text", { class: "label " + style, x: (a + b) / 2, y: top + 4 }, label)];
    });
  }

  const said = (list) => list.map(([child, head, label]) => `${words[child - 1]} depends on ${head ? words[head - 1] : "the root"} as ${label || "modifier"}`).join("; ");
  const picture = s("svg", { role: "img", class: "tree", width: total, height: base + depth + 8, viewBox: `0 0 ${total} ${base + depth + 8}` },
    s("title", {}, title), s("desc", {}, said(arcs) + (below.length ? `. Right would be: ${said(below)}` : "")),
    drag && s("text", { class: "wordtext rootword", x: at(0), y: floor + 20 }, "root"),
    drawn(arcs, true, ""), drawn(below, false, "gold"),
    words.map((word, i) => [
      s("text", { class: "wordtext", x: centres[i], y: floor + 20, direction: RIGHT_TO_LEFT.test(word) ? "rtl" : null }, word),
      tags?.[i] && s("text", { class: "tagtext", x: centres[i], y: floor + 39 }, tags[i]),
    ]));
  Object.assign(picture.style, { maxWidth: "100%", minWidth: `${Math.round(0.7 * total)}px` }); // smaller at first, then scrolled
  if (drag) draggable(picture, [at(0), ...centres], widths, floor, drag);
  return picture;
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
