/** A process that waits for its engine. */
import { assert, assertEquals } from "@std/assert";
import { BlankProcess } from "../../../runtimes/pool/blank_process.ts";
import { IsolateProcess } from "../../../runtimes/pool/isolate_process.ts";
import { SHARED_LIMITS } from "../../../shared/limits.ts";
import { encodeMessage } from "../../../shared/message.ts";
import { builtIsolate } from "../../support/built.ts";
import { isAlive } from "../../support/process.ts";
import { until } from "../../support/wait.ts";
import { requestOf } from "./fake_isolate.ts";

const { program, artifact: { language, build, module, image, extras } } = await builtIsolate(
  "javascript",
);
const memoryBytes = 1 << 26;

Deno.test("blank process: take() returns the process once", async () => {
  const blank = new BlankProcess(program, memoryBytes);
  const { pid } = blank;
  const faults: string[] = [];
  const isolate = await IsolateProcess.start({
    program,
    child: blank.take(),
    openEngine: () =>
      Promise.resolve(encodeMessage({ language, build }, [module, image, ...extras])),
    limits: { ...SHARED_LIMITS, memoryBytes },
    onFault: (fault) => faults.push(fault),
  });
  assertEquals([isolate.pid, blank.take()], [pid, undefined]);
  const request = requestOf("1 + 1");
  const limits = { ...request.limits, fuel: 1e9 };
  assertEquals((await isolate.run({ ...request, limits })).answer?.value, "2");
  await blank.close();
  assert(isolate.usable);
  isolate.kill();
  await isolate.ended;
  assertEquals(faults, []);
});

Deno.test("blank process: close() ends it before and after its boot", async () => {
  for (const wait of [0, 400]) {
    const blank = new BlankProcess(program, memoryBytes);
    const { pid } = blank;
    assert(pid !== undefined);
    await new Promise((resolve) => setTimeout(resolve, wait));
    assert(await isAlive(pid));
    await blank.close();
    await blank.close();
    assertEquals([await isAlive(pid), blank.take()], [false, undefined]);
  }
});

Deno.test("blank process: take() skips a process that has ended", async () => {
  const blank = new BlankProcess(program, memoryBytes);
  Deno.kill(blank.pid ?? 0, "SIGKILL");
  await until(() => Promise.resolve(blank.pid === undefined));
  assertEquals(blank.take(), undefined);
  await blank.close();
});
