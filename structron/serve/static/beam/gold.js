// Gold, set right by hand: tags by choosing, arcs by dragging or from lists, any other output as a text.

import { h } from "../dom.js";

export const outputOf = (film) => (film.editor === "tree" ? { heads: film.guess.heads, relations: film.guess.relations } : film.guess);

export const arcsOf = ({ heads, relations }) => heads.map((head, i) => [i + 1, head, relations[i]]);

// For the address; labels may have blanks, so that it is JSON.
export const written = (gold) => (gold === null ? null : JSON.stringify(gold.heads ? [gold.heads, gold.relations] : gold));

export function read(text, editor) {
  if (!text) return null;
  try {
    const found = JSON.parse(text);
    if (editor === "tree") return { heads: found[0], relations: found[1] };
    return found;
  } catch {
    return null;
  }
}

// Another head for a word. Where there was another root, it takes the place of the new one.
export function attached(gold, i, head, relation) {
  return {
    heads: gold.heads.map((each, k) => (k === i ? head : head === 0 && each === 0 ? i + 1 : each)),
    relations: gold.relations.map((each, k) => (k === i ? relation : each)),
  };
}

const list = (label, options, value, set) => h("select", { "aria-label": label, onchange: (event) => set(event.target.value) },
  options.map((each) => h("option", { value: each, selected: each === value }, each)));

export function buttons(film, gold, change) {
  return h("div", { class: "row" },
    h("button", { onclick: () => change(outputOf(film)) }, "Take the guess for gold"),
    h("button", { onclick: () => change(null), disabled: !gold }, "No gold"));
}

// Fields under the picture.
export function editor(film, labels, gold, change) {
  const now = gold ?? outputOf(film);
  if (film.editor === "output") {
    const field = h("textarea", { id: "gold", dir: "auto", rows: String(film.guess).split("\n").length, spellcheck: "false", autocomplete: "off", value: gold ?? film.guess, onchange: () => change(field.value.trim() || null) });
    return [h("p", {}, "The model says: ", h("strong", { dir: "auto" }, film.guess)), h("p", { class: "hint" }, "Write it right, and see what becomes of it."), h("label", { for: "gold" }, "The right output"), field];
  }
  if (film.editor === "tags") {
    return h("ol", { class: "words", dir: "auto" }, film.words.map((word, i) =>
      h("li", { class: "word" + (film.guess[i] === now[i] ? "" : " off") }, h("span", { class: "form" }, word),
        h("span", { class: "tag", title: "the model's guess" }, film.guess[i]),
        list(`Gold tag of ${word}`, labels, now[i], (tag) => change(now.map((each, k) => (k === i ? tag : each)))))));
  }
  const places = ["root", ...film.words.map((word, i) => `${i + 1} ${word}`)];
  const known = [...new Set([...labels, ...now.relations])].sort();
  return h("details", {}, h("summary", {}, "Set heads and relations right from lists"), h("ol", { class: "words", dir: "auto" }, film.words.map((word, i) =>
    h("li", { class: "word" }, h("span", { class: "form" }, word),
      list(`Head of ${word}`, places, places[now.heads[i]], (place) => change(attached(now, i, places.indexOf(place), now.relations[i]))),
      list(`Relation of ${word}`, known, now.relations[i], (relation) => change(attached(now, i, now.heads[i], relation)))))));
}
