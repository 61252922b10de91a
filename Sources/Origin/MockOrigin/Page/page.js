"use strict";

// Everything that comes from outside is put into the page as text, never as markup.
const at = (id) => document.getElementById(id);
const most = 500;
let token = "";
let lastEvent = 0;
let editing = null;
const exchanges = new Map();
const opened = new Set();

function make(name, content = [], properties = {}) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...[content].flat());
  return element;
}

function say(text) {
  at("message").textContent = text;
  at("message").hidden = text === "";
}

// MARK: The API

class Refusal extends Error {
  constructor(status, value) {
    const lines = (value?.problems ?? []).map((p) => `${p.place}: found ${p.found}, expected ${p.expected}`);
    super([value?.error ?? `The server answered ${status}.`, ...lines].join("\n"));
    this.status = status;
  }
}

async function ask(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: { Authorization: `Bearer ${token}` },
    body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  const value = text === "" ? null : JSON.parse(text);
  if (!answer.ok) throw new Refusal(answer.status, value);
  return value;
}

// What a person does, whose success takes the last message away.
const act = (work) => quietly(async () => {
  await work();
  say("");
});

async function quietly(work) {
  try {
    await work();
  } catch (error) {
    if (error.status === 401) return showEntry();
    say(error.message);
  }
}

// MARK: Clock

let clock = { seconds: 0, running: false, read: 0 };

function showClock(value) {
  clock = { ...value, read: performance.now() };
  tick();
  at("running").textContent = value.running ? "running" : "stopped";
  at("hold").textContent = value.running ? "Stop" : "Start";
}

function tick() {
  const since = clock.running ? (performance.now() - clock.read) / 1000 : 0;
  at("now").textContent = new Date((clock.seconds + since) * 1000).toUTCString();
}

const advance = (by) => act(async () => showClock(await ask("POST", "/clock/advance", { by })));

// MARK: What goes wrong

// What is shown as it is set, so that a change that a person is typing is not undone by news.
const settled = { "fault-list": "", seed: "0" };

function settle(id, text, isCertain) {
  if (isCertain || at(id).value === settled[id]) at(id).value = text;
  settled[id] = text;
}

function showFaults(value, isCertain = false) {
  settle("fault-list", value.faults.join("\n"), isCertain);
  settle("seed", `${value.seed}`, isCertain);
  at("drawn").textContent = value.decisions.length;
  at("decisions").replaceChildren(...value.decisions.slice(-200).map((line) => make("li", line)));
}

function setFaults() {
  const faults = at("fault-list").value.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  return act(async () => showFaults(await ask("PUT", "/faults", { faults, seed: Number(at("seed").value) }), true));
}

function showNetwork(value) {
  at("network-now").textContent = value.network ?? "No conditions.";
  at("profiles").replaceChildren(...value.profiles.map((name) => make("option", [], { value: name })));
}

function showStates(value) {
  const lines = Object.entries(value).map(([machine, state]) => make("li", `${machine}: ${state}`));
  at("states").replaceChildren(...(lines.length ? lines : [make("li", "Every state machine is in its initial state.")]));
}

// MARK: Routes

function showRoutes(value) {
  fill("routes", value.routes.map(routeRow));
}

// Replaces the rows of a table; each cell knows its column, which narrow windows show beside it.
function fill(name, rows) {
  const heads = [...at(name).closest("table").querySelectorAll("th")].map((head) => head.firstChild?.data.split(",")[0]);
  for (const row of rows.filter((row) => row.cells.length === heads.length)) {
    heads.forEach((head, index) => { if (head) row.cells[index].dataset.label = head; });
  }
  at(name).replaceChildren(...rows);
}

function routeRow(route) {
  const edit = make("button", "Edit", { type: "button", onclick: () => editRoute(route) });
  const remove = make("button", "Remove", {
    type: "button",
    onclick: () => act(async () => {
      await ask("DELETE", routePath(route.label));
      await refresh("routes");
    }),
  });
  const cells = [
    route.label, route.methods.join(", ") || "all", route.path, `${route.priority}`, `${route.requests}`,
  ].map((text) => make("td", text));
  return make("tr", [...cells, make("td", [edit, " ", remove])]);
}

const routePath = (label) => `/routes/${encodeURIComponent(label)}`;

function editRoute(route) {
  editing = route?.label ?? null;
  at("route-title").textContent = route ? `Route ${route.label}` : "New route, as in a site file";
  at("save").textContent = route ? "Save" : "Add";
  const example = { path: "/example", answer: { body: "hello", "cache-control": "max-age=60" } };
  const text = route ? route.route ?? { path: route.path, answer: {} } : example;
  at("route-text").value = JSON.stringify(text, null, 2);
}

function saveRoute() {
  return act(async () => {
    const text = at("route-text").value;
    if (editing === null) await ask("POST", "/routes", text);
    else await ask("PUT", routePath(editing), text);
    editRoute(null);
    await refresh("routes");
  });
}

