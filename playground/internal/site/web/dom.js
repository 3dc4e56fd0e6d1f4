// h makes an element. Properties that begin with "on" are listeners, the others are attributes; true sets an empty one, and false or
// null leaves it out. Children are nodes, texts, or lists of them; false and null are left out.
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === false || value == null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) {
    if (child !== false && child != null) element.append(child);
  }
  return element;
}

const svgSpace = "http://www.w3.org/2000/svg";

// svg makes an element of a drawing.
export function svg(tag, attributes = {}) {
  const element = document.createElementNS(svgSpace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// plural returns a number with its noun.
export function plural(n, noun) {
  return `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}

// lines returns the name of a range of lines.
export function lines(first, last) {
  if (last < first) return `before line ${first}`;
  return last === first ? `line ${first}` : `lines ${first}–${last}`;
}

// sign returns the first column of a line of a diff, as it is drawn.
export function sign(kind) {
  return kind === "-" ? "−" : (kind ?? "");
}

// copyButton makes a button that copies the text that get returns.
export function copyButton(label, get) {
  const button = h("button", { type: "button", class: "copy" }, label);
  let timer;
  button.addEventListener("click", async () => {
    let done = "Copied";
    try {
      await navigator.clipboard.writeText(await get());
    } catch {
      done = "The browser did not allow copying";
    }
    button.textContent = done;
    announce(done);
    clearTimeout(timer);
    timer = setTimeout(() => (button.textContent = label), 1500);
  });
  return button;
}

// announce tells a screen reader what a sighted user sees.
export function announce(text) {
  document.getElementById("announcer").textContent = text;
}

// segments returns the pieces of a line. White space that differs is made visible.
export function segments(segs) {
  return segs.map(({ t, k }) => {
    if (!k) return t;
    if (k === "o") return h("span", { class: "outside" }, t);
    return h("mark", {}, /^\s+$/.test(t) ? t.replaceAll(" ", "·").replaceAll("\t", "⇥\t") : t);
  });
}
