// The plan, the request in the other formats, and the request as a test.
import { h, plural, copyButton } from "./dom.js";
import { formatName } from "./outcome.js";

// plan draws the operations of a plan and what the printers make of it.
export function plan(answer, printed) {
  const rows = answer.ops.map((op) => h("tr", {}, h("td", {}, op.kind), h("td", {}, h("code", {}, op.to ? `${op.path} → ${op.to}` : op.path)), h("td", {}, op.edits ? plural(op.edits, "edit") : "")));
  return [
    h("h3", {}, "The plan"),
    h("p", { class: "hint" }, answer.format ? `Recognized as ${formatName(answer.format)}.` : "The format was not recognized."),
    rows.length > 0 &&
      h("table", { class: "plan" }, h("thead", {}, h("tr", {}, ["operation", "file", "edits"].map((t) => h("th", { scope: "col" }, t)))), h("tbody", {}, rows)),
    ...printed.map(({ name, text, err }) =>
      h(
        "section",
        { class: "printed" },
        h("header", {}, h("h3", {}, name), text && copyButton("Copy", () => text)),
        text ? code(text, name) : h("p", { class: "hint" }, `This format cannot express the request: ${err}`),
      ),
    ),
  ].filter(Boolean);
}

// goTest draws the request as a test.
export function goTest({ entry, test }) {
  return [
    h("p", { class: "hint" }, "An entry for a table of tests that pins this outcome:"),
    h("section", { class: "printed" }, h("header", {}, h("h3", {}, "Entry"), copyButton("Copy the entry", () => entry)), code(entry, "table entry")),
    h(
      "details",
      {},
      h("summary", {}, "The test that carries it out, if you have none yet"),
      h("section", { class: "printed" }, h("header", {}, h("h3", {}, "Test"), copyButton("Copy the test", () => test)), code(test, "test")),
    ),
  ];
}

function code(text, name) {
  return h("pre", { class: "scroll", tabindex: 0, role: "region", "aria-label": name }, text);
}
