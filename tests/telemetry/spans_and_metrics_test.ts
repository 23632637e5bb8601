import { assert, assertEquals, assertGreater } from "@std/assert";
import { callJson, startProgram } from "../support/program.ts";
import { until } from "../support/wait.ts";
import { type ReceivedSpan, startReceiver } from "./receiver.ts";

const BOX = "/languages/javascript/sandboxes/box/execute";

/** The spans of a run, by the path of its request. */
const STEPS: readonly (readonly [path: string, steps: readonly string[]])[] = [
  ["/execute", ["admit", "lease", "reset", "run"]],
  [BOX, ["turn", "admit", "lease", "restore", "run", "capture", "commit"]],
];

function isOurs({ name }: ReceivedSpan): boolean {
  return name.startsWith("belljar.");
}

/** Names of our spans whose parent is not there. */
function orphans(spans: readonly ReceivedSpan[]): readonly string[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  return spans.filter((span) => isOurs(span) && !ids.has(span.parentSpanId))
    .map(({ name }) => name);
}

/** Spans of ours in the trace of the request with that path, in the order of their starts. */
function stepsOf(spans: readonly ReceivedSpan[], path: string): readonly string[] {
  const ours = spans.find(({ attributes, name }) =>
    name === "POST" &&
    attributes.some(({ key, value }) => key === "url.path" && value.stringValue === path)
  );
  return spans
    .filter((span) => span.traceId === ours?.traceId && isOurs(span))
    .sort((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
    .map(({ name }) => name.slice("belljar.".length));
}

Deno.test("telemetry: spans of a request's steps, and measurements", async (t) => {
  await using receiver = startReceiver();
  await using service = await startProgram({
    env: { ...receiver.env, LANGUAGES: "javascript", ISOLATES: "1" },
  });
  const box = `${service.url}${BOX}`;
  await callJson(`${service.url}/execute`, { code: "1 + 1" });
  await callJson(`${service.url}/execute`, { code: "for (;;);" });
  await callJson(`${service.url}/execute`, { code: "throw 1" });
  await callJson(box, { code: "var x = 1" });
  const points = (metric: string) => receiver.points().filter((point) => point.metric === metric);
  // spans come in batches, children before the parents that end later
  await until(() =>
    STEPS.every(([path, steps]) => stepsOf(receiver.spans(), path).length >= steps.length) &&
    orphans(receiver.spans()).length === 0 &&
    points("belljar.runs").reduce((sum, { value }) => sum + value, 0) === 4 &&
    points("belljar.isolates").at(-1)?.value === 1
  );

  for (const [path, steps] of STEPS) {
    await t.step(`steps of a run at ${path}`, () => {
      assertEquals(stepsOf(receiver.spans(), path), steps);
    });
  }
  await t.step("every span of ours belongs to one of Deno's", () => {
    assertGreater(receiver.spans().filter(isOurs).length, 0);
    assertEquals(orphans(receiver.spans()), []);
  });
  await t.step("runs by how they ended", () => {
    const runs = points("belljar.runs").map(({ attributes, value }) => [attributes["end"], value]);
    assertEquals(runs.sort(), [["error", 1], ["limit", 1], ["value", 2]]);
  });
  await t.step("limits by kind", () => {
    const limits = points("belljar.limits").map(({ attributes }) => attributes);
    assertEquals(limits, [{ language: "javascript", limit: "fuel" }]);
  });
  await t.step("queue, isolates, memory, store", () => {
    assertEquals(points("belljar.queue").map(({ value }) => value), [0]);
    assertEquals(points("belljar.isolates").at(-1)?.value, 1);
    assertEquals(points("belljar.admission").length, 3);
    const memory = points("belljar.memory").map(({ value }) => value);
    assertEquals(memory.length, Deno.build.os === "linux" ? 2 : 1);
    for (const bytes of memory) assertGreater(bytes, 10 * 1024 * 1024);
    const operations = points("belljar.kv.duration").map(({ attributes }) =>
      attributes["operation"]
    );
    assert(operations.includes("getMany") && operations.includes("commit"), operations.join());
  });
});
