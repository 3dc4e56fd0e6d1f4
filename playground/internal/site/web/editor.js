import { h } from "./dom.js";

// editor makes a text area with line numbers. Attributes are those of the text area.
export function editor(attributes, onInput) {
  const gutter = h("div", { class: "gutter", "aria-hidden": true });
  const area = h("textarea", { wrap: "off", spellcheck: "false", autocapitalize: "off", autocomplete: "off", ...attributes });
  let count = 0;
  const number = () => {
    let n = 1;
    for (let at = area.value.indexOf("\n"); at >= 0; at = area.value.indexOf("\n", at + 1)) n++;
    if (n !== count) gutter.textContent = Array.from({ length: n }, (_, i) => i + 1).join("\n") + "\n\n";
    count = n;
    gutter.scrollTop = area.scrollTop;
  };
  area.addEventListener("input", () => {
    number();
    onInput();
  });
  area.addEventListener("scroll", () => (gutter.scrollTop = area.scrollTop));
  number();
  return {
    element: h("div", { class: "editor" }, gutter, area),
    area,
    get text() {
      return area.value;
    },
    set text(value) {
      area.value = value;
      number();
    },
    // select shows the lines first to last, and selects them.
    select(first, last) {
      let start = 0;
      let end = 0;
      for (let n = 1, at = 0; n <= last; n++) {
        if (n === first) start = at;
        at = area.value.indexOf("\n", at) + 1 || area.value.length + 1;
        end = at - 1;
      }
      area.focus();
      area.setSelectionRange(start, Math.max(start, end));
      area.scrollTop = (first - 4) * parseFloat(getComputedStyle(area).lineHeight);
    },
  };
}
