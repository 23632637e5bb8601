// test: long
/**
 * A service is killed before and after each operation of its store while a program calls and asks: each
 * call is performed once, and the run ends as one that nobody killed.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { count } from "../support/counts.ts";
import { KillableService } from "../support/kill_service.ts";
import { pause } from "../support/wait.ts";
import type { Answered } from "./gateway_fixture.ts";

const STEP = count(4, 1);
const LEASE_MS = 1_000;
const BOX = "/languages/javascript/sandboxes/box/execute";
const CODE = `const drawn = Math.random();
const first = await tools.f({ n: 1, drawn });
console.log("first", first);
const rest = await Promise.all([tools.f({ n: 2, drawn }), tools.f({ n: 3, drawn })]);
require("fs").writeFileSync("log", String(rest));
globalThis.runs = (globalThis.runs ?? 0) + 1;
const line = require("fs").readFileSync(0, "utf8");
[first, rest, runs, line]`;
const REQUEST = { code: CODE, tools: [{ name: "f" }], interactive: true };
const LINES = ["Ada\n", null];

/** The caller of one run, who starts the service again when it was killed. */
class Dialog {
  readonly #kvPath: string;
  #service: KillableService;
  kills = 0;

  constructor(kvPath: string, service: KillableService) {
    this.#kvPath = kvPath;
    this.#service = service;
  }

  get service(): KillableService {
    return this.#service;
  }

  /** Repeats the request until it is answered with 200. */
  async #post(path: string, body: unknown, key = "the-run"): Promise<Answered> {
    for (;;) {
      try {
        const answer = await fetch(`${this.#service.url}${path}`, {
          method: "POST",
          headers: { "content-type": "application/json", "idempotency-key": key },
          body: JSON.stringify(body),
        });
        const value = await answer.json();
        if (answer.status !== 503) {
          assertEquals([answer.status, value], [200, value]);
          return value;
        }
        await pause(100);
      } catch (thrown) {
        if (!(thrown instanceof TypeError)) throw thrown;
        await this.#service.ended();
        this.kills++;
        this.#service = await KillableService.start({
          kvPath: this.#kvPath,
          leaseMs: LEASE_MS,
          env: { LANGUAGES: "javascript" },
        });
      }
    }
  }

  /** Goes through the whole run. */
  async run(): Promise<void> {
    const asked = new Map<string, string>();
    let state = await this.#post(BOX, REQUEST);
    const lines = new Map<string, string | null>();
    while (state.waiting !== undefined) {
      const { run, calls, input } = state.waiting;
      for (const { key, arguments: given } of calls) {
        const text = JSON.stringify(given);
        assertEquals(asked.get(key) ?? text, text);
        asked.set(key, text);
      }
      // the last call first: the order of delivery is that of the answers
      const call = calls.at(-1);
      if (input !== undefined && !lines.has(input.key)) {
        lines.set(input.key, LINES[lines.size] ?? null);
      }
      const answers = call !== undefined
        ? [{ key: call.key, value: Object(call.arguments).n * 10 }]
        : [{ key: input?.key, value: lines.get(input?.key ?? "") }];
      state = await this.#post(`/runs/${run}/answers`, { answers });
    }
    assertEquals([asked.size, lines.size], [3, 2]);
    const { error, logs, results, executionCount } = Object(state);
    assertEquals([error, logs.stdout, executionCount], [undefined, ["first 10"], 1]);
    assertEquals(results, [{ json: [10, [20, 30], 1, "Ada\n"] }]);
    // the same request is the run itself, and the context has what it left
    assertEquals(Object(await this.#post(BOX, REQUEST))["results"], results);
    // the kill may come as late as here
    const left = { code: "[runs, require('fs').readFileSync('log', 'utf8')]" };
    assertEquals((await this.#post(BOX, left, "after"))["results"], [{ json: [1, "20,30"] }]);
  }
}

for (const when of ["before", "after"] as const) {
  Deno.test(`killed: ${when} each operation of the store, a run that calls and asks is the same`, async () => {
    let kills = 0;
    for (let at = 1;; at += STEP) {
      const folder = await Deno.makeTempDir();
      const kvPath = `${folder}/data.sqlite3`;
      const dialog = new Dialog(
        kvPath,
        await KillableService.start({
          kvPath,
          leaseMs: LEASE_MS,
          env: { LANGUAGES: "javascript" },
        }),
      );
      try {
        await dialog.service.arm({ at: "operation", count: at, when, tree: true });
        await dialog.run();
      } finally {
        await dialog.service.kill(true);
        await Deno.remove(folder, { recursive: true });
      }
      if (dialog.kills === 0) break;
      assertEquals(dialog.kills, 1);
      kills++;
    }
    assertGreater(kills, 12 / STEP);
    assert(kills < 200);
  });
}
