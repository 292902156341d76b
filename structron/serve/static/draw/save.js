// Pictures to take away: an SVG that holds its own colours, and a PNG made of it.

import { h, say } from "../dom.js";

const HELD = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "font-weight", "text-anchor", "opacity", "paint-order", "stroke-linejoin", "visibility"];

// A copy with its styles written on it, since a file has no style sheet.
export function standalone(svg) {
  const copy = svg.cloneNode(true), from = [svg, ...svg.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((each, i) => {
    const style = getComputedStyle(each);
    for (const name of HELD) to[i].setAttribute(name, style.getPropertyValue(name));
    to[i].removeAttribute("class");
  });
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ width: "100%", height: "100%", fill: getComputedStyle(document.body).backgroundColor })) ground.setAttribute(name, value);
  copy.querySelector("title,desc")?.parentNode === copy ? copy.insertBefore(ground, copy.children[2] ?? null) : copy.prepend(ground);
  copy.removeAttribute("style"); // which says how wide it is on this page
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

function hand(blob, name) {
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

async function asPng(text, width, height) {
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
  await image.decode();
  const canvas = h("canvas", { width: 2 * width, height: 2 * height });
  canvas.getContext("2d").drawImage(image, 0, 0, 2 * width, 2 * height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

// Two buttons that save the picture which `find` returns.
export function savers(find, name) {
  const save = (kind) => async () => {
    const svg = find();
    if (!svg) return;
    const text = standalone(svg), { width, height } = svg.viewBox.baseVal;
    hand(kind === "svg" ? new Blob([text], { type: "image/svg+xml" }) : await asPng(text, width, height), `${name}.${kind}`);
    say(`Saved as ${name}.${kind}.`);
  };
  return h("span", { class: "savers" }, "Save the picture: ", ["svg", "png"].map((kind) =>
    h("button", { class: "quiet", "aria-label": `Save the ${name} as ${kind.toUpperCase()}`, onclick: save(kind) }, kind.toUpperCase())));
}
