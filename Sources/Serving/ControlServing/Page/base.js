"use strict";

// Shared by the pages: requests to the API, stored responses with bars of their freshness, links to sections, the colour scheme.
// Everything is put into the page as text, never as markup.
const at = (id) => document.getElementById(id);
const calm = matchMedia("(prefers-reduced-motion: reduce)");

function make(name, content = [], properties = {}) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...[content].flat());
  return element;
}

function say(text) {
  at("message").textContent = text;
  at("message").hidden = text === "";
}

// Where the operations are: empty, or the path of those of one of several proxies.
let base = "";

// Returns the response to a request; the page defines `token`.
const fetchOperation = (path, options = {}) =>
  fetch(base + path, { ...options, headers: { Authorization: `Bearer ${token}` } });

// Returns the value of a response, `null` without content, or throws its error; a text is sent as it is.
async function ask(method, path, body) {
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const answer = await fetchOperation(path, { method, body: text });
  const content = await answer.text();
  const value = content === "" ? null : JSON.parse(content);
  if (!answer.ok) throw refusal(answer.status, value);
  return value;
}

// Returns the error of a response.
function refusal(status, value) {
  const lines = (value?.problems ?? []).map((p) => `${p.place}: found ${p.found}, expected ${p.expected}`);
  return Object.assign(new Error([value?.error ?? `The server answered ${status}.`, ...lines].join("\n")), { status });
}

function span(seconds) {
  const units = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  let rest = Math.max(0, Math.floor(seconds));
  const parts = [];
  for (const [size, unit] of units) {
    if (rest >= size) parts.push(`${Math.floor(rest / size)} ${unit}`);
    rest %= size;
  }
  return parts.slice(0, 2).join(" ") || "0 s";
}

const sectionURL = (section) => {
  const found = /^RFC (\d+)(?: §([\d.]+))?/.exec(section);
  return found ? `https://www.rfc-editor.org/rfc/rfc${found[1]}` + (found[2] ? `#section-${found[2]}` : "") : null;
};

function chip(section, title = "") {
  const url = sectionURL(section);
  return url ? make("a", section, { className: "chip", href: url, title, target: "_blank", rel: "noreferrer" })
    : make("span", section, { className: "chip", title });
}

// Returns the row of a stored response, whose bar `drawBar` draws; `name` precedes what distinguishes it.
function entryRow(entry, name = []) {
  const variant = entry.selecting.map(([name, value]) => `${name}: ${value ?? "absent"}`).join(", ");
  const title = [entry.validator ?? "no validator", entry.partial ? "incomplete" : "", variant].filter(Boolean).join(" · ");
  const left = make("span", [], { className: "left" });
  const bar = make("div", ["fresh", "window", "past", "at"].map((name) => make("span", [], { className: name })), { className: "bar" });
  bar.setAttribute("role", "meter");
  bar.setAttribute("aria-label", `Freshness of the stored response ${title}`);
  bar.setAttribute("aria-valuemin", "0");
  const source = { none: "no lifetime", invalid: "invalid lifetime" }[entry.source] ?? `lifetime ${span(entry.lifetime)} from ${entry.source}`;
  const row = make("div", [
    ...[name].flat(), make("div", [make("span", title), left], { className: "what" }), bar,
    make("small", `${source}, ${entry.size} bytes`, { title: entry.fields.map((f) => f.join(": ")).join("\n") }),
  ], { className: "entry" });
  row.entry = entry;
  return row;
}

function drawBar(row, age, isInstant) {
  const { entry } = row;
  const bar = row.querySelector(".bar");
  bar.classList.toggle("ticking", isInstant);
  const extra = entry.mayBeStale && !entry.invalidated ? entry.staleWhileRevalidate ?? 0 : 0;
  const total = Math.max(entry.lifetime + extra, 1);
  const percent = (seconds) => `${Math.min(100, Math.max(0, 100 * seconds / total))}%`;
  const usable = entry.invalidated || entry.noCache ? 0 : entry.lifetime;
  const place = (name, left, width) => Object.assign(bar.querySelector(name).style, { left, width });
  place(".fresh", "0%", percent(usable));
  place(".window", percent(entry.lifetime), entry.noCache ? "0%" : percent(extra));
  place(".past", "0%", percent(age));
  bar.querySelector(".at").style.left = `calc(${percent(age)} - ${age >= total ? 3 : 0}px)`;
  const text = freshness(entry, age, extra);
  row.querySelector(".left").textContent = text;
  bar.setAttribute("aria-valuemax", `${total}`);
  bar.setAttribute("aria-valuenow", `${Math.min(total, Math.max(0, entry.lifetime - age))}`);
  bar.setAttribute("aria-valuetext", text);
}

function freshness(entry, age, extra) {
  if (entry.invalidated) return "invalidated";
  if (entry.noCache) return "never without validation";
  const left = entry.lifetime - age;
  if (left > 0) return `fresh for ${span(left)}`;
  if (extra > 0 && -left <= extra) return `stale, usable for ${span(left + extra)}`;
  return `stale for ${span(-left)}`;
}

function connectTheme() {
  const themes = ["", "light", "dark"];
  const use = (theme) => {
    document.documentElement.dataset.theme = theme;
    at("theme").textContent = { "": "◐", light: "☀", dark: "☾" }[theme];
    at("theme").setAttribute("aria-label", `Colours: ${theme || "as the system"}`);
  };
  use(themes.includes(localStorage.getItem("theme")) ? localStorage.getItem("theme") : "");
  at("theme").onclick = () => {
    const theme = themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % themes.length];
    localStorage.setItem("theme", theme);
    use(theme);
  };
}
