import { assert, assertEquals, assertGreater } from "@std/assert";
import { until } from "../remote/ends.ts";
import { callJson, startProgram } from "../support/program.ts";
import { type ReceivedSpan, startReceiver } from "./receiver.ts";

/** Spans of ours in the trace of the request with that path, in the order of their starts. */
function stepsOf(spans: readonly ReceivedSpan[], path: string): readonly string[] {
  const ours = spans.find(({ attributes, name }) =>
    name === "POST" &&
    attributes.some(({ key, value }) => key === "url.path" && value.stringValue === path)
  );
  return spans
    .filter(({ traceId, name }) => traceId === ours?.traceId && name.startsWith("belljar."))
    .sort((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
    .map(({ name }) => name.slice("belljar.".length));
}

Deno.test("telemetry: spans of a request's steps, and measurements", async (t) => {
  await using receiver = startReceiver();
  await using service = await startProgram({
    env: { ...receiver.env, LANGUAGES: "javascript", ISOLATES: "1" },
  });
  const box = `${service.url}/languages/javascript/sandboxes/box/execute`;
  await callJson(`${service.url}/execute`, { code: "1 + 1" });
  await callJson(`${service.url}/execute`, { code: "for (;;);" });
  await callJson(`${service.url}/execute`, { code: "throw 1" });
  await callJson(box, { code: "var x = 1" });
  const paths = ["/execute", "/languages/javascript/sandboxes/box/execute"];
  const points = (metric: string) => receiver.points().filter((point) => point.metric === metric);
  await until(() =>
    paths.every((path) => stepsOf(receiver.spans(), path).length >= 4) &&
    points("belljar.runs").reduce((sum, { value }) => sum + value, 0) === 4
  );

  await t.step("steps of a stateless run", () => {
    assertEquals(stepsOf(receiver.spans(), "/execute"), ["admit", "lease", "reset", "run"]);
  });
  await t.step("steps of a run in a context", () => {
    const steps = stepsOf(receiver.spans(), paths[1] ?? "");
    assertEquals(steps, ["turn", "admit", "lease", "restore", "run", "capture", "commit"]);
  });
  await t.step("every span of ours belongs to one of Deno's", () => {
    const spans = receiver.spans();
    const ids = new Set(spans.map(({ spanId }) => spanId));
    const ours = spans.filter(({ name }) => name.startsWith("belljar."));
    assertGreater(ours.length, 0);
    for (const span of ours) assert(ids.has(span.parentSpanId), span.name);
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
