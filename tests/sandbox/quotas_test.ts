import { assert, assertEquals } from "@std/assert";
import { countIn } from "../../store/transaction.ts";
import { FaultyStore } from "./faulty_store.ts";
import { Caller, fakeRuntimes, sandboxProcess, withStore } from "./fixture.ts";
import { keyed } from "./keyed.ts";

Deno.test("quotas: one sandbox too many is 507, also among simultaneous calls; deleting makes room", () =>
  withStore(async (store) => {
    const processes = [1, 2].map(() => sandboxProcess(store, { quotas: { maxSandboxes: 5 } }));
    const calls = Array.from({ length: 12 }, (_, n) => {
      const sandboxes = processes[n % 2];
      assert(sandboxes !== undefined);
      const body = { op: "write", path: "f", content: "f" };
      return new Caller(sandboxes, `box-${n}`).send("POST", "/files", body);
    });
    const answers = await Promise.all(calls);
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    const made = answers.flatMap(({ status }, n) => status === 200 ? [n] : []);
    assertEquals(made.length, 5);
    for (const [n, { status }] of answers.entries()) {
      if (status !== 200) assertEquals([status, bodies[n].code], [507, "NO_SPACE"]);
    }
    const [sandboxes] = processes;
    assert(sandboxes !== undefined);
    const other = new Caller(sandboxes, "box-0", "another-tenant");
    await other.file("write", "f", { content: "f" });
    const box = new Caller(sandboxes, "late");
    const body = { binding: "PYTHON" };
    await box.fails(507, "NO_SPACE", "POST", "/contexts", body);
    await box.fails(507, "NO_SPACE", "POST", "/env", { envVars: { A: "1" } });
    await box.fails(507, "NO_SPACE", "POST", "/execute", { ...body, code: "1" });
    await new Caller(sandboxes, `box-${made[0]}`).ok("DELETE", "/");
    await box.context();
  }));

Deno.test("quotas: files, variables and snapshots of all sandboxes of a tenant count", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const sandboxes = sandboxProcess(store, { runtimes, quotas: { maxTenantBytes: 10_000 } });
    const [a, b] = [new Caller(sandboxes, "a"), new Caller(sandboxes, "b")];
    const counted = async (name: string) =>
      countIn(await store.get(["sandbox_size", "default", name]));
    const kept = () => counted("bytes");
    await a.file("write", "f", { content: "x".repeat(6_000) });
    assertEquals(await kept(), 6_000);
    const more = { op: "write", path: "f", content: "x".repeat(4_001) };
    const refused = await b.fails(507, "NO_SPACE", "POST", "/files", more);
    assertEquals(refused["context"], { limit: "tenant bytes" });
    await b.file("write", "f", { content: "x".repeat(3_000) });
    await b.run("x = 1");
    assertEquals(await kept(), 9_100);
    const body = { binding: "PYTHON", code: "x = 2\nwrite g " + "x".repeat(2_000) };
    await b.fails(507, "NO_SPACE", "POST", "/execute", body);
    const { results, executionCount } = await b.run("x");
    assertEquals([results, executionCount], [[{ json: 1 }], 2]);
    assertEquals(await b.paths(), ["/workspace/f"]);
    await a.file("write", "f", { content: "x" });
    await b.run("write g " + "x".repeat(2_000));
    await b.ok("POST", "/env", { envVars: { A: "1" } });
    assert(await kept() > 5_101);
    await a.ok("DELETE", "/");
    await b.ok("DELETE", "/");
    assertEquals(await kept(), 0);
    assertEquals(await counted("sandboxes"), 0);
  }));

Deno.test("operations: a small run of a context that this process knows costs one", () =>
  withStore(async (store) => {
    const counting = new FaultyStore(store);
    const box = new Caller(sandboxProcess(counting));
    await box.ok("POST", "/env", { envVars: { A: "1" } });
    const contextId = await box.context({ envVars: { B: "2" } });
    await box.file("write", "d/f", { content: "text", recursive: true });
    await box.run("x = 1\nread d/f", contextId);
    const turn = ["getMany", "commit", "commit"];
    const costs = async (code: string, id?: string) => {
      counting.reset();
      await box.run(code, id);
      return [...counting.operations];
    };
    for (const code of ["x += 1", "x\nwrite d/g small", "rm d/g", "throw no"]) {
      assertEquals(await costs(code, contextId), ["commit"], code);
    }
    assertEquals(await costs("limit", contextId), turn, "it leaves nothing that names it");
    assertEquals(await costs("x"), ["commit"], "the default context");
  }));

Deno.test("operations: a key costs a run four more reads, and a repeat costs reads only", () =>
  withStore(async (store) => {
    const counting = new FaultyStore(store);
    const box = new Caller(sandboxProcess(counting));
    await keyed(box, "first", "x = 1");
    const cost = async (key: string) => {
      counting.reset();
      await keyed(box, key, "x += 1");
      return counting.operations.join();
    };
    assertEquals(await cost("second"), "getMany,get,getMany,commit,get,get,commit");
    assertEquals(await cost("second"), "getMany,get,getMany");
  }));

Deno.test("operations: a call of /files costs one read, and a write one commit more", () =>
  withStore(async (store) => {
    const counting = new FaultyStore(store);
    const box = new Caller(sandboxProcess(counting));
    await box.file("write", "f", { content: "text" });
    const cost = async (op: string, path: string, fields = {}) => {
      counting.reset();
      await box.file(op, path, fields);
      return counting.operations.join();
    };
    assertEquals(await cost("write", "f", { content: "more" }), "getMany,commit");
    assertEquals(await cost("mkdir", "d"), "getMany,commit");
    assertEquals(await cost("rename", "f", { newPath: "d/f" }), "getMany,commit");
    assertEquals(await cost("read", "d/f"), "getMany,getMany");
    assertEquals(await cost("list", "."), "getMany");
    assertEquals(await cost("exists", "d/f"), "getMany");
    assertEquals(await cost("stat", "d/f"), "getMany");
    assertEquals(await cost("delete", "d", { recursive: true }), "getMany,commit");
  }));
