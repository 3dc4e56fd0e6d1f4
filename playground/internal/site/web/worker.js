// The worker loads the library, and answers calls of its functions. A worker has the Content-Security-Policy of its own response, which
// a static host may not send. So the worker takes fetch and the like away itself, once the library is loaded.
import "./wasm_exec.js";

const start = performance.now();
const go = new Go();
const loaded = WebAssembly.instantiateStreaming(fetch(new URL("atomicedit.wasm", import.meta.url)), go.importObject).then(({ instance }) => {
  for (const name of ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "WebTransport"]) delete self[name];
  go.run(instance); // sets self.atomicedit
});

self.addEventListener("message", async ({ data: { id, name, args } }) => {
  try {
    await loaded;
    const start = performance.now();
    const json = self.atomicedit[name](...args);
    self.postMessage({ id, json, ms: performance.now() - start });
  } catch (error) {
    self.postMessage({ id, error: String(error) });
  }
});

loaded.then(
  () => self.postMessage({ ready: performance.now() - start }),
  (error) => self.postMessage({ failed: String(error) }),
);
