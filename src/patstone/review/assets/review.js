// The reviewer's page. What is said goes into a box that outlives the page, and leaves it only when the server has
// acknowledged it: a dropped connection, a reload or a closed window loses nothing. Each event has an id, so that
// sending it again can't count twice.
"use strict";

const desk = document.getElementById("desk");
const shown = document.getElementById("family");
const note = document.getElementById("note");
const saved = document.getElementById("saved");
const help = document.getElementById("help");
const box = `patstone-review-${desk.dataset.person}`;
const AHEAD = 20;

let places = [];
let here = -1;
let sending = false;
let pause = 1000;
const pages = new Map();
const acts = [];

const outbox = () => JSON.parse(localStorage.getItem(box) || "[]");
const keep = (events) => localStorage.setItem(box, JSON.stringify(events));
const open = (place) => !place.verdict;
const place = (family) => places.findIndex((one) => one.family === family);

async function ask(path, options = {}) {
  const answer = await fetch(path, { ...options, headers: { "x-form-token": desk.dataset.token, ...options.headers } });
  const told = await answer.json().catch(() => ({ error: "The server is not there." }));
  if (!answer.ok) throw Object.assign(new Error(told.error), { status: answer.status });
  return told;
}

async function begin() {
  const told = await ask("/api/queue");
  places = told.places;
  // What the last page could not send yet has been said all the same.
  for (const event of outbox()) apply(event);
  show(next(-1));
  flush();
}

function next(after) {
  const order = [...places.keys()];
  const rest = [...order.slice(after + 1), ...order.slice(0, after + 1)];
  const fresh = rest.find((at) => open(places[at]) && !places[at].skipped);
  return fresh ?? rest.find((at) => open(places[at])) ?? -1;
}

async function read(at) {
  const name = places[at].family;
  if (!pages.has(name)) pages.set(name, (await ask(`/api/family?name=${encodeURIComponent(name)}`)).page);
  return pages.get(name);
}

async function show(at) {
  here = at;
  tell();
  if (at < 0) {
    shown.innerHTML = places.length
      ? "<h1>All done</h1><p>Every family of your list has a verdict. Thank you.</p>"
      : "<h1>Nothing to judge</h1><p>No families are on your list.</p>";
    return;
  }
  try {
    const page = await read(at);
    if (here !== at) return;
    shown.innerHTML = page;
    shown.dataset.family = places[at].family;
    shown.dataset.verdict = places[at].verdict || "";
    shown.scrollTop = 0;
    prefetch(at);
  } catch (error) {
    if (here === at) shown.innerHTML = "<p>This family can't be loaded now; it comes when the connection is back.</p>";
    setTimeout(() => here === at && show(at), 2000);
  }
}

async function prefetch(at) {
  let ahead = at;
  for (let count = 0; count < AHEAD; count += 1) {
    ahead = next(ahead);
    if (ahead < 0 || ahead === at) return;
    try { await read(ahead); } catch { return; }
  }
}

function tell() {
  const done = places.filter((one) => one.verdict).length;
  const bar = document.getElementById("progress");
  bar.max = Math.max(places.length, 1);
  bar.value = done;
  document.getElementById("count").textContent = `${done} of ${places.length} judged`;
  for (const button of document.querySelectorAll("[data-act]")) {
    const act = button.dataset.act;
    if (here >= 0) button.setAttribute("aria-pressed", String(places[here].verdict === act));
    button.disabled = here < 0 && !["undo", "previous", "next"].includes(act);
  }
}

function apply(event) {
  const at = place(event.family);
  if (at < 0 || event.action === "undo") return;
  places[at].verdict = event.action === "verdict" ? event.verdict : null;
  places[at].skipped = event.action === "skip";
}

function say(action, verdict = null) {
  if (here < 0) return;
  const { family, verdict: before, skipped } = places[here];
  acts.push({ family, before, skipped });
  const event = { request: crypto.randomUUID ? crypto.randomUUID() : random(), action, family, verdict,
    note: note.value, scope: Number(desk.dataset.scope) };
  note.value = "";
  pages.delete(family);
  apply(event);
  put(event);
  show(next(here));
}

// Only pages from a secure or a local address have randomUUID.
function random() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function put(event) {
  keep([...outbox(), event]);
  flush();
}

function undo() {
  const event = { request: crypto.randomUUID ? crypto.randomUUID() : random(), action: "undo", scope: Number(desk.dataset.scope) };
  const last = acts.pop();
  if (last) {
    const at = place(last.family);
    places[at].verdict = last.before;
    places[at].skipped = last.skipped;
    pages.delete(last.family);
    show(at);
  }
  put(event);
}

// One at a time and in order: an undo must meet what it undoes.
async function flush() {
  if (sending) return;
  sending = true;
  try {
    for (let events = outbox(); events.length; events = outbox()) {
      saved.textContent = `${events.length} not saved yet`;
      await send(events[0]);
      keep(outbox().filter((one) => one.request !== events[0].request));
      pause = 1000;
    }
    saved.textContent = "Saved";
  } catch (error) {
    const waiting = outbox().length;
    saved.textContent = error.status === 401 || error.status === 403
      ? `${waiting} not saved: sign in again, nothing is lost`
      : `${waiting} not saved yet: no connection, trying again`;
    pause = Math.min(pause * 2, 10000);
    setTimeout(flush, pause);
  } finally {
    sending = false;
  }
}

async function send(event) {
  try {
    const told = await ask("/api/events", {
      method: "POST", body: JSON.stringify(event), headers: { "content-type": "application/json" } });
    const at = place(told.family);
    // After a reload only the server knows what an undo brought back.
    if (event.action === "undo" && at >= 0) {
      places[at].verdict = told.verdict;
      pages.delete(told.family);
      if (here !== at && !outbox().some((one) => one.request !== event.request)) show(at);
      else tell();
    }
  } catch (error) {
    // What the server refuses for good must not hold up the rest; it is told and dropped.
    if (error.status === 400 || error.status === 404) saved.textContent = error.message;
    else throw error;
  }
}

function act(name) {
  if (["positive", "negative", "unsure"].includes(name)) say("verdict", name);
  else if (name === "skip") say("skip");
  else if (name === "undo") undo();
  else if (name === "next") show(Math.min(here + 1, places.length - 1));
  else if (name === "previous") show(here < 0 ? places.length - 1 : Math.max(here - 1, 0));
}

const KEYS = { p: "positive", n: "negative", u: "unsure", s: "skip", z: "undo", j: "next", k: "previous" };

document.addEventListener("keydown", (event) => {
  if (event.target === note) {
    if (event.key === "Escape") note.blur();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  if (event.key === "?") help.showModal();
  else if (event.key === "m") { event.preventDefault(); note.focus(); }
  else if (event.key === "c") document.querySelector("aside details").toggleAttribute("open");
  else if (KEYS[event.key] && !event.repeat) act(KEYS[event.key]);
});
for (const button of document.querySelectorAll("[data-act]")) {
  button.addEventListener("click", () => act(button.dataset.act));
}
document.getElementById("help-button").addEventListener("click", () => help.showModal());
// On a phone the family comes first; the criteria are one tap away.
if (matchMedia("(max-width: 46rem)").matches) document.querySelector("aside details").removeAttribute("open");
window.addEventListener("online", flush);
begin().catch((error) => { saved.textContent = error.message; });
