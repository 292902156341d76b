// Outputs of models that leave no film: tagged words, trees of several sentences, cut text.

import { h } from "../dom.js";
import { tree } from "../draw/tree.js";

export function tagged(words, tags, onword) {
  return h("ol", { class: "words", dir: "auto", "aria-label": tags ? "Words with their tags" : "Words" }, words.map((word, i) =>
    h("li", { class: "word" }, onword ? h("button", { class: "quiet form", "aria-label": `Why ${tags?.[i] ?? ""}: ${word}`, onclick: () => onword(word, words.slice(0, i).filter((each) => each === word).length) }, word) : h("span", { class: "form" }, word),
      tags ? h("span", { class: "tag" }, tags[i]) : null)));
}

export const region = (name, ...inside) => h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": name }, inside);

export function output(task, found, onword) {
  if (task === "tagging" || task === "lemmatisation") return tagged(found.words, found.tags ?? found.lemmas, onword);
  if (task === "parsing") return region("Tree", tree({ words: found.words, tags: found.tags, arcs: found.heads.map((head, i) => [i + 1, head, found.relations[i]]) }));
  if (task === "pipeline") {
    return found.sentences.map(({ words }) => (words.every((word) => word.head !== null)
      ? region("Tree", tree({ words: words.map((word) => word.form), tags: words.map((word) => word.upos), arcs: words.map((word, i) => [i + 1, word.head, word.deprel]) }))
      : tagged(words.map((word) => word.form), words.map((word) => word.upos), onword)));
  }
  if (task === "segmentation") return h("ol", {}, found.sentences.map((one) => h("li", { class: "cut", dir: "auto" }, one.words.join(" · "))));
  return h("p", { class: "output", dir: "auto" }, h("strong", {}, Array.isArray(found) ? found.join(" ") : String(found ?? "nothing found")));
}

// The same as a table, for those who do not see arcs.
export function asTable(words, tags, arcs) {
  const known = new Map(arcs.map(([child, head, label]) => [child, [head, label]]));
  return h("details", {}, h("summary", {}, "The tree as a table"), h("table", {},
    h("thead", {}, h("tr", {}, ["", "word", "tag", "head", "relation"].map((name) => h("th", { scope: "col" }, name || h("span", { class: "hidden" }, "number"))))),
    h("tbody", {}, words.map((word, i) => {
      const [head, label] = known.get(i + 1) ?? [null, ""];
      return h("tr", {}, h("td", { class: "number" }, i + 1), h("td", { dir: "auto" }, word), h("td", {}, tags?.[i] ?? ""), h("td", {}, head === null ? "" : head ? words[head - 1] : "root"), h("td", {}, label));
    }))));
}
