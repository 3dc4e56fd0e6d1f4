// The page: what the reader enters, on the left, and what becomes of it, on the right.
import { h, plural, copyButton, announce } from "./dom.js";
import { diff } from "./diff.js";
import { editor } from "./editor.js";
import { Engine } from "./engine.js";
import { examples } from "./examples.js";
import { encode, decode } from "./link.js";
import { outcome } from "./outcome.js";
import { places } from "./places.js";
import { Stream } from "./stream.js";
import { tabs } from "./tabs.js";
import { plan, goTest } from "./more.js";

const $ = (id) => document.getElementById(id);
const engine = new Engine();

// ---- what the reader enters

const fits = [
  ["exact", "Ignores nothing except line-ending style."],
  ["spacing", "Ignores trailing whitespace, and blank lines that are doubled or missing."],
  ["indentation", "Also ignores how deep lines are indented, and tabs versus spaces."],
  ["notation", "Also ignores typographic quotes and dashes, and line numbers copied from a viewer."],
  ["elision", "Also accepts “...” in place of lines left out."],
  ["drift", "Also ignores a misspelled word in a line that the edit does not change."],
];

const request = editor({ id: "request", rows: 14, placeholder: "Paste it here, or choose an example above." }, changed);
$("request-editor").append(request.element);
let files = []; // of { path, editor, element }
let loosest = "drift";
let example = null; // the one that is entered, as long as it is unchanged

function fileEditor({ path, text, read }) {
  const name = h("input", { class: "path", value: path, "aria-label": "Path of the file", placeholder: "path/to/file", spellcheck: "false", autocomplete: "off", oninput: changed });
  const edit = editor({ rows: 10, "aria-label": "Text of the file", placeholder: "Paste the text of the file." }, changed);
  edit.text = text;
  const asRead = editor({ rows: 10, "aria-label": "Text of the file when the model read it" }, changed);
  asRead.text = read ?? text;
  const file = { name, edit };
  const remove = h("button", { type: "button", class: "quiet", "aria-label": "Remove this file" }, "Remove");
  remove.addEventListener("click", () => {
    files = files.filter((f) => f !== file);
    file.element.remove();
    $("add-file").focus();
    changed();
  });
  const older = h("div", { class: "as-read", hidden: read === undefined }, h("p", { class: "hint" }, "The file when the model read it:"), asRead.element);
  const toggle = h("button", { type: "button", class: "quiet", "aria-pressed": String(read !== undefined) }, "Changed since it was read");
  toggle.addEventListener("click", () => {
    older.hidden = !older.hidden;
    toggle.setAttribute("aria-pressed", String(!older.hidden));
    if (!older.hidden) asRead.text = edit.text;
    changed();
  });
  file.read = () => (older.hidden ? undefined : asRead.text);
  file.element = h("div", { class: "input-file" }, h("div", { class: "file-head" }, name, toggle, remove), edit.element, older);
  return file;
}

function addFile(file) {
  files.push(fileEditor(file));
  $("files").append(files.at(-1).element);
}

const input = () => ({ files: files.map((f) => ({ path: f.name.value.trim(), text: f.edit.text, read: f.read() })), request: request.text, loosest });
const args = (i) => [i.files, i.request, i.loosest];

function enter(i) {
  request.text = i.request;
  files = [];
  $("files").replaceChildren();
  i.files.forEach(addFile);
  loosest = fits.some(([name]) => name === i.loosest) ? i.loosest : "drift";
  $("fits").querySelector(`[value=${loosest}]`).checked = true;
  changed();
}

function setLoosest(name) {
  loosest = name;
  $("fits").querySelector(`[value=${name}]`).checked = true;
  changed();
}

$("fits").append(
  ...fits.map(([name]) => h("label", {}, h("input", { type: "radio", name: "fit", value: name, onchange: () => setLoosest(name) }), h("span", {}, name))),
);

$("add-file").addEventListener("click", () => {
  addFile({ path: "", text: "" });
  files.at(-1).name.focus();
  changed();
});
$("open-files").addEventListener("click", () => $("chosen-files").click());
$("chosen-files").addEventListener("change", async ({ target }) => {
  if (files.length === 1 && files[0].edit.text === "") {
    files.pop().element.remove();
  }
  for (const f of target.files) addFile({ path: f.name, text: await f.text() });
  target.value = "";
  changed();
});

function choose(e) {
  example = null;
  enter({ ...e, loosest: "drift" });
  example = e;
  markExample();
  history.replaceState(null, "", `#example=${e.name}`);
}

function markExample() {
  for (const button of document.querySelectorAll(".examples button")) {
    const chosen = button.dataset.example === example?.name;
    button.setAttribute("aria-pressed", chosen);
    if (chosen) button.scrollIntoView({ block: "nearest", inline: "nearest" }); // on a narrow screen, the examples scroll
  }
}

for (const e of examples) {
  const button = h("button", { type: "button", "data-example": e.name, "data-outcome": e.outcome, "aria-pressed": "false", onclick: () => choose(e) }, e.title);
  $(`examples-${e.files.some((f) => f.read) ? "changed" : e.outcome}`).append(button);
}

// ---- what becomes of it

