// One conversation: what was asked and answered, and the line to ask on.

import * as api from "./api.js";
import { h, icon, replace } from "./dom.js";
import { openSource } from "./source.js";
import { openWhy } from "./why.js";
import { locale, said as worded, t } from "./words.js";

export class Chat {
  constructor({ changed, failed, documents, choose, taken }) {
    this.choose = choose;
    this.taken = taken;
    this.changed = changed;
    this.failed = failed;
    this.documents = documents;
    this.session = "";
    this.turns = [];
    this.running = null;
    this.editing = null;
    this.log = h("ol", { class: "log", "aria-live": "polite", "aria-relevant": "additions" });
    this.box = h("textarea", { id: "question", rows: 1, placeholder: t("ask"), "aria-label": t("ask"), maxlength: 20000,
      onkeydown: (event) => this.key(event), oninput: () => this.grow() });
    this.button = h("button", { type: "submit", class: "primary send" });
    this.form = h("form", { class: "composer", onsubmit: (event) => { event.preventDefault(); this.running ? this.stop() : this.submit(); } },
      h("div", { class: "line" }, this.box, this.button), h("p", { class: "hint" }, t("hint")));
    this.scroller = h("div", { class: "scroller", tabindex: "-1" }, this.log);
    this.element = h("main", { class: "chat", id: "main" }, this.scroller, this.form);
    this.buttons();
    this.empty();
  }

  key(event) {
    // While an input method is composing, Enter chooses a character; 229 is what browsers send that do not say so.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    if (!this.running) this.submit();
  }

  grow() {
    this.box.style.height = "auto";
    this.box.style.height = `${Math.min(this.box.scrollHeight, 200)}px`;
  }

  empty() {
    this.session = "";
    this.turns = [];
    this.editing = null;
    replace(this.log, h("li", { class: "empty" }, h("img", { src: "assets/icon.svg", alt: "", width: 44, height: 44 }),
      h("h1", {}, t("emptyhead")), h("p", {}, t("emptybody")),
      this.documents() === 0 ? h("button", { type: "button", class: "nothing", onclick: () => this.choose() }, icon("tray"), h("span", {}, t("nodocs"))) : null));
  }

  async open(id) {
    this.running?.leave.abort();
    this.running = null;
    this.buttons();
    if (!id) { this.empty(); this.box.focus(); return; }
    this.session = id;
    replace(this.log, h("li", { class: "bones", role: "status", "aria-label": t("loading") }, h("i"), h("i"), h("i")));
    const talk = await api.session(id);
    if (this.session !== id) return;
    this.turns = talk.turns;
    replace(this.log, talk.turns.map((turn) => this.drawn(turn)));
    this.down();
    talk.turns.filter((turn) => turn.outcome !== "running" && turn.answer).slice(-20).forEach((turn) => this.cited(turn));
  }

  // A turn of the log. Its citations come with its trace, a moment later.
  drawn(turn) {
    const item = h("li", { class: "turn", id: `turn-${turn.seq}` }, this.asked(turn), this.answered(turn));
    return item;
  }

  asked(turn) {
    return h("div", { class: "asked" },
      h("p", { class: "bubble", lang: turn.language || locale }, turn.question),
      turn.seq ? h("button", { type: "button", class: "icon quiet", title: t("edit"), "aria-label": t("edit"), onclick: () => this.edit(turn) }, icon("pencil")) : null);
  }

  answered(turn, citations = []) {
    const known = new Map(citations.map((each) => [each.n, each]));
    const parts = (turn.answer || "").split(/(\[\d+\])/).map((part) => {
      const n = /^\[(\d+)\]$/.exec(part)?.[1];
      if (!n) return part;
      const cited = known.get(Number(n));
      return cited ? h("button", { type: "button", class: "cite", "aria-label": `${t("source")} ${n}: ${cited.source}`, onclick: () => openSource(cited) }, n) : h("span", { class: "cite" }, n);
    });
    const text = turn.answer ? h("div", { class: "answer", lang: turn.language || locale }, parts) : h("p", { class: "muted" }, t("nothing_said"));
    const note = ["answered", "small_talk", "command"].includes(turn.outcome) ? null : h("span", { class: `outcome ${turn.outcome}` }, t(turn.outcome));
    const rebuilt = turn.standalone && turn.standalone !== turn.question ? h("p", { class: "rebuilt" }, icon("line"), h("span", { class: "hidden" }, t("rebuilt"), ": "), h("span", { lang: turn.language }, turn.standalone)) : null;
    return h("div", { class: "reply" }, rebuilt, text, h("p", { class: "tools" }, note,
      h("button", { type: "button", class: "link", onclick: () => openWhy(this.session, turn.seq, (n) => this.jump(n)) }, t("why")),
      h("button", { type: "button", class: "link", onclick: (event) => this.copy(event.currentTarget, turn.answer), disabled: !turn.answer }, t("copy")),
      ...["up", "down"].map((thumbs) => h("button", { type: "button", class: "icon quiet", title: t(thumbs), "aria-label": t(thumbs), onclick: (event) => this.judge(event.currentTarget, turn.seq, thumbs) }, icon(thumbs)))));
  }

