// test: long
/**
 * Crafted wheels, from the folder to the operator's message: each is refused in one line that names
 * the wheel, the file in it, and what is wrong.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { readBuildInputs } from "../../../runtimes/builder/build_inputs.ts";
import { buildPython } from "../../../runtimes/languages/python/build/builder.ts";
import { WheelError } from "../../../runtimes/languages/python/build/pack_library.ts";
import { sideModule } from "../../support/side_modules.ts";
import { NATIVE, zipOf } from "./wheels/fake_index.ts";

type Files = Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>;

const FINE = `(data (offset (global.get $memory)) "abcd")
  (func (export "PyInit_fast") (result i32) (i32.const 0))`;
const MEMBER = "sly/fast.so";

function metadata(name: string): Files {
  return {
    [`${name}-1.0.dist-info/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`,
  };
}

/** A wheel of the name `sly` with one native module. */
function slyWith(text: string, options: Parameters<typeof sideModule>[2] = {}): Files {
  return { [MEMBER]: sideModule("fast.so", text, options).bytes, ...metadata("sly") };
}

/** A temporary folder with wheels. */
async function folderOf(wheels: Readonly<Record<string, Uint8Array>>) {
  const path = await Deno.makeTempDir();
  for (const [name, bytes] of Object.entries(wheels)) {
    await Deno.writeFile(`${path}/${name}`, bytes);
  }
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

const SLY = `sly-1.0-${NATIVE}.whl`;
const NOBODY = "which neither the interpreter nor a library of its wheel exports";
const WHOLE = sideModule("fast.so", FINE).bytes;

/** The contents of the folder, and the line about them. A `*` stands for V8's or Python's words. */
const CASES: readonly (readonly [
  what: string,
  wheels: Readonly<Record<string, Uint8Array>>,
  says: string,
])[] = [
  ...([
    [
      "a call of the host by its name",
      slyWith(
        `(import "wasi_snapshot_preview1" "fd_write" (func (param i32 i32 i32 i32) (result i32)))`,
      ),
      "imports wasi_snapshot_preview1.fd_write, a call of the host, which no package can make",
    ],
    [
      "a call of the host as the interpreter's",
      slyWith(`(import "env" "__syscall_openat" (func (param i32 i32 i32 i32) (result i32)))`),
      "imports env.__syscall_openat, a call of the host, which no package can make",
    ],
    [
      "an import that nobody exports",
      slyWith(`(import "env" "dlmopen" (func))`),
      `imports env.dlmopen, ${NOBODY}`,
    ],
    [
      "a module name of its own for the host",
      slyWith(`(import "deno" "eval" (func (param i32)))`),
      `imports deno.eval, ${NOBODY}`,
    ],
    [
      "an address that nobody has",
      slyWith(`(import "GOT.mem" "nowhere" (global (mut i32)))`),
      `imports GOT.mem.nowhere, ${NOBODY}`,
    ],
    [
      "data over the interpreter's",
      slyWith(`(data (offset (i32.const 4096)) "evil")`),
      "has data outside of its region of memory",
    ],
    [
      "functions over the interpreter's",
      slyWith(`(elem (offset (i32.const 1)) func $f) (func $f)`),
      "puts functions outside of its region of the function table",
    ],
    [
      "relocations that write when it is loaded",
      slyWith(`(func $start (i32.store (i32.const 0) (i32.const 1))) (start $start)`),
      "has a start function with the instruction 0x36",
    ],
    [
      "a module that is cut",
      { ...metadata("sly"), [MEMBER]: WHOLE.slice(0, -3) },
      "is not a valid*",
    ],
    ["machine code", { ...metadata("sly"), [MEMBER]: "\x7fELF\x02\x01" }, "is not a valid*"],
    [
      "a module without a word about linking",
      { ...metadata("sly"), [MEMBER]: Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0]) },
      "is not a side module: it has no section dylink.0",
    ],
    [
      "more memory than there is",
      slyWith(FINE, { memoryBytes: 0x7fffffff }),
      "needs more memory (2147483647 bytes) than is left",
    ],
  ] as const).map(([what, files, says]) =>
    [what, { [SLY]: zipOf(files) }, `${SLY}: ${MEMBER} ${says}`] as const
  ),
  [
    "a module for another interpreter",
    { [SLY]: zipOf({ "sly/fast.cpython-313-wasm32-emscripten.so": WHOLE, ...metadata("sly") }) },
    `${SLY}: sly/fast.cpython-313-wasm32-emscripten.so is for another interpreter ` +
    "(cpython-313-wasm32-emscripten)",
  ],
  [
    "two libraries that export one name",
    {
      [SLY]: zipOf({
        "sly/fast.so": sideModule("fast.so", `(import "env" "help" (func))`, {
          needed: ["libx.so", "liby.so"],
        }).bytes,
        "sly/libx.so": sideModule("libx.so", `(func (export "help"))`).bytes,
        "sly/liby.so": sideModule("liby.so", `(func (export "help"))`).bytes,
        ...metadata("sly"),
      }),
    },
    `${SLY}: sly/fast.so imports help, which both libx.so and liby.so export`,
  ],
  [
    "a module of one name in two wheels",
    {
      [SLY]: zipOf({ "fast.so": WHOLE, ...metadata("sly") }),
      [`sneaky-1.0-${NATIVE}.whl`]: zipOf({ "fast.so": WHOLE, ...metadata("sneaky") }),
    },
    `sneaky-1.0-${NATIVE}.whl: fast.so is the module fast, and so is ${SLY}: fast.so`,
  ],
  ...["cp313-cp313-pyemscripten_2026_0_wasm32", "cp314-cp314-pyodide_2024_0_wasm32"].map((tags) =>
    [
      `tags of another engine, ${tags}`,
      { [`sly-1.0-${tags}.whl`]: zipOf(slyWith(FINE)) },
      `sly-1.0-${tags}.whl is for ${tags}; this engine takes *`,
    ] as const
  ),
  [
    "native code in a wheel that is named as pure",
    { "sly-1.0-py3-none-any.whl": zipOf(slyWith(FINE)) },
    `sly-1.0-py3-none-any.whl holds native code (${MEMBER}), but is named as one without`,
  ],
  [
    "what is no archive",
    { [SLY]: new TextEncoder().encode("PK, but not really") },
    `${SLY} cannot be unpacked: *`,
  ],
];

