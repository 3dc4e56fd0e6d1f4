// tabs makes the buttons in a tab list switch between the panels that they control. The arrow keys move between them.
export function tabs(list, onSelect) {
  const all = [...list.querySelectorAll("[role=tab]")];
  const select = (tab) => {
    for (const t of all) {
      t.setAttribute("aria-selected", t === tab);
      t.tabIndex = t === tab ? 0 : -1;
      document.getElementById(t.getAttribute("aria-controls")).hidden = t !== tab;
    }
    onSelect(tab.id);
  };
  for (const tab of all) tab.addEventListener("click", () => select(tab));
  list.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowLeft: -1, Home: -all.length, End: all.length };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const at = all.indexOf(document.activeElement);
    const next = Math.abs(step) === 1 ? (at + step + all.length) % all.length : step < 0 ? 0 : all.length - 1;
    all[next].focus();
    select(all[next]);
  });
}
