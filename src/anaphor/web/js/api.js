// The service, as functions. Whatever goes wrong is a Failure with a status, a code and a line to show.

let csrf = "";

// What the service's settings say, told once: tokens that a model's window is meant to hold.
export const settings = { budget: 0 };

export class Failure extends Error {
  constructor(status, told) {
    super((told && told.message) || `HTTP ${status}`);
    this.status = status;
    this.code = (told && told.code) || "";
    this.seq = told && told.seq;
  }
}

async function request(method, path, body, { raw = false, signal, headers = {} } = {}) {
  const form = body instanceof FormData;
  let response;
  try {
    response = await fetch(path, {
      method, signal, credentials: "same-origin",
      headers: {
        ...(body !== undefined && !form ? { "Content-Type": "application/json" } : {}),
        ...(csrf ? { "X-Anaphor-CSRF": csrf } : {}), ...headers,
      },
      body: body === undefined ? undefined : form ? body : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure(0, { code: "unreachable" });
  }
  if (!response.ok) {
    const told = await response.json().catch(() => ({}));
    throw new Failure(response.status, told.error);
  }
  return raw ? response : response.json();
}

const at = (...parts) => "api/" + parts.map(encodeURIComponent).join("/");

export async function me() {
  const told = await request("GET", at("me"));
  csrf = told.csrf;
  settings.budget = told.budget;
  return told;
}
export const login = async (key) => { csrf = (await request("POST", at("login"), { key })).csrf; };
export const logout = () => request("POST", at("logout"), {});
export const sessions = async () => (await request("GET", at("sessions"))).sessions;
export const start = (name = "") => request("POST", at("sessions"), { name });
export const session = (id) => request("GET", at("sessions", id));
export const rename = (id, name) => request("PATCH", at("sessions", id), { name });
export const branch = (id, after_seq) => request("POST", at("sessions", id, "branches"), { after_seq });
export const remove = (id) => request("DELETE", at("sessions", id));
export const turn = (id, seq) => request("GET", at("sessions", id, "turns", seq));
export const stop = (id, turn_id) => request("POST", at("sessions", id, "turns", turn_id, "stop"), {});
export const feedback = (id, seq, opinion) => request("POST", at("sessions", id, "turns", seq, "feedback"), opinion);
export const documents = async () => (await request("GET", at("documents"))).documents;
export const text = (id) => request("GET", at("documents", id));
export const forget = (id) => request("DELETE", at("documents", id));
export const facts = (all) => request("GET", "api/memory/facts" + (all ? "?" + ["current", "superseded", "disputed", "retired"].map((s) => "status=" + s).join("&") : ""));
export const fact = (id) => request("GET", at("memory", "facts", id));
export const history = async (id) => (await request("GET", at("memory", "facts", id, "history"))).versions;
export const review = async () => (await request("GET", at("memory", "review"))).queue;
export const decide = (id, act, body) => request("POST", at("memory", "facts", id, act), body);
export const correct = (id, changes) => request("PATCH", at("memory", "facts", id), changes);
export const unlearn = (id) => request("DELETE", at("memory", "facts", id));
export const search = (wanted) => request("POST", at("search"), wanted);
export const passages = async (ids) => {
  if (!ids.length) return {};
  const query = ids.map((id) => "id=" + encodeURIComponent(id)).join("&");
  return (await request("GET", `api/passages?${query}`)).passages;
};

// With XMLHttpRequest, because fetch does not tell how far an upload is.
export function upload(files, heard) {
  const form = new FormData();
  for (const file of files) form.append("files", file);
  return new Promise((done, failed) => {
    const sent = new XMLHttpRequest();
    sent.open("POST", at("documents"));
    if (csrf) sent.setRequestHeader("X-Anaphor-CSRF", csrf);
    sent.upload.onprogress = (event) => heard(event.total ? event.loaded / event.total : 0);
    sent.onerror = () => failed(new Failure(0, { code: "unreachable" }));
    sent.onload = () => {
      let told = {};
      try { told = JSON.parse(sent.responseText); } catch { /* not ours */ }
      if (sent.status < 300) done(told); else failed(new Failure(sent.status, told.error));
    };
    sent.send(form);
  });
}

// A question, with its events as they come. A line that breaks is taken up where it broke.
export async function ask(id, body, hear, signal) {
  const known = { last: 0, turn: "", over: false };
  let response = await request("POST", at("sessions", id, "turns"), body, { raw: true, signal });
  for (let tries = 0; ; tries++) {
    await listen(response, known, hear).catch((error) => { if (error.name === "AbortError") throw error; });
    if (known.over || !known.turn || tries > 5) return;
    await new Promise((later) => setTimeout(later, 300 * (tries + 1)));
    const headers = { "Last-Event-ID": String(known.last) };
    response = await request("GET", at("sessions", id, "turns", known.turn, "events"), undefined, { raw: true, signal, headers });
  }
}

async function listen(response, known, hear) {
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let held = "";
  for (;;) {
    const { value, done } = await reader.read();
    held += done ? decoder.decode() : decoder.decode(value, { stream: true });
    const blocks = held.split("\n\n");
    held = blocks.pop();
    for (const block of blocks) {
      const told = { id: "", event: "", data: "" };
      for (const line of block.split("\n")) {
        const colon = line.indexOf(": ");
        if (colon > 0) told[line.slice(0, colon)] = line.slice(colon + 2);
      }
      if (!told.data) continue;
      const value = JSON.parse(told.data);
      known.last = Number(told.id) || known.last;
      if (told.event === "accepted") known.turn = value.turn_id;
      if (told.event === "committed" || told.event === "error") known.over = true;
      hear(told.event, value);
    }
    if (done) return;
  }
}
