// The list of conversations: find, open, rename, delete.

import * as api from "./api.js";
import { asked, h, icon, replace } from "./dom.js";
import { t, tongue, when } from "./words.js";

export class Sessions {
  constructor(open, failed) {
    this.open = open;
    this.failed = failed;
    this.all = [];
    this.current = "";
    this.wanted = "";
    this.list = h("ul", { class: "talks", "aria-label": t("talks") });
    this.element = h("nav", { class: "sidebar", id: "sidebar", "aria-label": t("talks") },
      h("button", { type: "button", class: "primary wide", onclick: () => open("") }, icon("plus"), t("fresh")),
      h("label", { class: "field" }, icon("find"), h("input", { type: "search", class: "find", placeholder: t("find"), "aria-label": t("find"), oninput: (event) => { this.wanted = event.target.value; this.draw(); } })),
      this.list);
  }

  async load() {
    this.all = await api.sessions();
    this.draw();
  }

  show(id) {
    this.current = id;
    this.draw();
  }

  draw() {
    const wanted = this.wanted.normalize("NFKC").toLowerCase();
    const shown = this.all.filter((each) => (each.name || t("unnamed")).normalize("NFKC").toLowerCase().includes(wanted));
    replace(this.list, shown.length ? shown.map((each) => this.line(each)) : h("li", { class: "none" }, this.all.length ? t("nonefound") : t("notalks")));
  }

  line(each) {
    const name = each.name || t("unnamed");
    const here = each.session_id === this.current;
    return h("li", { class: here ? "here" : "" },
      h("button", { type: "button", class: "talk", "aria-current": here ? "page" : null, onclick: () => this.open(each.session_id) },
        h("span", { class: "name", lang: tongue(name) }, name), h("small", {}, `${when(each.last_at)} · ${t("turns", { n: each.turns })}`)),
      h("button", { type: "button", class: "icon", "aria-label": `${t("rename")}: ${name}`, title: t("rename"), onclick: () => this.rename(each) }, icon("pencil")),
      h("button", { type: "button", class: "icon", "aria-label": `${t("remove")}: ${name}`, title: t("remove"), onclick: () => this.remove(each) }, icon("bin")));
  }

  async rename(each) {
    const name = await asked(t("newname"), { yes: t("save"), no: t("cancel"), value: each.name });
    if (!name || name === each.name) return;
    await api.rename(each.session_id, name).catch(this.failed);
    await this.load().catch(this.failed);
  }

  async remove(each) {
    if (!await asked(t("sure", { name: each.name || t("unnamed") }), { yes: t("remove"), no: t("cancel"), danger: true })) return;
    await api.remove(each.session_id).catch(this.failed);
    if (this.current === each.session_id) this.open("");
    await this.load().catch(this.failed);
  }
}
