// A source, opened at the sentence that was quoted.

import { session, text } from "./api.js";
import { cut, dialog, h } from "./dom.js";
import { said as worded, t } from "./words.js";

const AROUND = 4000; // characters before and after the quote; a long document opens at once all the same

export async function openSource(cited) {
  const body = h("div", { class: "source" }, h("p", { class: "muted" }, t("loading")));
  const spoken = cited.class === "user_statement" || cited.class === "assistant_statement";
  const box = dialog(spoken ? t("said", { n: cited.seq }) : cited.source, body, { label: t("close") });
  try {
    const found = spoken ? await said(cited) : await text(cited.document_id || cited.source);
    const [before, quote, after] = cut(found.text, cited.start, cited.end);
    const mark = h("mark", {}, quote);
    body.replaceChildren(h("div", { class: "verbatim", lang: found.language },
      before.length > AROUND ? "… " : "", before.slice(-AROUND), mark, after.slice(0, AROUND), after.length > AROUND ? " …" : ""));
    mark.scrollIntoView({ block: "center" });
  } catch (error) {
    body.replaceChildren(h("p", { class: "problem", role: "alert" }, error.status === 404 ? t("gone") : worded(error)));
  }
  return box;
}

async function said(cited) {
  const talk = await session(cited.source);
  const turn = talk.turns.find((each) => each.seq === cited.seq);
  return { text: cited.class === "user_statement" ? turn.question : turn.answer, language: turn.language };
}
