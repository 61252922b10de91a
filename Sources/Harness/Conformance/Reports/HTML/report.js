const kinds = ["status", "level", "cache"];
// The order in which values are offered: what needs attention comes first.
const order = [
  "failed", "broken", "unexpected-pass", "noted", "expected-failure", "passed", "skipped",
  "must", "should", "optimal", "check", "private", "shared",
];
const usual = {};
let scenarios = [];
let opened = "";

function row(scenario) {
  const parts = [
    make("span", scenario.mark, { className: "mark" }), make("span", scenario.title, { className: "title" }),
    make("span", scenario.level, { className: "chip" }), make("span", scenario.cache, { className: "chip" }),
  ];
  const details = make("details", make("summary", parts), {
    id: scenario.anchor, className: `scenario ${scenario.status}`,
  });
  // Most are never opened, so their contents are made when they are.
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) fill(details, scenario);
    if (details.open) opened = scenario.anchor;
    else if (opened === scenario.anchor) opened = "";
    keep();
  });
  return details;
}

function fill(details, scenario) {
  const template = document.createElement("template");
  // Markup that the program wrote, with everything from outside escaped.
  template.innerHTML = scenario.details;
  details.append(template.content);
}

function draw(areas) {
  for (const area of areas) {
    const own = scenarios.filter((scenario) => scenario.area === area);
    const passed = own.filter((scenario) => scenario.status === "passed").length;
    const title = make("h2", [area, " ", make("small", `${passed} of ${own.length}`)]);
    for (const scenario of own) scenario.row = row(scenario);
    at("scenarios").append(make("section", [title, ...own.map((scenario) => scenario.row)], { className: "area" }));
  }
}

function offerChoices() {
  for (const kind of kinds) {
    const counts = new Map();
    for (const scenario of scenarios) counts.set(scenario[kind], (counts.get(scenario[kind]) ?? 0) + 1);
    const all = [...counts.keys()].sort((one, other) => order.indexOf(one) - order.indexOf(other));
    const notable = all.filter((value) => value !== "passed" && value !== "skipped");
    usual[kind] = kind === "status" && notable.length ? notable : all;
    if (all.length < 2 && kind !== "status") continue;
    const boxes = all.map((value) => choice(kind, value, true, counts.get(value)));
    at("choices").append(make("fieldset", boxes));
  }
}

const same = (left, right) => left.length === right.length && left.every((value) => right.includes(value));

function keep() {
  const state = { find: at("find").value.trim(), area: at("area").value, scenario: opened };
  for (const kind of kinds) {
    const values = document.querySelector(`input[name=${kind}]`) ? chosen(kind) : usual[kind];
    state[kind] = same(values, usual[kind]) ? "" : values.join(",") || "none";
  }
  keepState(state);
}

function restore() {
  const state = pageState();
  at("find").value = state.get("find") ?? "";
  at("area").value = state.get("area") ?? "";
  for (const kind of kinds) {
    const wanted = state.get(kind);
    const all = scenarios.map((scenario) => scenario[kind]);
    choose(kind, wanted === "all" ? all : wanted?.split(",") ?? usual[kind]);
  }
  show();
  reveal(state.get("scenario") ?? "");
}

// Shows a scenario that a link names, whatever is chosen.
function reveal(anchor) {
  const scenario = scenarios.find((scenario) => scenario.anchor === anchor);
  if (!scenario) return;
  scenario.row.hidden = false;
  scenario.row.parentElement.hidden = false;
  scenario.row.open = true;
  scenario.row.scrollIntoView();
}

function show() {
  const words = at("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = kinds.map((kind) => [kind, document.querySelector(`input[name=${kind}]`) ? chosen(kind) : usual[kind]]);
  let count = 0;
  for (const scenario of scenarios) {
    const fits = words.every((word) => scenario.text.includes(word))
      && wanted.every(([kind, values]) => values.includes(scenario[kind]))
      && (at("area").value === "" || scenario.area === at("area").value);
    scenario.row.hidden = !fits;
    if (fits) count += 1;
  }
  for (const section of document.querySelectorAll(".area")) {
    section.hidden = !section.querySelector(".scenario:not([hidden])");
  }
  at("count").textContent = `${count} of ${scenarios.length} scenarios are shown.`;
}

async function start() {
  const data = await pageData();
  scenarios = data.scenarios.map(([id, title, status, mark, level, cache, area, rules, details]) => ({
    anchor: `${id}/${cache}`, title, status, mark, level, cache, area: data.areas[area], details,
    text: [id, title, ...rules].join(" ").toLowerCase(),
  }));
  at("area").append(make("option", "every area", { value: "" }), ...data.areas.map((area) => make("option", area)));
  draw(data.areas);
  offerChoices();
  restore();
  const change = later(() => { show(); keep(); });
  at("choices").addEventListener("input", change);
  at("choices").addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", restore);
}

start().catch((error) => { at("count").textContent = `The scenarios cannot be shown: ${error.message}`; });
