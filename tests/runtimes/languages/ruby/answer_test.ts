import { assertEquals } from "@std/assert";
import { readAnswer } from "../../../../runtimes/languages/ruby/host/answer.ts";
import { SHARED_LIMITS } from "../../../../shared/limits.ts";

const REQUEST = { limits: { ...SHARED_LIMITS, fuel: 1_000, resultBytes: 100 } };
const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("Ruby answer: a value over the limit is a limit error, for any count of the driver", () => {
  for (const kind of ["t", "j"]) {
    assertEquals(readAnswer(bytes(`${kind}"${"é".repeat(50)}"`), REQUEST).kind, "limit");
    assertEquals(
      readAnswer(bytes(`${kind}"${"é".repeat(49)}"`), REQUEST).kind,
      kind === "t" ? "text" : "json",
    );
  }
});

Deno.test("Ruby answer: an impossible line number is dropped", () => {
  for (const line of [0, -1, 1.5, 1e300, Number.MAX_SAFE_INTEGER + 1, "7", null]) {
    const ending = readAnswer(
      bytes(`e${JSON.stringify({ name: "E", lineNumber: line })}`),
      REQUEST,
    );
    assertEquals(ending.kind === "error" && "lineNumber" in ending.error, false, `${line}`);
  }
});
