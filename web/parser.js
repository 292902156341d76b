// The engine's parser in the page itself: words in, a film out, as the server would give it.
// web/parser.cpp is the other side; what becomes of its numbers here is structron/serve/play/beams.py.

import { Refused } from "./server.js";

const TOP = 16, LONGEST = 60, METHODS = ["standard", "early", "hybrid", "latest", "max-violation"];
const WORD = /(?:\p{L}\.){2,}|\p{N}+(?:[.,:]\p{N}+)*|[\p{L}\p{N}]+(?:[-'’][\p{L}\p{N}]+)*|\S/gu;
const CLITIC = /(n['’]t|['’](?:s|re|ve|ll|d|m))$/i;

export const wordsOf = (text) => [...text.matchAll(WORD)].flatMap(([word]) => {
  const found = word.match(CLITIC);
  return found && found.index ? [word.slice(0, found.index), found[0]] : [word];
});

function* endings(word) {
  const kind = /\p{N}/u.test(word) ? "0" : /^\p{Lu}/u.test(word) ? "A" : "a";
  for (const length of [3, 2, 1]) if (word.length >= length) yield kind + word.toLowerCase().slice(-length);
  yield kind;
}

// What arc-standard has built after some actions, with what it looks at next.
function* built(actions, names) {
  const stack = [];
  let next = 1, arcs = [];
  for (const action of actions) {
    const [kind, ...rest] = names[action].split(":"), label = rest.join(":"), before = [stack.at(-2), stack.at(-1), next];
    if (kind === "shift") stack.push(next++);
    else {
      const top = stack.pop(), under = kind === "root" ? 0 : stack.pop(), [child, head] = kind === "left" ? [under, top] : [top, under];
      arcs = [...arcs, [child, head, label]];
      if (kind !== "root") stack.push(head);
    }
    yield { before, arcs };
  }
}

// The nearest tree without crossing arcs: the shortest arc that crosses goes to the head of its head.
export function lifted(heads) {
  const found = [...heads], above = (word, head) => { for (let at = word; at; at = found[at - 1]) if (at === head) return true; return !head; };
  for (;;) {
    const crossing = found.map((head, i) => [Math.abs(head - i - 1), i + 1, head]).filter(([, child, head]) => {
      for (let at = Math.min(child, head) + 1; at < Math.max(child, head); at++) if (!above(at, head)) return true;
      return false;
    }).sort((p, q) => p[0] - q[0] || p[1] - q[1]);
    if (!crossing.length) return found;
    found[crossing[0][1] - 1] = found[crossing[0][2] - 1];
  }
}

export class Parser {
  constructor(engine, about) {
    Object.assign(this, { engine, about, number: new Map(about.labels.map((label, i) => [label, i])) });
  }

  static async open(where = ".") {
    const get = async (name) => { const found = await fetch(`${where}/${name}`); if (!found.ok) throw new Refused(found.status, `${name} is not there`); return found; };
    const [code, model, about] = await Promise.all([get("parser.wasm").then((each) => each.arrayBuffer()), get("parser.bin").then((each) => each.arrayBuffer()), get("parser.json").then((each) => each.json())]);
    const nothing = new Proxy({}, { get: () => () => 0 }), { instance } = await WebAssembly.instantiate(code, { wasi_snapshot_preview1: nothing, env: nothing });
    const engine = instance.exports;
    engine._initialize?.();
    const parser = new Parser(engine, about);
    parser.give(new Uint8Array(model));
    if (!engine.load()) throw new Refused(0, "the model of this page is damaged");
    return parser;
  }

  give(bytes) {
    const at = this.engine.take(bytes.length);
    new Uint8Array(this.engine.memory.buffer, at, bytes.length).set(bytes);
  }

  tag(word) {
    if (Object.hasOwn(this.about.words, word)) return this.about.words[word];
    for (const end of endings(word)) if (Object.hasOwn(this.about.ends, end)) return this.about.ends[end];
    return "NN";
  }

  // The numbers that the engine finds for a sentence; see put() in web/parser.cpp.
  search(words, tags, gold, width) {
    const text = new TextEncoder(), columns = words.flatMap((word, i) => [text.encode(word), text.encode(tags[i])]);
    const bytes = new Uint8Array(4 + columns.reduce((sum, each) => sum + 4 + each.length, 0) + (gold ? 4 * words.length : 0)), view = new DataView(bytes.buffer);
    view.setUint32(0, words.length, true);
    let at = 4;
    for (const each of columns) {
      view.setUint32(at, each.length, true);
      bytes.set(each, at + 4);
      at += 4 + each.length;
    }
    for (const value of gold ? [...gold.heads, ...gold.relations.map((label) => this.number.get(label))] : []) { view.setUint16(at, value, true); at += 2; }
    this.give(bytes);
    const count = this.engine.parse(width, gold ? 1 : 0);
    if (!count) throw new Refused(422, "this sentence cannot be parsed here");
    return [...new Float64Array(this.engine.memory.buffer, this.engine.numbers(), count)];
  }

  // Heads that are a tree, without crossing arcs.
  checked(gold, words) {
    const roots = gold.heads.filter((head) => !head).length;
    if (gold.heads.length !== words.length || roots !== 1) throw new Refused(422, `gold: ${roots} words depend on the root; one must`);
    if (gold.relations.some((label) => !this.number.has(label))) throw new Refused(422, "gold: a relation is none of the model's");
    gold.heads.forEach((_, i) => {
      let at = i + 1;
      for (let steps = 0; at; steps++, at = gold.heads[at - 1]) if (steps > words.length) throw new Refused(422, `gold: the heads above “${words[i]}” go round in a circle; drag one of them elsewhere`);
    });
    return { heads: lifted(gold.heads), relations: gold.relations };
  }

  film({ input, gold, search }) {
    const words = wordsOf(input), tags = words.map((word) => this.tag(word));
    if (!words.length || words.length > LONGEST) throw new Refused(413, `input: a film has 1 to ${LONGEST} words; give as many`);
    const learned = gold && this.checked(gold, words), width = search === "greedy" ? 1 : Math.min(64, +(search ?? "beam:8").split(":")[1] || 8);
    const found = this.film_(words, tags, learned, this.search(words, tags, learned, width)), moved = learned && String(learned.heads) !== String(gold.heads);
    return { ...found, gold: gold ?? null, ...(moved ? { learned, note: "Gold has crossing arcs, which system arc-standard does not build. The nearest tree that it can build is gold here." } : { note: null }),
      labels: this.about.labels, editor: "tree", task: "parsing", search: search ?? "beam:8" };
  }

  film_(words, tags, gold, numbers) {
    let at = 0;
    const next = () => numbers[at++], count = next(), hasGold = Boolean(next()), names = this.about.actions, chosen = METHODS.map(next);
    const said = (place) => (place >= 1 && place <= words.length ? words[place - 1] : "");
    const rows = Array.from({ length: count }, () => {
      const [goldScore, inBeam, size] = [next(), next(), next()], items = Array.from({ length: size }, () => ({ score: next(), action: next(), parent: next(), parentStep: next(), good: next() }));
      return { best: Math.max(...items.map((item) => item.score)), goldScore, inBeam, items };
    });
    const goldPath = Array.from({ length: next() }, next), pathOf = (step, rank) => { const path = []; for (let s = step, r = rank; s >= 0; ) { const item = rows[s].items[r]; path.unshift(item.action); [s, r] = [item.parentStep, item.parent]; } return path; };
    const whole = (path) => { const all = [...built(path, names)].at(-1); return { path: path.map((action) => names[action]), built: all?.arcs ?? [], before: all?.before ?? [] }; };
    const steps = rows.map((row, step) => {
      const good = row.items.findIndex((item) => item.good), listed = row.items.map((_, rank) => rank).filter((rank) => rank < TOP || rank === good);
      const isGold = hasGold && !Number.isNaN(row.goldScore), own = isGold ? whole(goldPath.slice(0, step + 1)) : null;
      const items = listed.map((rank) => {
        const item = row.items[rank], { path, built: arcs, before } = whole(pathOf(step, rank));
        return { rank: rank + 1, score: item.score, gold: Boolean(item.good), path, built: arcs, before, parent: item.parent < 0 ? null : item.parent, parentStep: item.parentStep < 0 ? null : item.parentStep, merged: [] };
      });
      const [s1, s0, q0] = (own ?? items[0]).before.map(said), top = row.items.reduce((most, item) => (item.score > most.score ? item : most)), excess = isGold ? row.best - row.goldScore : null;
      return { name: `${[s1, s0].filter(Boolean).join(" ")} | ${q0}`.trim(), items, size: row.items.length, worst: Math.min(...row.items.map((item) => item.score)),
        goldPath: own?.path ?? null, goldBuilt: own?.built ?? null, best: row.best, goldScore: isGold ? row.goldScore : null, excess, inBeam: hasGold ? Boolean(row.inBeam) : null, violation: isGold && !top.good && excess >= 0 };
    });
    const last = rows.at(-1).items.reduce((most, item, rank, all) => (item.score > all[most].score ? rank : most), 0), guess = new Map(whole(pathOf(count - 1, last)).built.map(([child, head, label]) => [child, [head, label]]));
    const fall = hasGold ? steps.findIndex((step) => step.inBeam === false && step.goldScore !== null) : -1;
    return { kind: "beam", words, tags, steps, fall: fall < 0 ? null : fall, guess: { heads: words.map((_, i) => guess.get(i + 1)?.[0] ?? 0), relations: words.map((_, i) => guess.get(i + 1)?.[1] ?? "dep") },
      methods: hasGold ? METHODS.map((method, i) => { const step = chosen[i] < 0 ? null : chosen[i]; return { method, step, excess: step === null ? null : steps[step].excess, valid: step !== null && steps[step].violation }; }) : [] };
  }
}
