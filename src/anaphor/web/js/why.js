// "Why this answer": the line of the turn, drawn.

import { passages, settings, turn as read } from "./api.js";
import { dialog, h, svg } from "./dom.js";
import { number, said, t, wayNamed } from "./words.js";
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
    body.replaceChildren(h("p", { class: "problem", role: "alert" }, said(error)));
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
  return h("p", { class: "decision" }, h("strong", {}, t(told.decision)), h("span", { class: "muted" }, t("sure_of", { percent })),
    h("span", { class: `outcome ${told.outcome}` }, t(told.outcome)));
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

// Each way of searching is a column, each passage a line through its ranks; the last column is all ways together, and its
// rows are the rows of the list beside it.
const ROW = 54, WIDE = 52, NARROW = 38, DEEP = 24, DOT = 10;

function slopes(ranking, shown) {
  const top = ranking.slice(0, 8);
  const ways = [...new Set(top.flatMap((line) => Object.keys(line.ranks)))];
  const below = Math.max(0, ...ways.map((way) => top.filter((line) => line.ranks[way] > top.length).length));
  const narrow = matchMedia("(max-width: 480px)").matches, column = narrow ? NARROW : WIDE; // as the style sheet has it
  const width = column * (ways.length + 1), height = ROW * top.length + DEEP * below;
  const x = (i) => column * i + column / 2;
  const row = (rank) => (rank - 0.5) * ROW;
  // Ranks that are deeper than the list stand below it, in their order.
  const y = (way, rank) => rank <= top.length ? row(rank)
    : ROW * top.length + DEEP * (top.map((line) => line.ranks[way]).filter((other) => other > top.length && other < rank).length + 0.5);
  const lines = top.map((line, n) => {
    const points = [...ways.map((way, i) => [x(i), line.ranks[way] && y(way, line.ranks[way]), line.ranks[way]]).filter(([, , rank]) => rank),
      [x(ways.length), row(n + 1), line.rank]];
    const curve = points.map(([px, py], i) => i ? `C${(points[i - 1][0] + px) / 2} ${points[i - 1][1]} ${(points[i - 1][0] + px) / 2} ${py} ${px} ${py}` : `M${px} ${py}`).join("");
    return svg("g", { class: `slope hue-${n % HUES}` }, svg("path", { d: curve }),
      points.map(([px, py, rank], i) => [
        svg("circle", { cx: px, cy: py, r: DOT, class: i === points.length - 1 ? "last" : "" }),
        svg("text", { x: px, y: py + 3.5, "text-anchor": "middle", class: "rank" }, rank)]));
  });
  const told = top.map((line) => `${line.rank}: ${Object.entries(line.ranks).map(([way, rank]) => `${wayNamed(way)} ${rank}`).join(", ")}`).join("; ");
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": told }, lines);
  return h("div", { class: "slopes scroll", tabindex: "0", role: "region", "aria-label": t("ranking") },
    h("div", { class: narrow ? "ways narrow" : "ways" }, [...ways.map((name) => [wayNamed(name), name]), [t("fused"), ""]].map(([name, title]) => h("span", { title: title || name }, name))),
    h("div", { class: "plot" }, picture, h("ol", { class: "ranked" }, top.map((line) => ranked(shown[line.passage_id])))));
}

function ranked(passage) {
  if (!passage) return h("li", { class: "muted" }, t("gone"));
  return h("li", {}, h("button", { type: "button", class: "link", lang: passage.language, title: passage.text.slice(0, 300), onclick: () => openSource(passage) },
    h("b", {}, passage.source), h("span", {}, passage.text.slice(0, 120))));
}

function budget(spent) {
  const words = { rules: t("rules"), history: t("past_turns"), evidence: t("evidence"), question: t("question") };
  const parts = Object.keys(words).map((name) => [name, spent[name] || 0]);
  const used = parts.reduce((sum, [, n]) => sum + n, 0);
  const total = Math.max(settings.budget, used);
  return [
    stacked(parts.map(([name, n]) => [name, n, `${words[name]}: ${number(n)}`]), total),
    h("p", { class: "legend" }, parts.map(([name, n]) => h("span", {}, h("i", { class: `dot ${name}` }), `${words[name]} `, h("b", {}, number(n)))),
      h("span", { class: "sum" }, `${number(used)} / ${number(total)}`)),
  ];
}

// Parts (name, size, what is said of it) of a whole, as one bar.
function stacked(parts, total) {
  let from = 0;
  const bars = parts.map(([name, n, said]) => {
    const bar = svg("rect", { x: (from / total) * 100, y: 0, width: (n / total) * 100, height: 8, class: `part ${name}` }, svg("title", {}, said));
    from += n;
    return bar;
  });
  return svg("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", class: "budget", role: "img", "aria-label": parts.map(([, , said]) => said).join(", ") },
    svg("rect", { x: 0, y: 0, width: 100, height: 8, class: "part free" }), bars);
}

const MARKS = { supported: "✓", unsupported: "✗", uncited: "?", conflicting: "≠" };

function claims(told) {
  return h("ul", { class: "claims" }, told.claims.map((claim) =>
    h("li", { class: claim.verdict || "plain" }, h("span", { class: "mark", "aria-hidden": "true" }, MARKS[claim.verdict] || "·"),
      h("div", {}, h("span", { lang: told.language }, claim.text), " ", claim.cites.map((n) => {
        const cited = told.citations.find((c) => c.n === n);
        return h("button", { type: "button", class: "cite", disabled: !cited, "aria-label": cited ? `${t("source")} ${n}: ${cited.source}` : `${t("source")} ${n}`, onclick: () => cited && openSource(cited) }, n);
      }), claim.verdict ? h("small", { class: "verdict" }, t(claim.verdict)) : null))));
}

function times(timings) {
  const steps = Object.entries(timings);
  const sum = steps.reduce((all, [, ms]) => all + ms, 0) || 1;
  const told = (ms) => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
  return [
    stacked(steps.map(([step, ms], n) => [`step-${n % HUES}`, ms, `${t(`step_${step}`)}: ${told(ms)}`]), sum),
    h("p", { class: "legend" }, steps.map(([step, ms], n) => h("span", {}, h("i", { class: `dot step-${n % HUES}` }), `${t(`step_${step}`)} `, h("b", {}, told(ms)))),
      h("span", { class: "sum" }, told(sum))),
  ];
}
