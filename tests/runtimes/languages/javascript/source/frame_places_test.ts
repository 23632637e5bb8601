import { assertEquals } from "@std/assert";
import { FramePlaces } from "../../../../../runtimes/languages/javascript/host/source/frame_places.ts";

/** The corrected positions, `line:column` each, in the frames of functions with the given names. */
function places(
  code: string,
  frames: readonly (readonly [label: string, place: string])[],
  errorName = "Error",
): readonly string[] {
  const lines = frames.map(([label, place]) =>
    label === "" ? `    at main.js:${place}` : `    at ${label} (main.js:${place})`
  );
  const corrected = FramePlaces.of(code).corrected(lines, "main.js", errorName);
  return corrected.map((line) => /main\.js:([\d:]+)/.exec(line)?.[1] ?? "");
}

Deno.test("frames: a call is reported where it begins, not at its last argument", () => {
  const code = "function f(a) {\n  throw new Error(\n    a,\n  );\n}\nx.y.f(\n  1,\n  z,\n);\n";
  assertEquals(places(code, [["f", "3:5"], ["", "8:3"]]), ["2:9", "6:5"]);
});

Deno.test("frames: among nested calls the call of the frame above is chosen", () => {
  const code = "let a;\nouter(\n  inner(\n    a,\n  ),\n);\n";
  assertEquals(places(code, [["outer", "1:1"], ["", "4:5"]], "None"), ["1:1", "2:1"]);
  assertEquals(places(code, [["inner", "1:1"], ["", "4:5"]], "None"), ["1:1", "3:3"]);
  assertEquals(places(code, [["other", "1:1"], ["", "4:5"]], "None"), ["1:1", "3:3"]);
});

Deno.test("frames: a call around the running function does not count as its own", () => {
  const code = "run(() => {\n  const b = a;\n  b.c;\n});\nnew K(\n  a);\n";
  assertEquals(places(code, [["g", "1:1"], ["", "3:5"]], "None"), ["1:1", "3:5"]);
  assertEquals(places(code, [["new K", "1:1"], ["", "6:3"]], "None"), ["1:1", "5:1"]);
});

Deno.test("frames: columns of the first line count from 1", () => {
  assertEquals(places("f(); g(); throw new Error(1)", [["", "1:20"]]), ["1:17"]);
  assertEquals(places("f(); g();", [["g", "2:1"], ["", "1:5"]]), ["2:1", "1:6"]);
});

Deno.test("frames: invented frames, and frames of another script, stay as they are", () => {
  const places = FramePlaces.of("f(\n1)");
  for (
    const line of [
      "    at main.js:9:9",
      "    at f (main-2.js:2:1)",
      "    at map (native)",
      "main.js:2:1",
      "    at main.js:99999999999999999999:1",
      "",
    ]
  ) {
    assertEquals(places.corrected([line], "main.js", "Error"), [line]);
  }
  const unparsed = "    at main.js:1:1";
  assertEquals(FramePlaces.of("f(").corrected([unparsed], "main.js", undefined), [unparsed]);
});
