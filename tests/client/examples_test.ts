/**
 * The examples in the documentation of the client: all compile, and all run against the fake
 * service. Their URL is replaced by the fake's.
 */
import { assert, assertEquals } from "@std/assert";
import { deno, temporaryFolder } from "./deno_command.ts";
import { createFakeService } from "./fake_service.ts";

const CLIENT = new URL("../../client/", import.meta.url);
const DOCUMENTED_URL = "http://127.0.0.1:8000";

interface Example {
  readonly name: string;
  readonly code: string;
}

async function examples(): Promise<Example[]> {
  const found: Example[] = [];
  for await (const { name, isFile } of Deno.readDir(CLIENT)) {
    if (!isFile) continue;
    const text = await Deno.readTextFile(new URL(name, CLIENT));
    for (const [, block = ""] of text.matchAll(/^ \* ```ts ignore\n([\s\S]*?)^ \* ```$/gm)) {
      found.push({ name: `${name}_${found.length}.ts`, code: block.replace(/^ \* ?/gm, "") });
    }
  }
  return found;
}

/** Makes an example a program that fails when one of its assertions does. */
function programOf({ code }: Example, url: string): string {
  const strict = `console.assert = (held?: boolean) => {
    if (!held) throw new Error("An assertion of the example does not hold");
  };\n`;
  return strict + code
    .replace('"@belljar/client"', JSON.stringify(new URL("mod.ts", CLIENT).href))
    .replace(DOCUMENTED_URL, url);
}

Deno.test("client docs: every example compiles and runs", async () => {
  const { gateway } = createFakeService();
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, gateway);
  await using folder = await temporaryFolder();
  const found = await examples();
  assert(found.length >= 5, `${found.length} examples`);
  const url = `http://127.0.0.1:${server.addr.port}`;
  const paths = found.map(({ name }) => `${folder.path}/${name}`);
  for (const [index, example] of found.entries()) {
    await Deno.writeTextFile(paths[index] ?? "", programOf(example, url));
  }
  const checked = await deno("check", "--quiet", ...paths);
  assertEquals(checked.code, 0, checked.output);
  for (const path of paths) {
    const ended = await deno("run", "--quiet", "--no-check", "--allow-net=127.0.0.1", path);
    assertEquals([path, ended.code], [path, 0], ended.output);
  }
});
