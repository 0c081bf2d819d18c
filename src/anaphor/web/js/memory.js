// What is remembered: what waits for a decision, and a time line of facts, each with its source one click away.

import * as api from "./api.js";
import { asked, dialog, h, icon, replace } from "./dom.js";
import { openSource } from "./source.js";
import { t, tongue, when } from "./words.js";

const DAY = { year: "numeric", month: "long", day: "numeric" };

export class Memory {
  constructor({ failed }) {
    this.failed = failed;
    this.state = h("p", { class: "muted", role: "status" });
    this.queue = h("section", { class: "queue", "aria-label": t("review") });
    this.line = h("ol", { class: "timeline" });
    this.all = h("input", { type: "checkbox", id: "everything", onchange: () => this.load().catch(this.failed) });
    this.element = h("main", { class: "papers memory", id: "main" }, h("div", { class: "sheet-of-papers" },
      h("header", {}, h("h1", {}, t("memory")), h("label", { class: "muted", for: "everything" }, this.all, " ", t("everything"))),
      this.state, this.queue, this.line));
  }

  async load() {
    const [{ facts, waiting }, cases] = await Promise.all([api.facts(this.all.checked), api.review()]);
    replace(this.state, t("facts", { n: facts.length }), waiting ? ` · ${t("unread", { n: waiting })}` : "");
    replace(this.queue, cases.length ? h("h2", {}, t("review")) : null, cases.map((each) => this.case(each)));
    const days = new Map();
    for (const fact of facts) {
      const day = new Intl.DateTimeFormat(document.documentElement.lang, DAY).format(new Date(fact.said_at * 1000));
      days.set(day, [...(days.get(day) || []), fact]);
    }
    replace(this.line, facts.length ? [...days].map(([day, said]) => h("li", {}, h("h3", {}, day), h("ul", {}, said.map((fact) => this.fact(fact))))) : cases.length ? [] : h("li", { class: "nothing" }, icon("line"), h("p", {}, t("nofacts"))));
  }

  // Both sides of a contradiction with what was said; what reads like an instruction; what an answer went against.
  case({ fact, disputed_with, answers = [] }) {
    const sides = [fact, ...disputed_with];
    return h("article", { class: "case" },
      h("p", { class: "muted" }, t(disputed_with.length ? "disputed" : answers.length ? "contested" : "quarantined")),
      answers.map((claim) => h("blockquote", { class: "muted", lang: tongue(claim.text) }, claim.text, " ", h("small", {}, when(claim.asked_at)))),
      sides.map((side) => h("div", { class: "side" },
        h("blockquote", {}, side.sources.map((source) => this.quoted(source))),
        h("p", { class: "tools" },
          h("button", { type: "button", onclick: () => this.decide(() => api.decide(side.fact_id, "accept", {})) }, t("accept")),
          h("button", { type: "button", onclick: () => this.decide(() => api.decide(side.fact_id, "reject", {})) }, t("reject"))))));
  }

  quoted(source) {
    return h("button", { type: "button", class: "link", lang: tongue(source.text || ""), onclick: () => this.open(source) }, source.text || t("gone"), " ", h("small", { class: "muted" }, when(source.said_at)));
  }

  open(source) {
    openSource({ class: "user_statement", source: source.session_id, seq: source.seq, start: source.start, end: source.end });
  }

  fact(fact) {
    const about = fact.about === "user" ? "" : `${fact.about}: `;
    const change = { add: "+ ", remove: "− " }[fact.change] || "";
    const marks = [fact.status === "current" ? "" : t(fact.status), fact.state === "current" ? "" : t(`state_${fact.state}`), fact.pinned ? t("pinned") : ""].filter(Boolean);
    return h("li", { class: `fact ${fact.status}`, "data-fact": fact.fact_id },
      h("button", { type: "button", class: "link", "aria-label": `${t("source")}: ${fact.value}`, onclick: () => this.show(fact) }, about, change, h("b", { lang: tongue(fact.value) }, fact.value)),
      h("small", { class: "muted" }, [t(`kind_${fact.kind}`), fact.times > 1 ? t("times", { n: fact.times }) : "", ...marks].filter(Boolean).join(" · ")),
      h("span", { class: "acts" },
        h("button", { type: "button", class: "link", "aria-pressed": String(fact.pinned), "aria-label": `${t("pin")}: ${fact.value}`, onclick: () => this.decide(() => api.decide(fact.fact_id, "pin", { pinned: !fact.pinned })) }, t("pin")),
        h("button", { type: "button", class: "link", "aria-label": `${t("history")}: ${fact.value}`, onclick: () => this.past(fact) }, t("history")),
        h("button", { type: "button", class: "icon", "aria-label": `${t("correct")}: ${fact.value}`, title: t("correct"), onclick: () => this.edit(fact) }, icon("pencil")),
        h("button", { type: "button", class: "icon", "aria-label": `${t("remove")}: ${fact.value}`, title: t("remove"), onclick: () => this.remove(fact) }, icon("bin"))));
  }

  // One turn that says it opens at once; of several a list.
  async show(fact) {
    try {
      const { sources } = await api.fact(fact.fact_id);
      if (sources.length === 1) this.open(sources[0]);
      else dialog(fact.value, h("ul", { class: "plain" }, sources.map((source) => h("li", {}, this.quoted(source)))), { label: t("close") });
    } catch (error) { this.failed(error); }
  }

  async past(fact) {
    try {
      const versions = await api.history(fact.fact_id);
      const box = dialog(`${t("history")}: ${fact.value}`, h("ol", { class: "plain" }, versions.map((each) => h("li", {},
        h("p", {}, h("b", {}, each.fact.value), " ", h("small", { class: "muted" }, [when(each.at), each.by, t(each.fact.status), each.why].filter(Boolean).join(" · "))),
        each.version === fact.version ? null : h("button", { type: "button", onclick: () => { box.close(); this.decide(() => api.decide(fact.fact_id, "revert", { version: each.version })); } }, t("revert"))))), { label: t("close") });
    } catch (error) { this.failed(error); }
  }

  async edit(fact) {
    const value = await asked(t("correct"), { yes: t("save"), no: t("cancel"), value: fact.value });
    if (value && value !== fact.value) this.decide(() => api.correct(fact.fact_id, { value }));
  }

  async remove(fact) {
    if (await asked(t("surefact", { name: fact.value }), { yes: t("remove"), no: t("cancel"), danger: true })) this.decide(() => api.unlearn(fact.fact_id));
  }

  async decide(act) {
    try { await act(); await this.load(); } catch (error) { this.failed(error); }
  }
}
