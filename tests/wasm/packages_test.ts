/**
 * The published packages `wasm/metering` and `wasm/linking`: their examples run as a stranger would
 * run them.
 */
import { assertEquals, assertMatch } from "@std/assert";
import { interpreterModule, sideModule } from "../support/side_modules.ts";
import { buildModule, I32 } from "./metering/module_builder.ts";

const PACKAGES = new URL("../../wasm/", import.meta.url);
const ENDLESS = [0x03, 0x40, 0x0c, 0x00, 0x0b, 0x41, 0x00]; // loop br 0 end i32.const 0

/** Runs an example in a folder with files; returns its exit code and its output. */
async function example(
  path: string,
  files: Readonly<Record<string, Uint8Array>>,
  ...args: readonly string[]
): Promise<{ code: number; output: string; result: Uint8Array<ArrayBuffer> }> {
  const cwd = await Deno.makeTempDir();
  try {
    for (const [name, bytes] of Object.entries(files)) {
      await Deno.writeFile(`${cwd}/${name}`, bytes);
    }
    const program = new URL(path, PACKAGES).pathname;
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", "--allow-read", "--allow-write", program, ...args],
      cwd,
    }).output();
    const decoder = new TextDecoder();
    const output = decoder.decode(stdout) + decoder.decode(stderr);
    const result = code < 2 ? await Deno.readFile(`${cwd}/out.wasm`) : new Uint8Array();
    return { code, output, result };
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
}

const FUNCTIONS = buildModule({
  functions: [
    { name: "answer", results: [I32], body: [0x41, 42] },
    { name: "endless", results: [I32], body: ENDLESS },
  ],
});

Deno.test("meter.ts runs an export and counts its fuel", async () => {
  const files = { "in.wasm": FUNCTIONS };
  const { code, output, result } = await example(
    "metering/examples/meter.ts",
    files,
    "in.wasm",
    "out.wasm",
    "answer",
  );
  assertEquals(code, 0, output);
  assertMatch(output, /answer\(\) = 42 for \d units/);
  assertEquals(WebAssembly.validate(result), true);
});

Deno.test("meter.ts ends an endless loop by fuel", async () => {
  const { code, output } = await example(
    "metering/examples/meter.ts",
    { "in.wasm": FUNCTIONS },
    ...["in.wasm", "out.wasm", "endless", "5000"],
  );
  assertEquals(code, 1);
  assertMatch(output, /endless\(\) used up 5000 units/);
});

Deno.test("link.ts links a side module and names the exports to call", async () => {
  const side = sideModule("a.so", `(func (export "PyInit_a") (result i32) (i32.const 7))`);
  const { code, output, result } = await example(
    "linking/examples/link.ts",
    { "main.wasm": interpreterModule(), "a.so": side.bytes },
    ...["main.wasm", "out.wasm", "a.so=PyInit_a"],
  );
  assertEquals(code, 0, output);
  assertMatch(output, /^a\.so: call .*; PyInit_a is \d+\n$/);
  assertEquals(WebAssembly.validate(result), true);
});
