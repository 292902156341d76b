// In the place of the server: recordings, and a parser that runs in the page. It has the exports of
// structron/serve/static/server.js, so that the pages are the same.

const ONLY = "This page has no server: here is only what was recorded. For all of it: pip install 'structron[serve]', and structron serve --open.";
const PACE = { exhibit: 250, lesson: 12 }; // milliseconds between two events

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export const takeToken = () => {};

let recorded = null, parser = null;
const started = [];

async function state() {
  if (recorded) return recorded;
  const found = await fetch("recorded.json");
  if (!found.ok) throw new Refused(found.status, "recorded.json is not there");
  recorded = await found.json();
  const { Parser } = await import("./parser.js");
  try {
    parser = await Parser.open();
    const live = recorded.state.models.find((model) => model.live);
    if (live) live.labels = parser.about.labels;
  } catch { // without WebAssembly, or without the model: films of what was recorded
    recorded.state.models = recorded.state.models.filter((model) => !model.live);
    for (const model of recorded.state.models) delete model.recorded;
  }
  return recorded;
}

const keyOf = (path, body) => `${path} ${JSON.stringify(body, Object.keys(body).sort().concat(["heads", "relations"]))}`;

export async function get(path) {
  const known = await state();
  if (path === "/play/state") return known.state;
  if (path === "/play/lessons") return { places: 1, lessons: [] };
  throw new Refused(404, ONLY);
}

export async function post(path, body, signal) {
  const known = await state();
  signal?.throwIfAborted();
  if (path === "/play/film" && parser && known.state.models.some((model) => model.live && model.name === body.model)) return parser.film(body);
  if (path.endsWith("/stop")) { started[path.split("/").at(-2)] = null; return {}; }
  const answer = known.answers[keyOf(path, body)];
  if (answer === undefined) throw new Refused(404, ONLY);
  if (path !== "/play/lessons") return structuredClone(answer);
  return { lesson: started.push(answer) - 1, key: "", model: null };
}

export const blob = async () => { throw new Refused(404, ONLY); };

export async function* events(path, signal) {
  const known = await state(), number = path.match(/^\/play\/lessons\/(\d+)\/events$/)?.[1], found = number === undefined ? known.answers[path] : started[number];
  if (!found) throw new Refused(404, ONLY);
  for (const event of found) {
    signal?.throwIfAborted();
    if (number !== undefined && started[number] === null) return yield { kind: "end", stopped: true, model: null };
    yield event.model ? { ...event, model: null } : event;
    await new Promise((done) => setTimeout(done, PACE[number === undefined ? "exhibit" : "lesson"]));
  }
}
