/** Refused forks and checkpoints: the sandbox is as before, and nothing is left over. */
import { assert, assertEquals } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import { withTestStore } from "../support/test_store.ts";
import { FaultyStore } from "./faulty_store.ts";
import type { Caller } from "./fixture.ts";
import { observe, textOf } from "./forks_model.ts";
import { assertEmptyAfterAll, NAMES, Processes } from "./forks_processes.ts";

/** A sandbox with two contexts, files and a checkpoint. */
async function prepare(box: Caller) {
  const write = { path: "f", chars: 70_000 };
  await box.run(JSON.stringify({ add: 1, write }));
  const context = await box.context();
  await box.run(JSON.stringify({ add: 2 }), context);
  const { id } = await box.ok("POST", "/checkpoints", {});
  await box.run(JSON.stringify({ add: 4 }), context);
  return { context, checkpoint: String(id) };
}

/** Every way to share a state. */
function waysOf({ context, checkpoint }: Awaited<ReturnType<typeof prepare>>) {
  return [
    [`/contexts/${context}/fork`, {}],
    ["/fork", { to: "b" }],
    ["/checkpoints", {}],
    [`/checkpoints/${checkpoint}/restore`, undefined],
  ] as const;
}

async function stateOf(kv: KvStore, processes: Processes): Promise<string> {
  const { runtime, caller } = processes.start();
  return textOf(await observe(kv, { names: NAMES, runtime, now: processes.now, caller }));
}

Deno.test("forks: without enough of the tenant's bytes each is refused before anything is written", () =>
  withTestStore(async (kv) => {
    using processes = new Processes(kv, { maxTenantBytes: 430_000 });
    const box = processes.start().caller("a");
    await box.run(JSON.stringify({ add: 7, write: { path: "f", chars: 20_000 } })); // 200,000 bytes of memory
    const { contexts } = await box.ok("GET", "/contexts");
    assert(Array.isArray(contexts));
    const context = contexts[0]?.id;
    const before = await stateOf(kv, processes);
    const counted = new FaultyStore(kv);
    const { caller } = processes.start(counted);
    for (const [path, body] of [["/fork", { to: "b" }], ["/checkpoints", {}]] as const) {
      counted.reset();
      const refused = await caller("a").fails(507, "NO_SPACE", "POST", path, body);
      assert(String(refused["message"]).includes("tenant bytes"), String(refused["message"]));
      const writes = counted.operations.filter((each) => !/^(?:get|getMany|list)$/.test(each));
      assertEquals(writes, [], path);
    }
    assertEquals(await stateOf(kv, processes), before);
    await caller("a").ok("POST", `/contexts/${context}/fork`, {}); // 200,000 more still fit
    await caller("a").fails(507, "NO_SPACE", "POST", `/contexts/${context}/fork`, {});
    await assertEmptyAfterAll(kv, processes, "at the end");
  }));

Deno.test("forks: a large sandbox is copied in one attempt while its context runs on", () =>
  withTestStore(async (kv) => {
    using processes = new Processes(kv);
    const counted = new FaultyStore(kv);
    const box = processes.start(counted).caller("a");
    for (const path of ["f", "g", "h"]) {
      await box.run(JSON.stringify({ add: 1, write: { path, chars: 900_000 } }));
    }
    counted.reset();
    await box.ok("POST", "/fork", { to: "b" });
    const commits = () => counted.operations.filter((each) => each === "commit").length;
    const alone = commits();
    let isDone = false;
    let runs = 0;
    const runOn = async () => {
      for (; !isDone; runs++) await box.run(JSON.stringify({ add: 3 }));
    };
    const running = runOn();
    counted.reset();
    await box.ok("POST", "/fork", { to: "c" });
    isDone = true;
    const during = commits();
    await running;
    assert(during <= alone + 2 * runs + 2, `${alone} alone, ${during} with ${runs} runs`);
    await assertEmptyAfterAll(kv, processes, "at the end");
  }));

Deno.test("forks: a stranger finds neither context nor checkpoint, and gets no sandbox", () =>
  withTestStore(async (kv) => {
    using processes = new Processes(kv);
    const { caller, stranger } = processes.start();
    const made = await prepare(caller("a"));
    const before = await stateOf(kv, processes);
    for (const [path, body] of waysOf(made).filter(([path]) => path !== "/checkpoints")) {
      const answer = await stranger("a").send("POST", path, body);
      assertEquals(answer.status, 404, path);
      await answer.body?.cancel();
    }
    assertEquals(await stateOf(kv, processes), before);
    await assertEmptyAfterAll(kv, processes, "at the end");
  }));

for (const when of ["before the runtime is called", "after it has answered"] as const) {
  Deno.test(`forks: a run here, when its sandbox is restored elsewhere ${when}, is 409, and leaves nothing`, () =>
    withTestStore(async (kv) => {
      using processes = new Processes(kv);
      const there = processes.start().caller("a");
      const { context, checkpoint } = await prepare(there);
      const restore = () => there.ok("POST", `/checkpoints/${checkpoint}/restore`);
      const { caller } = processes.start(kv, (runtime) => ({
        language: runtime.language,
        engine: runtime.engine,
        contexts: runtime.contexts,
        execute: runtime.execute,
        fetch: runtime.fetch,
        executeInContext: async (key, args, getFiles) => {
          if (when === "before the runtime is called") await restore();
          const outcome = await runtime.executeInContext(key, args, getFiles);
          if (when === "after it has answered") await restore();
          return outcome;
        },
      }));
      const late = { add: 100, write: { path: "late", chars: 1 } };
      const body = { contextId: context, code: JSON.stringify(late) };
      const { context: named } = await caller("a").fails(
        409,
        "CONFLICT",
        "POST",
        "/execute",
        body,
      );
      assertEquals(named, { contextId: context });
      const { results } = await there.ok("POST", "/execute", { ...body, code: "{}" });
      assertEquals(results, [{ json: 2 }]);
      assertEquals((await there.file("exists", "late"))["exists"], false);
      await assertEmptyAfterAll(kv, processes, "at the end");
    }));
}
