/** The free `runCode` (docs/contract.md#client-free-runcode). */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { runCode, SandboxError, ValidationFailedError } from "../../../client/mod.ts";
import { bindingName } from "../../../client/protocol/types.ts";
import { BUNDLED_LANGUAGES } from "../../../shared/languages.ts";
import type { ConformanceCase } from "./case.ts";

/** Cases that need no sandbox. */
export const STATELESS_CASES: readonly ConformanceCase[] = [
  ...BUNDLED_LANGUAGES.map((language) => bindingName(language)).map((binding): ConformanceCase => ({
    name: `runCode: the binding ${binding} chooses the language`,
    run: async (env) => {
      const result = await runCode(env[binding], "6 * 7");
      assertEquals(result.language, binding.toLowerCase());
      assertEquals(result.error, undefined);
      assertEquals(result.results.length, 1);
      assertEquals(result.results[0]?.text, "42");
    },
  })),
  {
    name: "runCode: the result has the fields of an ExecutionResult and no context",
    run: async ({ JAVASCRIPT }) => {
      const code = "console.log('a\\nb'); console.error('c'); ({ n: [1, null] })";
      const result = await runCode(JAVASCRIPT, code);
      assertEquals(result.code, code);
      assertEquals(result.logs, { stdout: ["a", "b"], stderr: ["c"] });
      assertEquals(JSON.stringify(result.results), '[{"json":{"n":[1,null]}}]');
      assertEquals(result.results.map((entry) => Object.keys(entry)), [["json"]]);
      assert(result.engine !== "" && result.durationMs >= 0);
      assert(result.usage !== undefined && result.usage.fuelLimit > 0);
      const absent = ["error", "context", "executionCount"].filter((key) => key in result);
      assertEquals(absent, []);
    },
  },
  {
    name: "runCode rule 1: nothing is kept from one call to the next",
    run: async ({ JAVASCRIPT }) => {
      await runCode(JAVASCRIPT, "globalThis.kept = 1");
      const { results } = await runCode(JAVASCRIPT, "typeof kept");
      assertEquals(results[0]?.text, "'undefined'");
    },
  },
  {
    name: "runCode rule 2: a namespace of sandboxes throws at once, a plain Error",
    run: ({ Sandbox }) => {
      const call: (target: never, code: string) => unknown = runCode;
      const error = assertThrows(() => Reflect.apply(call, undefined, [Sandbox, "1"]), Error);
      assertEquals(error instanceof SandboxError, false);
      assertEquals(error.constructor, Error);
      return Promise.resolve();
    },
  },
  {
    name: "runCode rule 3: a guest's error is in the result, and earlier output with it",
    run: async ({ JAVASCRIPT }) => {
      const code = "console.log('before');\nthrow new TypeError('no such luck');";
      const { error, results, logs } = await runCode(JAVASCRIPT, code);
      assertEquals([error?.name, error?.message], ["TypeError", "no such luck"]);
      assertEquals(error?.lineNumber, 2);
      assert(error !== undefined && error.traceback.length > 0);
      assertEquals(results, []);
      assertEquals(logs.stdout, ["before"]);
    },
  },
  {
    name: "runCode rule 3: callbacks in order: lines as they arise, results, error; each awaited",
    run: async ({ JAVASCRIPT }) => {
      const order: string[] = [];
      const state = { running: 0 };
      const late = async (text: string) => {
        assertEquals(++state.running, 1, "two callbacks at the same time");
        await new Promise((resolve) => setTimeout(resolve, 1));
        state.running--;
        order.push(text);
      };
      const callbacks = {
        onStdout: ({ text }: { text: string }) => late(`out ${text}`),
        onStderr: ({ text }: { text: string }) => late(`err ${text}`),
        onResult: ({ text }: { text?: string }) => late(`result ${text}`),
        onError: ({ name }: { name: string }) => late(`error ${name}`),
      };
      const print = "console.error('1'); console.log('2'); console.error('3'); console.log('4');";
      await runCode(JAVASCRIPT, `${print} 5`, callbacks);
      assertEquals(order.splice(0), ["err 1", "out 2", "err 3", "out 4", "result 5"]);
      await runCode(JAVASCRIPT, `${print} null.x`, callbacks);
      assertEquals(order, ["err 1", "out 2", "err 3", "out 4", "error TypeError"]);
    },
  },
  {
    name: "runCode: a line of output has text and a timestamp in epoch milliseconds",
    run: async ({ JAVASCRIPT }) => {
      const before = Date.now();
      const seen: { text: string; timestamp: number }[] = [];
      await runCode(JAVASCRIPT, "console.log('x')", {
        onStdout: (output) => void seen.push(output),
      });
      assertEquals(seen.map(({ text }) => text), ["x"]);
      const stamp = seen[0]?.timestamp ?? 0;
      assert(stamp >= before && stamp <= Date.now());
    },
  },
  {
    name: "runCode: formats() names the fields of an entry; undefined gives none",
    run: async ({ JAVASCRIPT }) => {
      const formats: string[][] = [];
      const options = {
        onResult: (entry: { formats(): string[] }) => void formats.push(entry.formats()),
      };
      const text = await runCode(JAVASCRIPT, "'text'", options);
      const json = await runCode(JAVASCRIPT, "[1]", options);
      assertEquals(formats, [["text"], ["json"]]);
      assertEquals(text.results[0]?.formats(), ["text"]);
      assertEquals(json.results[0]?.formats(), ["json"]);
      assertEquals((await runCode(JAVASCRIPT, "undefined")).results, []);
    },
  },
  {
    name: "runCode: envVars reach the guest, undefined values do not",
    run: async ({ JAVASCRIPT }) => {
      const code = "[process.env.GIVEN, typeof process.env.ABSENT]";
      const { results } = await runCode(JAVASCRIPT, code, {
        envVars: { GIVEN: "yes", ABSENT: undefined },
      });
      assertEquals(results[0]?.json, ["yes", "undefined"]);
    },
  },
  {
    name: "runCode: with and without callbacks, the result is the same",
    run: async ({ JAVASCRIPT }) => {
      const codes = [
        "console.log('a\\nb'); console.error('c'); [1, 'ü']",
        "console.log(1); null.x",
      ];
      for (const code of codes) {
        const run = async (options = {}) => {
          return { ...await runCode(JAVASCRIPT, code, options), durationMs: 0 };
        };
        assertEquals(await run({ onStdout: () => undefined }), await run());
      }
    },
  },
  {
    name: "runCode: a callback that throws rejects the run with what it threw",
    run: async ({ JAVASCRIPT }) => {
      const thrown = new RangeError("mine");
      const run = runCode(JAVASCRIPT, "console.log(1)", { onStdout: () => Promise.reject(thrown) });
      assertEquals(await run.catch((error: unknown) => error), thrown);
    },
  },
  {
    name: "runCode: stdin is what the program reads; without it there is nothing to read",
    run: async ({ JAVASCRIPT }) => {
      const run = async (stdin?: string) => {
        const code = "require('fs').readFileSync(0, 'utf8').length";
        return (await runCode(JAVASCRIPT, code, { stdin })).results[0]?.text;
      };
      assertEquals([await run(), await run("a\nb\n"), await run("x".repeat(65_536))], [
        "0",
        "4",
        "65536",
      ]);
      const long = () => run("é".repeat(32 * 1024 + 1));
      const { message, httpStatus } = await assertRejects(long, ValidationFailedError);
      assertEquals([message, httpStatus], ["stdin is larger than 65536 bytes", 413]);
    },
  },
  {
    name: "runCode: limits hold for the run, and the result names them",
    run: async ({ JAVASCRIPT }) => {
      const { usage } = await runCode(JAVASCRIPT, "1", { limits: { fuel: 40_000_000 } });
      assertEquals(usage?.fuelLimit, 40_000_000);
      const limits = { fuel: 30_000_000, wallMs: undefined };
      const { error } = await runCode(JAVASCRIPT, "while (true) {}", { limits });
      assertEquals(error?.name, "ExecutionLimitError");
    },
  },
  {
    name: "runCode: limits that cannot be limits are refused, and named",
    run: async ({ JAVASCRIPT }) => {
      const refused = async (limits: unknown) => {
        const run = () => Reflect.apply(runCode, undefined, [JAVASCRIPT, "1", { limits }]);
        return (await assertRejects(run, ValidationFailedError)).message;
      };
      assertEquals(await refused(null), "limits must be an object");
      assertEquals(await refused([]), "limits must be an object");
      assertEquals(await refused({ fuel: 0 }), "limits.fuel must be a positive integer");
      assertEquals(await refused({ wallMs: 1.5 }), "limits.wallMs must be a positive integer");
      assertEquals(await refused({ wallMs: "1" }), "limits.wallMs must be a positive integer");
      assertEquals(
        await refused({ fuel: 1, memory: 1 }),
        "Unknown limit 'memory': limits takes fuel and wallMs",
      );
      const most = await refused({ wallMs: 1e9 });
      assertEquals(/^limits\.wallMs must be at most \d+$/.test(most), true, most);
    },
  },
  {
    name: "runCode: code that cannot be code is refused",
    run: async ({ JAVASCRIPT }) => {
      const empty = await assertRejects(() => runCode(JAVASCRIPT, ""), ValidationFailedError);
      assertEquals([empty.message, empty.httpStatus], ["code must not be empty", 400]);
      const long = () => runCode(JAVASCRIPT, "é".repeat(32 * 1024 + 1));
      const { message, httpStatus } = await assertRejects(long, ValidationFailedError);
      assertEquals([message, httpStatus], ["code is larger than 65536 bytes", 413]);
    },
  },
  {
    name: "runCode: a guest that does not end is ended by the service, whatever the timeout",
    run: async ({ JAVASCRIPT }) => {
      const { error } = await runCode(JAVASCRIPT, "while (true) {}", { timeout: 60_000 });
      assertEquals(error?.name, "ExecutionLimitError");
    },
  },
];
