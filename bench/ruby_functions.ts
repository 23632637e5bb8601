/**
 * Finds the functions of the Ruby module that programs call often, and writes them to
 * `runtimes/isolate/ruby/frequent_functions.ts`. Usage:
 * `deno run --allow-all bench/ruby_functions.ts [folder with programs]...`
 *
 * @module
 */
import { bootRubyImage, rubyModule } from "../runtimes/build/ruby.ts";
import { decodeImage } from "../runtimes/isolate/image.ts";
import { ByteReader } from "../runtimes/isolate/metering/byte_reader.ts";
import { ByteWriter } from "../runtimes/isolate/metering/byte_writer.ts";
import { readBodies, readLocals } from "../runtimes/isolate/metering/code_section.ts";
import { meterModule } from "../runtimes/isolate/metering/meter.ts";
import { readLayout } from "../runtimes/isolate/metering/module_layout.ts";
import { Op, SectionId } from "../runtimes/isolate/metering/opcodes.ts";
import { Baseline } from "../runtimes/isolate/ruby/baseline.ts";
import { readHead } from "../runtimes/isolate/ruby/create.ts";
import { Instance } from "../runtimes/isolate/ruby/instance.ts";
import { STACK_TOP, UNWIND_PLACES } from "../runtimes/isolate/ruby/ruby_abi.ts";
import { WARM_UP } from "../runtimes/isolate/ruby/warm_up.ts";
import { fillRandom, PROCESS_TIME } from "../runtimes/isolate/process_services.ts";
import { withoutData } from "../runtimes/isolate/wasi/data_segments.ts";
import { WasiHost } from "../runtimes/isolate/wasi/host.ts";
import { WASM_PAGE_BYTES } from "../runtimes/isolate/wasm_page.ts";
import { MEMORY_BYTES, SHARED_LIMITS } from "../wire/limits.ts";
import { RUBY_PROGRAMS } from "./programs_ruby.ts";
import { RUBY_KINDS } from "./programs_ruby_kinds.ts";

const TARGET = new URL("../runtimes/isolate/ruby/frequent_functions.ts", import.meta.url);
const CORPUS = new URL("../tests/corpus/ruby/", import.meta.url).pathname;
/** Calls within one program from which on a function is frequent. */
const FREQUENT_CALLS = 100;
/** Where the counts are: below the stack's lowest end, which no program here reaches. */
const COUNTS_AT = UNWIND_PLACES.kept.to;
const COUNT_BYTES = 4;
const WALL_MS = 60_000;
const LINE = 90;

/** The module, each function of which counts its calls in memory. */
function counting(
  source: Uint8Array,
): { bytes: Uint8Array<ArrayBuffer>; imported: number; functions: number } {
  const layout = readLayout(source);
  const section = layout.sections.find(({ id }) => id === SectionId.code);
  if (section === undefined) throw new TypeError("The module has no code");
  const functions = layout.functionTypes.length;
  const code = new ByteWriter(source.length);
  code.u32(functions);
  readBodies(new ByteReader(source, section.start, section.end), functions).forEach(
    ({ start, end }, index) => {
      const body = new ByteWriter(end - start + 32);
      const first = readLocals(new ByteReader(source, start, end), 0).end;
      body.copy(source, start, first);
      for (let address = 0; address < 2; address++) {
        body.u8(Op.i32Const);
        body.s32(COUNTS_AT + index * COUNT_BYTES);
      }
      access(body, Op.i32Load);
      body.u8(Op.i32Const);
      body.s32(1);
      body.u8(Op.i32Add);
      access(body, Op.i32Store);
      body.copy(source, first, end);
      code.u32(body.length);
      code.append(body);
    },
  );
  const out = new ByteWriter(source.length + code.length);
  out.copy(source, 0, section.header);
  out.u8(SectionId.code);
  out.u32(code.length);
  out.append(code);
  out.copy(source, section.end);
  return { bytes: out.toBytes(), imported: layout.importedFunctions, functions };
}

function access(out: ByteWriter, opcode: number): void {
  out.u8(opcode);
  out.u32(2);
  out.u32(0);
}

async function programsIn(folder: string): Promise<readonly string[]> {
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  return await Promise.all(
    names.filter((name) => name.endsWith(".rb")).sort().map((name) =>
      Deno.readTextFile(`${folder}/${name}`)
    ),
  );
}

/** The frequent functions, by index. */
async function frequentFunctions(programs: readonly string[]): Promise<readonly number[]> {
  const { bytes, imported, functions } = counting(await rubyModule());
  if (COUNTS_AT + functions * COUNT_BYTES > STACK_TOP) throw new RangeError("Too many functions");
  const metered = meterModule(bytes, { maximumPages: MEMORY_BYTES.ruby / WASM_PAGE_BYTES }).bytes;
  const image = decodeImage(await bootRubyImage({ module: metered, contexts: false }), readHead);
  const host = new WasiHost({ time: PROCESS_TIME, random: fillRandom, charge: () => undefined });
  const parts = {
    module: new WebAssembly.Module(withoutData(metered)),
    head: image.head,
    pages: image.pages,
    baseline: new Baseline(image),
  };
  const most = new Uint32Array(functions);
  for (const code of programs) {
    host.reset();
    const instance = new Instance(parts, host);
    host.startRun(() => true, WALL_MS);
    try {
      instance.prepare(code, new Map(), SHARED_LIMITS.resultBytes);
      instance.run();
    } catch (error) { // its calls up to then have been counted
      Deno.stderr.writeSync(new TextEncoder().encode(`A program ended with ${error}\n`));
    }
    const counts = new Uint32Array(instance.vm.bytes.buffer, COUNTS_AT, functions);
    counts.forEach((count, index) => most[index] = Math.max(most[index] ?? 0, count));
  }
  return [...most.keys()].filter((index) => (most[index] ?? 0) >= FREQUENT_CALLS)
    .map((index) => imported + index);
}

/** Indexes as text: the differences between them, in base 36. */
function encoded(indexes: readonly number[]): readonly string[] {
  const lines = [""];
  indexes.forEach((index, at) => {
    const step = `${(index - (indexes[at - 1] ?? 0)).toString(36)} `;
    const line = lines.at(-1) ?? "";
    if (line.length + step.length > LINE) lines.push(step);
    else lines[lines.length - 1] = line + step;
  });
  return lines.map((line) => line.trimEnd());
}

if (import.meta.main) {
  const folders = [CORPUS, ...Deno.args];
  const corpora = (await Promise.all(folders.map(programsIn))).flat();
  const programs = [...Object.values(RUBY_KINDS), ...Object.values(RUBY_PROGRAMS), ...WARM_UP];
  const found = await frequentFunctions([...programs, ...corpora]);
  await Deno.writeTextFile(
    TARGET,
    `/**
 * The functions of the Ruby module that programs call often, written by \`bench/ruby_functions.ts\`.
 * The list decides about time, size and fuel, and about nothing else.
 *
 * @module
 */

/** Differences between their indexes, in base 36. */
const STEPS = \`
${encoded(found).join("\n")}
\`;

/** Indexes of the functions. */
export function frequentFunctions(): ReadonlySet<number> {
  let index = 0;
  return new Set(STEPS.trim().split(/\\s+/).map((step) => index += parseInt(step, 36)));
}
`,
  );
  Deno.stdout.writeSync(new TextEncoder().encode(`${found.length} functions\n`));
}
