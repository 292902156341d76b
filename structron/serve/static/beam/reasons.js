// Why: the strongest features for and against a decision, as bars and in words, beside the runner-up.

import { h, number } from "../dom.js";
import { short } from "./lattice.js";

const PLACES = { "-3": "three words before", "-2": "two words before", "-1": "the word before", 0: "this word", 1: "the next word", 2: "two words after", 3: "three words after" };
const LETTERS = { "-2": "two letters before", "-1": "the letter before", 0: "this letter", 1: "the next letter", 2: "the letter after the next" };
const ITEMS = { s0: "the top of the stack", s1: "the second on the stack", s2: "the third on the stack", s3: "the fourth on the stack", q0: "the next word", q1: "the word after the next", q2: "the third word ahead", b: "the next word", h: "the head", m: "the dependent" };
const CHILDREN = { lc: "first child", rc: "last child", lc2: "second child", rc2: "last child but one" };
const SAID = {
  w: (v) => `is “${v}”`, lower: (v) => `is “${v}”`, l: (v) => `has the lemma “${v}”`, t: (v) => `has the tag ${v}`, p: (v) => `has the tag ${v}`, x: (v) => `has the tag ${v}`,
  m: (v) => `is ${v === "_" ? "without features" : v.replace(/\|/g, ", ")}`, r: (v) => `is its ${v}`, suffix: (v) => `ends in -${v}`, lsuffix: (v) => `ends in -${v}`,
  prefix: (v) => `begins with ${v}-`, lprefix: (v) => `begins with ${v}-`, shape: (v) => `has the shape ${v}`, class: (v) => `is in ${v} letters`,
  cluster: (v) => `is of word group ${v.slice(0, 8)}${v.length > 8 ? "…" : ""}`, vl: (v) => `has ${v} ${v === "1" ? "child" : "children"} before it`, vr: (v) => `has ${v} ${v === "1" ? "child" : "children"} after it`,
  sl: (v) => `has before it ${v === "{}" ? "no relation" : v}`, sr: (v) => `has after it ${v === "{}" ? "no relation" : v}`, s: (v) => `is ${v}`, sv: (v) => `is a ${v}`, tv: (v) => `is a ${v}`, col: (v) => `has ${v}`,
};
const OF_PHRASES = {
  language_model: "how usual the words are, one after the other", phrase: "how often the phrase is said so", inverse_phrase: "how often it comes of this phrase", lexical: "the same word by word", inverse_lexical: "the same word by word, backwards",
  distortion: "how far it jumps", words: "how many words it says", phrases: "that it is one phrase more",
  previous_monotone: "it follows the phrase before", previous_swap: "it changes places with the phrase before", previous_discontinuous: "it is apart from the phrase before",
  next_monotone: "the next phrase follows", next_swap: "the next phrase changes places with it", next_discontinuous: "the next phrase is elsewhere",
};
const SHOWN = 10; // bars
const NOTHING = new Set(["<none>", "<edge>"]);
const ATOM = / (?=[a-z]\w*(?:\([\w,]+\))?(?:\[-?\d+\])?(?:\.\w+(?:\(\d+\))?)*=)/;

