"use strict";

// Everything that comes from the lab is put into the page as text, never as markup.
const token = document.querySelector("meta[name=lab]").content;
const names = { ada: "Ada’s browser", ben: "Ben’s browser", gateway: "The gateway", origin: "The origin" };

let state = null;
let read = 0;
let lessons = [];
// The lesson, the number of steps done, and their outcomes.
let lesson = null;
// What was done since the beginning, for the link: settings of the origin and actions.
let session = { respond: "", actions: [] };
const past = [];
let isBusy = false;

// MARK: Actions

// One thing at a time: what happens while an exchange is shown would be out of order.
async function exclusively(work) {
  if (isBusy) return;
  isBusy = true;
  document.body.classList.add("busy");
  try {
    await work();
    say("");
  } catch (error) {
    say(error.message === "Failed to fetch" ? "The lab has ended. Start it again with: cachecheck lab" : error.message);
  } finally {
    isBusy = false;
    document.body.classList.remove("busy");
  }
}

async function act(action, animates = true) {
  const value = await ask("POST", "/actions", { action });
  session.actions.push(action);
  await showResults(value, animates);
  keepInAddress();
}

async function showResults(value, animates) {
  for (const [index, result] of value.results.entries()) {
    if (animates) await play(result, index < value.results.length - 1);
    showResult(result);
    past.push(result);
  }
  showState(value.state);
  showHistory();
}

// MARK: Words

const outcomes = {
  served: ["serves its copy", "ok"],
  "served-stale": ["serves its copy, although it is stale", "light"],
  validated: ["asks whether its copy may be used", "light"],
  completed: ["requests the bytes that it lacks", "light"],
  forwarded: ["forwards the request", ""],
  "gateway-timeout": ["responds with 504: the request forbids forwarding", "bad"],
  unavailable: ["fails", "bad"],
};
const effects = {
  stored: ["stores the response", "ok"],
  freshened: ["learns that its copy is current, and renews it", "ok"],
  invalidated: ["invalidates its copies of the article", "light"],
  removed: ["removes its copies", "light"],
  "not-stored": ["does not store the response", ""],
  "served-stale": ["serves its stale copy in place of the error", "light"],
  failed: ["has nothing that it may serve", "bad"],
};
const sources = {
  browser: "The content is from the browser’s own cache.",
  gateway: "The content is from the gateway’s cache.",
  origin: "The content is from the origin.",
  none: "There is no content, only an error.",
};

function sentence(action) {
  const [verb, ...rest] = action.split(" ");
  const who = { ada: "Ada", ben: "Ben" }[rest[0]];
  const fields = rest.slice(1).join(" ");
  switch (verb) {
    case "get": return `${who} requests the article` + (fields ? ` with ${fields}` : "");
    case "head": return `${who} requests the head of the article`;
    case "post": return `${who} edits the article`;
    case "clear": return `${who}’s cache is emptied`;
    case "advance": return `${rest[0].replace(/(\d)(\D)/, "$1 $2")} pass${/^1\D/.test(rest[0]) ? "es" : ""}`;
    case "pause": return "The clock stops";
    case "run": return "The clock runs";
    case "change": return "The content changes at the origin";
    case "down": return "The origin goes down";
    case "up": return "The origin is up again";
    case "purge": return "The gateway’s cache is purged";
    default: return `The origin now responds with ${rest.join(" ") || "no settings"}`;
  }
}

// MARK: The clock and the caches

const elapsed = () => (state?.running ? (performance.now() - read) / 1000 : 0);

function showState(value) {
  state = value;
  read = performance.now();
  for (const cache of state.caches) showEntries(cache);
  const origin = at("origin");
  origin.classList.toggle("down", !state.origin.up);
  at("origin-state").textContent = state.origin.up ? `version ${state.origin.version}` : "down";
  at("down").textContent = state.origin.up ? "Go down" : "Come up";
  at("pause").textContent = state.running ? "Pause" : "Run";
  at("now").classList.toggle("paused", !state.running);
  at("gateway-url").textContent = `curl -i ${state.url}`;
  showSettings(state.origin.respond);
  tick();
}

