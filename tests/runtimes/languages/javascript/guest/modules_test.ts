/** `require` and `import`: built-in modules, absent modules, the guest's files. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { NO_PACKAGES } from "../../../../../runtimes/languages/javascript/guest/modules/absent.ts";
import { errorOf, runGuest, valueOf } from "./support.ts";

Deno.test("modules: an absent module's error says that it is absent, and why", async () => {
  const reasons = [
    ["http", /^Cannot find module 'http': the network is not available here$/],
    ["node:net", /^Cannot find module 'node:net': the network is not available here$/],
    ["child_process", /: processes and threads are not available here$/],
    ["worker_threads", /: processes and threads are not available here$/],
    ["vm", /: this module of Node is not available here$/],
  ] as const;
  for (const [name, pattern] of reasons) {
    const { message } = await errorOf(`require("${name}")`);
    assertMatch(message, pattern);
    assertEquals(
      await valueOf(`(() => { try { require("${name}") } catch (error) { return error.code } })()`),
      "'MODULE_NOT_FOUND'",
    );
    assertMatch((await errorOf(`await import("${name}")`)).message, pattern);
    assertMatch((await errorOf(`import x from "${name}"; x`)).message, pattern);
  }
});

Deno.test("modules: missing files and packages are errors with Node's codes", async () => {
  const required = await errorOf(`require("nope")`);
  assertMatch(
    required.message,
    /^Cannot find module 'nope'\nRequire stack:\n- \/workspace\/main\.js\nPackages cannot be installed and addresses not fetched here\. /,
  );
  const { stdout } = await runGuest(`
const tell = (error) => console.log(error.code, error.message.split("\\n")[0]);
for (const name of ["nope", "./nope"]) {
  try { require(name) } catch (error) { tell(error) }
  try { await import(name) } catch (error) { tell(error) }
}`);
  assertEquals(stdout.split("\n"), [
    "MODULE_NOT_FOUND Cannot find module 'nope'",
    "ERR_MODULE_NOT_FOUND Cannot find package 'nope' imported from /workspace/main.js",
    "MODULE_NOT_FOUND Cannot find module './nope'",
    "ERR_MODULE_NOT_FOUND Cannot find module '/workspace/nope' imported from /workspace/main.js",
    "",
  ]);
});

Deno.test("modules: import returns the same built-in modules as require, as a sealed namespace", async () => {
  assertEquals(
    await valueOf(`
import fs, { readFileSync as read } from "node:fs";
import * as path from "path";
const dynamic = await import("fs");
[fs === require("fs"), read === fs.readFileSync, path.default === require("path"),
  path.sep, dynamic.default === fs, Object.isExtensible(path), path[Symbol.toStringTag],
  Object.getPrototypeOf(path), dynamic === await import("node:fs")]`),
    '[true,true,true,"/",true,false,"Module",null,true]',
  );
});

Deno.test("modules: files of the guest are CommonJS or JSON, and run once", async () => {
  const { stdout } = await runGuest(`
const fs = require("fs");
fs.mkdirSync("lib");
fs.writeFileSync("lib/index.js", "console.log('runs'); exports.sum = (a, b) => a + b;" +
  "exports.own = [__filename, __dirname, require.main === module, module.id];" +
  "exports.data = require('./data.json');");
fs.writeFileSync("lib/data.json", '{"list":[1]}');
fs.writeFileSync("bad.json", "{");
const lib = require("./lib");
console.log(lib.sum(1, 2), lib.own.join(), lib.data, require("./lib/index.js") === lib);
console.log((await import("./lib/index.js")).sum(2, 2), require.resolve("./lib"));
try { require("./bad.json") } catch (error) { console.log(error.name, error.message.slice(0, 20)) }`);
  assertEquals(
    stdout,
    "runs\n3 /workspace/lib/index.js,/workspace/lib,false,/workspace/lib/index.js " +
      "{ list: [ 1 ] } true\n4 /workspace/lib/index.js\nSyntaxError /workspace/bad.json:\n",
  );
});

Deno.test("modules: the script's own scope is Node's", async () => {
  assertEquals(
    await valueOf(`[require.main === module, exports === module.exports, __filename, __dirname,
  require("module").builtinModules.includes("fs"), require("module").isBuiltin("node:path")]`),
    '[true,true,"/workspace/main.js","/workspace",true,true]',
  );
});

Deno.test("modules: path and url follow the working directory", async () => {
  assertEquals(
    await valueOf(`
const path = require("path");
require("fs").mkdirSync("sub");
process.chdir("sub");
const moved = [process.cwd(), path.resolve("x"), path.relative("/workspace", "y")];
let refused;
try { process.chdir("nope") } catch (error) { refused = error.message }
[...moved, refused]`),
    '["/workspace/sub","/workspace/sub/x","sub/y",' +
      `"ENOENT: no such file or directory, chdir '/workspace/sub' -> 'nope'"]`,
  );
});

Deno.test("modules: streams work over the event loop", async () => {
  const { stdout } = await runGuest(`
const { Readable, Transform, pipeline } = require("stream");
const upper = new Transform({ transform(chunk, _, done) { done(null, String(chunk).toUpperCase()) } });
pipeline(Readable.from(["a", "b"]), upper, (error) => console.log("done", error));
upper.on("data", (data) => console.log(String(data)));
for await (const item of Readable.from([1, 2])) console.log(item);
Readable.from(["piped\\n"]).pipe(process.stdout);`);
  assertEquals(stdout.split("\n").sort().join(" ").trim(), "1 2 A B done undefined piped");
});

Deno.test("modules: fetch fails as without a network", async () => {
  const error = await errorOf("await fetch('http://127.0.0.1/')");
  assertEquals([error.name, error.message], ["TypeError", "fetch failed"]);
  assertEquals(
    error.traceback.some((line) => line.includes("[cause]: Error: The network is not available")),
    true,
  );
});

Deno.test("modules: an import that needs a network says that there is none", async () => {
  const names = [
    ...["npm:lodash@4", "jsr:@std/path", "https://esm.sh/lodash", "http://localhost/a.js"],
    ...["@scope/part", "lodash/fp", "data:text/javascript,1"],
  ];
  for (const name of names) {
    const programs = [
      ...[`import x from "${name}"; x`, `await import("${name}")`, `require("${name}")`],
      `require.resolve("${name}")`,
    ];
    for (const program of programs) {
      const { message } = await errorOf(program);
      assertMatch(message, /^Cannot find (?:package|module) '[^']+'/);
      assertStringIncludes(message, NO_PACKAGES);
    }
  }
  const { message } = await errorOf("require('node:nope')");
  assertEquals(message.includes(NO_PACKAGES), false);
});
