// test: long
/**
 * The client's examples in the README and its pages, as a reader pastes them, against the real
 * service: the programs print what their comments say. The address is the only thing that is
 * replaced.
 */
import { assert, assertEquals } from "@std/assert";
import { startService } from "../support/service.ts";
import { deno, type Ended, run, temporaryFolder } from "./deno_command.ts";
import { block, CONFIG, promised, ROOT } from "./readme_pages.ts";

const DOCUMENTED_URL = "http://127.0.0.1:8000";

Deno.test("client docs: the package's own page shows the README's program", () => {
  const own = Deno.readTextFileSync(new URL("client/README.md", ROOT));
  const program = block("ts", "connect(").split("\n").slice(1).join("\n");
  assert(own.includes(program));
});

async function bundleAsDocumented(folder: string): Promise<Ended> {
  const [program, ...args] = block("sh", "deno bundle").trim().split(" ");
  assertEquals(program, "deno");
  return await deno(...args.map((arg) => arg === "belljar.mjs" ? `${folder}/${arg}` : arg));
}

Deno.test("client in the README: programs for Deno and Node print what their comments say", async (test) => {
  await using folder = await temporaryFolder();
  await using service = await startService({ LANGUAGES: "javascript,python" });
  const write = async (name: string, text: string) => {
    const path = `${folder.path}/${name}`;
    await Deno.writeTextFile(path, text.replaceAll(DOCUMENTED_URL, service.url));
    return path;
  };

  await test.step("Deno", async () => {
    const text = block("ts", "connect(");
    const path = await write("hello.ts", text);
    const ended = await deno("run", "--quiet", "--check", "--config", CONFIG, "--allow-net", path);
    assertEquals(ended, { code: 0, output: promised(text) });
  });

  await test.step("Node", async () => {
    assertEquals(await bundleAsDocumented(folder.path), { code: 0, output: "" });
    const text = block("js", '"./belljar.mjs"');
    const path = await write("hello.mjs", text);
    assertEquals(await run("node", path), { code: 0, output: promised(text) });
  });
});

Deno.test("client in the README: the page's script compiles against the DOM", async () => {
  await using folder = await temporaryFolder();
  const [, script = ""] = /<script type="module">([\s\S]*)<\/script>/.exec(block("html", "")) ?? [];
  const config = { compilerOptions: { lib: ["esnext", "dom"], strict: false } };
  const client = new URL("client/mod.ts", ROOT).href;
  const own = `${folder.path}/deno.json`;
  await Deno.writeTextFile(own, JSON.stringify(config));
  await Deno.writeTextFile(`${folder.path}/a.ts`, script.replace("./belljar.mjs", client));
  const { code, output } = await deno("check", "--quiet", "--config", own, `${folder.path}/a.ts`);
  assertEquals([code, output], [0, ""]);
});