function showEntries(cache) {
  const rows = cache.entries.map((entry) => entryRow(entry));
  const box = document.querySelector(`#${cache.name} .entries`);
  const old = [...box.children];
  box.replaceChildren(...(rows.length ? rows : [make("p", "Nothing is stored.", { className: "nothing" })]));
  // A bar begins where the last one was, so that it moves.
  rows.forEach((row, index) => drawBar(row, old[index]?.entry ? old[index].entry.age : row.entry.age, true));
  if (rows.length) box.getBoundingClientRect();
  rows.forEach((row) => drawBar(row, row.entry.age, calm.matches));
}

function tick() {
  if (!state) return;
  const since = elapsed();
  const now = new Date(Math.floor(state.seconds + since) * 1000);
  at("now").textContent = now.toUTCString().replace("GMT", "").trim();
  at("now").dateTime = now.toISOString();
  if (!state.running || isBusy) return;
  // Ages are whole seconds; the part of a second that the state had already passed counts.
  const whole = Math.floor((state.seconds % 1) + since);
  for (const row of document.querySelectorAll(".entry")) drawBar(row, row.entry.age + whole, true);
}

// MARK: The settings of the origin

const presets = [
  ["a minute", "etag | Cache-Control: max-age=60"],
  ["a day, for everybody", "etag | Cache-Control: public, max-age=86400"],
  ["private", "etag | Cache-Control: private, max-age=600"],
  ["no-cache: validate each time", "etag | Cache-Control: no-cache"],
  ["no-store: keep nothing", "Cache-Control: no-store"],
  ["stale while revalidate", "etag | Cache-Control: max-age=60, stale-while-revalidate=120"],
  ["stale if error", "etag | Cache-Control: max-age=60, stale-if-error=3600"],
  ["must-revalidate", "etag | Cache-Control: max-age=60, must-revalidate"],
  ["a minute in browsers, a day in the CDN", "etag | Cache-Control: max-age=60 | CDN-Cache-Control: max-age=86400"],
  ["s-maxage", "etag | Cache-Control: max-age=60, s-maxage=3600"],
  ["per language", "etag | Cache-Control: max-age=600 | Vary: Accept-Language"],
  ["per user", "etag | Cache-Control: max-age=600 | Vary: Cookie"],
  ["ranges", "etag | ranges | Cache-Control: max-age=600"],
  ["Expires", "etag | Expires: now+1h"],
  ["nothing but Last-Modified", "last-modified 10d"],
  ["immutable", "Cache-Control: max-age=31536000, immutable"],
];

function showSettings(text) {
  const parts = text.split("|").map((part) => part.trim()).filter(Boolean);
  const own = (part) => part === "etag" || part === "ranges" || part.startsWith("last-modified ");
  if (document.activeElement?.closest("#respond") && isChanged()) return;
  at("etag").checked = parts.includes("etag");
  at("ranges").checked = parts.includes("ranges");
  at("modified").value = parts.find((part) => part.startsWith("last-modified "))?.split(" ")[1] ?? "";
  at("fields").value = parts.filter((part) => !own(part)).join("\n");
  at("preset").value = presets.some(([, known]) => known === text) ? text : "";
}

const settings = () => [
  at("etag").checked ? "etag" : "", at("modified").value.trim() ? `last-modified ${at("modified").value.trim()}` : "",
  at("ranges").checked ? "ranges" : "", ...at("fields").value.split("\n").map((line) => line.trim()),
].filter(Boolean).join(" | ");

const isChanged = () => settings() !== state.origin.respond;

// MARK: The exchange, as it happens

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function play(result, isFast) {
  clearVerdicts();
  if (calm.matches || isSelfTest) return;
  const time = isFast ? 250 : 520;
  if (result.events.length) at("stage").scrollIntoView({ block: "nearest", behavior: "smooth" });
  for (const event of result.events) {
    switch (event.type) {
      case "decision": case "settlement":
        showVerdict(event);
        await highlight(event.cache, time);
        break;
      case "request": await move(event.cache, event.method, "", true, time); break;
      case "response": await move(event.cache, `${event.status}`, tone(event.status), false, time); break;
      default: await move(event.cache, "no response", "bad", false, time);
    }
  }
}

const tone = (status) => (status === 304 ? "light" : status < 400 ? "ok" : "bad");

