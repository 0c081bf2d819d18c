// Puts the page together and keeps its three places: the conversation, the documents, what is remembered.

import * as api from "./api.js";
import { Chat } from "./chat.js";
import { Documents } from "./documents.js";
import { h, icon, replace } from "./dom.js";
import { Memory } from "./memory.js";
import { Sessions } from "./sessions.js";
import { locale, said, t } from "./words.js";

const app = document.getElementById("app");
document.documentElement.lang = locale;
document.getElementById("skip").textContent = t("skip");

const alert = h("div", { class: "alert", role: "alert", hidden: true });
let later = 0;

function failed(error) {
  if (error.status === 401) { enter(); return; }
  const why = error.code === "turn_in_progress" ? t("busy") : error.code === "stale_turn" ? t("moved") : said(error);
  alert.textContent = why;
  alert.hidden = false;
  clearTimeout(later);
  later = setTimeout(() => { alert.hidden = true; }, 8000);
}

function enter() {
  const key = h("input", { type: "password", id: "key", autocomplete: "current-password", required: true });
  const problem = h("p", { class: "problem", role: "alert" });
  replace(app, h("main", { class: "enter" }, h("img", { src: "assets/icon.svg", alt: "", width: 44, height: 44 }), h("h1", {}, "anaphor"), h("form", { onsubmit: async (event) => {
    event.preventDefault();
    try { await api.login(key.value.trim()); await begin(); } catch (error) { problem.textContent = error.message; }
  } }, h("label", { for: "key" }, t("key")), key, h("button", { type: "submit", class: "primary" }, t("enter")), problem), h("p", { class: "muted" }, t("keyhelp"))));
  key.focus();
}

async function begin() {
  let me;
  try { me = await api.me(); } catch (error) {
    if (error.status === 401) enter();
    else replace(app, h("main", { class: "enter" }, h("img", { src: "assets/icon.svg", alt: "", width: 44, height: 44 }), h("h1", {}, "anaphor"), h("p", { class: "problem", role: "alert" }, said(error)),
      h("button", { type: "button", class: "primary", onclick: begin }, t("retry"))));
    return;
  }
  const library = new Documents({ failed, changed: async () => { try { await library.load(await api.me()); if (!chat.session) chat.empty(); } catch (error) { failed(error); } } });
  const chat = new Chat({ failed, documents: () => library.count, taken: (name) => talks.all.some((each) => each.name === name), choose: () => { go("library"); library.files.click(); }, changed: async (id) => { talks.show(id); await talks.load().catch(failed); } });
  const talks = new Sessions(async (id) => { go("chat"); talks.show(id); close(); await chat.open(id).catch(failed); }, failed);

  // Before a question can be asked: what there is, and which names of conversations are taken.
  await Promise.all([library.load(me).catch(failed), talks.load().catch(failed)]);
  chat.empty();

  // The places of the page. One more is one more line here, with a name that words.js has.
  const memory = new Memory({ failed });
  const places = { chat: chat.element, library: library.element, memory: memory.element };
  const place = h("div", { class: "place" });
  const tabs = Object.keys(places).map((name) => h("button", { type: "button", class: "tab", "data-place": name, onclick: () => go(name) }, t(name)));
  const menu = h("button", { type: "button", class: "icon menu", "aria-label": t("menu"), "aria-controls": "sidebar", "aria-expanded": "false", onclick: () => toggle() }, icon("menu"));
  const shade = h("div", { class: "shade", onclick: () => close() });

  function go(name) {
    replace(place, places[name]);
    if (name === "memory") memory.load().catch(failed);
    for (const tab of tabs) tab.setAttribute("aria-pressed", String(tab.dataset.place === name));
  }
  function toggle(open = !document.body.classList.contains("menu-open")) {
    document.body.classList.toggle("menu-open", open);
    menu.setAttribute("aria-expanded", String(open));
  }
  function close() { toggle(false); }

  replace(app,
    h("header", { class: "top" }, menu, h("span", { class: "brand" }, h("img", { src: "assets/icon.svg", alt: "", width: 24, height: 24 }), "anaphor"), h("nav", { class: "tabs" }, tabs),
      me.with_cookie ? h("button", { type: "button", class: "link", onclick: async () => { await api.logout().catch(() => {}); enter(); } }, t("out")) : null),
    h("div", { class: "body" }, talks.element, shade, place), alert, h("div", { class: "dropping", "aria-hidden": "true" }, t("drop")));
  go("chat");
  dropping((files) => { go("library"); library.take(files); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  chat.box.focus();
}

function dropping(take) {
  let depth = 0;
  const files = (event) => event.dataTransfer && [...event.dataTransfer.types].includes("Files");
  addEventListener("dragenter", (event) => { if (files(event)) { depth++; document.body.classList.add("drag"); } });
  addEventListener("dragleave", (event) => { if (files(event) && --depth <= 0) { depth = 0; document.body.classList.remove("drag"); } });
  addEventListener("dragover", (event) => { if (files(event)) event.preventDefault(); });
  addEventListener("drop", (event) => {
    if (!files(event)) return;
    event.preventDefault();
    depth = 0;
    document.body.classList.remove("drag");
    take([...event.dataTransfer.files]);
  });
}

begin();
