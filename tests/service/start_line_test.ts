/** The first lines of the log: the stored contexts by engine, and those that this version refuses. */
import { assertEquals } from "@std/assert";
import { logStart } from "../../service/start_line.ts";
import type { Log } from "../../shared/log.ts";
import { openStore } from "../../store/open.ts";

const WRITE_MS = 1_000;

/** The lines for a store with contexts of these engines. */
async function linesWith(uses: readonly (readonly [language: string, digest: string])[]) {
  const kv = await openStore(":memory:", WRITE_MS);
  const lines: (readonly [level: string, event: string, contexts: unknown])[] = [];
  const log: Log = (level, event, fields) => void lines.push([level, event, fields?.["contexts"]]);
  try {
    for (const [index, [language, digest]] of uses.entries()) {
      await kv.set(["module_use", language, digest, `context-${index}`], true);
    }
    const runsEngine = (digest: string) => Promise.resolve(digest.startsWith("a"));
    const runtimes = new Map([["python", { runsEngine }], ["perl", {}]] as const);
    await logStart(kv, { kvPath: undefined, languages: ["python", "perl"], runtimes }, log);
  } finally {
    await kv.close();
  }
  return lines;
}

const [KNOWN, FOREIGN] = ["a".repeat(64), "b".repeat(64)];

Deno.test("logStart() counts contexts by engine, and names those that cannot run", async () => {
  assertEquals(
    await linesWith([
      ["python", KNOWN],
      ["python", KNOWN],
      ["python", FOREIGN],
      ["python", FOREIGN],
      ["perl", FOREIGN],
    ]),
    [
      ["info", "service.started", {
        "perl/bbbbbbbbbbbb": 1,
        "python/aaaaaaaaaaaa": 2,
        "python/bbbbbbbbbbbb": 2,
      }],
      ["warn", "contexts.refused", { "python/bbbbbbbbbbbb": 2 }],
    ],
  );
});

Deno.test("logStart() writes one line where all contexts can run", async () => {
  for (const uses of [[], [["python", KNOWN]], [["perl", FOREIGN]]] as const) {
    assertEquals((await linesWith(uses)).map(([, event]) => event), ["service.started"]);
  }
});