// MARK: Pages

let shownPages = "";
let knownPages = new Set();

function showPages(value) {
  // Rows that are being edited stay as long as nothing has changed.
  if (JSON.stringify(value) === shownPages) return;
  shownPages = JSON.stringify(value);
  knownPages = new Set(Object.keys(value.pages));
  fill("pages", Object.entries(value.pages).map(pageRow));
  drawSoon();
  const known = Object.entries(value.settings).flatMap(([name, meaning]) => [make("dt", name), make("dd", meaning)]);
  at("settings").replaceChildren(...known);
}

function pageRow([path, settings]) {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const text = make("textarea", [], { value: lines.join("\n"), rows: Math.max(1, lines.length), spellcheck: false });
  text.setAttribute("aria-label", `Settings of ${path}`);
  const save = make("button", "Save", { type: "button", onclick: () => savePage(path, text.value) });
  return make("tr", [make("td", path), make("td", text), make("td", save)]);
}

function savePage(path, text) {
  const pairs = text.split("\n").filter((line) => line.trim() !== "").map((line) => {
    const place = line.indexOf("=");
    return place < 0 ? [line.trim(), ""] : [line.slice(0, place).trim(), line.slice(place + 1).trim()];
  });
  return act(async () => showPages(await ask("PUT", "/pages", { [path]: Object.fromEntries(pairs) })));
}

// MARK: Exchanges

let isDrawing = false;

function drawSoon() {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    drawExchanges();
  });
}

function drawExchanges() {
  const wanted = at("filter").value.toLowerCase();
  const all = [...exchanges.values()].reverse();
  const shown = wanted === "" ? all : all.filter((one) => JSON.stringify(one).toLowerCase().includes(wanted));
  fill("exchanges", shown.flatMap(exchangeRows));
  at("count").textContent = `${shown.length} of the last ${all.length}`;
}

function exchangeRows(one) {
  const conditional = (one.conditions ?? []).map((c) => make("div", `${c.field}: ${c.outcome}`));
  const isCut = one.aborted || one.ending === "reset" || one.ending === "cut";
  const kind = isCut || one.status === null ? "cut" : `s${Math.floor(one.status / 100)}`;
  const cells = [
    make("td", `${one.number}`), make("td", one.at), make("td", `${one.method} ${one.target}`),
    make("td", [`${one.status ?? "none"}`, outcome(one)], { className: `status ${kind}` }),
    make("td", answeredBy(one)), make("td", conditional.length ? conditional : "–"),
    make("td", one.bytesSent === undefined ? "" : `${one.bytesSent}`),
  ];
  const row = make("tr", cells, { className: "exchange", tabIndex: 0 });
  row.onclick = () => toggle(one.number);
  row.onkeydown = (event) => { if (event.key === "Enter") toggle(one.number); };
  return opened.has(one.number) ? [row, headsRow(one)] : [row];
}

function answeredBy(one) {
  const path = one.target.split("?")[0];
  return one.route ?? (one.nearestRoutes ? "no match" : knownPages.has(path) ? `page ${path}` : "–");
}

// How a response went that was not sent whole, or into which faults were injected.
function outcome(one) {
  const ending = one.ending === "reset" || one.ending === "cut" ? [one.ending] : [];
  const words = [...(one.aborted ? ["aborted"] : []), ...ending, ...(one.faults ?? [])];
  return words.length ? make("small", words.join("; ")) : "";
}

function toggle(number) {
  if (!opened.delete(number)) opened.add(number);
  drawExchanges();
}

function headsRow(one) {
  const lines = (fields) => (fields ?? []).map(([name, value]) => `${name}: ${value}`);
  const request = [`${one.method} ${one.target} HTTP/1.1`, ...lines(one.fields)];
  if (one.contentBytes > 0) request.push("", `(${one.contentBytes} bytes of content)`);
  const content = one.json ?? one.form ?? one.parts;
  if (content !== undefined) request.push(JSON.stringify(content, null, 2));
  const interim = (one.interim ?? []).flatMap((head) => [`HTTP/1.1 ${head.status}`, ...lines(head.fields), ""]);
  const last = one.status === null ? ["no head was sent"] : [`HTTP/1.1 ${one.status}`, ...lines(one.answerFields)];
  const answer = [...interim, ...last];
  if (one.faults) answer.push("", ...one.faults.map((fault) => `fault: ${fault}`));
  const conditions = (one.conditions ?? []).map((c) => `${c.field}: ${c.value} → ${c.outcome}`);
  if (conditions.length) answer.push("", ...conditions);
  if (one.nearestRoutes) answer.push("", "No route matched. Near misses:", ...one.nearestRoutes);
  const heads = make("div", [make("pre", request.join("\n")), make("pre", answer.join("\n"))], { className: "heads" });
  return make("tr", make("td", heads, { colSpan: 7 }));
}

