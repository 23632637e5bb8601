import { assertEquals, assertRejects } from "@std/assert";
import { runStore } from "../../service/store_command.ts";
import { StoreRefused } from "../../store/copy.ts";
import { tenantCounterKey } from "../../store/keys.ts";
import { openStore } from "../../store/open.ts";
import { COPY_KEY } from "../../store/store_keys.ts";
import { AVAILABLE_LANGUAGES } from "../../runtimes/create_runtimes.ts";
import { readConfig } from "../../service/config.ts";
import { until } from "../support/wait.ts";
import { Presence } from "../../store/presence.ts";
import { type BackendOptions, startBackend } from "../../service/backend.ts";
import { StartRefused } from "../../gateway/server.ts";
import { countPresent } from "../../store/presence.ts";
import { Caller, sandboxProcess } from "../sandbox/fixture.ts";
import { StoredRuntime } from "../sandbox/stored_runtime.ts";

/** Does work with the paths of a store with sandboxes of two tenants, and of one that does not exist. */
async function withSandboxes(work: (path: string, other: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "belljar-store-" });
  const path = `${folder}/data.sqlite3`;
  const kv = await openStore(path);
  try {
    const runtime = new StoredRuntime(kv, "python", Date.now);
    const sandboxes = sandboxProcess(kv, { bindings: new Map([["PYTHON", runtime]]) });
    for (const [tenant, names] of [["ann", ["one", "two"]], ["bob", ["one"]]] as const) {
      for (const name of names) {
        const box = new Caller(sandboxes, name, tenant);
        await box.file("write", "a.txt", { content: "x".repeat(100_000) });
        await box.run(JSON.stringify({ add: 1, write: { path: "/workspace/b", chars: 7 } }));
      }
    }
    await new Caller(sandboxes, "one", "ann").ok("POST", "/checkpoints", { name: "before" });
  } finally {
    await kv.close();
  }
  try {
    await work(path, `${folder}/other.sqlite3`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Runs an order. Gives its exit code and its lines. */
async function run(
  kvPath: string,
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const code = await runStore({ args, kvPath }, (line) => lines.push(line));
  return { code, lines };
}

/** Changes the store behind the command's back. */
async function change(
  path: string,
  work: (kv: Awaited<ReturnType<typeof openStore>>) => Promise<void>,
): Promise<void> {
  const kv = await openStore(path);
  await work(kv);
  await kv.close();
}

Deno.test("store usage: each sandbox has a line, and each tenant a sum", () =>
  withSandboxes(async (path) => {
    const { code, lines } = await run(path, "usage");
    assertEquals(code, 0);
    const rows = lines.map((line) => line.split("\t"));
    assertEquals(rows[0], ["tenant", "sandbox", "bytes", "files", "contexts", "checkpoints"]);
    assertEquals(
      rows.slice(1, 4).map(([tenant, sandbox, , ...counts]) => [tenant, sandbox, ...counts]),
      [["ann", "one", "2", "1", "1"], ["ann", "two", "2", "1", "0"], ["bob", "one", "2", "1", "0"]],
    );
    const bytes = rows.slice(1, 4).map((row) => Number(row[2]));
    assertEquals(rows[4], ["ann", "(2 sandboxes)", String((bytes[0] ?? 0) + (bytes[1] ?? 0))]);
    assertEquals(rows[5], ["bob", "(1 sandbox)", String(bytes[2])]);
  }));

Deno.test("store check: a store is right, and each kind of damage is named", () =>
  withSandboxes(async (path, other) => {
    assertEquals(await run(path, "check"), {
      code: 0,
      lines: ["checked: 3 sandboxes, 0 problems"],
    });
    const damages: readonly (readonly [string, RegExp])[] = [
      [
        "sandbox_blob",
        /^(?:ann|bob)\t(?:one|two)\t(?:checkpoint \S+: )?files: a (?:part of a blob|blob)/,
      ],
      ["interpreter", /^(?:ann|bob)\t(?:one|two)\t(?:checkpoint \S+: )?context \S+: /],
      ["sandbox_checkpoint", /^ann\tone\tthere are 0 of 1 checkpoints$/],
    ];
    for (const [kind, problem] of damages) {
      await Deno.copyFile(path, other);
      await change(other, async (kv) => {
        for await (const { key } of kv.list({ prefix: [kind] })) await kv.delete(key);
      });
      const { code, lines } = await run(other, "check");
      assertEquals([kind, code], [kind, 1]);
      assertEquals([kind, lines.filter((line) => !problem.test(line)).slice(0, -1)], [kind, []]);
      assertEquals(lines.at(-1), `checked: 3 sandboxes, ${lines.length - 1} problems`);
    }
    await change(path, async (kv) => {
      await kv.atomic().sum(tenantCounterKey("bob", "sandboxes"), 2n).commit();
    });
    assertEquals(await run(path, "check"), {
      code: 1,
      lines: ["bob\t\tthe counter of sandboxes is 3, not 1", "checked: 3 sandboxes, 1 problems"],
    });
  }));

Deno.test("store copy: the copy is as right as the source", () =>
  withSandboxes(async (path, other) => {
    const { code, lines } = await run("", "copy", path, other);
    assertEquals(code, 0);
    assertEquals(lines.length, 1);
    assertEquals(await run(other, "usage"), await run(path, "usage"));
    assertEquals((await run(other, "check")).code, 0);
  }));

Deno.test("store: an order that cannot be carried out says why, and changes nothing", () =>
  withSandboxes(async (path, other) => {
    for (const args of [[], ["copy"], ["copy", path], ["check", "x"], ["drop"]]) {
      assertEquals((await run(path, ...args)).code, 2);
    }
    const refused = async (message: string, ...args: string[]) => {
      await assertRejects(() => run(other, ...args), StoreRefused, message);
    };
    await refused("FROM: there is no such file", "copy", other, path);
    await refused("KV_PATH: there is no such file", "check");
    await refused("both stores are the same", "copy", path, path);
    await refused("TO cannot be opened: pool must be", "copy", path, "postgres://a:b@c/d?pool=x");
    await assertRejects(() => Deno.stat(other), Deno.errors.NotFound);
    const kv = await openStore(path);
    const presence = new Presence(kv, Date.now);
    presence.begin();
    await presence.renewed();
    await refused("1 service uses the source: stop it first", "copy", path, other);
    await presence.end();
    await kv.close();
  }));

/** Options of a backend without languages. */
function backendOptions(kvPath: string): BackendOptions {
  const env = { KV_PATH: kvPath, TOKENS: "a".repeat(32) };
  return { ...readConfig(env, { available: AVAILABLE_LANGUAGES, cores: 1 }), page: false };
}

Deno.test("store copy: a service does not start on an unfinished copy, and while it runs none begins", () =>
  withSandboxes(async (path, other) => {
    const start = (kvPath: string) =>
      startBackend(backendOptions(kvPath), () => Promise.resolve(new Map()), () => undefined);
    await change(other, async (kv) => {
      await kv.set(COPY_KEY, { state: "copying", after: null, entries: 0 });
    });
    await assertRejects(() => start(other), StartRefused, "KV_PATH holds an unfinished copy");
    await run("", "copy", path, other);
    const backend = await start(other);
    const kv = await openStore(other);
    await until(async () => await countPresent(kv, Date.now) === 1);
    await assertRejects(
      () => run("", "copy", other, path),
      StoreRefused,
      "1 service uses the source",
    );
    await backend.close();
    assertEquals(await countPresent(kv, Date.now), 0);
    await kv.close();
  }));
