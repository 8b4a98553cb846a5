// What a page gains where scripts run: it follows the queue, and has keys. Nothing needs it.
//
// Invariant: no key sends an approval by itself. `a` only marks the proposal at which one stands and says so;
// `y`, and nothing else, sends it. Enter on a button that approves does nothing.
"use strict";

const told = document.getElementById("told");

function tell(text) {
  const line = document.createElement("p");
  line.className = "told";
  line.textContent = text;
  told.replaceChildren(line);
}

// ---- the queue, live

const queue = document.querySelector('[data-live="queue"]');

function count(waiting) {
  const link = document.getElementById("queue-link");
  link.querySelector(".count")?.remove();
  if (!waiting) return;
  const badge = document.createElement("span");
  badge.className = "count";
  badge.textContent = waiting;
  link.append(" ", badge);
}

async function follow() {
  const answer = await fetch(location.pathname + location.search, { credentials: "same-origin" });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.title = fresh.title;
  const cards = new Map([...fresh.querySelectorAll("#cards .card")].map((card) => [card.id, card]));
  for (const card of queue.querySelectorAll(".card:not(.gone)")) {
    if (!cards.has(card.id)) leave(card);
    cards.delete(card.id);
  }
  for (const card of cards.values()) {
    queue.append(document.adoptNode(card));
    tell(queue.dataset.came + card.dataset.number);
  }
  if (cards.size) document.getElementById("nothing")?.remove();
  const batch = fresh.getElementById("batch");
  if (batch && !document.getElementById("batch")) queue.after(document.adoptNode(batch));
}

function leave(card) {
  card.classList.add("gone");
  const gone = document.createElement("p");
  gone.textContent = queue.dataset.gone;
  card.querySelector(".acts")?.replaceWith(gone);
}

if (document.getElementById("queue-link")) {
  let last = null;
  new EventSource("/events").onmessage = (event) => {
    if (last === event.data) return;
    last = event.data;
    count(JSON.parse(event.data).waiting);
    if (queue) follow();
  };
}

// ---- keys

const keys = document.getElementById("keys");
const SWITCH = "ringwall-keys";
let armed = null;

function on() {
  return localStorage.getItem(SWITCH) !== "off";
}

function disarm() {
  armed?.classList.remove("armed");
  armed = null;
}

function step(by) {
  const cards = [...document.querySelectorAll(".card[data-number]:not(.gone)")];
  const at = cards.indexOf(document.activeElement?.closest(".card"));
  const next = cards[at < 0 ? (by > 0 ? 0 : cards.length - 1) : at + by];
  next?.focus();
  next?.scrollIntoView({ block: "start" });
}

function press(event) {
  if (!on() || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("input, textarea, select")) return;
  const card = document.activeElement?.closest(".card[data-number]:not(.gone)");
  const ready = armed;
  if (event.key !== "Shift") disarm();
  switch (event.key) {
    case "j": return step(1);
    case "k": return step(-1);
    case "a":
      armed = card?.querySelector('form.approve button[value="approve"]') ?? null;
      if (armed) {
        armed.classList.add("armed");
        tell(`${card.querySelector("h1, h2").innerText}: ${keys.dataset.ask}`);
      }
      return;
    case "y":
      if (ready?.isConnected) ready.form.requestSubmit(ready);
      return;
    case "r": {
      const box = card?.querySelector("details.reject");
      if (!box) return;
      event.preventDefault();
      box.open = true;
      box.querySelector("textarea").focus();
    }
  }
}

if (keys) {
  const button = keys.querySelector("button");
  const name = () => {
    button.textContent = on() ? keys.dataset.on : keys.dataset.off;
    button.setAttribute("aria-pressed", String(on()));
  };
  button.addEventListener("click", () => {
    localStorage.setItem(SWITCH, on() ? "off" : "on");
    disarm();
    name();
  });
  name();
  keys.hidden = false;
  document.addEventListener("keydown", press);
}

document.addEventListener("keydown", (event) => {
  const approves = event.target.closest?.('button[value="approve"], button[value="always"]');
  const chooses = event.target.matches?.("input[type=checkbox], input[type=radio]");
  if (event.key === "Enter" && (approves || chooses)) event.preventDefault();
});