function noteExchange(one) {
  exchanges.set(one.number, one);
  while (exchanges.size > most) {
    const [oldest] = exchanges.keys();
    exchanges.delete(oldest);
    opened.delete(oldest);
  }
  drawSoon();
}

// MARK: Events

const views = {
  clock: ["/clock", showClock], faults: ["/faults", showFaults], network: ["/network", showNetwork],
  states: ["/states", showStates], routes: ["/routes", showRoutes], pages: ["/pages", showPages],
};

async function refresh(...names) {
  for (const name of names) {
    const [path, show] = views[name];
    show(await ask("GET", path));
  }
}

function happened(name, value) {
  if (name === "exchange") return noteExchange(value);
  if (name === "clock") return showClock(value);
  if (name === "reset" || name === "journal") forget();
  if (name === "reset") return quietly(() => refresh(...Object.keys(views)));
  if (name === "routes") return quietly(() => refresh("routes", "pages"));
  if (views[name]) quietly(() => refresh(name));
}

function forget() {
  exchanges.clear();
  opened.clear();
  drawSoon();
}

let countsAreOld = false;

// What requests change without an event of its own: how often routes were asked, what was drawn, states.
setInterval(() => {
  tick();
  if (!countsAreOld || document.hidden) return;
  countsAreOld = false;
  quietly(() => refresh("routes", "states", "faults"));
}, 1000);

function take(text) {
  let name = "";
  let data = "";
  for (const line of text.split("\n")) {
    if (line.startsWith("event: ")) name = line.slice(7);
    if (line.startsWith("data: ")) data = line.slice(6);
    if (line.startsWith("id: ")) lastEvent = Number(line.slice(4));
  }
  if (data === "") return;
  if (name === "exchange") countsAreOld = true;
  happened(name, JSON.parse(data));
}

let following = new AbortController();

async function follow(signal) {
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`/events?since=${lastEvent}`, { headers, signal });
  if (!answer.ok) throw new Refusal(answer.status, await answer.json());
  link(true);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (rest + value).split("\n\n");
    rest = events.pop();
    events.forEach(take);
  }
}

function link(isOn) {
  at("link").className = isOn ? "on" : "off";
  at("link").textContent = isOn ? "live" : "not connected";
}

async function stayConnected() {
  following.abort();
  following = new AbortController();
  const { signal } = following;
  while (!signal.aborted) {
    try {
      await refresh(...Object.keys(views));
      await follow(signal);
    } catch (error) {
      if (signal.aborted) return;
      link(false);
      if (error.status === 401 || error.status === 410) return showEntry();
    }
    link(false);
    await new Promise((resume) => setTimeout(resume, 1000));
  }
}

// MARK: Beginning

function showEntry() {
  following.abort();
  link(false);
  sessionStorage.removeItem("token");
  at("desk").hidden = true;
  at("entry").hidden = false;
  at("token").focus();
}

function open(text) {
  token = text;
  lastEvent = 0;
  shownPages = "";
  forget();
  sessionStorage.setItem("token", token);
  at("entry").hidden = true;
  at("desk").hidden = false;
  say("");
  editRoute(null);
  stayConnected();
}

function on(id, event, work) {
  at(id).addEventListener(event, (what) => {
    what.preventDefault();
    work();
  });
}

for (const button of document.querySelectorAll("[data-advance]")) {
  button.onclick = () => advance(button.dataset.advance);
}
on("entry", "submit", () => open(at("token").value));
on("advance", "submit", () => advance(at("by").value));
on("hold", "click", () => act(async () => showClock(await ask("PUT", "/clock", { running: !clock.running }))));
on("reset", "click", () => act(() => ask("POST", "/reset")));
on("faults", "submit", setFaults);
on("no-faults", "click", () => act(async () => {
  await ask("DELETE", "/faults");
  showFaults(await ask("GET", "/faults"), true);
}));
on("release", "click", () => act(async () => {
  const { released } = await ask("POST", "/release", {});
  at("release").textContent = `Release stalls (${released} released)`;
}));
on("network", "submit", () => act(async () => showNetwork(await ask("PUT", "/network", { network: at("profile").value }))));
on("no-network", "click", () => act(async () => {
  await ask("DELETE", "/network");
  await refresh("network");
}));
on("state", "submit", () => act(async () => {
  showStates(await ask("PUT", "/states", { [at("machine").value]: at("state-name").value }));
}));
on("route", "submit", saveRoute);
on("fresh", "click", () => editRoute(null));
on("filter", "input", drawSoon);
on("clear", "click", () => act(async () => {
  await ask("DELETE", "/journal");
  forget();
}));

// The token comes behind #, which no server sees, and does not stay in the address.
function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) history.replaceState(null, "", location.pathname);
  return given;
}

addEventListener("hashchange", () => {
  const given = takeToken();
  if (given) open(given);
});

const known = takeToken() ?? sessionStorage.getItem("token");
if (known) open(known);
else showEntry();
