// What the server can be asked, from its own description, with requests to try.

import { choose, h, put } from "./dom.js";
import { get, post, takeToken } from "./server.js";

const routes = document.getElementById("routes"), SENTENCE = "Time flies like an arrow.";

function block(content) {
  return Object.entries(content ?? {}).map(([kind, { schema }]) => [h("p", {}, h("code", {}, kind)),
    h("details", {}, h("summary", {}, "Its shape"), h("pre", { tabindex: 0 }, JSON.stringify(schema, null, 2)))]);
}

function route(path, method, about) {
  return h("section", { class: "card", "aria-label": `${method} ${path}` },
    h("h2", {}, h("code", {}, `${method.toUpperCase()} ${path}`)), h("p", {}, about.description ?? about.summary ?? ""),
    about.parameters?.length ? h("p", {}, "Parameters: ", about.parameters.map((each) => `${each.name} (${each.in})`).join(", ")) : null,
    about.requestBody ? [h("h3", {}, "Body"), block(about.requestBody.content)] : null,
    h("table", {}, h("tbody", {}, Object.entries(about.responses ?? {}).map(([status, each]) => h("tr", {}, h("td", {}, status), h("td", {}, each.description))))));
}

// A request for each model, which can be changed and sent, and the same as a command.
function trial(models) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const example = (model) => JSON.stringify({ model: model.name, input: model.takes.startsWith("a text") ? SENTENCE : model.example ?? SENTENCE }, null, 1);
  const body = h("textarea", { id: "body", rows: 4, spellcheck: "false", oninput: () => command() });
  const pick = choose("Model", models.map((each) => each.name), models[0].name, () => fill());
  const line = h("pre", { tabindex: 0, "aria-label": "The same as a command" }), answer = h("pre", { tabindex: 0, role: "status", "aria-label": "Answer" });
  const model = () => models.find((each) => each.name === pick.select.value), takes = h("p", { class: "note" });
  const command = () => put(line, `curl ${location.origin}/predict -H 'Content-Type: application/json' \\\n  -d ${quoted(body.value.replace(/\s*\n\s*/g, " "))}`);
  function fill() {
    body.value = example(model());
    put(takes, `It takes ${model().takes}; it gives ${model().gives}.`);
    command();
  }
  async function send() {
    try {
      put(answer, JSON.stringify(await post("/predict", JSON.parse(body.value)), null, 2));
    } catch (error) {
      put(answer, error instanceof SyntaxError ? `This is not JSON: ${error.message}` : error.message);
    }
  }
  fill();
  return h("section", { class: "card", "aria-label": "Try it" }, h("h2", {}, "Try it"), h("div", { class: "row" }, pick.element, h("button", { class: "main", onclick: send }, "Send to POST /predict")),
    takes, h("label", { for: "body" }, "Body"), body, h("h3", {}, "The same as a command"), line, h("h3", {}, "Answer"), answer);
}

takeToken();
// Only a server that was asked for a playground has one.
get("/play/state").then(() => {
  for (const link of document.querySelectorAll(".playground")) link.hidden = false;
  document.querySelector(".brand").href = "/";
}, () => {});
try {
  const [described, { models }] = [await get("/openapi.json"), await get("/models")];
  document.getElementById("about").textContent = described.info.description;
  if (models.length) put(document.getElementById("try"), trial(models));
  put(routes, Object.entries(described.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, about]) => route(path, method, about))));
} catch (error) {
  put(routes, h("p", { class: "bad", role: "alert" }, error.message));
}
