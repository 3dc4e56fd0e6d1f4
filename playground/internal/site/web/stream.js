// The view that replays a request as a stream.
import { h, plural } from "./dom.js";
import { places } from "./places.js";

const states = {
  waiting: "nothing is known yet",
  open: "readable so far",
  hopeless: "refused, whatever follows",
  closed: "the request is complete",
};

export class Stream {
  #engine;
  #panel;
  #goTo;
  #input = null;
  #timer = 0;

  constructor(engine, panel, goTo) {
    this.#engine = engine;
    this.#panel = panel;
    this.#goTo = goTo;
  }

  // load shows the replay of an input, at the last point before its end where more becomes known.
  async load(input) {
    const same = this.#input && JSON.stringify(this.#input) === JSON.stringify(input);
    if (same && this.slider?.isConnected) return;
    this.#input = input;
    this.#stop();
    const { size, milestones } = await this.#engine.ask("replay", input.files, input.request, input.loosest);
    if (this.#input !== input) return;
    this.slider = h("input", { type: "range", id: "stream-position", min: 0, max: size, value: 0, step: 1, oninput: () => (this.#stop(), this.#seek()) });
    this.play = h("button", { type: "button", onclick: () => (this.#timer ? this.#stop() : this.#start()) }, "Play");
    this.status = h("p", { class: "stream-state", role: "status" });
    this.sent = h("pre", { class: "sent", tabindex: 0, role: "region", "aria-label": "What has arrived" });
    this.preview = h("div", { class: "preview" });
    const marks = h("div", { class: "milestones", "aria-label": "What is known from which byte on", role: "group" });
    for (const { at, label } of milestones.slice(0, 12)) {
      marks.append(h("button", { type: "button", onclick: () => (this.#stop(), this.goTo(at)) }, h("b", {}, `byte ${at}`), ` ${label}`));
    }
    this.#panel.replaceChildren(
      h("p", { class: "hint" }, "A host can show edits while the reply arrives. Drag the slider, or use the arrow keys, to see what is known after each byte."),
      h("div", { class: "player" }, this.play, h("label", { for: "stream-position", class: "unseen" }, "Bytes that have arrived"), this.slider),
      this.status,
      marks,
      this.sent,
      this.preview,
    );
    await this.goTo((milestones.at(-2) ?? milestones.at(-1)).at);
  }

  goTo(at) {
    this.slider.value = at;
    return this.#seek();
  }

  #seek() {
    const at = Number(this.slider.value);
    return this.#engine.newest("frame", () => this.#engine.ask("frame", at), (frame) => this.#show(frame));
  }

  #show(frame) {
    const { at, size, sent, state, ops, edits } = frame;
    const told = ops > 0 ? `${plural(edits, "edit")} of ${plural(ops, "operation")} complete` : "";
    this.status.textContent = [`byte ${at} of ${size}`, states[state], told].filter(Boolean).join(" · ");
    this.status.dataset.state = state;
    this.slider.setAttribute("aria-valuetext", this.status.textContent);
    this.sent.replaceChildren(sent.slice(-4000), h("span", { class: "caret", "aria-hidden": true }));
    this.sent.scrollTop = this.sent.scrollHeight;
    const drawn = places(frame.answer, this.#goTo);
    this.preview.replaceChildren(...(drawn.length > 0 ? drawn : [h("p", { class: "nothing" }, "Nothing to preview yet.")]));
    document.body.dataset.frame = at;
  }

  #start() {
    if (Number(this.slider.value) >= Number(this.slider.max)) this.slider.value = 0;
    this.play.textContent = "Pause";
    const step = Math.max(1, Math.round(Number(this.slider.max) / 400));
    const next = () => {
      const at = Math.min(Number(this.slider.max), Number(this.slider.value) + step);
      this.goTo(at);
      if (at >= Number(this.slider.max)) return this.#stop();
      this.#timer = requestAnimationFrame(next);
    };
    this.#timer = requestAnimationFrame(next);
  }

  #stop() {
    cancelAnimationFrame(this.#timer);
    this.#timer = 0;
    if (this.play) this.play.textContent = "Play";
  }
}
