// "Why this answer": the line of the turn, drawn.

import { passages, settings, turn as read } from "./api.js";
import { dialog, h, svg } from "./dom.js";
import { t } from "./words.js";
import { openSource } from "./source.js";

const HUES = 6; // classes hue-0 … hue-5 of the style sheet

export async function openWhy(session, seq, jump) {
  const body = h("div", { class: "why" }, h("p", { class: "muted" }, t("loading")));
  const box = dialog(t("why"), body, { label: t("close"), className: "drawer" });
  try {
    const told = await read(session, seq);
    const shown = await passages(told.ranking.slice(0, 8).map((line) => line.passage_id));
    body.replaceChildren(...drawn(told, shown, (n) => { box.close(); jump(n); }));
  } catch (error) {
    body.replaceChildren(h("p", { class: "problem", role: "alert" }, t("problem", { why: error.message })));
  }
}

function drawn(told, shown, jump) {
  return [
    station(t("typed"), h("blockquote", { lang: told.language, class: "typed" }, told.question)),
    station(t("decided"), decision(told)),
    station(t("searched"), query(told, jump)),
    station(t("ranking"), told.ranking.length ? slopes(told.ranking, shown) : h("p", { class: "muted" }, told.query.text && retrieves(told) ? t("nohits") : t("nothing"))),
    station(t("budget"), budget(told.budget)),
    told.claims.length ? station(t("claims"), claims(told)) : null,
    station(t("time"), times(told.timings_ms)),
  ].filter(Boolean);
}

const retrieves = (told) => !["small_talk", "command", "clarification"].includes(told.decision);

function station(name, ...content) {
  return h("section", { class: "station" }, h("h3", {}, name), ...content);
}

function decision(told) {
  const percent = Math.round(told.confidence * 100);
  return h("p", { class: "decision" }, h("strong", {}, t(told.decision)), " · ", t("sure_of", { percent }),
    " · ", h("span", { class: `outcome ${told.outcome}` }, t(told.outcome)));
}

// The standalone query with each carried span in the colour of the turn it came from.
function query(told, jump) {
  const carried = told.query.carried;
  const seen = new Map();
  carried.forEach((c) => { if (!seen.has(c.seq)) seen.set(c.seq, seen.size % HUES); });
  const parts = [];
  let rest = told.query.text;
  const inText = new Set();
  while (rest) {
    const next = carried.map((c, i) => [c.text ? rest.indexOf(c.text) : -1, -c.text.length, i, c])
      .filter(([where, , i]) => where >= 0 && !inText.has(i)).sort((a, b) => a[0] - b[0] || a[1] - b[1])[0];
    if (!next) { parts.push(rest); break; }
    const [where, , i, c] = next;
    inText.add(i);
    if (where) parts.push(rest.slice(0, where));
    parts.push(h("button", { type: "button", class: `carried hue-${seen.get(c.seq)}`, title: `${t("turn", { n: c.seq })} · ${c.reason}`, onclick: () => jump(c.seq) },
      c.text, h("sub", {}, c.seq)));
    rest = rest.slice(where + c.text.length);
  }
  const beside = carried.filter((_, i) => !inText.has(i));
  return [
    h("p", { class: "standalone", lang: told.language }, parts),
    told.query.queries.length > 1 ? h("ol", { lang: told.language }, told.query.queries.map((q) => h("li", {}, q))) : null,
    beside.length ? h("p", { class: "chips", "aria-label": t("carried") }, h("span", { class: "muted" }, t("carried")), beside.map((c) =>
      h("button", { type: "button", class: `carried hue-${seen.get(c.seq)}`, title: c.reason, onclick: () => jump(c.seq) }, c.text, h("sub", {}, c.seq)))) : null,
    told.query.left_behind.length ? h("p", { class: "chips" }, h("span", { class: "muted" }, t("left")),
      told.query.left_behind.map((x) => h("s", { title: `${t("turn", { n: x.seq })} · ${x.reason}`, lang: told.language }, x.text))) : null,
    told.query.refused.map((r) => h("p", { class: "muted" }, `${r.rewriter}: `, h("s", {}, r.text), ` — ${r.reason}`)),
  ];
}

