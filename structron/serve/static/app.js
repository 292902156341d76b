// The page: which view is shown, and its state in the address, so that a link is all one has to share.

import { h, put, say } from "./dom.js";
import { get, takeToken } from "./server.js";
import * as beam from "./beam/view.js";
import * as lesson from "./lessons/view.js";
import * as train from "./train/view.js";

const VIEWS = { beam, lesson, train };
const TITLES = { beam: "The beam", lesson: "Lessons", train: "Training" };
const BEFORE = { sentence: "beam", film: "beam" }; // names that links of earlier versions have
const MOTION = "structron-motion";
const main = document.getElementById("main"), root = document.documentElement;
let shown = null;
let ours = "";

export function state() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

// Changes of the state within a view; null takes a name away.
export function keep(changes) {
  const next = new URLSearchParams(location.hash.slice(1));
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") next.delete(name);
    else next.set(name, value);
  }
  ours = "#" + next;
  history.replaceState(null, "", location.pathname + location.search + ours);
}

export function title(text) {
  document.title = `${text} · structron`;
}

async function show() {
  if (location.hash === ours && shown) return;
  ours = location.hash;
  const asked = BEFORE[state().view] ?? state().view, name = VIEWS[asked] ? asked : "beam";
  for (const link of document.querySelectorAll("nav a[data-view]")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (shown) { // a new page is read from its beginning
    shown.leave?.();
    if (main.contains(document.activeElement)) main.focus();
    scrollTo(0, 0);
  }
  shown = VIEWS[name];
  main.className = name;
  title(TITLES[name]);
  say("");
  try {
    const known = await get("/play/state");
    root.dataset.offline = known.offline ? "yes" : "no"; // a page without a server has no trainings of its own
    if (known.offline && name === "train") return location.replace("#view=lesson&n=4");
    await shown.enter(main, known, { state, keep, title });
  } catch (error) {
    put(main, h("h1", {}, "structron"), h("p", { class: "bad", role: "alert" }, error.message));
  }
}

// Motion is off where the system wants it so, or somebody has said so.
function motion() {
  const button = document.getElementById("motion"), system = matchMedia("(prefers-reduced-motion: reduce)");
  const set = () => {
    const isOff = (localStorage.getItem(MOTION) ?? (system.matches ? "off" : "on")) === "off";
    root.dataset.motion = isOff ? "off" : "on";
    button.setAttribute("aria-pressed", String(!isOff));
  };
  button.addEventListener("click", () => { localStorage.setItem(MOTION, root.dataset.motion === "off" ? "on" : "off"); set(); });
  system.addEventListener("change", set);
  set();
}

// Slides: ?present, large type and nothing around it. F leaves or enters it.
function slides() {
  root.dataset.present = new URLSearchParams(location.search).has("present") ? "on" : "off";
  addEventListener("keydown", (event) => {
    if (event.key !== "f" || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    root.dataset.present = root.dataset.present === "on" ? "off" : "on";
    history.replaceState(null, "", location.pathname + (root.dataset.present === "on" ? "?present" : "") + location.hash);
  });
}

takeToken();
motion();
slides();
addEventListener("hashchange", show);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
show();