function atom(text) {
  const cut = text.indexOf("="), [name, value] = cut < 0 ? [text, null] : [text.slice(0, cut), text.slice(cut + 1)];
  if (value === null) return name === "bias" ? "whatever the word" : OF_PHRASES[name] ?? name;
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

// Of letters that become something else: what is read, what was said, and words that are alike.
function ofLetters(text) {
  const [, name, at, value] = text.match(/^(\w+)(?:\[(-?\d+)\])?=(.*)$/) ?? [];
  if (!name) return { size: "how many letters become how many sounds", emit: "what it says, whatever the letters" }[text] ?? atom(text);
  if (value === "<edge>" || value === "<none>") return at < 0 ? "the beginning is near" : "the end is near";
  const is = /v$/.test(name) ? (value === "vowel" ? "a vowel" : "no vowel") : `“${value}”`;
  if (name === "s" || name === "sv") return `${LETTERS[at] ?? `the letter ${Math.abs(at)} places ${at < 0 ? "before" : "ahead"}`} is ${is}`;
  if (name === "t" || name === "tv") return `${at === "-1" ? "what it said last" : `what it said ${-at} before`} is ${is}`;
  if (name === "again") return `the piece before was ${is}`;
  const [side, what] = name.split("_"), alike = `a known word that ${side}s alike`;
  if (what === "agree") return `${alike} shares ${value} letters`;
  if (what === "rest") return `${alike} goes on with “${value}”`;
  return side === "begin" || side === "end" ? `${alike} has ${value} here` : atom(text);
}

// A feature in words: "the word before is “to”, and this word ends in -ed".
export function inWords(name, task = null) {
  const parts = name.split(ATOM), weighs = task === "transduction" && parts.length > 1 ? { size: ", for its size", emit: ", for what it says" }[parts[0]] : undefined;
  return [...new Set((weighs ? parts.slice(1) : parts).map(task === "transduction" ? ofLetters : atom))].join(", and ") + (weighs ?? "");
}

export function reasons({ guess, runner_up: other, score, runner_up_score: second, features, about }, stage = "", task = null) {
  const lone = other === null, size = (each) => each.guess - (lone ? 0 : each.runner_up);
  // What says the same in words counts together.
  const together = new Map();
  for (const each of features) {
    const words = inWords(each.name, task), before = together.get(words) ?? { words, names: [], value: 0 };
    together.set(words, { words, names: [...before.names, each.name], value: before.value + size(each) });
  }
  const strongest = [...together.values()].sort((p, q) => Math.abs(q.value) - Math.abs(p.value)).slice(0, SHOWN), most = Math.max(Math.abs(strongest[0]?.value ?? 0), 1e-9);
  const digits = most < 1 ? 3 : most < 10 ? 2 : 1, shown = strongest.filter((each) => Number(each.value.toFixed(digits)));
  const head = h("p", { class: "duel" }, stage ? h("span", { class: "note" }, `${stage}: `) : null, about ? [h("bdi", {}, about), ": "] : null,
    h("strong", { class: "won" }, short(guess, 40)), lone ? ", since nothing else was possible, or nothing else has weights." : [" rather than ", h("strong", { class: "lost" }, short(other, 40)),
      score >= second ? `, by ${number(score - second, digits)}.` : `, though on this step alone it scores ${number(second - score, digits)} less: the whole is better.`]);
  if (!shown.length) return head;
  const bar = (value) => h("span", { class: "bar " + (value < 0 ? "against" : "for"), style: { width: `${(47 * Math.abs(value)) / most}%`, [value < 0 ? "right" : "left"]: "50%" } });
  return h("div", { class: "reasons" }, head, h("table", {}, h("caption", { class: "hidden" }, `Why ${guess}`),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "because"), h("th", { scope: "col", class: "barhead" }, lone ? "weight" : h("span", { class: "row between" }, h("span", { class: "lost" }, short(other ?? "", 14)), h("span", { class: "won" }, short(guess, 14)))), h("th", { scope: "col", class: "number" }, h("span", { class: "hidden" }, "weight")))),
    h("tbody", {}, shown.map((each) => h("tr", {}, h("td", { title: each.names.join("\n") }, each.words), h("td", { class: "bars" }, bar(each.value)), h("td", { class: "number" }, number(each.value, digits)))))));
}

// The decisions about one word, which may stand there several times: of each stage that which is about it alone,
// or those that speak of it, as transitions do.
export function decisionsOf({ decisions = [] }, word, before) {
  return [...new Set(decisions.map((each) => each.stage))].flatMap((stage) => {
    const own = decisions.filter((each) => each.stage === stage), exact = own.filter((each) => each.about === word);
    return exact.length ? [exact[before] ?? exact[0]] : [];
  });
}
