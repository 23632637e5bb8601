// test: slow
/**
 * A sandbox at its largest: 8 contexts with the longest working directories, full variables, and
 * 4,096 entries with the longest paths. Its root record stays within KV's limit, and every
 * operation still works.
 */
import { assert, assertEquals, assertLess } from "@std/assert";
import { serialize } from "node:v8";
import { Caller, fakeRuntimes, sandboxProcess, withStore } from "./fixture.ts";
import { HAS_PREFIX } from "../support/test_store.ts";

const MAX_VALUE_BYTES = 65_536;
const ENTRIES = 4_096;

/** Three directories deep; with the longest names, paths are close to 1,024 bytes. */
const DIRECTORY = `/workspace/${["a", "b", "c"].map((name) => name.repeat(250)).join("/")}`;

function longPath(n: number): string {
  return `${DIRECTORY}/${String(n).padStart(6, "0")}`.padEnd(1_018, "x");
}

Deno.test({
  name: `largest: every operation works, and the root record is within KV's limit${
    HAS_PREFIX ? " (needs a store of its own)" : ""
  }`,
  ignore: HAS_PREFIX,
  fn: () =>
    withStore(async (store) => {
      const runtimes = fakeRuntimes();
      const sandboxes = sandboxProcess(store, { runtimes });
      const box = new Caller(sandboxes, "n".repeat(63), "t".repeat(63));
      const envVars = { A: "x".repeat(32 * 1024 - 1) };
      await box.ok("POST", "/env", { envVars });
      await box.file("mkdir", DIRECTORY, { recursive: true });
      const contexts: string[] = [];
      for (let n = 0; n < 8; n++) contexts.push(await box.context({ cwd: DIRECTORY, envVars }));
      const [first] = contexts;
      assert(first !== undefined);
      const writes = Array.from({ length: ENTRIES - 3 }, (_, n) => `write ${longPath(n)} ${n}`);
      const perRun = 50;
      for (let n = 0; n < writes.length; n += perRun) {
        await box.run(writes.slice(n, n + perRun).join("\n"), first);
      }
      for (const id of contexts) await box.run("x = 1", id);
      const longest = { headers: { "idempotency-key": "k".repeat(255) } };
      const run = { code: "x = 1", contextId: first };
      assertEquals((await box.send("POST", "/execute", run, longest)).status, 200);
      const { workspace } = await box.ok("GET", "/");
      assertEquals(workspace, { files: ENTRIES - 3, bytes: 15_262 });

      const { value } = await store.get(["sandbox", "t".repeat(63), "n".repeat(63)]);
      const bytes = serialize(value).byteLength;
      assertLess(bytes, MAX_VALUE_BYTES - 4_096);

      const fresh = new Caller(sandboxProcess(store, { runtimes }), "n".repeat(63), "t".repeat(63));
      const full = { op: "write", path: "one-more", content: "" };
      await fresh.fails(507, "NO_SPACE", "POST", "/files", full);
      assertEquals((await fresh.file("list", ".", { recursive: true }))["count"], ENTRIES);
      const path = longPath(ENTRIES - 4);
      assertEquals(await fresh.text(path), String(ENTRIES - 4));
      await fresh.file("write", path, { content: "new" });
      assertEquals(await fresh.text(path), "new");
      await fresh.file("delete", path);
      await fresh.file("rename", "a".repeat(250), { newPath: "z".repeat(250) });
      assertEquals((await fresh.run("x", first))["results"], [{ json: 1 }]);
      await fresh.ok("DELETE", `/contexts/${first}`);
      await fresh.file("delete", "z".repeat(250), { recursive: true });
      assertEquals((await fresh.ok("GET", "/"))["workspace"], { files: 0, bytes: 0 });
      await fresh.ok("DELETE", "/");
    }),
});
