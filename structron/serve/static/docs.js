// What the server can be asked, from its own description.

import { h, put } from "./dom.js";
import { get, takeToken } from "./server.js";

const routes = document.getElementById("routes");

function block(content) {
  return Object.entries(content ?? {}).map(([kind, { schema }]) => [h("p", {}, h("code", {}, kind)),
    h("details", {}, h("summary", {}, "Its shape"), h("pre", {}, JSON.stringify(schema, null, 2)))]);
}

function route(path, method, about) {
  return h("section", { "aria-label": `${method} ${path}` },
    h("h2", {}, h("code", {}, `${method.toUpperCase()} ${path}`)), h("p", {}, about.description ?? about.summary ?? ""),
    about.parameters?.length ? h("p", {}, "Parameters: ", about.parameters.map((each) => `${each.name} (${each.in})`).join(", ")) : null,
    about.requestBody ? [h("h3", {}, "Body"), block(about.requestBody.content)] : null,
    h("table", {}, h("tbody", {}, Object.entries(about.responses ?? {}).map(([status, each]) => h("tr", {}, h("td", {}, status), h("td", {}, each.description))))));
}

takeToken();
// Only a server that was asked for a playground has one.
get("/play/state").then(() => { document.getElementById("playground").hidden = false; }, () => {});
try {
  const described = await get("/openapi.json");
  document.getElementById("about").textContent = described.info.description;
  put(routes, Object.entries(described.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, about]) => route(path, method, about))));
} catch (error) {
  put(routes, h("p", { class: "bad", role: "alert" }, error.message));
}
