/**
 * Web globals that are loaded on demand: streams, requests and responses, forms, messages.
 */
import { assert, assertEquals } from "@std/assert";
import { errorOf, hasNode, runGuest, runInTurn, runNode, valueOf } from "./support.ts";
import { WEB_CASES } from "./web_globals_cases.ts";

const asyncBody = (code: string): string => `(async () => {${code}\n})();`;

for (const [name, { code, stdout }] of Object.entries(WEB_CASES)) {
  Deno.test(`web globals: ${name}`, async () => {
    const ran = await runGuest(asyncBody(code));
    assertEquals(ran.ending.kind === "error" ? ran.ending.error.traceback : [], []);
    assertEquals(ran.stdout, stdout);
  });
}

Deno.test({
  name: "web globals: the expected output is that of Node",
  ignore: !hasNode,
  fn: async () => {
    for (const { code, stdout } of Object.values(WEB_CASES)) {
      assertEquals((await runNode(asyncBody(code))).stdout, stdout);
    }
  },
});

Deno.test({
  name: "web globals: of Node's, those that the docs name are absent",
  ignore: !hasNode,
  fn: async () => {
    const code = "console.log(JSON.stringify(Object.getOwnPropertyNames(globalThis)))";
    const [guest, node] = await Promise.all([runGuest(code), runNode(code)]);
    const here = new Set<string>(JSON.parse(guest.stdout));
    const names: string[] = JSON.parse(node.stdout);
    assertEquals(names.filter((name) => !here.has(name)).sort(), [
      ...["PerformanceObserver", "PerformanceObserverEntryList", "PerformanceResourceTiming"],
      "WebAssembly",
    ]);
  },
});

Deno.test("web globals: the error of an absent one says that it is not available here", async () => {
  for (const name of ["WebAssembly", "Worker", "WebSocket", "PerformanceObserver"]) {
    const { name: kind, message } = await errorOf(`new ${name}.Part()`);
    assertEquals([kind, message], [
      "ReferenceError",
      `${name} is not defined: it is not available here`,
    ]);
    assertEquals(await valueOf(`typeof ${name}`), "'undefined'");
  }
  assertEquals((await errorOf("absent.x")).message, "absent is not defined");
});

Deno.test("modules: diagnostics_channel passes messages to subscribers", async () => {
  const { stdout } = await runGuest(`
const dc = require("node:diagnostics_channel"); const c = dc.channel("a"); const seen = [];
const listen = (message, name) => seen.push(message, name);
console.log(c.hasSubscribers, dc.channel("a") === c, c instanceof dc.Channel);
dc.subscribe("a", listen); c.publish({ x: 1 }); console.log(dc.hasSubscribers("a"), dc.unsubscribe("a", listen));
c.publish(2); console.log(seen, dc.unsubscribe("a", listen), Object.keys(dc));
import("diagnostics_channel").then((m) => console.log(m.default === dc, m.channel === dc.channel));`);
  assertEquals(
    stdout,
    `false true true
true true
[ { x: 1 }, 'a' ] false [ 'Channel', 'channel', 'hasSubscribers', 'subscribe', 'unsubscribe' ]
true true
`,
  );
});

Deno.test("errors: call sites have the methods that packages call", async () => {
  const { stdout } = await runGuest(`
Error.prepareStackTrace = (_, sites) => sites;
function f() { return new Error().stack; }
const [s] = f();
console.log(s.isEval(), s.isNative(), s.getFunctionName(), s.getFileName(), s.getLineNumber());
console.log(["isToplevel", "isConstructor", "isAsync", "getThis", "getTypeName", "getMethodName",
  "getEvalOrigin"].map((name) => typeof s[name]).join());`);
  assertEquals(stdout, `false false f main.js 3\n${Array(7).fill("function").join()}\n`);
});

Deno.test("web globals: a program that uses none does not pay for them", async () => {
  const [none, one] = [await runGuest("1"), await runGuest("typeof Headers")];
  assert(none.fuelConsumed < 1e6);
  assert(one.fuelConsumed > 1e7);
  assert(none.memoryBytes < one.memoryBytes);
});

Deno.test("web globals: a context loads them once, with the globals of that moment", async () => {
  const [, first, second, third] = await runInTurn([
    `class Map {} ; globalThis.Promise = class {}; globalThis.Object = undefined;`,
    "typeof ReadableStream + new Headers().get('a')",
    "const seen = Headers; seen === Headers",
    "globalThis.kept = new ReadableStream(); 1",
  ]);
  assertEquals(first?.ending, { kind: "text", text: "'functionnull'" });
  assertEquals(second?.ending, { kind: "text", text: "true" });
  assertEquals(third?.ending, { kind: "text", text: "1" });
  assert((second?.fuelConsumed ?? Infinity) < 2e6);
});

Deno.test("web globals: a failure while they load is the program's own error", async () => {
  const { ending } = await runGuest(`const kept = [];
while (process.memoryUsage().rss < 56e6) kept.push(new Uint8Array(1e6));
try { new Headers(); } catch (error) { String(error) }`);
  assert(ending.kind === "text" || ending.kind === "none" || ending.kind === "limit");
});
