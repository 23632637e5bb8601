// test: long
/** Bindings in this process: the client uses them as it uses a URL, and closing leaves nothing. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { getSandbox, runCode, SandboxError } from "../../client/mod.ts";
import { createLocalEnv } from "../../service/local_env.ts";
import { ALL_CASES } from "../client/conformance/all_cases.ts";
import { ENGINE_CASES } from "../client/conformance/engine_cases.ts";
import { byLanguage } from "../../shared/languages.ts";
import { FUEL, limitsByLanguage, SHARED_LIMITS } from "../../shared/limits.ts";

/** A fortieth of the fuel: an endless loop ends after about a second of processor time. */
const SMALL_LIMITS = limitsByLanguage(
  SHARED_LIMITS,
  byLanguage((language) => Math.ceil(FUEL[language] / 40)),
);

Deno.test("local environment: the client's suite passes", async (test) => {
  await using env = await createLocalEnv({ limits: SMALL_LIMITS });
  for (const { name, run } of [...ALL_CASES, ...ENGINE_CASES]) {
    await test.step(name, () => run(env));
  }
});

Deno.test("local environment: the bindings are those of the chosen languages", async () => {
  await using env = await createLocalEnv({ languages: ["javascript"], isolates: 1 });
  assertEquals((await runCode(env.JAVASCRIPT, "6 * 7")).results[0]?.text, "42");
  assertEquals(Object.keys(env).sort(), ["JAVASCRIPT", "Sandbox", "close"]);
  const { interpreter } = getSandbox<typeof env>(env.Sandbox, "ada");
  // @ts-expect-error: a binding of a language that was not chosen does not compile
  const run = () => interpreter.runCode("6 * 7", { binding: "PYTHON" });
  assertEquals((await assertRejects(run, SandboxError)).message, "Unknown binding 'PYTHON'");
});

Deno.test("local environment: data in a file outlives it", async () => {
  const folder = await Deno.makeTempDir();
  const options = { languages: ["javascript"], kvPath: `${folder}/data.sqlite3` } as const;
  try {
    for (const expected of ["1", "2", "3"]) {
      await using env = await createLocalEnv(options);
      const { interpreter } = getSandbox<typeof env>(env.Sandbox, "ada");
      const code = "globalThis.n = (globalThis.n ?? 0) + 1";
      const { results } = await interpreter.runCode(code, { binding: "JAVASCRIPT" });
      assertEquals(results[0]?.text, expected);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("local environment: without contexts, sandboxes run statelessly", async () => {
  await using env = await createLocalEnv({ languages: ["javascript"], stateless: true });
  const { interpreter } = getSandbox<typeof env>(env.Sandbox, "ada");
  const result = await interpreter.runCode("6 * 7", { binding: "JAVASCRIPT" });
  assertEquals([result.results[0]?.text, result.context], ["42", undefined]);
});

Deno.test("local environment: closing ends its processes, and closing twice does no harm", async () => {
  const program = new URL("local_env_program.ts", import.meta.url).href;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", program],
    stderr: "inherit",
  }).output();
  const [during, after] = JSON.parse(new TextDecoder().decode(stdout));
  assertEquals([during > 1, after], [true, 1]);
});

Deno.test("local environment: once closed it runs nothing", async () => {
  const env = await createLocalEnv({ languages: ["javascript"] });
  await env.close();
  assertThrows(() => Reflect.apply(runCode, undefined, [env.Sandbox, "1"]), Error);
  await assertRejects(() => runCode(env.JAVASCRIPT, "1"), SandboxError);
});
