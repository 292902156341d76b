// The page: which view is shown, and its state in the address, so that a link is all one has to share.

import { h, put, say } from "./dom.js";
import { get, takeToken } from "./server.js";
import * as film from "./film.js";
import * as sentence from "./sentence.js";
import * as train from "./train.js";

const VIEWS = { sentence, film, train };
const main = document.getElementById("main");
let shown = null;
let known = null;
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
  history.replaceState(null, "", ours);
}

async function show() {
  if (location.hash === ours && shown) return;
  ours = location.hash;
  const name = VIEWS[state().view] ? state().view : "sentence";
  for (const link of document.querySelectorAll("nav a[data-view]")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  shown?.leave?.();
  shown = VIEWS[name];
  say("");
  try {
    known = await get("/play/state");
    await shown.enter(main, known, { state, keep });
  } catch (error) {
    put(main, h("h1", {}, "structron"), h("p", { class: "bad", role: "alert" }, error.message));
  }
}

takeToken();
addEventListener("hashchange", show);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
show();
