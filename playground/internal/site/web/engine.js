// The library runs in a worker, so that long requests do not hold up typing.

export class Engine {
  #worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  #waiting = new Map(); // the calls that have no answer yet, by number
  #next = new Map(); // the newest call that has not been sent, by what it is for
  #busy = new Set(); // what there is a call in progress for
  #count = 0;

  constructor() {
    this.ready = new Promise((resolve, reject) => {
      this.#worker.addEventListener("error", () => reject(new Error("the library could not be loaded")));
      this.#worker.addEventListener("message", ({ data }) => {
        if (data.ready) resolve(data.ready);
        else if (data.failed) reject(new Error(data.failed));
        else this.#answer(data);
      });
    });
  }

  // ask calls a function of the library.
  ask(name, ...args) {
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, name, args });
    });
  }

  // newest calls a function of the library unless a newer call for the same purpose takes its place while it waits for its turn. It
  // hands the answer to use, unless there is a newer call by then.
  async newest(purpose, call, use) {
    this.#next.set(purpose, { call, use });
    if (this.#busy.has(purpose)) return;
    this.#busy.add(purpose);
    try {
      while (this.#next.has(purpose)) {
        const { call, use } = this.#next.get(purpose);
        this.#next.delete(purpose);
        const answer = await Promise.resolve().then(call).catch((error) => ({ outcome: "failed", error: String(error) }));
        if (!this.#next.has(purpose)) use(answer);
      }
    } finally {
      this.#busy.delete(purpose);
    }
  }

  #answer({ id, json, ms, error }) {
    const { resolve, reject } = this.#waiting.get(id);
    this.#waiting.delete(id);
    const answer = error ? { error } : JSON.parse(json);
    if (answer.error) reject(new Error(answer.error));
    else resolve({ ...answer, ms });
  }
}