function matches(message: string, says: string): boolean {
  if (!says.endsWith("*")) return message === says;
  return message.startsWith(says.slice(0, -1)) && message.length > says.length;
}

for (const [what, wheels, says] of CASES) {
  Deno.test(`a build refuses wheels: ${what}`, async () => {
    await using folder = await folderOf(wheels);
    const inputs = await readBuildInputs({ pythonWheels: folder.path });
    const { message } = await assertRejects(() => buildPython(inputs), WheelError);
    assert(!message.includes("\n"), message);
    assert(matches(message, says), `${message}\ninstead of\n${says}`);
  });
}

Deno.test("deno task build reports it in one line, and leaves no engine", async () => {
  const [[, wheels, says] = ["", {}, ""]] = CASES;
  await using folder = await folderOf(wheels);
  const cache = `${folder.path}/cache`;
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", new URL("../../../main.ts", import.meta.url).href]
      .concat("build"),
    env: { LANGUAGES: "python", PYTHON_WHEELS: folder.path, CACHE_DIR: cache },
    stdin: "null",
  }).output();
  const said = new TextDecoder().decode(stderr).replaceAll(/^Building .*\n/gm, "");
  assertEquals(code, 1);
  assertEquals(new TextDecoder().decode(stdout), "");
  assertEquals(said, `Belljar cannot start:\n  PYTHON_WHEELS: ${says}\n`);
  const left = [...Deno.readDirSync(cache)].map(({ name }) => name);
  assertEquals(left.filter((name) => name.endsWith(".engine")), []);
});