let answer = null;
let shown = "tab-places";
let sideBySide = false;
const stream = new Stream(engine, $("view-stream"), goTo);

// changed asks for the answer to what is entered now. Only the newest input matters.
function changed() {
  if (example) {
    example = null;
    markExample();
  }
  document.body.dataset.idle = "false";
  const now = input();
  $("file-count").textContent = plural(files.length, "file");
  $("fit-hint").textContent = fits.find(([name]) => name === loosest)[1];
  engine.newest(
    "answer",
    () => (now.request.trim() === "" ? { outcome: "empty" } : engine.ask("try", ...args(now))),
    (a) => show(a, now),
  );
}

function show(a, now) {
  answer = { ...a, input: now };
  $("outcome").replaceChildren(...outcome(a, setLoosest));
  document.querySelector(".glance").textContent = `${document.querySelector("#outcome .headline").textContent} ↓`;
  $("banner").className = `banner ${a.outcome}`;
  $("message").hidden = a.outcome !== "refused";
  $("message").querySelector("pre").textContent = a.message ?? "";
  $("timing").dataset.ms = a.ms ?? 0;
  $("timing").textContent = a.ms === undefined ? "" : `answered in ${a.ms < 10 ? a.ms.toFixed(1) : Math.round(a.ms)} ms`;
  showView();
  keepInAddress(now);
}

// showView draws the view that is shown. The others are drawn when they are needed.
function showView() {
  if (!answer) return;
  document.body.dataset.idle = "false";
  const empty = isEmpty(answer);
  const views = {
    "tab-places": () => $("view-places").replaceChildren(...(empty ? [nothing()] : places(answer, goTo))),
    "tab-diff": () => $("view-diff").replaceChildren(...(empty ? [nothing()] : diffView())),
    "tab-stream": () => (empty ? $("view-stream").replaceChildren(nothing()) : stream.load(answer.input)),
    "tab-plan": () => fill("print", $("view-plan"), (printed) => plan(answer, printed.formats)),
    "tab-test": () => fill("gotest", $("view-test"), goTest),
  };
  Promise.resolve(views[shown]()).then(() => (document.body.dataset.idle = "true"));
}

// isEmpty reports whether an answer has nothing to draw.
const isEmpty = (a) => a.outcome === "empty" || a.outcome === "failed";

function fill(name, panel, draw) {
  if (isEmpty(answer)) return panel.replaceChildren(nothing());
  const now = answer.input;
  return engine.newest(name, () => engine.ask(name, ...args(now)), (a) => panel.replaceChildren(...(isEmpty(a) ? [nothing()] : draw(a))));
}

function nothing() {
  return h("p", { class: "nothing" }, "Paste what the model sent and the files that it edits, or choose an example.");
}

function diffView() {
  if (answer.outcome !== "done") return [h("p", { class: "nothing" }, "There is no diff: the request is refused, so nothing changes.")];
  const choice = (label, value) =>
    h("button", { type: "button", "aria-pressed": String(sideBySide === value), onclick: () => ((sideBySide = value), showView()) }, label);
  return [
    h("div", { class: "actions" }, choice("Unified", false), choice("Side by side", true), copyButton("Copy the diff", () => answer.report.diff)),
    diff(answer.diff, sideBySide),
  ];
}

// goTo shows lines of a file in its editor.
function goTo(path, first, last) {
  files.find((f) => f.name.value.trim().replace(/^\.\//, "") === path)?.edit.select(first, Math.max(first, last));
}

// ---- sharing

const longestAddress = 30_000; // of what is kept in the address without being asked
let keeping;

function keepInAddress(now) {
  clearTimeout(keeping);
  if (example || now.request.length + now.files.reduce((n, f) => n + f.text.length, 0) > 4 * longestAddress) return;
  keeping = setTimeout(async () => {
    const fragment = await encode(now);
    if (!example && fragment.length < longestAddress) history.replaceState(null, "", fragment);
  }, 300);
}

$("share").append(
  copyButton("Copy link", async () => {
    if (!example) history.replaceState(null, "", await encode(input()));
    return location.href;
  }),
  copyButton("Copy as Go test", async () => (await engine.ask("gotest", ...args(input()))).entry),
);

// ---- beginning

tabs($("views"), (id) => {
  shown = id;
  showView();
});

async function open() {
  const named = examples.find((e) => location.hash === `#example=${e.name}`);
  const linked = named ? null : await decode(location.hash);
  if (linked) enter(linked);
  else choose(named ?? examples[0]);
  if (location.hash.startsWith("#v1.") && !linked) announce("The link is damaged. An example is shown instead.");
}

// The fragment has the input, so a link within the page must not take its place.
for (const a of document.querySelectorAll('a[href="#result"]')) {
  a.addEventListener("click", (event) => {
    event.preventDefault();
    $("result").focus({ preventScroll: true });
    $("result").scrollIntoView();
  });
}

addEventListener("hashchange", open);
open();
engine.ready.then(
  (ms) => (document.body.dataset.ready = Math.round(ms)),
  (error) => {
    $("outcome").replaceChildren(h("p", { class: "headline" }, "The library could not be loaded."), h("p", { class: "details" }, String(error)));
  },
);
