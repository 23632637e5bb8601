// test: long
import { assertEquals } from "@std/assert";
import { deno, temporaryFolder } from "./deno_command.ts";
import { block, CONFIG, promised, ROOT } from "./readme_pages.ts";

Deno.test("client in the README: programs with bindings in the process print what their comments say", async () => {
  await using folder = await temporaryFolder();
  const text = block("ts", "createLocalEnv");
  const path = `${folder.path}/local.ts`;
  await Deno.writeTextFile(path, text.replaceAll('"./', `"${ROOT.href}`));
  const ended = await deno("run", "--quiet", "--check", "--config", CONFIG, "--allow-all", path);
  assertEquals(ended, { code: 0, output: promised(text) });
});
