import { assertEquals, assertThrows } from "@std/assert";
import { checkStructure } from "../../shared/read_body.ts";
import { ServiceError } from "../../shared/errors.ts";

const encode = (text: string) => new TextEncoder().encode(text);

function isRefused(json: Uint8Array, max: number): boolean {
  try {
    checkStructure(json, max);
    return false;
  } catch (thrown) {
    if (thrown instanceof ServiceError) return true;
    throw thrown;
  }
}

/** The least bound that a text passes; it is followed by room, as a longer text would be. */
function structureOf(text: string): number {
  for (let max = 0;; max++) if (!isRefused(encode(text + " ".repeat(100)), max)) return max;
}

Deno.test("body structure: the count has opening brackets, commas and colons outside of strings", () => {
  const texts: readonly (readonly [text: string, count: number])[] = [
    ["", 0],
    ["1", 0],
    ["[[],{}]", 4],
    ['{"a":1,"b":[2,3]}', 6],
    ['{"{[,:":"]}{[,:"}', 2],
    ['["\\"[,", "\\\\", "\\\\\\"[["]', 3],
    ['["é\u{1f600}[","",0]', 3],
    ['{"no end": "[[[', 2],
    ['["ends with a backslash\\', 1],
  ];
  for (const [text, count] of texts) assertEquals(structureOf(text), count, text);
});

Deno.test("body structure: deep or broken bodies are VALIDATION_FAILED", () => {
  const texts = [
    "[".repeat(1e6),
    `[${"{},".repeat(1e6)}`,
    ",".repeat(1e6),
    `{"a":${"[".repeat(101)}`,
  ];
  for (const text of texts) {
    const error = assertThrows(() => checkStructure(encode(text), 100), ServiceError);
    assertEquals([error.code, error.status], ["VALIDATION_FAILED", 400]);
    assertEquals(
      error.message,
      "The request body has more than 100 brackets, commas and colons outside of strings",
    );
  }
});
