// The view of places: each edit of the request beside the file that it is for, with bands from its lines to those where they went.
import { h, svg, segments, lines, plural, sign } from "./dom.js";

const ignored = {
  exact: "nothing was ignored",
  spacing: "spacing was ignored",
  indentation: "indentation was ignored",
  notation: "typographic characters or line numbers were ignored",
  elision: "“...” stands for lines left out",
  drift: "a misspelled word was ignored",
};

const decided = {
  "only place": "the only place where it fits",
  "every place": "the request asks for every place",
  "line numbers": "the line numbers of the request",
  columns: "the columns of the request",
  "end of file": "it belongs at the end of the file",
  anchor: "the anchor above it",
  "closest fit": "the closest fit of several",
  section: "the section in the hunk header",
  line: "the line number, as a hint",
  repetition: "equal edits take one place each",
  order: "the order of the edits",
};

const states = { placed: "placed", refused: "refused", waiting: "would fit" };

// places draws an answer. goTo shows a range of lines in the editor of a file. If there are several problems, each edit has its own
// message.
export function places(answer, goTo) {
  return answer.files.map((file) => {
    const edits = answer.edits.filter((e) => clean(e.path) === clean(file.path) || clean(e.path) === clean(file.to ?? ""));
    return sheet(file, edits, { goTo, several: answer.problems?.length > 1 });
  });
}

