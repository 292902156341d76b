// The weights of one feature while trainings go on: a curve for each label that it speaks for or against.

import { h, put } from "../dom.js";
import { figure } from "../draw/chart.js";
import { short } from "../beam/lattice.js";
import { inWords } from "../beam/reasons.js";
import { get } from "../server.js";

const COLOURS = ["a", "b", "c", "d", "e", "goldline"], AGAIN = 1000; // milliseconds until it is asked again

export class Weights {
  constructor(fail) {
    this.fail = fail;
    this.select = h("select", { onchange: () => this.draw(true) });
    this.pictures = h("div", { class: "panels wide" });
    this.element = h("section", { class: "card weights", "aria-label": "Weights of a feature", hidden: true }, h("h2", {}, "Weights of a feature"),
      h("div", { class: "row" }, h("label", { class: "wide" }, "Feature, the greatest weights first", this.select)), this.pictures);
    this.begin([]);
  }

  begin(runs) {
    [this.runs, this.due, this.isAsking] = [runs, 0, false];
    this.element.hidden = true;
    put(this.select);
    put(this.pictures);
  }

  // Whatever has changed; asked often, it answers about once a second.
  async draw(isNow = false) {
    const runs = this.runs, ready = runs.filter((run) => run.epochs.length && run.lesson !== null);
    if (!ready.length) return;
    if (this.isAsking || (!isNow && performance.now() < this.due)) { // the last that is told is drawn, too
      clearTimeout(this.later);
      this.later = setTimeout(() => runs === this.runs && this.draw(), AGAIN);
      return;
    }
    this.isAsking = true;
    try {
      if (!this.select.options.length) {
        const { features } = await get(`/play/lessons/${ready[0].lesson}/features`);
        if (runs !== this.runs) return;
        put(this.select, features.map(({ key, name }) => h("option", { value: key, title: name }, inWords(name, runs[0].body.task))));
        this.element.hidden = !features.length;
        if (!features.length) return;
      }
      const key = this.select.value, found = await Promise.all(ready.map((run) => get(`/play/lessons/${run.lesson}/features/${key}`)));
      if (runs !== this.runs) return;
      const labels = [...new Set(found.flatMap(({ curves }) => curves.map(({ label }) => label)))], colour = new Map(labels.map((label, i) => [label, COLOURS[i % COLOURS.length] + (i < COLOURS.length ? "" : " dashed")]));
      put(this.pictures, ready.map((run, i) => picture(run, found[i].curves, colour)));
    } catch (error) {
      this.fail(error);
    } finally {
      this.isAsking = false;
      this.due = performance.now() + AGAIN;
    }
  }
}

// Steps: a weight stays as it is until the next update that moves it.
function picture(run, curves, colour) {
  const end = run.points.at(-1)?.seen ?? 0;
  const stairs = (points) => [...points.flatMap(([x, y], i) => (i ? [[x, points[i - 1][1]], [x, y]] : [[x, y]])), [Math.max(end, points.at(-1)[0]), points.at(-1)[1]]];
  return h("div", {}, h("h3", {}, h("span", { class: "key " + run.colour }), run.name), curves.length
    ? figure({ title: `Weights of the feature, ${run.name}`, x: "examples seen", y: "weight", zero: true, height: 220, series: curves.map(({ label, points }) => ({ name: label, class: colour.get(label), points: stairs(points) })) },
      curves.map(({ label }) => [h("span", { class: "key " + colour.get(label) }), short(label, 20), " "]))
    : h("p", { class: "note" }, "No update has moved it here."));
}
