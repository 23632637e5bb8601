import { assertEquals, assertMatch } from "@std/assert";
import { bundle } from "../../../runtimes/build/bundle.ts";
import { spawnSealed } from "../../../runtimes/pool/isolate_process.ts";

type Outcomes = readonly (readonly [door: string, outcome: string])[];
interface Report {
  readonly listening: Outcomes;
  readonly permissions: Outcomes;
  readonly globals: Outcomes;
}

async function probe(): Promise<Report> {
  const directory = await Deno.makeTempDir();
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  try {
    const program = `${directory}/probe.js`;
    const entry = new URL("./doors_probe.ts", import.meta.url);
    await Deno.writeTextFile(program, await bundle(entry, "deno"));
    const child = spawnSealed(program, 64 * 1024 * 1024);
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(`${listener.addr.port}\n`));
    const output = new Response(child.stdout).text();
    await child.status;
    await writer.close().catch(() => undefined);
    return JSON.parse(await output);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

Deno.test("isolate: it may listen on loopback, and every other door is closed", async () => {
  const report = await probe();
  assertEquals(report.listening, [["listen: loopback, any port", "open"]]);
  assertEquals(report.permissions.length, 27);
  for (const [door, outcome] of [...report.permissions, ...report.globals]) {
    assertMatch(`${door} is ${outcome}`, / is closed/);
  }
});
