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
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  menu: "M4 7h16M4 12h16M4 17h16",
  send: "M12 19V6M6 11l6-6 6 6",
  stop: "M7 7h10v10H7z",
  file: "M7 3h7l4 4v14H7zM14 3v4h4M10 12h5M10 16h5",
  tray: "M12 15V4M8 8l4-4 4 4M5 14v5h14v-5",
  find: "M11 5a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM15.500 15.500L20 20",
  copy: "M9 9h10v11H9zM15 9V4H5v11h4",
  line: "M6 4v10a4 4 0 0 0 4 4h8M15 15l3 3-3 3M6 4h.010",
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
  const close = h("button", { type: "button", class: "icon", "aria-label": label, title: label, onclick: () => box.close() }, icon("close"));
  const box = h("dialog", { class: `sheet ${className}`, "aria-label": title },
    h("header", {}, h("h2", {}, title), close), h("div", { class: "sheet-body", tabindex: "0" }, body));
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
  document.body.append(box);
  box.showModal();
  return box;
}

// A question before something is done: resolves with true, or with the words where words are asked for; else with null.
export function asked(title, { yes, no, value, danger = false }) {
  const words = value === undefined ? null : h("input", { type: "text", value, maxlength: 200, "aria-label": title, required: true });
  return new Promise((told) => {
    let answer = null;
    const form = h("form", { method: "dialog", onsubmit: (event) => { event.preventDefault(); answer = words ? words.value.trim() : true; if (answer) box.close(); } },
      h("p", { class: "asked-for" }, title), words,
      h("p", { class: "choices" }, h("button", { type: "button", onclick: () => box.close() }, no),
        h("button", { type: "submit", class: danger ? "primary danger" : "primary" }, yes)));
    const box = h("dialog", { class: "sheet before", "aria-label": title }, form);
    box.addEventListener("close", () => { box.remove(); told(answer); });
    box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
    document.body.append(box);
    box.showModal();
    if (words) words.select();
  });
}
