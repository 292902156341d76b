// Elements of HTML and SVG made by hand: no library, no markup from strings.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else if (name === "style") Object.assign(element.style, value); // a style attribute would be refused by our own policy
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

export const h = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

// A choice; what is not among the options is left out of account.
export function choose(label, options, value, onchange) {
  const select = h("select", { onchange: () => onchange?.(select.value) },
    options.map((each) => h("option", { value: each, selected: each === value }, each)));
  return { element: h("label", {}, label, select), select };
}

const CONTROLS = "button, select, input, textarea, summary, a[href], [tabindex]";
const called = (each) => [each.tagName, each.ariaLabel ?? each.textContent].join(" ");

// What is in a place from now on. Who is on a control of it stays on the one that is called the same, or else on the
// one that stands there instead; what was opened stays open.
export function put(parent, ...children) {
  const controls = () => [...parent.querySelectorAll(CONTROLS)], opened = () => [...parent.querySelectorAll("summary")];
  const before = controls(), at = before.indexOf(document.activeElement), name = at < 0 ? "" : called(before[at]);
  const same = before.slice(0, Math.max(0, at)).filter((each) => called(each) === name).length, open = new Set(opened().filter((each) => each.parentNode.open).map(called));
  parent.replaceChildren(...children.flat(Infinity).filter((each) => each));
  for (const each of opened()) if (open.has(called(each))) each.parentNode.open = true;
  if (at < 0) return;
  const after = controls().filter((each) => !each.disabled);
  (after.filter((each) => called(each) === name)[same] ?? after[Math.min(at, after.length - 1)])?.focus({ preventScroll: true });
}

// A sentence for everybody, also for those who listen.
export function say(text) {
  document.getElementById("said").textContent = text || "";
}

export const number = (value, digits = 2) => (value === null || value === undefined ? "" : value.toFixed(digits).replace(/^-(0\.?0*)$/, "$1"));

// A picture as wide as its numbers say, and wider on slides; `least` is the share of it that a narrow page keeps.
export function sized(picture, width, least = null) {
  picture.style.width = `calc(var(--large) * ${width}px)`;
  if (least !== null) Object.assign(picture.style, { maxWidth: "100%", minWidth: `calc(var(--large) * ${Math.round(least * width)}px)` });
  return picture;
}

export function later(work, milliseconds) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), milliseconds);
  };
}

// Whether things may move: unless the system, or the button of the page, says otherwise.
export const calm = () => document.documentElement.dataset.motion === "off";