async function highlight(name, time) {
  at(name).classList.add("active");
  await wait(time);
  at(name).classList.remove("active");
}

async function move(from, text, tone, isThere, time) {
  const wire = at(`wire-${from}`);
  const dot = make("span", text, { className: `dot ${tone}` });
  wire.append(dot);
  const side = getComputedStyle(wire).height === "2px" ? "left" : "top";
  const path = [{ [side]: "0%" }, { [side]: "100%" }];
  await dot.animate(isThere ? path : path.reverse(), { duration: time * 1.2, easing: "ease-in-out" }).finished;
  dot.remove();
}

function words(event) {
  if (event.type === "decision") {
    const [text, tone] = outcomes[event.outcome];
    return [text + (event.background ? ", and validates it in the background" : ""), tone];
  }
  return effects[event.effect];
}

function clearVerdicts() {
  for (const box of document.querySelectorAll(".verdict")) box.hidden = true;
}

function showVerdict(event) {
  const box = document.querySelector(`#${event.cache} .verdict`);
  const [text, tone] = words(event);
  box.textContent = `${box.hidden ? "" : box.textContent + " "}${text[0].toUpperCase()}${text.slice(1)}.`;
  box.className = `verdict ${tone}`;
  box.hidden = false;
}

// MARK: What happened

function showResult(result) {
  clearVerdicts();
  for (const event of result.events) {
    if (event.type === "decision" || event.type === "settlement") showVerdict(event);
  }
  at("happened").hidden = false;
  const answer = result.answer;
  const status = answer ? (answer.error ? "The request failed. " : `Status ${answer.status}. `) : "";
  const text = `${sentence(result.action)}. ${status}${result.source ? sources[result.source] : ""}`;
  at("summary").textContent = text;
  at("live").textContent = text;
  at("command").hidden = !result.curl;
  if (result.curl) at("command").replaceChildren(...commandLine(result.curl));
  at("events").replaceChildren(...result.events.map(eventRow));
}

function commandLine(text) {
  const button = make("button", "Copy", { type: "button", onclick: () => copy(text, button) });
  return [button, text];
}

async function copy(text, button) {
  const label = button.textContent;
  await navigator.clipboard.writeText(text);
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = label), 1500);
}

function eventRow(event) {
  switch (event.type) {
    case "decision": case "settlement": return decisionRow(event);
    case "request": return messageRow(event, `→ ${event.method} ${event.path}`, [
      `${event.method} ${event.path} HTTP/1.1`, ...event.fields.map((field) => field.join(": ")),
    ], event.curl);
    case "response": return messageRow(event, `← ${event.status}, ${event.size} bytes`, [
      `HTTP/1.1 ${event.status}`, ...event.fields.map((field) => field.join(": ")),
      ...(event.content ? ["", event.content.length > 300 ? event.content.slice(0, 300) + "…" : event.content] : []),
    ]);
    default: return make("li", `${between(event.cache)}: no response. ${event.detail}`, { className: "bad" });
  }
}

const between = (cache) => (cache === "gateway" ? "Gateway – origin" : `${names[cache]} – gateway`);

function messageRow(event, title, lines, curl) {
  const body = [make("pre", lines.join("\n"), { className: "fields" })];
  if (curl) body.push(make("p", commandLine(curl), { className: "curl" }));
  const details = make("details", [make("summary", `${between(event.cache)}  ${title}`), ...body]);
  return make("li", details);
}

function decisionRow(event) {
  const [text, tone] = words(event);
  const row = make("li", make("p", [make("span", names[event.cache], { className: "who" }), ` ${text}.`]), { className: `${event.type} ${tone}` });
  if (event.because) row.append(make("p", reason(event.because), { className: "why" }));
  const rules = make("ul", event.findings.map((finding) => make("li", [
    finding.held ? "✓ " : "✗ ", `${finding.detail}: ${finding.requirement} `, chip(finding.section, finding.rule),
  ])), { className: "rules" });
  const more = [make("summary", "All rules that were evaluated"), rules];
  if (event.statements?.length) {
    more.push(make("p", "About its copy:", { className: "why" }));
    more.push(make("ul", event.statements.map((s) => make("li", [`${s.sentence} `, chip(s.section, s.rule)])), { className: "rules" }));
  }
  if (event.findings.length || event.statements?.length) row.append(make("details", more));
  return row;
}

