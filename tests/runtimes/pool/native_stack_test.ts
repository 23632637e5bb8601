// test: long
import { assert, assertEquals } from "@std/assert";
import { withStack } from "../../../runtimes/pool/native_stack.ts";

/** Prints how deep a function can call itself, and the names of the variables. */
const PROBE = `let depth = 0;
const deeper = () => { depth++; deeper(); };
try { deeper(); } catch { console.log(JSON.stringify([depth, Object.keys(Deno.env.toObject())])); }`;

/** Without compilers, so that all levels take the same stack. */
const V8_FLAGS = ["--jitless"];

/** Runs the probe in a process whose stack cannot be raised above so many KiB. */
async function probe(need: "usual" | "deep", hardKib: string): Promise<[number, string[]]> {
  const file = await Deno.makeTempFile({ suffix: ".js" });
  try {
    await Deno.writeTextFile(file, PROBE);
    const start = withStack(need, V8_FLAGS, ["--quiet", "--no-config", "-A", file]);
    const { code, stdout } = await new Deno.Command("/bin/sh", {
      args: ["-c", `ulimit -s ${hardKib}; exec "$0" "$@"`, start.program, ...start.args],
      clearEnv: true,
      env: { DENO_DIR: "/dev/null/none", HOME: "/proc/none" },
    }).output();
    assertEquals(code, 0);
    return JSON.parse(new TextDecoder().decode(stdout));
  } finally {
    await Deno.remove(file);
  }
}

Deno.test("native stack: a deep one is raised, and is the usual one where that is refused", async () => {
  const [usual] = await probe("usual", "8192");
  const [refused] = await probe("deep", "8192");
  const [deep, names] = await probe("deep", "16384");
  assert(Math.abs(refused / usual - 1) < 0.05, `${refused} levels instead of ${usual}`);
  assert(deep > 2.5 * usual, `${deep} levels, and usually ${usual}`);
  assertEquals(names.filter((name) => name.includes("PWD")), []);
});
