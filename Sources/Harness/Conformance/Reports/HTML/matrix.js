const levels = ["must", "should", "optimal", "check"];
const openAreas = new Set();
let data;

const judged = new Set(["passed", "failed"]);

function score(area, place) {
  const cells = area.scenarios.filter((scenario) => isChosen(scenario)).map((scenario) => scenario.cells[place]);
  const all = cells.filter((cell) => cell && judged.has(cell.status)).length;
  return { all, passed: cells.filter((cell) => cell?.status === "passed").length };
}

const isChosen = (scenario) => chosen("level").includes(scenario.level);

// A scenario on which the subjects differ, or that some of them do not pass.
const isNotable = (scenario) => scenario.cells.some((cell) => cell && cell.status === "failed");

function areaRows(area) {
  const button = make("button", area.name, { type: "button", onclick: () => toggle(area.name) });
  button.setAttribute("aria-expanded", `${openAreas.has(area.name)}`);
  const cells = data.subjects.map((_, place) => {
    const { all, passed } = score(area, place);
    if (all === 0) return make("td", "–", { className: "zero" });
    const share = make("span", [], { className: "share" });
    share.style.setProperty("--part", `${(100 * passed) / all}%`);
    return make("td", [`${passed} of ${all}`, share]);
  });
  const rows = [make("tr", [make("th", button), ...cells])];
  if (!openAreas.has(area.name)) return rows;
  const shown = area.scenarios.filter((scenario) => isChosen(scenario) && (!at("notable").checked || isNotable(scenario)));
  return [...rows, ...shown.map(scenarioRow)];
}

function scenarioRow(scenario) {
  const head = make("th", [scenario.id.slice(scenario.area.length + 1), make("small", `${scenario.title} (${scenario.level})`)]);
  const cells = data.subjects.map((subject, place) => {
    const cell = scenario.cells[place];
    if (!cell) return make("td", "–", { className: "zero" });
    const link = make("a", cell.status.replaceAll("-", " "));
    const fragment = encodeURIComponent(`${scenario.id}/${cell.cache}`).replaceAll("%2F", "/");
    link.href = `${subject.file}#scenario=${fragment}`;
    return make("td", link, { className: cell.status });
  });
  return make("tr", [head, ...cells], { className: "scenario" });
}

function draw() {
  const areas = data.areas.filter((area) => area.scenarios.some(isChosen));
  at("areas").replaceChildren(...areas.flatMap(areaRows));
}

function toggle(name) {
  if (!openAreas.delete(name)) openAreas.add(name);
  keep();
  draw();
}

function keep() {
  const selected = chosen("level");
  keepState({
    level: selected.join() === "must,should" ? "" : selected.join(",") || "none",
    all: at("notable").checked ? "" : "1",
    area: [...openAreas].join(","),
  });
}

function restore() {
  const state = pageState();
  choose("level", state.get("level")?.split(",") ?? ["must", "should"]);
  at("notable").checked = !state.has("all");
  openAreas.clear();
  for (const name of state.get("area")?.split(",") ?? []) if (name !== "") openAreas.add(name);
  draw();
}

async function start() {
  data = await pageData();
  for (const area of data.areas) {
    area.scenarios = area.scenarios.map(([id, title, level, cells]) => ({
      id, title, level, area: area.name, cells: cells.map((cell) => cell && { cache: cell[0], status: cell[1] }),
    }));
  }
  const counts = (level) => data.areas.flatMap((area) => area.scenarios).filter((one) => one.level === level).length;
  at("choices").prepend(make("fieldset", levels.map((level) => choice("level", level, false, counts(level)))));
  restore();
  at("choices").addEventListener("input", () => { keep(); draw(); });
  at("choices").addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", restore);
}

start().catch((error) => { at("message").textContent = `The table cannot be shown: ${error.message}`; });
