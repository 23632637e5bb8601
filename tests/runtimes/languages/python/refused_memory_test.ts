import { Baseline } from "../../../../runtimes/engine/baseline.ts";
import { assertEquals, assertThrows } from "@std/assert";
import { StoppedError } from "../../../../runtimes/languages/python/host/guest_process.ts";
import { processCalls } from "../../../../runtimes/languages/python/host/process_calls.ts";
import { Instance } from "../../../../runtimes/languages/python/host/instance.ts";
import { engineParts } from "./support.ts";

Deno.test("refused memory: an abort after it is the limit of memory, and a crash without it", async () => {
  const parts = await engineParts();
  const { machine } = new Instance(parts, new Baseline(parts.image));
  const { emscripten_resize_heap: resize, _abort_js: abort } = processCalls(machine);
  const start = () => machine.startRun({ fuel: 1_000_000n, wallMs: 1000, output: () => true });
  start();
  assertThrows(abort, StoppedError);
  assertEquals(machine.stopped, { kind: "crash", reason: "abort" });
  start();
  assertEquals(resize(0xffff_ffff), 0);
  assertThrows(abort, StoppedError);
  assertEquals(machine.stopped, { kind: "limit", limit: "memory" });
  start();
  assertThrows(abort, StoppedError);
  assertEquals(machine.stopped, { kind: "crash", reason: "abort" });
});
