import { assertEquals } from "@std/assert";
import { limitOutput } from "../../../runtimes/isolate/output.ts";

function collect(limits: { outputBytes: number; outputLines: number }, writes: string[]) {
  const all = { ...limits, displayBytes: 0 };
  const decoder = new TextDecoder();
  const written: string[] = [];
  const output = limitOutput(all, (_stream, bytes) => written.push(decoder.decode(bytes)));
  const verdicts = writes.map((text) => output.sink(1, new TextEncoder().encode(text)));
  return { written: written.join(""), verdicts, bytes: output.bytes() };
}

Deno.test("output limit: output within the limits passes unchanged", () => {
  assertEquals(collect({ outputBytes: 4, outputLines: 2 }, ["a\n", "b\n"]), {
    written: "a\nb\n",
    verdicts: [true, true],
    bytes: 4,
  });
});

Deno.test("output limit: bytes up to the limit are kept, and the run must stop", () => {
  assertEquals(collect({ outputBytes: 3, outputLines: 9 }, ["ab", "cd", "e"]), {
    written: "abc",
    verdicts: [true, false, false],
    bytes: 3,
  });
});

Deno.test("output limit: lines up to the limit are kept, in one write or in many", () => {
  assertEquals(collect({ outputBytes: 99, outputLines: 2 }, ["a\nb\nc\n"]).written, "a\nb\n");
  assertEquals(collect({ outputBytes: 99, outputLines: 2 }, ["\n", "\n", "\n"]), {
    written: "\n\n",
    verdicts: [true, true, false],
    bytes: 2,
  });
});

Deno.test("output limit: writing nothing never exceeds the limit", () => {
  assertEquals(collect({ outputBytes: 1, outputLines: 1 }, ["a", "", "b"]).verdicts, [
    true,
    true,
    false,
  ]);
});
