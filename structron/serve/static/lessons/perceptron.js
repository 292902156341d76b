// Lesson 1: the perceptron, on points of the plane.

import { calm, h, number, put, s } from "../dom.js";
import { figure } from "../draw/chart.js";
import { Learner, START, dot, size } from "./plane.js";

export const title = "A perceptron learns from mistakes";
const SPAN = 4, SIDE = 420;
let timer = 0;

export const leave = () => clearInterval(timer);

export function build() {
  const learner = new Learner(START.map((each) => [...each]));
  const picture = h("div", {}), curve = h("div", {}), told = h("p", { class: "told", "aria-live": "polite" });
  let side = 1;
  const px = (x) => SIDE / 2 + (x * SIDE) / (2 * SPAN), py = (y) => SIDE / 2 - (y * SIDE) / (2 * SPAN);
  const arrow = ([a, b], [c, d], kind) => {
    const turn = Math.atan2(py(d) - py(b), px(c) - px(a)), tip = (way) => `${px(c) - 10 * Math.cos(turn + way)} ${py(d) - 10 * Math.sin(turn + way)}`;
    return s("path", { class: "vector " + kind, d: `M${px(a)} ${py(b)}L${px(c)} ${py(d)}M${tip(0.4)}L${px(c)} ${py(d)}L${tip(-0.4)}` });
  };

  function draw() {
    const { weights, last, updates, bound } = learner, wrong = learner.wrong();
    const scale = Math.min(1, 3.4 / (size(weights) || 1)), shown = weights.map((each) => each * scale), [a, b] = weights, far = 9 / (size(weights) || 1);
    const svg = s("svg", { role: "img", class: "plane", width: SIDE, height: SIDE, viewBox: `0 0 ${SIDE} ${SIDE}` },
      s("title", {}, "Points, the weights as an arrow, and the line between the two sides"),
      s("desc", {}, `Weights ${number(a, 1)} and ${number(b, 1)} after ${updates} updates.`),
      size(weights) > 0 && s("path", { class: "half", d: `M${px(-b * far)} ${py(a * far)}L${px(b * far)} ${py(-a * far)}L${px((b + a) * far)} ${py((-a + b) * far)}L${px((-b + a) * far)} ${py((a + b) * far)}Z` }),
      s("path", { class: "grid", d: `M0 ${SIDE / 2}H${SIDE}M${SIDE / 2} 0V${SIDE}` }),
      size(weights) > 0 && s("path", { class: "line", d: `M${px(-b * far)} ${py(a * far)}L${px(b * far)} ${py(-a * far)}` }),
      last && arrow(last.before.map((each) => each * scale), shown, "change"),
      size(weights) > 0 && arrow([0, 0], shown, "weights"),
      learner.points.map(([x, y, sign], i) => s("g", { class: `point ${sign > 0 ? "plus" : "minus"} ${sign * dot(weights, [x, y]) <= 0 ? "missed" : ""} ${last?.point === i ? "taken" : ""}` },
        s("circle", { cx: px(x), cy: py(y), r: 10 }), s("text", { x: px(x), y: py(y) + 5 }, sign > 0 ? "+" : "−"))));
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      learner.points.push([((event.clientX - box.left) / box.width - 0.5) * 2 * SPAN, (0.5 - (event.clientY - box.top) / box.height) * 2 * SPAN, side]);
      learner.reset();
      draw();
    });
    put(picture, svg);
    put(told, wrong === null ? `Every point is on its side after ${updates} updates.` : updates ? `Update ${updates}: a point on the wrong side was added to the weights, and they turned.` : "All weights are zero, and every point counts as wrong.", " ",
      bound === null ? h("strong", { class: "bad" }, "No line separates these points: it will never end.") : `No more than R²/δ² = ${number(bound, 1)} updates are possible.`);
    const radius = learner.radius, most = Math.max(4, updates), steps = Array.from({ length: Math.min(200, most) + 1 }, (_, i) => (i * most) / Math.min(200, most));
    put(curve, figure({ title: "Length of the weights between its two bounds", x: "updates", y: "‖w‖", height: 200, series: [
      { name: "upper bound", class: "b dashed", points: steps.map((t) => [t, radius * Math.sqrt(t)]) },
      ...(bound === null ? [] : [{ name: "lower bound", class: "e dashed", points: steps.map((t) => [t, learner.margin * t]) }]),
      { name: "length", class: "a", points: [[0, 0], ...learner.lengths] }] },
    h("span", { class: "key a" }), "‖w‖ ", h("span", { class: "key b dashed" }), "never above R√t ", h("span", { class: "key e dashed" }), "never below δt. Where the two meet, at R²/δ², there is no room left."));
  }

  const stop = () => { clearInterval(timer); timer = 0; run.textContent = "Run"; };
  const go = () => { if (!learner.step()) stop(); draw(); };
  const run = h("button", { onclick: () => {
    if (timer) return stop();
    run.textContent = "Pause";
    timer = setInterval(() => (run.isConnected ? go() : stop()), calm() ? 50 : 500);
  } }, "Run");
  const sides = [1, -1].map((sign) => h("button", { "aria-pressed": String(sign === side), onclick: (event) => { side = sign; for (const each of sides) each.setAttribute("aria-pressed", String(each === event.target)); } }, sign > 0 ? "Put + points" : "Put − points"));
  draw();
  return {
    text: [
      "A point is a little input, and its sign the right answer. The perceptron has one arrow, the weights. It says + for all points on the arrow's side of the line, and − for the others.",
      "It goes from point to point. Where it is right it does nothing. Where it is wrong it adds the point to its weights (or takes it away, for −), and the line turns. That is all of learning.",
      ["Each update makes the arrow longer, by no more than the farthest point: after t updates it is at most R√t long. But if some line separates the points with a margin δ, each update also moves it by at least δ in that direction: it is at least δt long. ", h("strong", {}, "Both can be true only for R²/δ² updates.")],
      "Sentences and trees are the same, with a point for each difference between the right output and a wrong one.",
    ],
    todo: ["Step until it is done. How many updates did it need, and how many were allowed?", "Put a point near the line. How many more updates are allowed now, and how many more are needed?", "Put one point that makes it never end."],
    stage: [h("div", { class: "row" }, h("button", { class: "main", onclick: () => { stop(); go(); } }, "Step"), run, h("button", { onclick: () => { stop(); learner.reset(); draw(); } }, "Forget"), h("button", { onclick: () => { stop(); learner.points = START.map((each) => [...each]); learner.reset(); draw(); } }, "The first points")),
      h("div", { class: "row" }, sides, h("button", { onclick: () => { const point = learner.near(side); if (point) learner.points.push(point); learner.reset(); draw(); } }, "Put one near the line"), h("span", { class: "note" }, "or click into the plane")), told, picture, curve],
  };
}
