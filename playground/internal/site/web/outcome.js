// The headline of an outcome, in words for a person.
import { h, plural } from "./dom.js";

const formats = {
  blocks: "SEARCH/REPLACE blocks",
  v4a: "V4A patch",
  unified: "unified diff",
  lsp: "edits of a language server",
  hashline: "hashlines",
  json: "JSON",
  xml: "calls as tags",
};

// formatName returns the name of the format of a plan.
export function formatName(format) {
  const [kind, field] = format.split(":");
  return field ? `JSON tool call (${field})` : (formats[kind] ?? format);
}

// Why a request is refused, by the code of the problem.
const reasons = {
  syntax: "the request cannot be read",
  not_found: "it fits nowhere in the file",
  ambiguous: "it fits in several places",
  count: "it fits in a different number of places",
  no_change: "it would change nothing",
  overlap: "two edits overlap",
  applied: "the change is already there",
  placeholder: "the new text has a placeholder for code",
  stale: "the file has changed since the request was written",
  binary: "the file is binary",
  encoding: "the file is in a different encoding",
  too_large: "it is too large",
  outside: "the path leads outside the directory",
  exist: "the file already exists",
  not_exist: "there is no such file",
  invalid: "it asks for something impossible",
  unsupported: "it asks for something that an edit cannot do",
};

// outcome returns the lines that tell the outcome. setLoosest accepts a looser fit.
export function outcome(answer, setLoosest) {
  switch (answer.outcome) {
    case "empty":
      return [h("p", { class: "headline" }, "Nothing to do yet"), h("p", { class: "details" }, "Paste what the model sent, or choose an example.")];
    case "done":
      return [h("p", { class: "headline" }, icon("✓"), "Carried out"), h("p", { class: "details" }, changes(answer))];
    case "failed":
      return [h("p", { class: "headline" }, icon("✕"), "The library has failed"), h("p", { class: "details" }, `${answer.error} · Reload the page to go on.`)];
    default:
      return refused(answer, setLoosest);
  }
}

function icon(sign) {
  return h("span", { class: "icon", "aria-hidden": true }, `${sign} `);
}

function changes({ report, edits, format }) {
  const sum = (field) => report.files.reduce((n, f) => n + f[field], 0);
  const warnings = report.files.reduce((n, f) => n + f.notes.length, 0);
  const count = edits.filter((e) => e.edit >= 0).length;
  const parts = [formatName(format), count > 0 && plural(count, "edit"), plural(report.files.length, "file"), `+${sum("added")} −${sum("removed")} lines`];
  if (warnings > 0) parts.push(plural(warnings, "note"));
  return parts.filter(Boolean).join(" · ");
}

function refused(answer, setLoosest) {
  const codes = [...new Set((answer.problems ?? []).map((p) => p.code))];
  const why = codes.length > 0 ? codes.map((c) => reasons[c] ?? c).join("; ") : "see the message";
  const others = answer.edits.filter((e) => e.state === "waiting").length;
  const details = [answer.format && formatName(answer.format), "nothing was changed"];
  if (answer.partial) details.push("the part that could be read is shown");
  if (others > 0) details.push(`${plural(others, "other edit")} would fit`);
  return [
    h("p", { class: "headline" }, icon("✕"), `Refused: ${why}`),
    h("p", { class: "details" }, details.filter(Boolean).join(" · ")),
    answer.looser &&
      h(
        "p",
        { class: "details" },
        "It would be carried out with a looser fit: ",
        h("button", { type: "button", class: "jump", onclick: () => setLoosest(answer.looser) }, `accept “${answer.looser}”`),
      ),
  ].filter(Boolean);
}
