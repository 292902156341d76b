// What happens on a step, in a sentence or two, and the beam as a table.

import { h, number } from "../dom.js";

const quoted = (text) => `“${text}”`;

// What the last action of an item did.
function deed(film, item, before) {
  const action = item.path.at(-1) ?? "";
  if (film.kind === "stacks") return covered(film, item);
  if (film.editor === "tags") return `${quoted(film.words[item.path.length - 1])} is tagged ${/\w/.test(action) ? action : quoted(action)}.`;
  if (!item.built) return rewritten(action);
  const known = new Set((before?.built ?? []).map((arc) => arc[0]));
  const arc = item.built.find((each) => !known.has(each[0]));
  if (!arc) return action === "shift" ? "The next word moves onto the stack." : `${action}.`;
  const [child, head, label] = arc;
  return head ? `${quoted(film.words[child - 1])} becomes ${label} of ${quoted(film.words[head - 1])}.` : `${quoted(film.words[child - 1])} is the root.`;
}

// Letters and what they become, such as "k n → N".
function rewritten(action) {
  const [, from, to] = action.match(/^(.+) → (.+)$/) ?? [];
  if (!from) return `${action}.`;
  return to === "ε" ? `${quoted(from)} says nothing.` : `${quoted(from)} becomes ${quoted(to)}.`;
}

// What a cell of the chart stands for: an arc, what is under it, or a word with all it has on one side.
function inCell(film, { name, cell: [begin, end] }) {
  const words = ["the root", ...film.words], shape = name.slice(0, 2), [head, other] = shape[1] === ">" ? [begin, end] : [end, begin];
  if (shape[0] === "A") return `The arc from ${quoted(words[head])} to ${quoted(words[other])}`;
  if (shape[0] === "I") return `The arc from ${quoted(words[head])} to ${quoted(words[other])}, with all between them`;
  return `${quoted(words[head])} with all that depends on it as far as ${quoted(words[other])}`;
}

function covered(film, { built }) {
  const [start, end, said] = built.at(-1) ?? [0, 0, ""], out = built.map((each) => each[2]).join(" ");
  return [`${quoted(film.words.slice(start, end).join(" "))} is translated as ${quoted(said)}. So far: `, h("strong", {}, out), "."];
}

export function story(film, at, item) {
  const step = film.steps[at], before = film.steps[item.parentStep ?? -1]?.items.find((each) => each.rank === item.parent + 1);
  const said = [film.kind === "chart" ? `${inCell(film, step)}: ${step.size === 1 ? "one item" : `${step.size} items compete`}.` : deed(film, item, before)];
  const hits = film.methods.filter((each) => each.step === at);
  if (film.fall === at) said.push(h("strong", { class: "goldword falls" }, `Gold falls off the beam: it is ${number(step.excess, 1)} behind, and ${step.size} others are better.`));
  else if (step.inBeam) {
    const rank = step.items.findIndex((each) => each.gold) + 1;
    said.push(rank <= 1 ? film.kind === "chart" ? "Gold is the best here." : "Gold is the best in the beam." : h("span", { class: "goldword" }, `Gold is number ${step.items[rank - 1].rank} of ${step.size}, ${number(step.excess, 1)} behind.`));
  } else if (step.inBeam === false && step.excess !== null) {
    said.push(step.excess > 0 ? h("span", { class: "goldword" }, `Gold is off, ${number(step.excess, 1)} behind.`) : h("span", { class: "bad" }, `Gold is off, and yet ${number(-step.excess, 1)} ahead: the search has failed, not the model.`));
  }
  if (hits.length) said.push(`Here ${hits.map((each) => each.method + (each.valid ? "" : " (invalid)")).join(", ")} would update.`);
  return said.flatMap((each) => [each, " "]);
}

export function table(film, at, chosen, pick) {
  const step = film.steps[at], gold = step.goldPath;
  const tail = (path) => {
    const first = film.kind === "chart" ? 0 : Math.max(0, path.length - 12);
    return [first ? "… " : "", path.slice(first).map((label, i) => {
      const wrong = gold && (film.kind === "chart" ? !gold.includes(label) : gold[first + i] !== label);
      return [i ? (film.editor === "tags" ? " " : " · ") : "", wrong ? h("span", { class: "bad" }, label) : label];
    })];
  };
  const rows = step.items.map((item, row) => h("tr", { class: (item.gold ? "gold " : "") + (row === chosen ? "chosen" : "") },
    h("td", { class: "number" }, h("button", { class: "quiet", "aria-label": `Show item ${item.rank}`, onclick: () => pick(at, row) }, item.rank)), h("td", { class: "number" }, number(item.score)),
    h("td", {}, item.gold ? "● " : "", tail(item.path), item.gold ? " (gold)" : "")));
  if (step.size > step.items.length) rows.push(h("tr", {}, h("td", {}), h("td", {}), h("td", {}, `… and ${step.size - step.items.length} more`)));
  if (step.inBeam === false && step.goldScore !== null) {
    rows.push(h("tr", { class: "fallen" }, h("td", {}, "✗"), h("td", { class: "number" }, number(step.goldScore)), h("td", {}, gold ? tail(gold) : "", film.fall === at ? " gold falls off here" : " gold is off")));
  }
  return h("table", { class: "beam" }, h("caption", {}, `Step ${at + 1} of ${film.steps.length}: ${step.name}`),
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, h("span", { class: "hidden" }, "rank")), h("th", { scope: "col", class: "number" }, "score"), h("th", { scope: "col" }, film.editor === "tags" ? "tags so far" : film.kind === "chart" ? "arcs" : "actions so far"))),
    h("tbody", {}, rows));
}
