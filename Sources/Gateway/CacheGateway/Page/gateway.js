"use strict";

// Everything that comes from the gateway is put into the page as text, never as markup.
const most = 200;
let token = new URLSearchParams(location.hash.slice(1)).get("token") ?? sessionStorage.getItem("gateway-token") ?? "";
let state = null;
let read = 0;
let isBusy = false;

const counts = [
  ["requests", "Requests"], ["hits", "Hits"], ["stale", "of these stale"], ["validations", "Validated"],
  ["misses", "Misses"], ["errors", "Errors"], ["entries", "Stored responses"], ["memoryUsage", "Bytes in memory"],
  ["diskUsage", "Bytes on disk"], ["connections", "Connections"],
];

// Runs one thing at a time; `says` is announced when it has succeeded.
async function exclusively(work, says = "") {
  if (isBusy) return;
  isBusy = true;
  try {
    await work();
    say("");
    if (says) at("live").textContent = says;
  } catch (error) {
    if (error.status === 401) return showEntry();
    say(error.message === "Failed to fetch" ? "The gateway has ended." : error.message);
  } finally {
    isBusy = false;
  }
}

async function update() {
  const [stored, metrics] = await Promise.all([ask("GET", `/stored?limit=${most}`), ask("GET", "/metrics?format=json")]);
  sessionStorage.setItem("gateway-token", token);
  at("entry").hidden = true;
  at("counts").hidden = at("stored").hidden = false;
  showCounts(metrics);
  showStored(stored);
}

const act = (says, ...request) => exclusively(async () => {
  await ask(...request);
  await update();
}, says);

// MARK: What is shown

function showEntry() {
  at("entry").hidden = false;
  at("counts").hidden = at("stored").hidden = true;
  say(token ? "The gateway does not know this token." : "");
  state = null;
}

function showCounts(metrics) {
  at("counts").firstElementChild.replaceChildren(...counts.map(([name, title]) =>
    make("div", [make("dt", title), make("dd", metrics[name].toLocaleString("en"))], { id: `count-${name}` })));
}

function showStored(value) {
  const old = new Map([...document.querySelectorAll(".entry")].map((row) => [row.dataset.identity, row]));
  state = value;
  read = performance.now();
  at("steering").hidden = !state.movable;
  at("fixed").hidden = state.movable;
  at("pause").textContent = state.running ? "Pause" : "Run";
  at("now").classList.toggle("paused", !state.running);
  const wanted = at("filter").value.trim();
  const shown = state.entries.filter((entry) => entry.url.includes(wanted));
  const rows = shown.map((entry) => {
    const identity = `${entry.method} ${entry.url} ${JSON.stringify(entry.selecting)}`;
    const known = old.get(identity);
    if (known && JSON.stringify({ ...known.entry, age: 0 }) === JSON.stringify({ ...entry, age: 0 })) {
      known.entry = entry;
      return known;
    }
    const row = entryRow(entry, name(entry));
    row.dataset.identity = identity;
    drawBar(row, known ? known.entry.age : entry.age, true);
    return row;
  });
  const nothing = make("p", state.entries.length ? "No URL contains this." : "Nothing is stored.", { className: "nothing" });
  const box = document.querySelector("#stored .entries");
  // Rows that stay are not moved, so that a focused button keeps the focus.
  const wantedRows = rows.length ? rows : [nothing];
  if (wantedRows.length !== box.children.length || wantedRows.some((row, index) => row !== box.children[index])) {
    box.replaceChildren(...wantedRows);
  }
  if (rows.length) box.getBoundingClientRect();
  rows.forEach((row) => drawBar(row, row.entry.age, calm.matches));
  at("more").hidden = state.stored <= state.entries.length;
  at("more").textContent = `${state.stored - state.entries.length} more are stored; these were used most recently.`;
  tick();
}

function name(entry) {
  const status = entry.status === 200 ? "" : ` ${entry.status}`;
  const method = entry.method === "GET" ? "" : `${entry.method} `;
  const button = make("button", "Purge", { type: "button", title: `Purge the stored responses of ${entry.url}` });
  button.onclick = () => act("Purged.", "POST", `/purge?url=${encodeURIComponent(entry.url)}`);
  return make("div", [make("code", `${method}${entry.url}${status}`), button], { className: "name" });
}

function tick() {
  if (!state) return;
  const since = state.running ? (performance.now() - read) / 1000 : 0;
  const now = new Date(Math.floor(state.seconds + since) * 1000);
  at("now").textContent = now.toUTCString().replace("GMT", "").trim();
  at("now").dateTime = now.toISOString();
  if (!state.running || isBusy) return;
  // Ages are whole seconds; the part of a second that the state had already passed counts.
  const whole = Math.floor((state.seconds % 1) + since);
  for (const row of document.querySelectorAll(".entry")) drawBar(row, row.entry.age + whole, true);
}

// MARK: The controls

at("entry").onsubmit = (event) => {
  event.preventDefault();
  token = at("token").value.trim();
  exclusively(update);
};
at("pause").onclick = () => act("", "PUT", "/clock", { running: !state.running });
for (const button of document.querySelectorAll("[data-advance]")) {
  button.onclick = () => act(`${button.textContent.slice(1)} have passed.`, "POST", "/clock/advance", { by: button.dataset.advance });
}
at("purge-all").onclick = () => act("Everything is purged.", "POST", "/purge?all");
at("filter").oninput = () => state && showStored(state);
setInterval(tick, 250);
setInterval(() => !document.hidden && state && exclusively(update), 1000);
connectTheme();
history.replaceState(null, "", location.pathname);
exclusively(update);
