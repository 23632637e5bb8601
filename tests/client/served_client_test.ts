// test: long
/** The JavaScript client as the service serves it: a module, its types and an npm package. */
import { assertEquals, assertMatch } from "@std/assert";
import { type Service, startService } from "../support/service.ts";
import { clientTest, NODE_PACKAGES } from "../support/test_clients.ts";
import { run, temporaryFolder } from "./deno_command.ts";

const TOKEN = "a-token-of-the-tests";
const ENVIRONMENT = { TOKENS: `tenant:${TOKEN}`, LANGUAGES: "javascript", PAGE: "0" };
const TYPES = {
  "/client.mjs": "text/javascript; charset=utf-8",
  "/client.d.ts": "application/typescript; charset=utf-8",
  "/client.tgz": "application/gzip",
};
const DECLARATIONS = new URL("../../gateway/client_files/client.d.ts", import.meta.url);

/** A program in TypeScript that prints 42. */
function program({ url }: Service, from: string): string {
  return `import { connect, getSandbox, runCode, type RunResult } from ${JSON.stringify(from)};
const env = connect(${JSON.stringify(url)}, { token: ${JSON.stringify(TOKEN)} });
const box = getSandbox<typeof env>(env.Sandbox, "served");
await box.interpreter.runCode("x = 40", { binding: "JAVASCRIPT" });
const result = await box.interpreter.runCode("x + 2", { binding: "JAVASCRIPT" });
const alone = await runCode(env.JAVASCRIPT, "6 * 7");
const same: boolean = result.results[0]?.text === alone.results[0]?.text;
console.log(same, result.results[0]?.text);
`.replace(", type RunResult", "");
}

Deno.test("client files: each is served without a token, with its type and a tag", async () => {
  await using service = await startService(ENVIRONMENT);
  for (const [path, type] of Object.entries(TYPES)) {
    const answer = await fetch(service.url + path);
    const bytes = await answer.bytes();
    const { headers } = answer;
    assertEquals([path, answer.status, headers.get("content-type")], [path, 200, type]);
    assertEquals(headers.get("content-length"), String(bytes.length));
    assertEquals(headers.get("x-content-type-options"), "nosniff");
    const tag = headers.get("etag") ?? "";
    assertMatch(tag, /^"[0-9a-f]{64}"$/);
    const head = await fetch(service.url + path, { method: "HEAD" });
    assertEquals([head.status, head.headers.get("etag"), await head.text()], [200, tag, ""]);
    const known = await fetch(service.url + path, { headers: { "if-none-match": tag } });
    assertEquals([known.status, await known.text()], [304, ""]);
    const posted = await fetch(service.url + path, { method: "POST" });
    await posted.body?.cancel();
    assertEquals(posted.status, 405);
  }
});

Deno.test("client.mjs: Deno runs a program that imports it by its URL, and checks its types", async () => {
  await using service = await startService(ENVIRONMENT);
  await using folder = await temporaryFolder();
  const file = `${folder.path}/program.ts`;
  await Deno.writeTextFile(file, program(service, `${service.url}/client.mjs`));
  const host = new URL(service.url).host;
  const args = ["run", "--check", "--no-config", `--allow-import=${host}`, "--allow-net", file];
  const ran = await run(Deno.execPath(), ...args);
  assertEquals([ran.code, ran.output.startsWith("true 42")], [0, true], ran.output);
  const wrong = program(service, `${service.url}/client.mjs`).replace(
    "const same: boolean",
    "const same: string",
  );
  await Deno.writeTextFile(file, wrong);
  const refused = await run(Deno.execPath(), ...args);
  assertEquals(refused.code, 1, refused.output);
});

clientTest(
  "client.tgz: npm installs it, Node runs a program with it, and TypeScript checks that",
  "npm packages",
  async () => {
    await using service = await startService(ENVIRONMENT);
    await using folder = await temporaryFolder();
    const { path } = folder;
    await Deno.writeTextFile(`${path}/package.json`, '{"private": true, "type": "module"}');
    const install = ["install", "--no-audit", "--no-fund", "--prefix", path];
    const npm = await run("npm", ...install, `${service.url}/client.tgz`);
    assertEquals(npm.code, 0, npm.output);
    const { version } = await (await fetch(`${service.url}/healthz`)).json();
    const installed = JSON.parse(
      await Deno.readTextFile(`${path}/node_modules/@belljar/client/package.json`),
    );
    assertEquals([installed.name, installed.version], ["@belljar/client", version]);
    await Deno.writeTextFile(`${path}/program.ts`, program(service, "@belljar/client"));
    const options = "--target es2022 --module nodenext --strict --lib esnext,dom".split(" ");
    const tsc = await run(
      "node",
      `${NODE_PACKAGES}/node_modules/typescript/bin/tsc`,
      ...options,
      "--typeRoots",
      `${path}/none`,
      `${path}/program.ts`,
    );
    assertEquals(tsc.code, 0, tsc.output);
    const ran = await run("node", `${path}/program.js`);
    assertEquals([ran.code, ran.output.trim()], [0, "true 42"], ran.output);
  },
);

clientTest(
  "client.d.ts: is made from the sources of the client (deno task client:types)",
  "npm packages",
  async () => {
    await using folder = await temporaryFolder();
    const made = `${folder.path}/client.d.ts`;
    const script = new URL("../support/client_types.ts", import.meta.url).pathname;
    const ran = await run(Deno.execPath(), "run", "--allow-all", script, NODE_PACKAGES, made);
    assertEquals(ran.code, 0, ran.output);
    assertEquals(await Deno.readTextFile(made), await Deno.readTextFile(DECLARATIONS));
  },
);
