// test: long
import { assert, assertEquals } from "@std/assert";
import type { ExecutionResult } from "../../../client/protocol/types.ts";
import { difference } from "./equivalence.ts";

function ran(stdout: readonly string[], text?: string): ExecutionResult {
  return {
    code: "",
    language: "python",
    engine: "",
    durationMs: 0,
    logs: { stdout, stderr: [] },
    results: text === undefined ? [] : [{ text }],
  };
}

Deno.test("split programs: the output of the pieces equals that of the whole, except for lines that continue", () => {
  const whole = ran(["ab", "", "c"], "1");
  const same = [
    [ran(["ab", "", "c"], "1")],
    [ran(["a"]), ran(["b", ""]), ran(["c"], "1")],
    [ran(["ab"]), ran([], "x"), ran([""]), ran(["c"], "1")],
    [ran(["ab", ""]), ran(["c"]), ran([], "1")],
  ];
  for (const pieces of same) assertEquals(difference(whole, pieces), undefined);
  const others = [
    [ran(["ab", "c"], "1")],
    [ran(["ab"]), ran(["c"], "1")],
    [ran(["ab", ""]), ran(["c"], "2")],
    [ran(["ab", "", "c"]), ran([])],
    [ran(["ab", ""], "1")],
    [ran(["ab", "", "c", "d"], "1")],
  ];
  for (const pieces of others) assert(difference(whole, pieces) !== undefined);
});
