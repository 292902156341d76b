// Correcting: say what is right, and see the model learn it and what else moved. A copy of the model learns, and only
// who made it uses it.

import { h } from "../dom.js";
import { post } from "../server.js";

// What stays as it is where a model has no made-up sentences of its own: these, and whatever was typed before.
const KEPT = ["The dog that chased the cat ran away.", "She gave her brother a book about birds.", "What did you see in the garden?", "He said that it would rain tomorrow.", "The old man the boats.",
  "I saw the woman with the telescope.", "Time flies like an arrow.", "Nobody knew why the train had stopped.", "Please send me the report by Monday.", "Having eaten, the children went to bed.",
  "The letter written by my mother arrived yesterday.", "There are three apples on the table.", "We were told to wait outside.", "The house painted last year looks new.", "The boy raced past the school.", "The horse fell in the barn."];

export const others = (typed, now) => [...new Set([...KEPT, ...typed])].filter((text) => text !== now).slice(-40);

export async function teach(model, input, gold, { sentence, search }, typed) {
  return post("/play/correct", { model: model.name, input, gold, ...(search && { search }), ...(sentence ? { sentence } : {}), others: model.task === "pipeline" ? others(typed, input) : [] });
}

const changes = (moved) => h("ul", {}, moved.map(({ words, changes: found, mended }) => h("li", {}, h("q", { dir: "auto" }, words.join(words.every((word) => word.length === 1) ? "" : " ")), mended ? h("span", { class: "good" }, " (now right)") : null, h("br"),
  found.map(([word, before, after]) => h("span", { class: "moved" }, word ? [h("strong", { dir: "auto" }, word), ": "] : null, h("span", { class: "lost" }, before), " → ", h("span", { class: "won" }, after), " ")))));

// What it did, and the way back.
export function told(found, from, back) {
  const count = found.moved.length + found.more;
  return h("section", { class: "card taught", "aria-label": "What was learned", role: "status" }, h("h2", {}, found.holds ? "It has learned that" : "It cannot learn that"),
    h("p", {}, found.holds ? `The smallest change of the weights after which this is right has the length ${found.size.toFixed(2)}.` : `${found.reason[0].toUpperCase()}${found.reason.slice(1)}.`,
      found.kept ? ` ${count ? `Of ${found.kept} other sentences that were to stay as they are, ${count} changed all the same:` : `All of ${found.kept} other sentences stayed as they were.`}` : ""),
    count ? changes(found.moved) : null, found.more ? h("p", { class: "note" }, `… and ${found.more} more.`) : null,
    found.holds ? h("p", { class: "note" }, `What you see now is your copy, ${found.model}. `, h("button", { onclick: back }, `Back to ${from}`)) : null);
}
