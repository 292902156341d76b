// What trainings have told so far, as curves side by side.

import { h } from "../dom.js";
import { figure } from "../draw/chart.js";

const CROSSES = 80; // marks of invalid updates that are drawn of one training

const keys = (runs) => runs.map((run, i) => [h("span", { class: "key " + run.colour }), run.name, i < runs.length - 1 ? ", " : ". "]);

// Where invalid updates were made.
function crosses(run) {
  const found = run.points.filter((point, i) => point.invalid > (run.points[i - 1]?.invalid ?? 0));
  const every = Math.ceil(found.length / CROSSES) || 1;
  return found.filter((_, i) => i % every === 0).map((point) => ({ x: point.seen, y: point.updates, class: run.colour }));
}

const lines = (runs, points) => runs.map((run) => ({ name: run.name, class: run.colour, points: points(run) }));

export const scores = (runs) => figure({ title: "Development score by epoch", x: "epoch", y: "score on held-out data, %", low: 1, height: 260,
  series: lines(runs, (run) => run.epochs.map((each) => [each.epoch, each.dev === null ? null : 100 * each.dev])) }, keys(runs));

export const updates = (runs) => figure({ title: "Updates, and where invalid ones were made", x: "examples seen", y: "updates", height: 260,
  series: lines(runs, (run) => run.points.map((each) => [each.seen, each.updates])), crosses: runs.flatMap(crosses) },
  keys(runs), h("span", { class: "bad" }, "✕"), " marks where there were invalid updates: gold scored more already, and there was nothing to fix.");

export const lengths = (runs) => figure({ title: "Length of the weights and its bound", x: "updates", y: "‖w‖", height: 260, series: [
  ...lines(runs, (run) => run.points.map((each) => [each.updates, each.norm])),
  ...lines(runs, (run) => run.points.filter((each) => each.bound !== null).map((each) => [each.updates, each.bound])).map((each) => ({ ...each, name: `${each.name}, bound`, class: each.class + " dashed" })) ] },
  keys(runs), "Dashed: R√t, with R the longest update so far. Valid updates never cross it; invalid ones may. A margin and MIRA have other bounds, and none is drawn.");

// R²/δ², of the updates so far; it is a staircase, since δ is not computed after each.
export const bounds = (runs) => figure({ title: "Updates, and how many R²/δ² allows", x: "updates", y: "updates, in powers of ten", log: true, height: 260, series: [
  ...lines(runs, (run) => run.points.map((each) => [each.updates, each.updates])),
  ...lines(runs, (run) => run.points.filter((each) => each.most !== null).map((each) => [each.updates, each.most])).map((each) => ({ ...each, name: `${each.name}, allowed`, class: each.class + " dashed" })) ] },
  keys(runs), "Dashed: R²/δ², with R the longest of the first 200 updates and δ the greatest margin that any weights have on all of them. Valid updates never come to it.");

export const errors = (runs) => figure({ title: "Errors by epoch", x: "epoch", y: "sentences that came out wrong", height: 260,
  series: lines(runs, (run) => run.epochs.map((each) => [each.epoch, each.epochErrors])) }, keys(runs));

const ALL = { "Scores by epoch": scores, "Updates": updates, "Length of the weights": lengths, "Updates that are allowed": bounds, "Errors by epoch": errors };

export const curves = (runs) => Object.entries(ALL).map(([name, each]) => h("section", { class: "card", "aria-label": name }, each(runs)));
