// One training on the server: what it tells, and its end, which comes with that of its page.

import { events, post } from "../server.js";

const open = new Set();
addEventListener("pagehide", () => { for (const run of open) run.stop(true); });

export class Run {
  points = [];
  epochs = [];
  told = ""; // its state in words
  fault = "";
  lesson = null;
  model = null; // once there is one to ask
  held = null; // the next example, while it is paused
  isOver = false;

  constructor(name, colour, body) {
    [this.name, this.colour, this.body] = [name, colour, body];
  }

  async go(changed) {
    this.abort = new AbortController();
    open.add(this);
    try {
      const begun = await post("/play/lessons", this.body, this.abort.signal);
      [this.lesson, this.key] = [begun.lesson, begun.key]; // only who has the key may stop it
      this.told = "begins";
      for await (const event of events(`/play/lessons/${this.lesson}/events`, this.abort.signal)) {
        this.take(event);
        changed(this);
      }
      if (!this.isOver) throw new Error("the server has ended the training; start it again");
    } catch (error) {
      if (error.name !== "AbortError") this.fault = error.message;
    }
    this.isOver = true;
    open.delete(this);
    changed(this);
  }

  take(event) {
    if (event.kind === "queue") this.told = `waits, number ${event.place} in the queue`;
    if (event.kind === "start") this.told = `${event.train} examples, ${event.dev} for development`;
    if (event.kind === "paused") this.held = event;
    if (event.kind === "point" || event.kind === "epoch") { this.points.push(event); this.held = null; }
    if (event.kind === "epoch") { this.epochs.push(event); this.told = `epoch ${event.epoch}`; }
    if (event.kind === "error") { this.fault = event.error; this.isOver = true; }
    if (event.kind === "end") {
      this.isOver = true;
      this.held = null;
      this.model = event.model;
      this.told = event.stopped ? "stopped" : "done";
    }
  }

  hold(verb) { // pause, step or resume
    return this.lesson === null || this.isOver ? null : post(`/play/lessons/${this.lesson}/${verb}`, { key: this.key });
  }

  // Stop it on the server; its page may be going.
  stop(isLast = false) {
    if (this.isOver) return null;
    const asked = this.lesson === null ? null : post(`/play/lessons/${this.lesson}/stop`, { key: this.key }, undefined, true).catch((error) => { this.fault = error.message; });
    if (isLast || this.lesson === null) this.abort?.abort();
    return asked;
  }
}

export function stopAll() {
  for (const run of open) run.stop(true);
}
