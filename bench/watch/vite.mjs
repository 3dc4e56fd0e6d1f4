// Prints what chokidar and a vite development server see of commits: each event, with the length of the file at that
// moment, and each hot update. It exits with 1 unless each changed file has one event and one update, with the whole new
// text, and beside them at most one hidden name has any. .ci/nightly runs it.
//
//	go build -o apply ./examples/apply && npm install chokidar vite && node bench/watch/vite.mjs ./apply
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import chokidar from "chokidar";
import { createServer } from "vite";

const apply = path.resolve(process.argv[2]);
const root = fs.mkdtempSync(path.join(os.tmpdir(), "watched"));
const put = (name, text) => fs.writeFileSync(path.join(root, name), text);
put("index.html", '<script type="module" src="/main.js"></script>\n');
put("main.js", 'import { b } from "./b.js"; console.log(b, 1);\n');
put("b.js", "export const b = 1;\n");

const events = [];
const updates = [];
const shown = (file) => `${path.relative(root, file)} ${fs.existsSync(file) ? fs.statSync(file).size : "gone"}`;
const watcher = chokidar.watch(root, { ignoreInitial: true }).on("all", (event, file) => events.push(`${event} ${shown(file)}`));
await new Promise((ready) => watcher.on("ready", ready));
const log = { name: "log", handleHotUpdate: ({ file }) => void updates.push(shown(file)) };
const server = await createServer({ root, logLevel: "silent", server: { port: 0, ws: false }, plugins: [log] });
await server.listen();
for (const module of ["/main.js", "/b.js"]) await server.transformRequest(module);
const wait = () => new Promise((done) => setTimeout(done, 1500));
await wait();

const update = (file, old, now) => `*** Update File: ${file}\n-${old}\n+${now}\n`;
for (const [name, patch, seen, reloaded] of [
  ["one file", update("b.js", "export const b = 1;", "export const b = 22;"), "change b.js 21", "b.js 21"],
  ["two files", update("b.js", "export const b = 22;", "export const b = 333;") +
    update("main.js", 'import { b } from "./b.js"; console.log(b, 1);', 'import { b } from "./b.js"; console.log(b, 22);'),
    "change b.js 22; change main.js 48", "b.js 22; main.js 48"],
  ["a new file", "*** Add File: c.js\n+export {}\n", "add c.js 10", ""],
]) {
  events.length = updates.length = 0;
  execFileSync(apply, ["-C", root], { input: `*** Begin Patch\n${patch}*** End Patch\n`, stdio: ["pipe", "ignore", "inherit"] });
  await wait();
  const [all, hot] = [events.sort().join("; "), updates.sort().join("; ")];
  console.log(`${name} | chokidar: ${all} | vite: ${hot}`);
  const hidden = events.filter((event) => event.split(" ")[1].startsWith(".atomicedit"));
  const others = events.filter((event) => !hidden.includes(event)).join("; ");
  const names = new Set(hidden.map((event) => event.split(" ")[1]));
  if (others !== seen || hot !== reloaded || names.size > 1) process.exitCode = 1;
}
await server.close();
await watcher.close();
fs.rmSync(root, { recursive: true });
