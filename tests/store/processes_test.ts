import { assert, assertEquals } from "@std/assert";
import { type BlobRef, readBlob } from "../../store/blobs.ts";
import { sweepIntents } from "../../store/intents.ts";
import { rootRecordKey, sandboxBlobKey } from "../../store/keys.ts";
import { openStore } from "../../store/open.ts";
import { printedSeed, seeded } from "../support/random.ts";
import { until } from "../support/wait.ts";
import { withSharedStore } from "../support/test_store.ts";
import { keysUnder, withFile } from "./fixture.ts";

const root = rootRecordKey("tenant", "box");

function startWorker(path: string, work: string): Deno.ChildProcess {
  const program = new URL("lease_worker.ts", import.meta.url).pathname;
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", "--unstable-kv", program, path, work],
    stdout: "piped",
    stderr: "inherit",
    stdin: "null",
  }).spawn();
}

Deno.test("processes: no entry that three processes add under leases is lost, and all fences differ", () =>
  withSharedStore(async (kv, path) => {
    const times = 40;
    const workers = [1, 2, 3].map(() => startWorker(path, String(times)));
    for (const worker of workers) assert((await worker.output()).success);
    const { value } = await kv.get<number[]>(root);
    assertEquals(value, Array.from({ length: 3 * times }, (_, index) => index + 1));
  }));

Deno.test("processes: after kills in the middle of large commits exactly one blob exists", () =>
  withSharedStore(async (kv, path) => {
    const random = seeded(printedSeed("kills"));
    for (let round = 0; round < 4; round++) {
      const worker = startWorker(path, "large");
      const reader = worker.stdout.getReader();
      await reader.read();
      await new Promise((resolve) => setTimeout(resolve, random() * 60));
      worker.kill("SIGKILL");
      await reader.cancel();
      await worker.status;
      // a server may still be at the last operation of the worker, so the whole state is read again
      let state = "";
      await until(async () => {
        await sweepIntents(kv, { clock: () => Date.now() + 3_600_000, olderThanMs: 600_000 });
        const { value } = await kv.get<{ readonly ref: BlobRef }>(root);
        assert(value !== null);
        const blob = readBlob(kv, sandboxBlobKey("life"), value.ref);
        const reads = await blob.then(() => "whole", (thrown: unknown) => String(thrown));
        const counts = [await keysUnder(kv, ["sandbox_blob"]), await keysUnder(kv, ["intent"])];
        state = [reads, ...counts.map(({ length }) => length)].join(" ");
        return state === "whole 40 0";
      }).catch(() => assertEquals(state, "whole 40 0"));
    }
  }));

Deno.test("processes: a new file is made with its folder, for its owner only", () =>
  withFile(async (kv, path) => {
    await kv.set(["kept"], 1);
    if (Deno.build.os !== "windows") {
      assertEquals(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
      assertEquals(((await Deno.stat(path.replace(/\/[^/]*$/, ""))).mode ?? 0) & 0o777, 0o700);
    }
    const again = await openStore(path);
    assertEquals((await again.get(["kept"])).value, 1);
    again.close();
  }));
