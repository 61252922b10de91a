"use strict";
const at = (id) => document.getElementById(id);

// Everything that is not markup of the report itself is put into the page as text.
function make(name, content = [], properties = {}) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...[content].flat());
  return element;
}

// Returns the data of the page, which is compressed if it is long.
async function pageData() {
  const block = at("data");
  if (block.type === "application/json") return JSON.parse(block.textContent);
  const bytes = Uint8Array.from(atob(block.textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// The state of the page is in the fragment of its URL, so that a link leads to what is shown.
const pageState = () => new URLSearchParams(location.hash.slice(1));

function keepState(values) {
  const state = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
  // Slashes need no encoding in a fragment.
  history.replaceState(null, "", `#${state.toString().replaceAll("%2F", "/")}`);
}

function later(work) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, 120);
  };
}

function choice(name, value, isChosen, count) {
  const box = make("input", [], { type: "checkbox", name, value, checked: isChosen });
  return make("label", [box, ` ${value.replaceAll("-", " ")} `, make("small", `${count}`)]);
}

const chosen = (name) =>
  [...document.querySelectorAll(`input[name=${name}]`)].filter((box) => box.checked).map((box) => box.value);

function choose(name, values) {
  for (const box of document.querySelectorAll(`input[name=${name}]`)) box.checked = values.includes(box.value);
}
