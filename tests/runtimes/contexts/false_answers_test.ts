import { assert, assertEquals } from "@std/assert";
import { bundle } from "../../../runtimes/builder/bundle.ts";
import { keysUnder } from "../../store/fixture.ts";
import { engineBody } from "../pool/fake_isolate.ts";
import {
  assertNothingOrphaned,
  type Host,
  refusalOf,
  startBuilt,
  TestContext,
} from "./test_host.ts";

const SOURCE = new URL("./false_context_isolate.ts", import.meta.url);

/** A runtime whose isolates lie. */
async function withLiar(test: (host: Host) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const program = `${folder}/liar.js`;
    await Deno.writeTextFile(program, await bundle(SOURCE, "deno"));
    await using host = await startBuilt({
      program,
      language: "javascript",
      engineFile: "liar",
      build: "liar",
      engineDigest: "liar",
      baseline: "liar",
      versions: { abi: 1, lowestAbi: 1, metering: 1, lowestMetering: 1 },
      openEngine: () => Promise.resolve(engineBody("liar")),
      readModule: () => Promise.resolve(new Uint8Array(10)),
      readBaseline: () => Promise.resolve(new Uint8Array(10)),
      engineWith: () => Promise.resolve(new Uint8Array()),
    });
    await test(host);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The program's lies, as listed in its source. */
async function lies(): Promise<readonly string[]> {
  const source = await Deno.readTextFile(SOURCE);
  const names = [...source.matchAll(/^ {2}"([a-z ]+)": /gm)].map(([, name = ""]) => name);
  return names.filter((name) => name !== "honest" && name !== "crash");
}

Deno.test("false answers: every false answer of an isolate is 502 and stores nothing", async (t) => {
  const names = await lies();
  assert(names.length > 35, "the lies were not found");
  await withLiar(async (host) => {
    const context = await TestContext.create(host);
    const honest = await context.call("honest");
    assert(honest.ok, JSON.stringify(honest));
    for (const name of names) {
      await t.step(name, async () => {
        const fresh = await TestContext.create(host);
        const before = await keysUnder(host.store);
        const refused = refusalOf(await fresh.call(name));
        assertEquals(refused, [502, "INTERNAL_ERROR", "The runtime could not be called"]);
        assertEquals(await keysUnder(host.store), before);
        await fresh.host.runtime.binding.fetch(
          new Request(`https://runtime.internal/interpreters/${fresh.key}`, { method: "DELETE" }),
        );
        // the lying isolate is gone, and another one serves
        const next = await context.call("honest");
        assert(next.ok);
      });
    }
    await assertNothingOrphaned([context]);
  });
});

Deno.test("false answers: an interpreter crash rolls the context back", async () => {
  await withLiar(async (host) => {
    const context = await TestContext.create(host);
    const first = await context.run("honest");
    const crashed = await context.run("crash");
    assertEquals(crashed.error?.name, "InterpreterCrash");
    assertEquals([crashed.context.rolledBack, crashed.results], [true, []]);
    assertEquals(crashed.snapshotRef, first.snapshotRef);
    assertEquals(crashed.workspace, { dirs: ["/workspace/d"], files: [], deleted: [] });
    await assertNothingOrphaned([context]);
  });
});
