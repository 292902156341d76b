// Lesson 2: Viterbi's algorithm on a trellis whose numbers can be changed.

import { h, put, s } from "../dom.js";

export const title = "The best path, without trying all";
const WORDS = ["fruit", "flies", "like", "bananas"], TAGS = ["noun", "verb", "prep"];
const FIRST = { words: [[3, 1, 0], [2, 2, 0], [0, 2, 3], [3, 0, 0]], after: [[1, 2, 1], [2, -1, 2], [2, -2, -2]] };
const ACROSS = 150, DOWN = 84, LEFT = 84, TOP = 40, WIDE = 74, HIGH = 44;
export const leave = () => {};

// The best score of each cell, and where it came from; `until` cells are filled.
export function filled({ words, after }, until = Infinity) {
  const cells = [];
  let count = 0;
  for (let i = 0; i < words.length; i++) {
    cells.push(TAGS.map((_, tag) => {
      if (count++ >= until) return null;
      if (!i) return { score: words[0][tag], from: null };
      const ways = TAGS.map((_, before) => cells[i - 1][before].score + after[before][tag]), from = ways.indexOf(Math.max(...ways));
      return { score: ways[from] + words[i][tag], from };
    }));
  }
  return cells;
}

export function best(cells) {
  let tag = cells.at(-1).reduce((most, cell, i, row) => (cell.score > row[most].score ? i : most), 0);
  const path = [];
  for (let i = cells.length - 1; i >= 0; i--) {
    path.unshift(tag);
    tag = cells[i][tag].from;
  }
  return path;
}

export function build() {
  const numbers = { words: FIRST.words.map((row) => [...row]), after: FIRST.after.map((row) => [...row]) };
  const all = WORDS.length * TAGS.length;
  let at = 0;
  const picture = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Trellis" }), told = h("p", { class: "told", "aria-live": "polite" });
  const x = (i) => LEFT + i * ACROSS, y = (tag) => TOP + tag * DOWN;

  function draw() {
    const cells = filled(numbers, at), path = at === all ? best(cells) : null;
    const [word, tag] = [Math.floor((at - 1) / TAGS.length), (at - 1) % TAGS.length];
    const line = (i, from, to, kind) => s("path", { class: "join " + kind, d: `M${x(i - 1) + WIDE} ${y(from) + HIGH / 2}L${x(i)} ${y(to) + HIGH / 2}` });
    put(picture, s("svg", { role: "img", class: "lattice", width: x(WORDS.length), height: y(TAGS.length), viewBox: `0 0 ${x(WORDS.length)} ${y(TAGS.length)}` },
      s("title", {}, "Trellis"), s("desc", {}, path ? `The best path is ${path.map((each) => TAGS[each]).join(", ")}.` : `${at} of ${all} cells are filled.`),
      WORDS.map((each, i) => s("text", { class: "middle", x: x(i) + WIDE / 2, y: 22 }, each)), TAGS.map((each, i) => s("text", { x: 8, y: y(i) + 27 }, each)),
      cells.flatMap((row, i) => (i ? row.flatMap((cell, to) => TAGS.map((_, from) => {
        const isHere = i === word && to === tag && !path, isBest = path && path[i - 1] === from && path[i] === to;
        return line(i, from, to, isBest ? "gold" : cell?.from === from ? "way" : isHere ? "tried" : "dead");
      })) : [])),
      cells.map((row, i) => row.map((cell, to) => s("g", { class: `plate ${path?.[i] === to ? "gold" : cell ? "way" : ""}`, transform: `translate(${x(i)} ${y(to)})` },
        s("rect", { width: WIDE, height: HIGH, rx: 8 }), s("text", { class: "score", x: WIDE / 2, y: 28 }, cell ? cell.score : ""))))));
    if (!at) put(told, `There are ${TAGS.length ** WORDS.length} ways to tag ${WORDS.length} words. Viterbi fills ${all} cells.`);
    else if (path) put(told, "The last column says how good the best path is, and the arrows backwards which it is: ", h("strong", { class: "goldword" }, path.map((each) => TAGS[each]).join(" ")), `, score ${Math.max(...cells.at(-1).map((cell) => cell.score))}.`);
    else if (!word) put(told, `“${WORDS[0]}” as ${TAGS[tag]}: ${numbers.words[0][tag]}.`);
    else put(told, `“${WORDS[word]}” as ${TAGS[tag]}: the best of ${TAGS.map((each, from) => `${cells[word - 1][from].score} ${numbers.after[from][tag] < 0 ? "−" : "+"} ${Math.abs(numbers.after[from][tag])}`).join(", ")}, and ${numbers.words[word][tag]} for the word.`);
  }

  const field = (label, row, i) => h("input", { type: "number", "aria-label": label, value: row[i], oninput: (event) => { row[i] = Math.round(+event.target.value) || 0; draw(); } });
  const grid = (caption, heads, rows, name, columns) => h("table", { class: "numbers" }, h("caption", {}, caption), h("thead", {}, h("tr", {}, h("td", {}), heads.map((each) => h("th", { scope: "col" }, each)))),
    h("tbody", {}, rows.map((row, i) => h("tr", {}, h("th", { scope: "row" }, name[i]), columns.map((column, k) => h("td", {}, field(`${caption}: ${name[i]}, ${heads[k]}`, row(k), column(i, k))))))));
  draw();
  return {
    text: [
      "A tagger gives points to each tag of each word, and to each pair of neighbours. The best sequence of tags has the most points. There are many sequences: three tags and forty words make twelve million million million.",
      ["But only neighbours see each other. So the best path to a cell is ", h("em", {}, "the best path to some cell before it"), ", and one more step. Fill the cells from left to right, remember for each where its best came from, and follow the memory back. That is Viterbi's algorithm, and it is exact."],
      "It works as long as features are local. A parser's features look far back: two paths that meet in a cell no longer score the same from there on. Then one must search, and may lose the best.",
    ],
    todo: ["Fill all cells. Which tag has the best score in the second column, and is it on the best path?", "Change one number so that “flies” becomes a noun and “like” a verb.", "How many cells are there for forty words, and how many paths?"],
    stage: [h("div", { class: "row" }, h("button", { class: "main", onclick: () => { at = at === all ? 0 : at + 1; draw(); } }, "Fill a cell"), h("button", { onclick: () => { at = all; draw(); } }, "Fill all"), h("button", { onclick: () => { at = 0; draw(); } }, "Begin again")), told, picture,
      h("details", { open: true }, h("summary", {}, "The numbers"), h("div", { class: "row" },
        grid("Points of a word", WORDS, TAGS.map((_, tag) => (k) => numbers.words[k]), TAGS, WORDS.map(() => (i) => i)),
        grid("Points of a pair: row, then column", TAGS, TAGS.map((_, from) => () => numbers.after[from]), TAGS, TAGS.map(() => (_, k) => k))))],
  };
}
