// A film's buttons: play, step and scrub, by mouse and by keyboard.

import { calm, h, later } from "../dom.js";

const PACE = 700, STILL = 120, FAST = 250; // milliseconds a step, until one that stays is told, and between those of somebody who scrubs

export class Player {
  // `show` is told of every step, `rest` of one that stays.
  constructor(count, show, rest) {
    this.count = count;
    this.rest = later((at) => { if (!this.timer && at === this.at) rest(at); }, STILL);
    this.show = show;
    this.at = 0;
    this.timer = 0;
    this.last = -FAST;
    this.slider = h("input", { type: "range", min: 0, max: count - 1, value: 0, "aria-label": "Step", oninput: () => { this.stop(); this.move(+this.slider.value); } });
    this.button = h("button", { class: "main play", onclick: () => this.toggle() }, "Play");
    const step = (sign, name, where) => h("button", { "aria-label": name, title: name, onclick: () => { this.stop(); this.move(where()); } }, sign);
    this.element = h("div", { class: "row player", role: "group", "aria-label": "Film" }, this.button,
      step("⇤", "First step", () => 0), step("←", "Step back", () => this.at - 1), step("→", "Step forward", () => this.at + 1), step("⇥", "Last step", () => count - 1),
      this.slider, this.count_ = h("output", { class: "count" }));
  }

  move(step, said = "") {
    this.at = Math.min(Math.max(0, Math.round(step)), this.count - 1);
    this.slider.value = this.at;
    this.count_.textContent = `${this.at + 1} of ${this.count}`;
    this.slider.setAttribute("aria-valuetext", `step ${this.at + 1} of ${this.count} ${said}`);
    const now = performance.now(), isFast = now - this.last < FAST;
    this.last = now;
    this.show(this.at, isFast);
    if (!this.timer) this.rest(this.at);
  }

  start() {
    this.stop();
    const again = this.at === this.count - 1;
    this.button.textContent = "Pause";
    this.timer = setInterval(() => {
      if (!this.element.isConnected) return this.stop();
      if (this.at >= this.count - 2) this.stop();
      this.move(this.at + 1);
    }, PACE);
    if (again) this.move(0);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.button.textContent = "Play";
  }

  toggle() {
    if (!this.timer) return this.start();
    this.stop();
    this.rest(this.at);
  }

  // By itself, if things may move and somebody looks.
  begin() {
    if (calm() || document.hidden) this.move(this.count - 1);
    else { this.start(); this.move(0); }
  }

  key(event) {
    const where = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.count - 1 }[event.key];
    if (event.key === " " && event.target.tagName !== "BUTTON") {
      this.toggle();
    } else if (where === undefined) return false;
    else { this.stop(); this.move(where); }
    event.preventDefault();
    return true;
  }
}
