// Why: the strongest features for and against a decision, as bars and in words, beside the runner-up.

import { h } from "../dom.js";

const PLACES = { "-3": "three words before", "-2": "two words before", "-1": "the word before", 0: "this word", 1: "the next word", 2: "two words after", 3: "three words after" };
const ITEMS = { s0: "the top of the stack", s1: "the second on the stack", s2: "the third on the stack", s3: "the fourth on the stack", q0: "the next word", q1: "the word after the next", q2: "the third word ahead", b: "the next word", h: "the head", m: "the dependent" };
const CHILDREN = { lc: "first child", rc: "last child", lc2: "second child", rc2: "last child but one" };
const SAID = {
  w: (v) => `is “${v}”`, lower: (v) => `is “${v}”`, l: (v) => `has the lemma “${v}”`, t: (v) => `has the tag ${v}`, p: (v) => `has the tag ${v}`, x: (v) => `has the tag ${v}`,
  m: (v) => `is ${v === "_" ? "without features" : v.replace(/\|/g, ", ")}`, r: (v) => `is its ${v}`, suffix: (v) => `ends in -${v}`, lsuffix: (v) => `ends in -${v}`,
  prefix: (v) => `begins with ${v}-`, lprefix: (v) => `begins with ${v}-`, shape: (v) => `has the shape ${v}`, class: (v) => `is in ${v} letters`,
  cluster: (v) => `is of word group ${v.slice(0, 8)}${v.length > 8 ? "…" : ""}`, vl: (v) => `has ${v} children before it`, vr: (v) => `has ${v} children after it`,
  sl: (v) => `has before it ${v === "{}" ? "no relation" : v}`, sr: (v) => `has after it ${v === "{}" ? "no relation" : v}`, s: (v) => `is ${v}`, sv: (v) => `is a ${v}`, tv: (v) => `is a ${v}`, col: (v) => `has ${v}`,
};
const SHOWN = 10; // bars
const NOTHING = new Set(["<none>", "<edge>"]);
const ATOM = / (?=[a-z]\w*(?:\([\w,]+\))?(?:\[-?\d+\])?(?:\.\w+(?:\(\d+\))?)*=)/;

function atom(text) {
  const cut = text.indexOf("="), [name, value] = cut < 0 ? [text, null] : [text.slice(0, cut), text.slice(cut + 1)];
  if (value === null) return name === "bias" ? "whatever the word" : name;
  const place = name.match(/^([a-z]+)(?:\([\w,]+\))?\[(-?\d+)\]$/);
  if (place) {
    const where = PLACES[place[2]] ?? `${Math.abs(place[2])} ${place[2] < 0 ? "before" : "after"}`;
    if (value === "<edge>") return place[2] < 0 ? "the beginning is near" : "the end is near";
    const says = SAID[place[1]];
    return says ? `${where} ${says(value.trim())}` : text;
  }
  if (name.startsWith("d(")) return `they stand ${value} apart`;
  const [item, ...way] = name.split(".");
  if (!ITEMS[item] || !way.length) return text;
  const last = way.pop().replace(/\(\d+\)$/, ""), whose = [ITEMS[item], ...way].reduce((whole, part) => `the ${CHILDREN[part] ?? part} of ${whole}`);
  if (NOTHING.has(value)) return `there is no ${whose.replace(/^the /, "")}`;
  return SAID[last] ? `${whose} ${SAID[last](value)}` : text;
}

// A feature in words: "the word before is “to”, and this word ends in -ed".
export const inWords = (name) => [...new Set(name.split(ATOM).map(atom))].join(", and ");

export function reasons({ guess, runner_up: other, score, runner_up_score: second, features, about }, stage = "") {
  const lone = other === null, size = (each) => each.guess - (lone ? 0 : each.runner_up);
  // What says the same in words counts together.
  const together = new Map();
  for (const each of features) {
    const words = inWords(each.name), before = together.get(words) ?? { words, names: [], value: 0 };
    together.set(words, { words, names: [...before.names, each.name], value: before.value + size(each) });
  }
  const shown = [...together.values()].sort((p, q) => Math.abs(q.value) - Math.abs(p.value)).slice(0, SHOWN), most = Math.max(...shown.map((each) => Math.abs(each.value)), 1e-9);
  const head = h("p", { class: "duel" }, stage ? h("span", { class: "note" }, `${stage}: `) : null, h("bdi", {}, about), " ",
    h("strong", { class: "won" }, guess), lone ? ": nothing else was possible, or nothing else has weights." : [" rather than ", h("strong", { class: "lost" }, other), `, by ${(score - second).toFixed(1)}.`]);
  if (!shown.length) return head;
  const bar = (value) => h("span", { class: "bar " + (value < 0 ? "against" : "for"), style: { width: `${(50 * Math.abs(value)) / most}%`, [value < 0 ? "right" : "left"]: "50%" } });
  return h("div", { class: "reasons" }, head, h("table", {}, h("caption", { class: "hidden" }, `Why ${guess}`),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "because"), h("th", { scope: "col", class: "barhead" }, lone ? "weight" : h("span", { class: "row between" }, h("span", {}, `◂ ${other}`), h("span", {}, `${guess} ▸`))), h("th", { scope: "col", class: "number" }, h("span", { class: "hidden" }, "weight")))),
    h("tbody", {}, shown.map((each) => h("tr", {}, h("td", { title: each.names.join("\n") }, each.words), h("td", { class: "bars" }, bar(each.value)), h("td", { class: "number" }, each.value.toFixed(1)))))));
}

// The decisions about one word, which may stand there several times: of each stage that which is about it alone,
// or those that speak of it, as transitions do.
export function decisionsOf({ decisions = [] }, word, before) {
  return [...new Set(decisions.map((each) => each.stage))].flatMap((stage) => {
    const own = decisions.filter((each) => each.stage === stage), exact = own.filter((each) => each.about === word);
    return exact.length ? [exact[before] ?? exact[0]] : [];
  });
}
