/**
 * The client under Node: types stripped, in one file, over HTTP. The bundle is for a browser's
 * platform, so that anything of Deno or Node in the client itself would be left to fail.
 */
import { assert, assertEquals } from "@std/assert";
import { run, temporaryFolder } from "./deno_command.ts";
import { createFakeService } from "./fake_service.ts";
import { bundle, nodeConformance } from "./node_conformance.ts";

const TOKEN = "secret";

Deno.test("client in Node: the published module needs nothing but web standards", async () => {
  await using folder = await temporaryFolder();
  const path = `${folder.path}/client.mjs`;
  await bundle(new URL("../../client/mod.ts", import.meta.url), path, "--platform=browser");
  const text = await Deno.readTextFile(path);
  const code = text.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
  assertEquals(/\b(?:Deno|process|require|Buffer)\b|\bimport\b|node:|npm:|jsr:/.exec(code), null);
  const program = `import * as client from ${JSON.stringify(path)};
    console.log(Object.keys(client).join());`;
  const { code: status, output } = await run("node", "--input-type=module", "--eval", program);
  assertEquals(status, 0, output);
  const exported = Object.keys(await import("../../client/mod.ts")).sort().join();
  assertEquals(output.trim(), exported);
});

Deno.test("client in Node: the whole conformance suite, over HTTP", async () => {
  const { gateway } = createFakeService({ token: TOKEN });
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, gateway);
  const url = `http://127.0.0.1:${server.addr.port}`;
  const { ran, failed } = await nodeConformance(url, TOKEN, "all");
  assertEquals(failed, []);
  assert(ran >= 50);
});
