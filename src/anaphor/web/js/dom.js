// Elements are made, never written: no text of a document or an answer is ever read as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function replace(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

// Drawn, because not every machine has a face with these signs.
const ICONS = {
  pencil: "M4 20l1-4L16 5l3 3L8 19l-4 1z",
  bin: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v6M14 11v6",
  up: "M7 11v9H4v-9h3zm0 0l4-8c1.5 0 2.500 1 2 3l-1 3h6c1 0 2 1 1.700 2.200l-1.600 7c-.200 1-1 1.800-2 1.800H7",
  down: "M17 13V4h3v9h-3zm0 0l-4 8c-1.500 0-2.500-1-2-3l1-3H6c-1 0-2-1-1.700-2.200l1.600-7C6.100 4.800 6.900 4 7.900 4H17",
};

export function icon(name) {
  return svg("svg", { viewBox: "0 0 24 24", width: 17, height: 17, class: "drawn", "aria-hidden": "true" },
    svg("path", { d: ICONS[name], fill: "none", stroke: "currentColor", "stroke-width": 1.7, "stroke-linecap": "round", "stroke-linejoin": "round" }));
}

// Offsets that the service gives count code points; JavaScript's strings count halves of pairs.
export function cut(text, start, end) {
  const points = Array.from(text);
  return [points.slice(0, start).join(""), points.slice(start, end).join(""), points.slice(end).join("")];
}

// Dialogs keep the focus while they are open and give it back when they close.
export function dialog(title, body, { label, className = "" } = {}) {
  const close = h("button", { type: "button", class: "icon", "aria-label": label, onclick: () => box.close() }, "✕");
  const box = h("dialog", { class: `sheet ${className}`, "aria-label": title },
    h("header", {}, h("h2", {}, title), close), h("div", { class: "sheet-body", tabindex: "0" }, body));
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
  document.body.append(box);
  box.showModal();
  return box;
}
