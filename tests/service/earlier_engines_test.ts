// test: long
/**
 * Deploys of another module of a language, each with a restart: contexts go on with all that they
 * have, whenever the service was killed before.
 */
import { assert, assertEquals, assertGreaterOrEqual } from "@std/assert";
import { openStore } from "../../store/open.ts";
import { count } from "../support/counts.ts";
import { KillBox } from "../support/kill_box.ts";
import { sweep, wrongKeys } from "../support/kill_keys.ts";
import { KillableService } from "../support/kill_service.ts";
import { markedCache } from "../support/other_build.ts";
import { callJson } from "../support/program.ts";
import { startService } from "../support/service.ts";

/** A first run has about twelve operations of the store. */
const KILL_EACH = count(4, 1);
const LEASE_MS = 1_500;

async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function caches(folder: string, language: "python" | "javascript") {
  return {
    first: { CACHE_DIR: await markedCache(`${folder}/first`, language, "first") },
    second: { CACHE_DIR: await markedCache(`${folder}/second`, language, "second") },
  };
}

Deno.test("earlier engines: a context of Python continues after a deploy and after its reversal", () =>
  withFolder(async (folder) => {
    const { first, second } = await caches(folder, "python");
    const env = { LANGUAGES: "python", KV_PATH: `${folder}/data.sqlite3` };
    const box = "languages/python/sandboxes/box";
    const program = [
      "class Point:",
      "  def __init__(self, x): self.x = x",
      "p = Point(40)",
      "open('/workspace/note.txt', 'w').write('kept')",
      "p.x",
    ].join("\n");
    const next = "p.x += 1\n(p.x, type(p).__name__, open('/workspace/note.txt').read())";
    const answers: unknown[] = [];
    const listings: unknown[] = [];
    const deploys = [[first, program], [second, next], [first, next]] as const;
    for (const [deploy, code] of deploys) {
      await using service = await startService({ ...env, ...deploy });
      const { status, body } = await callJson(`${service.url}/${box}/execute`, { code });
      assertEquals(status, 200, JSON.stringify(body));
      const [{ text }] = body["results"] as [{ text?: string }];
      answers.push([body["executionCount"], text, body["engine"]]);
      listings.push((await callJson(`${service.url}/languages`)).body);
      const health = (await callJson(`${service.url}/healthz`)).body;
      assertEquals(health["status"], "ok", JSON.stringify(health));
    }
    const [[, , engine] = []] = answers as unknown[][];
    assertEquals(answers, [
      [1, "40", engine],
      [2, "(41, 'Point', 'kept')", engine],
      [3, "(42, 'Point', 'kept')", engine],
    ]);
    for (const listing of listings) assertEquals(listing, listings[0]);
  }));

/**
 * Kills the service at an operation of the first run, then deploys. False when the run ended before
 * that operation.
 */
async function killInFirstRun(folder: string, count: number): Promise<boolean> {
  const { first, second } = await caches(folder, "javascript");
  const kvPath = `${folder}/data.sqlite3`;
  let ids = 0;
  const newId = () => (0x10000000 + ids++).toString(16);
  const box = new KillBox({ name: "box", language: "javascript", newId });
  const serve = (env: Record<string, string>) =>
    KillableService.start({ kvPath, leaseMs: LEASE_MS, env: { LANGUAGES: "javascript", ...env } });
  let killed: boolean;
  {
    await using service = await serve(first);
    await service.arm({ at: "operation", count, when: "after", tree: true });
    const outcome = await box.run(service.url, false);
    killed = outcome === "unknown";
    assert(killed || outcome === "answered", JSON.stringify(outcome));
    if (!killed) await service.kill(true);
  }
  for (const deploy of [second, first]) {
    await using service = await serve(deploy);
    const before = await box.verify(service.url);
    assertEquals(await box.run(service.url, false), "answered", `killed at ${count}`);
    assertEquals(await box.verify(service.url), before + 1);
  }
  const kv = await openStore(kvPath);
  try {
    await sweep(kv, LEASE_MS);
    assertEquals(await wrongKeys(kv), [], `killed at ${count}`);
  } finally {
    kv.close();
  }
  return killed;
}

Deno.test(
  "earlier engines: killed between storing module, baseline and context, the deploy after it goes well",
  { ignore: Deno.build.os !== "linux" },
  async () => {
    let kills = 0;
    let killed = true;
    for (let at = KILL_EACH; killed; at += KILL_EACH) {
      await withFolder(async (folder) => {
        killed = await killInFirstRun(folder, at);
      });
      if (killed) kills++;
    }
    assertGreaterOrEqual(kills, Math.floor(10 / KILL_EACH));
  },
);
