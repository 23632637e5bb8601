import { assert, assertEquals, assertMatch } from "@std/assert";
import { builtinModules } from "node:module";
import { bundle } from "../../../runtimes/builder/bundle.ts";
import { closedModules } from "../../../runtimes/pool/sealed_process.ts";
import { spawnSealed } from "../../../runtimes/pool/sealed_process.ts";

type Outcomes = readonly (readonly [access: string, outcome: string])[];
interface Report {
  readonly listening: Outcomes;
  readonly permissions: Outcomes;
  readonly modules: Outcomes;
  readonly afterwards: Outcomes;
  readonly globals: Outcomes;
  /** Names of the global object after the seal. */
  readonly kept: readonly string[];
  /** Names of `Deno` after the seal. */
  readonly deno: readonly string[];
}

/**
 * All of Deno's built-in modules, without `node:` and without those that only its own code can
 * import.
 */
const MODULES = builtinModules.map((name) => name.replace(/^node:/, ""))
  .filter((name) => !name.startsWith("internal/") && name !== "traceEvents");
/** The modules that the isolate program itself imports. */
const OPEN_MODULES = ["buffer", "zlib"];

async function probe(): Promise<Report> {
  const directory = await Deno.makeTempDir();
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  try {
    const program = `${directory}/probe.js`;
    const entry = new URL("./host_access_probe.ts", import.meta.url);
    await Deno.writeTextFile(program, await bundle(entry, "deno"));
    const child = spawnSealed(program, 64 * 1024 * 1024);
    const writer = child.stdin.getWriter();
    const order = { port: listener.addr.port, builtInModules: MODULES };
    await writer.write(new TextEncoder().encode(`${JSON.stringify(order)}\n`));
    const output = new Response(child.stdout).text();
    await child.status;
    await writer.close().catch(() => undefined);
    return JSON.parse(await output);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

Deno.test("isolate: the process listens on loopback once and has no other access to the host", async (t) => {
  const report = await probe();
  await t.step("the one listener", () => {
    assertEquals(report.listening, [["listen: loopback, any port", "open"]]);
  });
  await t.step("permissions, flags and the environment close access that needs no name", () => {
    assertEquals(report.permissions.length, 30);
    allClosed(report.permissions);
  });
  await t.step("built-in modules cannot be imported, however they are spelled", () => {
    assert(report.modules.length > 300, String(report.modules.length));
    const isNeeded = (access: string) =>
      OPEN_MODULES.some((name) => access.match(/^node:\/?([^?# ]*)/i)?.[1] === name);
    allClosed(report.modules.filter(([access]) => !isNeeded(access)));
  });
  await t.step("no second listener is possible", () => {
    assertEquals(report.afterwards.length, 3);
    allClosed(report.afterwards);
  });
  await t.step("names are gone", () => {
    assert(report.globals.length > 80, String(report.globals.length));
    allClosed(report.globals);
  });
  await t.step("only plain data of Deno remain", () => {
    assertEquals(report.deno.filter((name) => !/^(build|errors|version)$/.test(name)).sort(), [
      "exitCode", // cannot be deleted, and is a number
      "jupyter", // cannot be deleted, and is undefined
    ]);
    assertEquals(report.kept.filter((name) => /gpu|worker|socket|storage|lock/i.test(name)), []);
  });
});

Deno.test("isolate: every built-in module of this Deno is listed as closed or needed", () => {
  const map: { imports: Readonly<Record<string, null>> } = JSON.parse(
    decodeURIComponent(closedModules().replace("data:application/json,", "")),
  );
  const unknown = MODULES.filter((name) =>
    !OPEN_MODULES.includes(name) && map.imports[`node:${name}`] !== null
  );
  assertEquals(unknown, []);
});

function allClosed(outcomes: Outcomes): void {
  for (const [access, outcome] of outcomes) assertMatch(`${access} is ${outcome}`, / is closed/);
}
