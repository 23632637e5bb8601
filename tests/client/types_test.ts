// test: long
/** Programs that compile, and some that do not: the names of bindings are types. */
import { assertEquals } from "@std/assert";
import { deno, temporaryFolder } from "./deno_command.ts";

const CLIENT = new URL("../../client/mod.ts", import.meta.url).href;

const HEAD = `
import { connect, getSandbox, runCode, sandboxGetter } from "${CLIENT}";
import type { SandboxNamespace, ServiceBinding, ServiceBindingName } from "${CLIENT}";
interface Env {
  readonly SANDBOX: SandboxNamespace;
  readonly PYTHON: ServiceBinding;
  readonly WEB: { fetch: typeof fetch };
  readonly MAYBE?: ServiceBinding;
  readonly REGION: string;
}
declare const env: Env;
const typed = getSandbox<Env>(env.SANDBOX, "a").interpreter;
const viaGetter = sandboxGetter<Env>()(env.SANDBOX, "a").interpreter;
const plain = getSandbox(env.SANDBOX, "a").interpreter;
const remote = connect("http://a.example");
const far = getSandbox<typeof remote>(remote.Sandbox, "a").interpreter;
declare const name: string;
`;

const RIGHT = `
const names: Record<ServiceBindingName<Env>, true> = { PYTHON: true, WEB: true, MAYBE: true };
typed.runCode("1", { binding: "PYTHON" });
typed.runCode("1", { binding: undefined, signal: undefined, timeout: undefined });
typed.createCodeContext({ binding: "WEB", envVars: { A: undefined } });
viaGetter.createCodeContext({ binding: "MAYBE" });
typed.createCodeContext({ language: "py", cwd: "/workspace" });
plain.createCodeContext({ language: "ts" });
far.createCodeContext({ language: "ruby", binding: undefined });
plain.createCodeContext({ binding: name });
far.createCodeContext({ binding: "RUBY" });
runCode(env.PYTHON, "1", { onStdout: async () => {}, onError: ({ lineNumber }) => console.log(lineNumber) });
typed.runCode("1", { binding: "PYTHON", idempotencyKey: undefined, ifExecutions: 1, stdin: "x" });
typed.runCode("1", { binding: "PYTHON", seed: 0, clock: undefined });
const { files } = getSandbox<Env>(env.SANDBOX, "a");
files.upload("a", new Blob([]).stream(), { ifNoneMatch: "*" });
const stream: ReadableStream<Uint8Array> = await files.downloadStream("a");
for await (const { id, lastUsed } of remote.Sandbox.list({ limit: 9 })) console.log(id, lastUsed.getTime());
console.log(stream, (await remote.Sandbox.usage()).maxBytes);
const { createdAt, binding }: { createdAt: Date; binding: string } =
  await typed.createCodeContext({ binding: "PYTHON" });
console.log(names, createdAt, binding);
`;

/** Each line alone must not compile. */
const WRONG = [
  `typed.runCode("1", { binding: "PYTON" });`,
  `typed.createCodeContext({ binding: "SANDBOX" });`,
  `typed.createCodeContext({ binding: "REGION" });`,
  `typed.createCodeContext({ binding: name });`,
  `typed.createCodeContext({});`,
  `typed.createCodeContext({ language: "javascript" });`,
  `far.createCodeContext({ language: "lua" });`,
  `far.createCodeContext({ language: "python", binding: "PYTHON" });`,
  `viaGetter.createCodeContext({ binding: "python" });`,
  `far.runCode("1", { binding: "LUA" });`,
  `plain.createCodeContext({ binding: 1 });`,
  `plain.runCode("1", { language: "python" });`,
  `runCode(env.SANDBOX, "1");`,
  `runCode(env.PYTHON, "1", { binding: "PYTHON" });`,
  `runCode(env.PYTHON, "1", { timeout: "1" });`,
  `runCode(env.PYTHON, "1", { idempotencyKey: "a" });`,
  `env.SANDBOX.list();`,
];

async function check(program: string) {
  await using folder = await temporaryFolder();
  const path = `${folder.path}/program.ts`;
  await Deno.writeTextFile(path, program);
  const config = new URL("../../deno.json", import.meta.url).pathname;
  return await deno("check", "--quiet", "--config", config, path);
}

Deno.test("client types: names of bindings, options and callbacks compile", async () => {
  const { code, output } = await check(HEAD + RIGHT);
  assertEquals([code, output], [0, ""]);
});

Deno.test("client types: a misspelled binding and other mistakes do not compile", async () => {
  const head = HEAD.split("\n").length - 1;
  const { code, output } = await check(HEAD + WRONG.join("\n") + RIGHT);
  assertEquals(code, 1);
  const lines = [...output.matchAll(/program\.ts:(\d+):\d+/g)].map(([, line]) => Number(line));
  assertEquals(
    [...new Set(lines)].sort((a, b) => a - b),
    WRONG.map((_, index) => head + index + 1),
  );
});