// Each way of searching is a column, each passage a line through its ranks; the last column is all ways together.
function slopes(ranking, shown) {
  const top = ranking.slice(0, 8);
  const ways = [...new Set(top.flatMap((line) => Object.keys(line.ranks)))];
  const columns = [...ways, t("fused")];
  const deepest = Math.max(...top.flatMap((line) => [line.rank, ...Object.values(line.ranks)].filter((r) => r <= 20)));
  const beyond = top.some((line) => Object.values(line.ranks).some((r) => r > 20)) ? 1 : 0; // ranks past 20 share one place
  const width = 90 * columns.length + 10, row = 22, height = 46 + row * (deepest - 1 + beyond);
  const x = (i) => 45 + i * 90, y = (rank) => 34 + (Math.min(rank, deepest + 1) - 1) * row;
  const lines = top.map((line, n) => {
    const points = [...ways.map((way, i) => [x(i), line.ranks[way]]).filter(([, rank]) => rank), [x(columns.length - 1), line.rank]];
    const name = shown[line.passage_id] ? shown[line.passage_id].text.slice(0, 60) : line.passage_id;
    return svg("g", { class: `slope hue-${n % HUES}` }, svg("title", {}, `${line.rank}. ${name}`),
      svg("polyline", { points: points.map(([px, rank]) => `${px},${y(rank)}`).join(" "), fill: "none" }),
      points.map(([px, rank]) => [svg("circle", { cx: px, cy: y(rank), r: 9 }), svg("text", { x: px, y: y(rank) + 4, "text-anchor": "middle", class: "rank" }, rank)]));
  });
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": t("ranking") },
    columns.map((name, i) => svg("text", { x: x(i), y: 16, "text-anchor": "middle", class: "axis" }, name)), lines);
  const list = h("ol", { class: "hits" }, top.map((line, n) => {
    const p = shown[line.passage_id];
    return h("li", { class: `hue-${n % HUES}` }, p ? h("button", { type: "button", class: "link", lang: p.language, onclick: () => openSource(p) },
      h("b", {}, p.source), " ", p.text.slice(0, 90)) : t("gone"));
  }));
  return [h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("ranking") }, picture), list];
}

function budget(spent) {
  const parts = ["rules", "history", "evidence", "question"].map((name) => [name, spent[name] || 0]);
  const used = parts.reduce((sum, [, n]) => sum + n, 0);
  const total = Math.max(settings.budget, used);
  let from = 0;
  const bars = parts.map(([name, n]) => {
    const bar = svg("rect", { x: (from / total) * 100, y: 0, width: (n / total) * 100, height: 8, class: `part ${name}` }, svg("title", {}, `${t(name)}: ${n}`));
    from += n;
    return bar;
  });
  return [
    svg("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", class: "budget", role: "img", "aria-label": parts.map(([name, n]) => `${t(name)} ${n}`).join(", ") },
      svg("rect", { x: 0, y: 0, width: 100, height: 8, class: "part free" }), bars),
    h("p", { class: "legend" }, parts.map(([name, n]) => h("span", {}, h("i", { class: `dot ${name}` }), `${t(name)} ${n}`))),
  ];
}

const MARKS = { supported: "✓", unsupported: "✗", uncited: "?", conflicting: "≠" };

function claims(told) {
  return h("ul", { class: "claims" }, told.claims.map((claim) =>
    h("li", { class: claim.verdict || "plain" }, h("span", { class: "mark", title: claim.verdict ? t(claim.verdict) : "" }, MARKS[claim.verdict] || "·"),
      h("span", { lang: told.language }, claim.text), claim.cites.map((n) => {
        const cited = told.citations.find((c) => c.n === n);
        return h("button", { type: "button", class: "cite", disabled: !cited, onclick: () => cited && openSource(cited) }, n);
      }))));
}

function times(timings) {
  return h("p", { class: "legend" }, Object.entries(timings).map(([step, ms]) => h("span", {}, `${step} ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`)));
}
