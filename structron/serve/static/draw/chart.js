// Curves, drawn as wide as they are shown, so that their text keeps its size.

import { h, s } from "../dom.js";
import { wide } from "./tree.js";

const nice = (value) => (Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : String(+value.toPrecision(3)));

// Steps of 1, 2 or 5 between two ends.
function ticks(low, high, most, least = 0) {
  const rough = Math.max(least, (high - low) / most), power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((each) => each * power >= rough) * power;
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) found.push(Math.abs(at) < step * 1e-9 ? 0 : at);
  return found;
}

// Powers of ten up to one, all or every second.
function powers(high) {
  const every = Math.ceil((high + 1e-9) / 6) || 1;
  return Array.from({ length: Math.floor(high / every + 1e-9) + 1 }, (_, i) => 10 ** (i * every));
}

// A figure that is drawn again whenever its room changes.
export function figure(options, ...caption) {
  const place = h("div", { class: "plot" });
  let width = 0;
  const watch = new ResizeObserver(([{ contentRect }]) => {
    if (!place.isConnected) return watch.disconnect();
    if (Math.abs(contentRect.width - width) < 1) return;
    width = contentRect.width;
    place.replaceChildren(chart({ ...options, width: Math.max(260, width) }));
  });
  place.append(chart({ ...options, width: 480 }));
  watch.observe(place);
  const whole = h("figure", {}, place, caption.length ? h("figcaption", {}, caption) : null);
  whole.point = (x) => { options.cursor = x; place.firstChild.point(x); }; // another place for the cursor, and nothing drawn again
  return whole;
}

// `series`: {name, points: [[x, y]], class, area}; `marks`: {x, text, class, go}; `dots`: a class for each point of
// the first series; `crosses`: points marked with a cross; `cursor`: a place on the axis; `log`: powers of ten upwards.
export function chart({ title, x: xName, y: yName, series, marks = [], crosses = [], cursor = null, fall = null, dots = null, zero = false, low = null, log = false, width = 560, height = 230, onpoint = null }) {
  const rows = [], size = document.documentElement.dataset.present === "on" ? 17 : 13; // of the type, as in pictures.css
  const high = size + 4;
  const up = (y) => (log ? Math.log10(Math.max(1, y)) : y); // counts: nothing below one
  const all = series.flatMap((each) => each.points).filter(([, y]) => y !== null);
  const xs = all.map(([x]) => x), ys = all.map(([, y]) => up(y));
  let [x0, x1] = [Math.min(...xs, Infinity), Math.max(...xs, -Infinity)];
  let [y0, y1] = [low === null || !ys.length ? Math.min(0, ...ys) : Math.min(...ys) - low, ys.length ? Math.max(...ys, low === null ? 0 : -Infinity) : 1];
  if (!(x1 > x0)) [x0, x1] = [Number.isFinite(x0) ? x0 - 0.5 : 0, Number.isFinite(x0) ? x0 + 0.5 : 1];
  if (!(y1 > y0)) y1 = y0 + 1;
  const [left, right] = [58, 24];
  const px = (x) => left + (width - left - right) * (x - x0) / (x1 - x0);
  // Names of marks stand in as many rows as they need not to touch.
  const placed = [...marks].sort((p, q) => p.x - q.x).map((mark) => {
    const half = 5 + wide(mark.text, size, 600) / 2, middle = Math.min(Math.max(px(mark.x), left + half), width - half);
    let row = rows.findIndex((end) => end < middle - half);
    if (row < 0) row = rows.push(0) - 1;
    rows[row] = middle + half;
    return { ...mark, middle, row };
  });
  const top = (rows.length ? 38 : 30) + high * rows.length, bottom = 42, foot = height + high * rows.length - bottom;
  const py = (y) => foot - (foot - top) * (up(y) - y0) / (y1 - y0);
  const path = (points) => points.filter(([, y]) => y !== null).map(([x, y], i) => `${i ? "L" : "M"}${px(x).toFixed(1)} ${py(y).toFixed(1)}`).join("");
  const said = series.map((each) => { const last = each.points.at(-1); return last ? `${each.name}: last ${nice(last[1] ?? 0)}` : `${each.name}: nothing yet`; }).join("; ");
  const isEmpty = !xs.length; // a frame: its numbers come with its points
  const across = isEmpty ? [] : ticks(x0, x1, Math.max(2, width / 90), 1); // all of them count something
  const pin = s("path", { class: "cursor", d: `M0 ${top - 4}V${foot}`, transform: `translate(${px(cursor ?? x0)} 0)` });
  const picture = s("svg", { role: "img", class: "chart", width, height: foot + bottom, viewBox: `0 0 ${width} ${foot + bottom}` },
    s("title", {}, title), s("desc", {}, said),
    (log ? powers(y1) : ticks(y0, y1, 4)).map((y) => [
      s("path", { class: "grid", d: `M${left} ${py(y)}H${width - right}` }),
      isEmpty ? null : s("text", { class: "small", x: left - 7, y: py(y) + 4, "text-anchor": "end" }, nice(y)),
    ]),
    zero && y0 < 0 && s("path", { class: "zero", d: `M${left} ${py(0)}H${width - right}` }),
    across.map((x) => s("text", { class: "small", x: px(x), y: foot + 18, "text-anchor": "middle" }, nice(x))),
    s("text", { class: "small", x: (left + width) / 2, y: foot + 36, "text-anchor": "middle" }, xName),
    s("text", { class: "small", x: 4, y: 14 }, yName),
    fall !== null && s("path", { class: "fall", d: `M${px(fall)} ${top - 4}V${foot}` }),
    cursor !== null && pin,
    series.map((each) => s("path", each.area
      ? { class: "area " + each.class, d: path(each.points) + path([...each.area].reverse().map(([x, y]) => [x, Math.max(y, y0)])).replace("M", "L") + "Z" }
      : { class: "series " + each.class, d: path(each.points) })),
    dots && series.filter((each) => !each.area)[0].points.map(([x, y], i) => y !== null && s("circle", { class: "dot " + dots(i), cx: px(x), cy: py(y), r: 4.5 })),
    crosses.map(({ x, y, class: kind }) => s("path", { class: "cross " + (kind ?? ""), d: `M${px(x) - 4} ${py(y) - 4}l8 8m0 -8l-8 8` })),
    placed.map((mark) => s("path", { class: "pin " + (mark.class ?? ""), d: `M${px(mark.x)} ${40 + high * mark.row}V${foot}` })),
    placed.map((mark) => s("text", { class: "mark " + (mark.class ?? ""), x: mark.middle, y: 36 + high * mark.row }, mark.text)), // words are above all lines
    fall !== null && s("text", { class: "falltext", x: px(fall) + (px(fall) > width / 2 ? -6 : 6), y: foot - 7, "text-anchor": px(fall) > width / 2 ? "end" : "start" }, "gold falls off"));
  picture.point = (x) => pin.setAttribute("transform", `translate(${px(x)} 0)`);
  if (onpoint) {
    picture.classList.add("pointed");
    picture.addEventListener("click", (event) => {
      const box = picture.getBoundingClientRect(), x = (event.clientX - box.left) * width / box.width;
      onpoint(Math.round(x0 + (x - left) / (width - left - right) * (x1 - x0)));
    });
  }
  return picture;
}