  async cited(turn) {
    try {
      const told = await api.turn(this.session, turn.seq);
      const item = this.log.querySelector(`#turn-${turn.seq}`);
      item?.querySelector(".reply")?.replaceWith(this.answered(turn, told.citations));
    } catch { /* the answer stands as it is; its sources open from "why" */ }
  }

  edit(turn) {
    this.editing = turn.seq;
    this.box.value = turn.question;
    this.grow();
    this.box.focus();
  }

  async copy(button, text) {
    await navigator.clipboard?.writeText(text).catch(() => {});
    button.textContent = t("copied");
    setTimeout(() => { button.textContent = t("copy"); }, 1500);
  }

  async judge(button, seq, thumbs) {
    try {
      await api.feedback(this.session, seq, { thumbs });
      button.setAttribute("aria-pressed", "true");
      button.title = t("thanks");
    } catch (error) { this.failed(error); }
  }

  jump(seq) {
    const item = this.log.querySelector(`#turn-${seq}`);
    item?.scrollIntoView({ behavior: "smooth", block: "center" });
    item?.classList.add("flash");
    setTimeout(() => item?.classList.remove("flash"), 1600);
  }

  async submit() {
    const question = this.box.value.trim();
    if (!question || this.running) return;
    this.running = { leave: new AbortController(), turn: "" }; // before anything is waited for: Enter may come twice
    this.buttons();
    const running = this.running, before = this.session;
    try {
      await this.place(question);
      this.box.value = "";
      this.grow();
      await this.answer(question, running);
    } catch (error) {
      if (error.name !== "AbortError") {
        this.box.value = this.box.value || question;
        this.failed(error);
        if (!before && this.session && error.status && !this.turns.length) await this.takenBack();
        if (error.code === "stale_turn") await this.open(this.session).catch(this.failed);
      }
    } finally {
      if (this.running === running) this.running = null;
      this.buttons();
      this.changed(this.session);
    }
  }

  // Where the question goes: on in this conversation, into a branch from before an edited one, or into a new one.
  async place(question) {
    if (this.editing !== null) {
      const made = await api.branch(this.session, this.editing - 1);
      this.editing = null;
      await this.shown(made.session_id);
    } else if (!this.session) {
      this.session = (await this.started(question)).session_id;
      replace(this.log);
    }
  }

  // A conversation that was begun with a question that is none, and has nothing in it.
  async takenBack() {
    await api.remove(this.session).catch(() => {});
    this.empty();
  }

  async shown(id) {
    const talk = await api.session(id);
    this.session = id;
    this.turns = talk.turns;
    replace(this.log, talk.turns.map((turn) => this.drawn(turn)));
  }

  async answer(question, running) {
    const text = h("div", { class: "answer", lang: locale }, h("span", { class: "thinking" }, t("thinking")));
    const item = h("li", { class: "turn" }, this.asked({ question }), h("div", { class: "reply" }, text));
    this.log.append(item);
    this.down();
    let said = "", over = null, problem = null, language = locale;
    await api.ask(this.session, { question }, (name, told) => {
      if (name === "accepted") running.turn = told.turn_id;
      if (name === "decision") { language = told.language; text.lang = told.language; item.querySelector(".bubble").lang = told.language; }
      if (name === "claim") { said += said ? told.shown : told.shown.trimStart(); text.textContent = said; this.down(); }
      if (name === "committed") over = told;
      if (name === "error") problem = told;
    }, running.leave.signal).catch((error) => { item.remove(); throw error; });
    if (problem) { text.replaceChildren(h("span", { class: "problem", role: "alert" }, worded(problem))); return; }
    if (!over) return;
    const turn = { ...over, standalone: over.query.text, language: over.language || language };
    this.turns.push(turn);
    item.id = `turn-${turn.seq}`;
    replace(item, this.asked(turn), this.answered(turn, over.citations));
    this.down();
  }

  async stop() {
    const { turn } = this.running || {};
    if (turn) await api.stop(this.session, turn).catch(this.failed);
  }

  buttons() {
    const word = this.running ? t("stop") : t("send");
    replace(this.button, icon(this.running ? "stop" : "send"), h("span", {}, word));
    this.button.classList.toggle("stopping", Boolean(this.running));
  }

  down() {
    this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  // A conversation is called by its first question until somebody calls it otherwise; where that name is taken, with the hour.
  async started(question) {
    const first = Array.from(question.replace(/\s+/g, " ")).slice(0, 40).join("");
    const hour = `${first} · ${new Date().toLocaleTimeString(locale)}`;
    let name = this.taken(first) ? hour : first;
    for (let n = 2; this.taken(name); n++) name = `${hour} · ${n}`; // asked twice within a second
    try {
      return await api.start(name);
    } catch (error) {
      if (error.status !== 400) throw error;
      return api.start(name === first ? hour : ""); // taken a moment ago, in another window
    }
  }
}