const clean = (path) => path.replace(/^\.\//, "");

function sheet(file, edits, context) {
  const asks = h("div", { class: "asks" }, edits.map((e) => card(e, file, context)));
  const found = fileLines(file, edits);
  const links = svg("svg", { class: "links", "aria-hidden": "true" });
  const map = h("div", { class: "map" }, asks, found, links);
  const draw = () => bands(map, links, edits);
  new ResizeObserver(draw).observe(map);
  const facts = file.exists ? `${plural(file.total, "line")}, ${file.status ?? "unchanged"}` : "did not exist before";
  return h(
    "section",
    { class: "sheet" },
    h(
      "header",
      {},
      h("h3", {}, file.path || "(the request names no file)"),
      file.to && h("span", { class: "to" }, `→ ${file.to}`),
      h("span", { class: "quiet" }, facts),
    ),
    file.notes?.length > 0 && h("ul", { class: "notes" }, file.notes.map((n) => h("li", {}, n))),
    map,
  );
}

// card draws an edit as the request has it.
function card(edit, file, { goTo, several }) {
  const place = edit.places.find((p) => p.role === "place");
  const facts = [];
  if (place && edit.state !== "refused") {
    facts.push([edit.state === "placed" ? "went to" : "would go to", jump(file, place, goTo)]);
    if (edit.fit) facts.push(["fit", h("span", {}, h("b", {}, edit.fit), ` – ${ignored[edit.fit]}`)]);
    if (edit.by) facts.push(["decided by", decided[edit.by] ?? edit.by]);
  }
  return h(
    "article",
    { class: `edit ${edit.state}`, "data-edit": `${edit.op}.${edit.edit}` },
    h("header", {}, h("h4", {}, edit.name), h("span", { class: `state ${edit.state}` }, edit.edit < 0 && edit.state === "placed" ? "done" : states[edit.state])),
    edit.rows.length > 0 && h("ol", { class: "rows", "aria-label": `lines of ${edit.name}` }, edit.rows.map(row), edit.hidden > 0 && gap(edit.hidden)),
    facts.length > 0 && h("dl", { class: "facts" }, facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    edit.notes?.length > 0 && h("ul", { class: "notes" }, edit.notes.map((n) => h("li", {}, n))),
    edit.msg && several && h("p", { class: "why" }, h("b", {}, "Refused: "), edit.msg.split("\n")[0].replace(/:$/, "")),
    edit.state === "refused" && edit.places.length > 0 && h("p", { class: "candidates" }, edit.places.length > 1 ? "Candidates: " : "See ", list(edit.places.map((p) => jump(file, p, goTo)))),
  );
}

function jump(file, place, goTo) {
  return h("button", { type: "button", class: "jump", onclick: () => goTo(file.path, place.first, place.last) }, lines(place.first, place.last));
}

// list puts commas between elements.
function list(elements) {
  return elements.flatMap((e, i) => (i > 0 ? [", ", e] : [e]));
}

const signs = { " ": "stays", "-": "removed", "+": "added" };

function row({ kind, segs, line }) {
  return h(
    "li",
    { class: `row ${signs[kind]}`, "data-line": line ?? false },
    h("span", { class: "sign" }, sign(kind)),
    h("code", {}, segments(segs)),
  );
}

// fileLines draws the lines of a file, and below each candidate why it was not taken.
function fileLines(file, edits) {
  if (!file.exists) return h("p", { class: "absent" }, "This file does not exist before the request.");
  const whole = edits.flatMap((e) => e.places.map((p) => ({ ...p, state: e.state, name: e.name })));
  const items = [];
  let before = 0;
  for (const { n, segs, kind } of file.lines) {
    if (n > before + 1) items.push(gap(n - before - 1));
    before = n;
    const here = whole.filter((p) => p.first <= n && n <= p.last);
    const role = here.find((p) => p.role !== "place")?.role ?? (here.length > 0 ? "place" : "");
    items.push(
      h(
        "li",
        { class: `row ${role} ${kind === "-" ? "removed" : ""}`, "data-n": n },
        h("span", { class: "n" }, n),
        h("span", { class: "sign" }, sign(kind)),
        h("code", {}, segments(segs)),
      ),
    );
    for (const p of here) {
      if (p.role !== "place" && p.last === n) {
        items.push(h("li", { class: `verdict ${p.role}` }, h("b", {}, edits.length > 1 ? `✕ not taken by ${p.name}:` : "✕ not taken:"), ` ${p.why}`));
      }
    }
  }
  if (file.total > before) items.push(gap(file.total - before));
  return h("ol", { class: "file", "aria-label": `${file.path} before the request` }, items);
}

function gap(n) {
  return h("li", { class: "gap" }, `${plural(n, "line")} not shown`);
}

// bands draws a band from each run of lines of an edit to the lines of the file that they are beside.
function bands(map, links, edits) {
  links.replaceChildren();
  const box = map.getBoundingClientRect();
  links.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
  const at = (element) => {
    const r = element.getBoundingClientRect();
    return { top: r.top - box.top, bottom: r.bottom - box.top, left: r.left - box.left, right: r.right - box.left };
  };
  for (const edit of edits) {
    const card = map.querySelector(`[data-edit="${edit.op}.${edit.edit}"]`);
    for (const place of edit.places) {
      if (place.role === "passed") continue;
      for (const run of place.role === "place" ? runs(card, place) : [wholeRun(card, place)]) {
        const ends = [run.first, run.last].map((n) => nearestLine(map, n));
        if (!ends[0]) continue;
        const from = { ...at(run.top), bottom: at(run.bottom).bottom };
        const to = { ...at(ends[0]), bottom: at(ends[1]).bottom };
        if (place.last < place.first) to.bottom = to.top + 1; // an insertion
        const kind = edit.state === "refused" ? place.role : edit.fit === "exact" ? "exact" : "loose";
        links.append(svg("path", { class: `band ${kind}`, d: shape(at(card).right, from, to.left, to) }));
      }
    }
  }
}

function shape(x1, from, x2, to) {
  const middle = (x1 + x2) / 2;
  return (
    `M${x1},${from.top} C${middle},${from.top} ${middle},${to.top} ${x2},${to.top}` +
    `V${to.bottom} C${middle},${to.bottom} ${middle},${from.bottom} ${x1},${from.bottom} Z`
  );
}

// runs returns the runs of lines of a card that are beside consecutive lines of the file.
function runs(card, place) {
  const all = [];
  for (const row of card.querySelectorAll(".row[data-line]")) {
    const n = Number(row.dataset.line);
    if (n < place.first || n > place.last) continue;
    const run = all.at(-1);
    if (run && n === run.last + 1) Object.assign(run, { bottom: row, last: n });
    else all.push({ top: row, bottom: row, first: n, last: n });
  }
  return all.length > 0 ? all : [wholeRun(card, place)];
}

function wholeRun(card, place) {
  const rows = card.querySelectorAll(".row:not(.added)");
  const all = rows.length > 0 ? rows : [card.querySelector(".rows") ?? card];
  return { top: all[0], bottom: all[all.length - 1], first: place.first, last: Math.max(place.first, place.last) };
}

function nearestLine(map, n) {
  const exact = map.querySelector(`.file [data-n="${n}"]`);
  if (exact) return exact;
  const shown = [...map.querySelectorAll(".file [data-n]")];
  return shown.findLast((row) => Number(row.dataset.n) < n) ?? shown[0];
}