const reason = (because) => [
  `${because.detail[0].toUpperCase()}${because.detail.slice(1)}. The rule: ${because.requirement} `,
  chip(because.section, because.rule),
];

function showHistory() {
  at("past").hidden = past.length < 2;
  const rows = past.map((result) => {
    const button = make("button", sentence(result.action), { type: "button", onclick: () => showResult(result) });
    return make("li", [button, result.source ? ` from ${result.source}` : ""]);
  });
  at("history").replaceChildren(...rows.reverse().slice(0, 100));
}

// MARK: Lessons

/** Moves the list, which scrolls sideways on a narrow screen, to the current lesson. */
function showCurrentLesson() {
  const list = at("lesson-list");
  const current = list.querySelector("[aria-current]");
  if (!current) return;
  const [outer, inner] = [list, current].map((each) => each.getBoundingClientRect());
  if (inner.left < outer.left || inner.right > outer.right) list.scrollLeft += inner.left - outer.left - 16;
}

function showLessons() {
  at("lesson-list").replaceChildren(...lessons.map((each, index) => {
    const button = make("button", `${index + 1} ${each.title}`, { type: "button", onclick: () => exclusively(() => begin(each)) });
    if (lesson?.content === each) button.setAttribute("aria-current", "true");
    return make("li", button);
  }));
  showCurrentLesson();
  at("lesson").hidden = lesson === null;
  at("welcome").hidden = lesson !== null;
  if (lesson === null) return;
  const { content, outcomes } = lesson;
  at("lesson-place").textContent = `Lesson ${lessons.indexOf(content) + 1} of ${lessons.length}`;
  at("lesson-title").textContent = content.title;
  at("lesson-summary").textContent = content.summary;
  at("lesson-sections").replaceChildren(...content.sections.map((section) => chip(section)));
  at("steps").replaceChildren(...content.steps.slice(0, outcomes.length + 1).map(stepRow));
  const isOver = outcomes.length === content.steps.length;
  const following = lessons[lessons.indexOf(content) + 1];
  at("next").hidden = isOver && !following;
  at("next").textContent = isOver ? `Next: ${following?.title}` : outcomes.length === 0 ? "Do it" : "Do this step";
}

function stepRow(step, index) {
  const checks = lesson.outcomes[index];
  const row = make("li", make("p", step.text));
  row.append(make("p", step.actions.map((action, place) => [place ? ", " : "", make("code", action)]).flat(), { className: "acts" }));
  if (!checks) return row;
  const failed = checks.filter((check) => !check.holds);
  row.append(make("p", step.shows, { className: `shows ${failed.length ? "off" : ""}` }));
  const title = failed.length
    ? "This is not what happened, probably because you did something else in between. Restart the lesson."
    : `Checked against ${checks.length} decision${checks.length > 1 ? "s" : ""}`;
  row.append(make("details", [make("summary", title), make("ul", checks.map((check) =>
    make("li", check.holds ? `✓ ${check.expected}` : `✗ expected ${check.expected}; found ${check.found}`)), { className: "checks" })],
    { open: failed.length > 0 }));
  return row;
}

async function begin(content) {
  clearSession();
  showState(await ask("POST", `/lessons/${content.name}`));
  lesson = { content, outcomes: [] };
  showLessons();
  keepInAddress();
}

async function nextStep(animates = true) {
  const { content, outcomes } = lesson;
  if (outcomes.length === content.steps.length) return begin(lessons[lessons.indexOf(content) + 1]);
  const value = await ask("POST", `/lessons/${content.name}/steps/${outcomes.length + 1}`);
  await showResults(value, animates);
  outcomes.push(value.checks);
  showLessons();
  keepInAddress();
  if (animates && !isSelfTest) [...document.querySelectorAll("#steps .shows")].at(-1)?.scrollIntoView({ block: "nearest", behavior: "smooth" });
}

function clearSession(respond = "") {
  session = { respond, actions: [] };
  past.length = 0;
  at("happened").hidden = true;
  clearVerdicts();
}

