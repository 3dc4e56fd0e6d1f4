// The view of a diff, unified or side by side.
import { h, segments, sign } from "./dom.js";

const names = { " ": "stays", "-": "removed", "+": "added" };
const number = (n) => h("td", { class: "n" }, n || "");

// diff draws the rows of a diff.
export function diff(rows, sideBySide) {
  if (rows.length === 0) return h("p", { class: "quiet" }, "There is no diff, because nothing changes.");
  const body = sideBySide ? besideOneAnother(rows) : rows.map(unified);
  const columns = sideBySide && h("colgroup", {}, ["n", "sign", "text", "n", "sign", "text"].map((c) => h("col", { class: c })));
  const table = h("table", { class: `diff ${sideBySide ? "split" : ""}` }, columns, h("tbody", {}, body));
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "diff" }, table);
}

function unified(row) {
  if (!names[row.kind]) return heading(row, 4);
  return h("tr", { class: names[row.kind] }, number(row.old), number(row.new), h("td", { class: "sign" }, sign(row.kind)), h("td", {}, h("code", {}, segments(row.segs))));
}

function heading({ kind, segs }, width) {
  return h("tr", { class: kind === "\\" ? "header" : kind === "file" ? "name" : kind }, h("td", { colspan: width }, segments(segs)));
}

// besideOneAnother puts each run of removed lines beside the added lines below it.
function besideOneAnother(rows) {
  const all = [];
  for (let i = 0; i < rows.length; ) {
    if (!names[rows[i].kind]) {
      all.push(heading(rows[i++], 6));
    } else if (rows[i].kind === " ") {
      all.push(pair(rows[i], rows[i++]));
    } else {
      const from = (kind) => {
        const start = i;
        while (rows[i]?.kind === kind) i++;
        return rows.slice(start, i);
      };
      const [removed, added] = [from("-"), from("+")];
      for (let k = 0; k < Math.max(removed.length, added.length); k++) all.push(pair(removed[k], added[k]));
    }
  }
  return all;
}

function pair(left, right) {
  const side = (row, n) =>
    row
      ? [number(n), h("td", { class: `sign ${names[row.kind]}` }, sign(row.kind)), h("td", { class: names[row.kind] }, h("code", {}, segments(row.segs)))]
      : [h("td", { class: "n" }), h("td", { class: "sign" }), h("td", { class: "none" })];
  return h("tr", {}, side(left, left?.old), side(right, right?.new));
}
