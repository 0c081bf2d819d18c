// What is indexed, what is still to be embedded, what could not be taken in; and a search that shows ranks.

import * as api from "./api.js";
import { h, icon, replace } from "./dom.js";
import { openSource } from "./source.js";
import { t, when } from "./words.js";

export class Documents {
  constructor({ failed, changed }) {
    this.failed = failed;
    this.changed = changed;
    this.count = null;
    this.files = h("input", { type: "file", multiple: true, class: "hidden", id: "files", onchange: (event) => { this.take([...event.target.files]); event.target.value = ""; } });
    this.progress = h("p", { class: "progress", role: "status" });
    this.bar = h("progress", { max: 1, value: 0, class: "hidden", "aria-label": t("reading") });
    this.failures = h("ul", { class: "failures" });
    this.state = h("p", { class: "muted" });
    this.list = h("ul", { class: "documents" });
    this.found = h("ol", { class: "hits" });
    this.wanted = h("input", { type: "search", placeholder: t("look"), "aria-label": t("look") });
    this.element = h("main", { class: "papers", id: "main" },
      h("header", {}, h("h1", {}, t("library")), h("label", { class: "primary", for: "files" }, t("choose")), this.files),
      this.state, this.progress, this.bar, this.failures,
      h("form", { class: "look", role: "search", onsubmit: (event) => { event.preventDefault(); this.search(); } }, this.wanted, h("button", { type: "submit" }, t("look"))),
      this.found, this.list);
  }

  async load(me) {
    const all = await api.documents();
    this.count = all.length;
    replace(this.state, t("indexed", { n: all.length }), me && me.backlog ? ` · ${t("backlog", { n: me.backlog })}` : "");
    replace(this.list, all.length ? all.map((each) => this.line(each)) : h("li", { class: "empty" }, t("nodocs")));
  }

  line(each) {
    return h("li", {}, h("button", { type: "button", class: "link name", lang: each.language, onclick: () => openSource({ ...each, class: "document", start: 0, end: 0 }) }, each.title || each.source),
      h("small", { class: "muted" }, `${each.source} · ${when(each.ingested_at)}${each.private ? " · " + t("private") : ""}`),
      h("button", { type: "button", class: "icon", "aria-label": `${t("remove")}: ${each.source}`, onclick: () => this.remove(each) }, icon("bin")));
  }

  async remove(each) {
    if (!window.confirm(t("sure", { name: each.source }))) return;
    await api.forget(each.document_id).catch(this.failed);
    this.changed();
  }

  async take(files) {
    if (!files.length) return;
    this.bar.classList.remove("hidden");
    replace(this.failures);
    try {
      const told = await api.upload(files, (share) => {
        this.bar.value = share;
        this.progress.textContent = share < 1 ? t("uploading", { percent: Math.round(share * 100) }) : t("reading");
      });
      const taken = told.files.filter((each) => ["added", "replaced"].includes(each.outcome));
      const not = told.files.filter((each) => !["added", "replaced", "unchanged"].includes(each.outcome));
      this.progress.textContent = taken.map((each) => `✓ ${each.source}`).join("　");
      replace(this.failures, not.length ? h("li", { class: "head" }, t("failures")) : null, not.map((each) => h("li", {}, `${each.source}: ${each.detail || each.outcome}`)));
    } catch (error) {
      this.progress.textContent = "";
      this.failed(error);
    } finally {
      this.bar.classList.add("hidden");
      this.changed();
    }
  }

  async search() {
    const text = this.wanted.value.trim();
    if (!text) return;
    try {
      const { hits } = await api.search({ text, limit: 20 });
      replace(this.found, hits.length ? hits.map((hit) => h("li", {},
        h("button", { type: "button", class: "link", lang: hit.language, onclick: () => openSource(hit) }, h("b", {}, hit.source), " ", hit.text.slice(0, 160)),
        h("small", { class: "ranks" }, Object.entries(hit.ranks).map(([way, rank]) => h("span", {}, `${way} ${rank}`))))) : h("li", { class: "muted" }, t("nohits")));
    } catch (error) { this.failed(error); }
  }
}
