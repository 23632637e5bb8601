/** How a program's exit status is reported. */
import { assertEquals } from "@std/assert";
import { run } from "./ruby.ts";

/** Programs, and the status that a shell would see. */
const CASES: readonly (readonly [code: string, status: number])[] = [
  ["exit", 0],
  ["exit true", 0],
  ["exit 256", 0],
  ["exit!(0)", 0],
  ["exit!(512)", 0],
  ["Process.exit(256)", 0],
  ["raise SystemExit", 0],
  ["raise SystemExit.new(256)", 0],
  ["at_exit { exit 0 }; raise 'x'", 0],
  ["catch(:x) { exit }", 0],
  ["exit 3", 3],
  ["exit false", 1],
  ["exit 257", 1],
  ["exit(-1)", 255],
  ["exit!", 1],
  ["exit!(false)", 1],
  ["exit!(4)", 4],
  ["exit!(-2)", 254],
  ["Process.exit!(300)", 44],
  ["abort", 1],
  ["abort 'bye'", 1],
  ["raise SystemExit.new(5, 'bye')", 5],
  ["begin; exit 6; ensure; puts 1; end", 6],
  ["at_exit { exit 7 }; 1", 7],
  ["at_exit { exit(-1) }; exit 3", 255],
  ["at_exit { exit! 300 }", 44],
  ["trap('EXIT') { exit 8 }", 8],
  ["p 1; END { exit 7 }; 1", 7],
  ["x = 1 if true; END{ exit 6 }", 6],
];

Deno.test("ruby exit: the status is the one that a shell would see; 0 is a success", async () => {
  for (const [code, status] of CASES) {
    const { ending } = await run(code);
    const error = { name: "SystemExit", message: `exit status ${status}`, traceback: [] };
    assertEquals(ending, status === 0 ? { kind: "none" } : { kind: "error", error }, code);
  }
});
