// What is indexed, what is still to be embedded, what could not be taken in and why; and a search that shows ranks.

import * as api from "./api.js";
import { asked, h, icon, replace } from "./dom.js";
import { openSource } from "./source.js";
import { t, wayNamed, when } from "./words.js";

const LOOKS = 3000; // milliseconds between two looks at what is still to be embedded, while anything is

export class Documents {
  constructor({ failed, changed }) {
    this.failed = failed;
    this.changed = changed;
    this.count = null;
    this.later = 0;
    this.files = h("input", { type: "file", multiple: true, class: "hidden", id: "files", onchange: (event) => { this.take([...event.target.files]); event.target.value = ""; } });
    this.progress = h("p", { class: "progress", role: "status" });
    this.bar = h("progress", { max: 1, value: 0, class: "hidden", "aria-label": t("reading") });
    this.failures = h("ul", { class: "failures" });
    this.state = h("div", { class: "state", role: "status" });
    this.list = h("ul", { class: "documents" });
    this.found = h("div", { class: "found" });
    this.wanted = h("input", { type: "search", placeholder: t("look"), "aria-label": t("look"), oninput: () => { if (!this.wanted.value) replace(this.found); } });
    this.look = h("form", { class: "look", role: "search", onsubmit: (event) => { event.preventDefault(); this.search(); } },
      h("label", { class: "field" }, icon("find"), this.wanted), h("button", { type: "submit" }, t("find_it")));
    this.element = h("main", { class: "papers", id: "main" }, h("div", { class: "sheet-of-papers" },
      h("header", {}, h("h1", {}, t("library")), h("label", { class: "primary", for: "files" }, icon("tray"), t("choose")), this.files),
      this.state, this.progress, this.bar, this.failures, this.look, this.found, this.list));
  }

  async load(me) {
    const all = await api.documents();
    this.count = all.length;
    this.told(me);
    this.look.hidden = !all.length;
    replace(this.list, all.length ? all.map((each) => this.line(each)) : this.nothing());
  }

  // The state of the index. While something waits for its vector it is looked at again.
  told(me) {
    clearTimeout(this.later);
    const { backlog = 0, embedding_failed: why = "" } = me || {};
    replace(this.state, h("span", {}, t("indexed", { n: this.count })),
      backlog ? h("span", { class: "pill" }, h("i", { class: "pulse" }), t("backlog", { n: backlog })) : null,
      why ? h("p", { class: "problem" }, t("embedding", { why })) : null);
    if (backlog) this.later = setTimeout(() => api.me().then((again) => this.told(again)).catch(() => {}), LOOKS);
  }

  nothing() {
    return h("li", { class: "nothing" }, icon("file"), h("p", {}, t("nodocs")));
  }

  line(each) {
    return h("li", {}, h("span", { class: "leaf" }, icon("file")),
      h("button", { type: "button", class: "link name", lang: each.language, onclick: () => openSource({ ...each, class: "document", start: 0, end: 0 }) }, each.title || each.source),
      h("small", { class: "muted" }, [each.source, when(each.ingested_at), each.collection === "default" ? "" : each.collection, each.private ? t("private") : ""].filter(Boolean).join(" · ")),
      h("button", { type: "button", class: "icon", "aria-label": `${t("remove")}: ${each.source}`, title: t("remove"), onclick: () => this.remove(each) }, icon("bin")));
  }

  async remove(each) {
    if (!await asked(t("suredoc", { name: each.source }), { yes: t("remove"), no: t("cancel"), danger: true })) return;
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
        if (share >= 1) this.bar.removeAttribute("value"); // how long reading takes, nobody knows
        this.progress.textContent = share < 1 ? t("uploading", { percent: Math.round(share * 100) }) : t("reading");
      });
      const fates = (...names) => told.files.filter((each) => names.includes(each.outcome));
      const not = told.files.filter((each) => !["added", "replaced", "unchanged"].includes(each.outcome));
      replace(this.progress, fates("added", "replaced", "unchanged").map((each) =>
        h("span", { class: "fate" }, "✓ ", each.source, h("small", { class: "muted" }, t(each.outcome)))));
      replace(this.failures, not.length ? h("li", { class: "head" }, t("failures")) : null,
        not.map((each) => h("li", {}, h("b", {}, each.source), " ", each.detail || each.outcome)), told.stopped ? h("li", {}, told.stopped) : null);
    } catch (error) {
      replace(this.progress);
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
      const { hits, failed } = await api.search({ text, limit: 20 });
      replace(this.found, failed.map((why) => h("p", { class: "problem" }, why)),
        hits.length ? h("ol", { class: "hits" }, hits.map((hit) => this.hit(hit))) : h("p", { class: "muted none" }, t("nohits")));
    } catch (error) { this.failed(error); }
  }

  hit(hit) {
    return h("li", {}, h("span", { class: "place-of" }, hit.rank),
      h("button", { type: "button", class: "link", lang: hit.language, onclick: () => openSource(hit) }, h("b", {}, hit.source), h("span", {}, hit.text.slice(0, 200))),
      h("small", { class: "ranks" }, Object.entries(hit.ranks).map(([way, rank]) => h("span", { title: way }, `${wayNamed(way)} ${rank}`))));
  }
}