async function reset(respond = "") {
  lesson = null;
  clearSession(respond);
  showState(await ask("POST", "/reset", { respond }));
  showLessons();
  keepInAddress();
}

// MARK: The address

function keepInAddress() {
  const parameters = new URLSearchParams();
  if (lesson && session.actions.length === 0) {
    parameters.set("lesson", lesson.content.name);
    if (lesson.outcomes.length) parameters.set("step", `${lesson.outcomes.length}`);
  } else if (!lesson) {
    if (session.respond) parameters.set("respond", session.respond);
    for (const action of session.actions) parameters.append("do", action);
  } else {
    return;
  }
  history.replaceState(null, "", `#${parameters}`);
}

// Repeats what a link describes: a lesson up to a step, or actions on a stopped clock.
async function follow(text) {
  const parameters = new URLSearchParams(text);
  const content = lessons.find((each) => each.name === parameters.get("lesson"));
  if (content) {
    await begin(content);
    const steps = Math.min(Number(parameters.get("step") ?? 0) || 0, content.steps.length);
    while (lesson.outcomes.length < steps) await nextStep(false);
    return;
  }
  const actions = parameters.getAll("do");
  await reset(parameters.get("respond") ?? presets[0][1]);
  if (actions.length && actions[0] !== "pause") await act("pause", false);
  for (const action of actions) await act(action, false);
}

// MARK: The self-test: every step of every lesson, through the page

let isSelfTest = false;

async function selfTest() {
  isSelfTest = true;
  const failures = [];
  let count = 0;
  for (const content of lessons) {
    await begin(content);
    while (lesson.outcomes.length < content.steps.length) {
      await nextStep();
      const checks = lesson.outcomes.at(-1);
      count += checks.length;
      const shown = document.querySelectorAll("#steps .shows").length;
      if (shown !== lesson.outcomes.length) failures.push(`${content.name}: ${shown} steps are shown`);
      failures.push(...checks.filter((check) => !check.holds).map((check) => `${content.name} ${lesson.outcomes.length}: ${check.found}`));
    }
  }
  document.body.dataset.selftest = failures.length ? failures.join("\n") : `passed ${count}`;
}

// MARK: The controls

function connect() {
  at("preset").append(...presets.map(([title, value]) => make("option", title, { value })));
  at("preset").onchange = () => {
    const value = at("preset").value;
    if (value) exclusively(() => act(`respond ${value}`));
  };
  at("respond").onsubmit = (event) => {
    event.preventDefault();
    exclusively(async () => {
      await act(`respond ${settings()}`.trim());
      at("preset").blur();
    });
  };
  for (const button of document.querySelectorAll("[data-act]")) {
    button.onclick = () => exclusively(() => act(button.dataset.act));
  }
  for (const button of document.querySelectorAll("[data-request]")) {
    button.onclick = () => exclusively(() => act(withFields(button.dataset.request)));
  }
  at("pause").onclick = () => exclusively(() => act(state.running ? "pause" : "run"));
  at("down").onclick = () => exclusively(() => act(state.origin.up ? "down" : "up"));
  at("reset").onclick = () => exclusively(() => reset(presets[0][1]));
  at("share").onclick = () => exclusively(() => copy(location.href, at("share")));
  at("next").onclick = () => exclusively(nextStep);
  at("restart").onclick = () => exclusively(() => begin(lesson.content));
  at("leave").onclick = () => exclusively(() => reset(presets[0][1]));
  document.onkeydown = pressed;
  addEventListener("hashchange", () => exclusively(() => follow(location.hash.slice(1))));
  setInterval(tick, 250);
  connectTheme();
}

function withFields(request) {
  const fields = at("request-fields").value.trim();
  if (!fields) return request;
  return request + (request.split(" ").length > 2 ? " | " : " ") + fields;
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  const button = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!button || button.offsetParent === null) return;
  event.preventDefault();
  button.click();
}

exclusively(async () => {
  connect();
  lessons = (await ask("GET", "/lessons")).lessons;
  showState(await ask("GET", "/state"));
  showLessons();
  const text = location.hash.slice(1);
  if (text === "selftest") return selfTest();
  if (text) return follow(text);
  if (!state.origin.respond) await reset(presets[0][1]);
});
