"use strict";

// Everything that comes from outside is put into the page as text, never as markup. base.js makes the requests.
const most = 500;
let token = "";
// The paths of the operations, without `base`.
let paths = new Set();
let lastEvent = 0;
let editing = null;
const exchanges = new Map();
const opened = new Set();

// What a person does, whose success takes the last message away.
const act = (work) => quietly(async () => {
  await work();
  say("");
});

async function quietly(work) {
  try {
    await work();
  } catch (error) {
    if (error.status === 401) return showEntry(unknownToken);
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

// A mock origin has routes, a proxy rules.
const rulePath = () => (paths.has("/rules") ? "/rules" : "/routes");

function showRoutes(value) {
  fill("routes", (value.routes ?? value.rules).map(routeRow));
  const states = value.rules ? Object.entries(value.states) : [];
  at("states-now").hidden = states.length === 0;
  at("states-now").textContent = `States: ${states.map(([machine, state]) => `${machine}: ${state}`).join(", ")}`;
}

// Replaces the rows of a table; each cell knows its column, which narrow windows show beside it.
function fill(name, rows) {
  const heads = [...at(name).closest("table").querySelectorAll("th")].map((head) => head.firstChild?.data.split(",")[0]);
  for (const row of rows.filter((row) => row.cells.length === heads.length)) {
    heads.forEach((head, index) => { if (head) row.cells[index].dataset.label = head; });
  }
  place(at(name), rows);
}

// Shows these rows, and leaves those in place that are shown already, with what a person has selected in them.
function place(parent, rows) {
  rows.forEach((row, index) => {
    if (parent.children[index] !== row) parent.insertBefore(row, parent.children[index] ?? null);
  });
  while (parent.children.length > rows.length) parent.lastElementChild.remove();
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

const routePath = (label) => `${rulePath()}/${encodeURIComponent(label)}`;

function editRoute(route) {
  editing = route?.label ?? null;
  const [one, file] = rulePath() === "/rules" ? ["rule", "a file of rules"] : ["route", "a site file"];
  at("route-title").textContent = route ? `The ${one} ${route.label}` : `New ${one}, as in ${file}`;
  at("save").textContent = route ? "Save" : "Add";
  const answers = ["pass", "reset@body:20000", { status: 503 }, "pass"];
  const example = one === "rule" ? { path: "/example", answers }
    : { path: "/example", answer: { body: "hello", "cache-control": "max-age=60" } };
  const text = route ? route.route ?? route.rule ?? { path: route.path, answer: {} } : example;
  at("route-text").value = JSON.stringify(text, null, 2);
}

function saveRoute() {
  return act(async () => {
    const text = at("route-text").value;
    if (editing === null) await ask("POST", rulePath(), text);
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
  drawn.clear();
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

// The rows of exchanges as they were drawn, by their keys.
const drawn = new Map();

function exchangeRows(one) {
  const isOpen = opened.has(one.key);
  const old = drawn.get(one.key);
  if (old?.one === one && old.isOpen === isOpen) return old.rows;
  const rows = newExchangeRows(one);
  // What was chosen stays chosen when the exchange changes.
  const choice = (drawnRows) => drawnRows?.[1]?.querySelector(".next select");
  if (choice(rows) && choice(old?.rows)) choice(rows).value = choice(old.rows).value;
  drawn.set(one.key, { one, isOpen, rows });
  return rows;
}

function newExchangeRows(one) {
  const conditional = (one.conditions ?? []).map((c) => make("div", `${c.field}: ${c.outcome}`));
  const isCut = one.aborted || ["reset", "cut", "close", "upstream reset", "upstream ended"].includes(one.ending);
  const kind = isCut || one.status === null ? "cut" : `s${Math.floor(one.status / 100)}`;
  const cells = [
    make("td", one.number === 0 ? "–" : `${one.number}`), make("td", one.at), make("td", `${one.method} ${one.target}`),
    make("td", [`${one.status ?? "none"}`, outcome(one)], { className: `status ${kind}` }),
    make("td", answeredBy(one)),
  ];
  if (rulePath() === "/rules") cells.push(make("td", one.milliseconds === undefined ? "" : one.milliseconds.toFixed(1)));
  else cells.push(make("td", conditional.length ? conditional : "–"), make("td", `${one.bytesSent ?? ""}`));
  const row = make("tr", cells, { className: "exchange", tabIndex: 0 });
  row.setAttribute("aria-expanded", `${opened.has(one.key)}`);
  row.dataset.key = one.key;
  row.onclick = () => toggle(one.key);
  row.onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    toggle(one.key);
  };
  return opened.has(one.key) ? [row, headsRow(one)] : [row];
}

function answeredBy(one) {
  const path = one.target.split("?")[0];
  return one.route ?? (one.nearMisses ? "no match" : knownPages.has(path) ? `page ${path}` : "–");
}

// How a response went that was not sent whole, or into which faults were injected.
function outcome(one) {
  const ending = one.ending && one.ending !== "close" ? [one.ending] : [];
  const words = [...(one.aborted ? ["aborted"] : []), ...ending, ...(one.faults ?? [])];
  return words.length ? make("small", words.join("; "), { className: "faults" }) : "";
}

function toggle(key) {
  if (!opened.delete(key)) opened.add(key);
  drawExchanges();
  at("exchanges").querySelector(`tr.exchange[data-key="${key}"]`)?.focus();
}

// What can happen to the next request like one: a name, and the answer of a rule or a route.
const failures = {
  "/rules": [
    ["503", { status: 503 }], ["reset before the response", "reset@before-head"],
    ["reset in the content", "reset@body:50%"], ["delay of 5 seconds", "delay=5s@before-head"],
    ["held until a release", "stall@before-head"],
  ],
  "/routes": [
    ["503", { status: 503 }], ["reset before the response", { faults: "reset@before-head" }],
    ["close before the response", { faults: "close@before-head" }],
  ],
};

// The rules that let one request fail, by their labels, until it has come: the key of the exchange that it is like, and whether
// the server has the rule. The buttons are found anew each time, because a change of an exchange draws its row again.
const waiting = new Map();

function buttonText(key) {
  return [...waiting.values()].some((one) => one.isSet && one.key === key) ? "The next one fails" : "Fail next";
}

function labelButtons() {
  for (const row of at("exchanges").querySelectorAll("tr.exchange")) {
    const button = row.nextElementSibling?.querySelector(".next button");
    if (button) button.textContent = buttonText(row.dataset.key);
  }
}

// A form that lets one request fail: a machine of its own makes the rule match once.
function failForm(one) {
  const kinds = failures[rulePath()];
  const choice = make("select", kinds.map(([name], place) => make("option", name, { value: `${place}` })));
  const label = make("label", ["Fail the next one like this: ", choice]);
  const form = make("form", [label, make("button", buttonText(`${one.key}`))], { className: "next" });
  form.onsubmit = (event) => {
    event.preventDefault();
    const name = `next-${Date.now().toString(36)}`;
    const path = one.target.replace(/^[a-z]+:\/\/[^/]+/, "").split("?")[0] || "/";
    const answer = kinds[Number(choice.value)][1];
    const rule = { label: name, method: one.method, path, priority: 1000, when: { [name]: "start" }, then: { [name]: "used" }, answer };
    waiting.set(name, { key: `${one.key}`, isSet: false });
    act(async () => {
      await ask("POST", rulePath(), rule);
      await refresh("routes");
      // Among many requests it may have come meanwhile.
      if (waiting.has(name)) waiting.get(name).isSet = true;
      labelButtons();
    });
  };
  return form;
}

// A reset restarts rules, and those that were to fail one request would fail another.
async function removeSingleFailures() {
  const { rules } = await ask("GET", "/rules");
  for (const { label } of rules.filter((one) => one.priority === 1000 && /^next-[0-9a-z]{8,}$/.test(one.label))) {
    await ask("DELETE", routePath(label));
  }
}

function headsRow(one) {
  const lines = (fields) => (fields ?? []).map(([name, value]) => `${name}: ${value}`);
  const request = [`${one.method} ${one.target} HTTP/1.1`, ...lines(one.fields)];
  if (one.contentBytes > 0) request.push("", `(${one.contentBytes} bytes of content)`);
  const content = one.json ?? one.form ?? one.parts;
  if (content !== undefined) request.push(JSON.stringify(content, null, 2));
  const interim = (one.interim ?? []).flatMap((head) => [`HTTP/1.1 ${head.status}`, ...lines(head.fields), ""]);
  const original = one.upstreamStatus ? ` (the upstream has sent ${one.upstreamStatus})` : "";
  const last = one.status === null ? [`no head was sent${original}`] : [`HTTP/1.1 ${one.status}${original}`, ...lines(one.answerFields)];
  const answer = [...interim, ...last];
  if (one.faults) answer.push("", ...one.faults.map((fault) => `fault: ${fault}`));
  if (one.ending) answer.push("", `ended: ${one.ending}`);
  if (one.cause) answer.push("", one.cause);
  const conditions = (one.conditions ?? []).map((c) => `${c.field}: ${c.value} → ${c.outcome}`);
  if (conditions.length) answer.push("", ...conditions);
  if (one.nearMisses) answer.push("", "No route matched. Near misses:", ...one.nearMisses);
  const heads = make("div", [make("pre", request.join("\n")), make("pre", answer.join("\n"))], { className: "heads" });
  return make("tr", make("td", [...(one.method ? [failForm(one)] : []), heads], { colSpan: at("exchange-columns").cells.length }));
}

// Exchanges of a proxy in the form of those of a mock origin.
function normal(one) {
  if (one.id === undefined) return { ...one, key: one.number };
  return {
    ...one, key: one.id, at: new Date(one.time * 1000).toUTCString(), status: one.status ?? null, route: one.rule ?? "–",
    faults: one.injected.length ? one.injected : undefined,
    ending: one.ended === "complete" ? undefined : one.ended, target: one.target || one.name,
  };
}

function noteExchange(raw) {
  const one = normal(raw);
  exchanges.set(one.key, one);
  if (waiting.delete(one.route)) labelButtons();
  while (exchanges.size > most) {
    const [oldest] = exchanges.keys();
    exchanges.delete(oldest);
    opened.delete(oldest);
    drawn.delete(oldest);
  }
  drawSoon();
}

// MARK: Events

const views = {
  clock: ["/clock", showClock], faults: ["/faults", showFaults], network: ["/network", showNetwork],
  states: ["/states", showStates], routes: ["/routes", showRoutes], pages: ["/pages", showPages],
};

// Shows views anew, as far as the API has them.
async function refresh(...names) {
  for (const name of names) {
    const [own, show] = views[name];
    const path = name === "routes" ? rulePath() : own;
    if (paths.has(path)) await show(await ask("GET", path));
  }
}

function happened(name, value) {
  if (name === "exchange") return noteExchange(value);
  if (name === "clock") return showClock(value);
  if (name === "reset" || name === "journal") forget();
  if (name === "reset") return quietly(() => refresh(...Object.keys(views)));
  if (name === "routes" || name === "rules") return quietly(() => refresh("routes", "pages"));
  if (views[name]) quietly(() => refresh(name));
}

function forget() {
  exchanges.clear();
  opened.clear();
  drawn.clear();
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
  const answer = await fetchOperation(`/events?since=${lastEvent}`, { signal });
  if (!answer.ok) throw refusal(answer.status, await answer.json());
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
      if (signal.aborted) return;
      await follow(signal);
    } catch (error) {
      if (signal.aborted) return;
      link(false);
      if (error.status === 401) return showEntry(unknownToken);
      if (error.status === 410) return showEntry(error.message);
    }
    link(false);
    await new Promise((resume) => setTimeout(resume, 1000));
  }
}

// MARK: Beginning

const unknownToken = "The server does not know this token.";

function showEntry(text = "") {
  following.abort();
  link(false);
  sessionStorage.removeItem("token");
  at("panel").hidden = true;
  at("entry").hidden = false;
  say(text);
  at("token").focus();
}

// Reads what the API can do, and shows the sections for it; chooses the first of several proxies.
async function discover() {
  base = "";
  const { info, paths: all } = await ask("GET", "/openapi.json");
  document.title = info.title;
  const name = info.title.replace("CacheCheck ", "");
  at("title").textContent = name[0].toUpperCase() + name.slice(1);
  const prefix = "/proxies/{proxy}";
  const isGroup = all[`${prefix}/events`] !== undefined;
  paths = new Set(Object.keys(all).map((path) => path.replace(prefix, "")));
  at("proxy-choice").hidden = !isGroup;
  if (isGroup) {
    const { proxies } = await ask("GET", "/proxies");
    const known = at("proxy").value;
    at("proxy").replaceChildren(...proxies.map((one) => make("option", `${one.name} (${one.listen})`, { value: one.name })));
    if (proxies.some((one) => one.name === known)) at("proxy").value = known;
    base = `/proxies/${encodeURIComponent(at("proxy").value)}`;
  }
  for (const section of document.querySelectorAll("[data-needs]")) section.hidden = !paths.has(section.dataset.needs);
  const isProxy = rulePath() === "/rules";
  at("routes-title").textContent = isProxy ? "Rules" : "Routes";
  const columns = ["No.", "At", "Request", "Status", ...(isProxy ? ["Rule", "Milliseconds"] : ["Answered by", "Conditional", "Bytes"])];
  at("exchange-columns").replaceChildren(...columns.map((name) => make("th", name)));
}

function open(text) {
  token = text;
  restart();
}

async function restart() {
  lastEvent = 0;
  shownPages = "";
  forget();
  sessionStorage.setItem("token", token);
  at("entry").hidden = true;
  at("panel").hidden = false;
  say("");
  try {
    await discover();
  } catch (error) {
    return error.status === 401 ? showEntry(unknownToken) : say(error.message);
  }
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
on("reset", "click", () => act(async () => {
  if (rulePath() === "/rules") await removeSingleFailures();
  await ask("POST", "/reset");
}));
on("faults", "submit", setFaults);
on("no-faults", "click", () => act(async () => {
  await ask("DELETE", "/faults");
  showFaults(await ask("GET", "/faults"), true);
}));
on("release", "click", () => act(async () => {
  const { released } = await ask("POST", "/release", {});
  at("release").textContent = `Release held responses (${released} released)`;
}));
on("network", "submit", () => act(async () => {
  showNetwork(await ask("PUT", "/network", { network: at("profile").value }));
}));
on("no-network", "click", () => act(async () => {
  await ask("DELETE", "/network");
  await refresh("network");
}));
on("state", "submit", () => act(async () => {
  showStates(await ask("PUT", "/states", { [at("machine").value]: at("state-name").value }));
}));
on("route", "submit", saveRoute);
on("fresh", "click", () => editRoute(null));
on("proxy", "change", restart);
on("har", "click", () => act(async () => {
  const text = JSON.stringify(await ask("GET", "/journal/har"), null, 2);
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  make("a", [], { href: url, download: "journal.har" }).click();
  URL.revokeObjectURL(url);
}));
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
