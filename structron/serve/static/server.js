// What the page asks of the server, with the token if there is one.

const KEY = "structron-token";
const GONE = "the server does not answer; is it still running?";

// The token comes after #, is kept for this tab alone, and does not stay in the address.
export function takeToken() {
  const state = new URLSearchParams(location.hash.slice(1));
  if (!state.has("token")) return;
  sessionStorage.setItem(KEY, state.get("token"));
  state.delete("token");
  history.replaceState(null, "", location.pathname + location.search + "#" + state);
}

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function fetched(path, options = {}) {
  const headers = { ...options.headers };
  const token = sessionStorage.getItem(KEY);
  if (token) headers.Authorization = "Bearer " + token;
  let response;
  try {
    response = await fetch(path, { ...options, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, GONE);
  }
  if (response.ok) return response;
  let said = "the server answered " + response.status;
  try { said = (await response.json()).error || said; } catch { /* not ours */ }
  if (response.status === 401) {
    const given = prompt("This server asks for its token:");
    if (given) {
      sessionStorage.setItem(KEY, given);
      return fetched(path, options);
    }
  }
  throw new Refused(response.status, said);
}

export const get = async (path) => (await fetched(path)).json();

export async function post(path, body, signal, keepalive = false) { // kept alive, it is sent though the page goes
  const response = await fetched(path, {
    method: "POST", signal, keepalive, body: JSON.stringify(body), headers: { "Content-Type": "application/json" },
  });
  return response.json();
}

export const blob = async (path) => (await fetched(path)).blob();

// Server-sent events; read by hand, since EventSource cannot send a token.
export async function* events(path, signal) {
  const response = await fetched(path, { signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch((error) => {
      throw error.name === "AbortError" ? error : new Refused(0, GONE); // broken off half-way
    });
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) yield JSON.parse(part.replace(/^data: /, ""));
  }
}
