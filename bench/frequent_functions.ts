/**
 * Finds the functions of the Perl or Ruby module that programs call often, and writes them to the
 * language's `frequent_functions.ts`. Usage:
 * `deno run --allow-all --v8-flags=--stack-size=4000 bench/frequent_functions.ts perl|ruby`
 *
 * @module
 */
import { zeroPerlModule } from "../runtimes/languages/perl/build/builder.ts";
import { rubyModule } from "../runtimes/languages/ruby/build/builder.ts";
import type { Engine, EngineArtifact } from "../runtimes/engine/engine.ts";
import { ByteReader } from "../wasm/metering/byte_reader.ts";
import { ByteWriter } from "../wasm/metering/byte_writer.ts";
import { readBodies, readLocals } from "../wasm/metering/code_section.ts";
import { meterModule } from "../wasm/metering/meter.ts";
import { type ModuleLayout, readLayout } from "../wasm/metering/module_layout.ts";
import { Op, SectionId } from "../wasm/metering/opcodes.ts";
import { createPerlEngine } from "../runtimes/languages/perl/create.ts";
import { patchedPerl } from "../runtimes/languages/perl/build/metered_module.ts";
import { WARM_UP as PERL_WARM_UP } from "../runtimes/languages/perl/host/warm_up.ts";
import { createRubyEngine } from "../runtimes/languages/ruby/create.ts";
import { patchedRuby } from "../runtimes/languages/ruby/build/metered_module.ts";
import { WARM_UP as RUBY_WARM_UP } from "../runtimes/languages/ruby/host/warm_up.ts";
import { withoutData } from "../wasm/metering/data_segments.ts";
import { WASM_PAGE_BYTES } from "../wasm/metering/wasm_page.ts";
import { readArchive } from "../tests/corpus/archive.ts";
import { builtIsolate } from "../tests/support/built.ts";
import { MEMORY_BYTES, SHARED_LIMITS } from "../shared/limits.ts";
import { PERL_PROGRAMS, RUBY_KINDS, RUBY_PROGRAMS } from "./programs.ts";

/** Calls within one program from which on a function is frequent. */
const FREQUENT_CALLS = 100;
const COUNT_BYTES = 4;
const ALIGN_4 = 2;
const LIMITS = { ...SHARED_LIMITS, fuel: Number.MAX_SAFE_INTEGER, wallMs: 60_000 };
/** Maximum length of a line of the list. */
const LINE = 90;

interface Subject {
  readonly language: "perl" | "ruby";
  readonly extension: string;
  /** An address on the C stack that no run reaches; the counts are from there on. */
  readonly countsAt: number;
  readonly programs: readonly string[];
  module(): Promise<Uint8Array<ArrayBuffer>>;
  create(artifact: EngineArtifact & { readonly memoryBytes: number }): Promise<Engine>;
}

const SUBJECTS: readonly Subject[] = [{
  language: "perl",
  extension: ".pl",
  countsAt: 0x20_0000,
  programs: [...Object.values(PERL_PROGRAMS), ...PERL_WARM_UP],
  module: async () => patchedPerl(await zeroPerlModule()),
  create: createPerlEngine,
}, {
  language: "ruby",
  extension: ".rb",
  countsAt: 0x60_0000,
  programs: [...Object.values(RUBY_KINDS), ...Object.values(RUBY_PROGRAMS), ...RUBY_WARM_UP],
  module: async () => patchedRuby(await rubyModule()),
  create: createRubyEngine,
}];

/** The module, each function of which counts its calls in memory. */
function counting(source: Uint8Array, layout: ModuleLayout, at: number): Uint8Array<ArrayBuffer> {
  const section = layout.sections.find(({ id }) => id === SectionId.code);
  if (section === undefined) throw new TypeError("The module has no code");
  const functions = layout.functionTypes.length;
  const code = new ByteWriter(source.length);
  code.u32(functions);
  const reader = new ByteReader(source, section.start, section.end);
  readBodies(reader, functions).forEach(({ start, end }, index) => {
    const body = new ByteWriter(end - start + 32);
    const first = readLocals(new ByteReader(source, start, end), 0).end;
    body.copy(source, start, first);
    constant(body, at + index * COUNT_BYTES);
    constant(body, at + index * COUNT_BYTES);
    access(body, Op.i32Load);
    constant(body, 1);
    body.u8(Op.i32Add);
    access(body, Op.i32Store);
    body.copy(source, first, end);
    code.u32(body.length);
    code.append(body);
  });
  const out = new ByteWriter(source.length + code.length);
  out.copy(source, 0, section.header);
  out.u8(SectionId.code);
  out.u32(code.length);
  out.append(code);
  out.copy(source, section.end);
  return out.toBytes();
}

function constant(out: ByteWriter, value: number): void {
  out.u8(Op.i32Const);
  out.s32(value);
}

function access(out: ByteWriter, opcode: number): void {
  out.u8(opcode);
  out.u32(ALIGN_4);
  out.u32(0);
}

/** Records the memory of the newest instance. */
function watchMemory(): () => Uint32Array {
  let latest: WebAssembly.Instance | undefined;
  WebAssembly.Instance = class extends WebAssembly.Instance {
    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      super(module, imports);
      latest = this;
    }
  };
  return () => {
    const memory = latest?.exports["memory"];
    if (!(memory instanceof WebAssembly.Memory)) throw new TypeError("No memory");
    return new Uint32Array(memory.buffer.slice(0));
  };
}

function corpus({ language, extension }: Subject): readonly string[] {
  return [...readArchive(language)].filter(([name]) => name.endsWith(extension))
    .map(([, code]) => code);
}

/** The frequent functions, by index. */
async function frequentFunctions(subject: Subject): Promise<readonly number[]> {
  const memory = watchMemory();
  const { language, countsAt } = subject;
  const source = await subject.module();
  const layout = readLayout(source);
  const { importedFunctions, functionTypes } = layout;
  const memoryBytes = MEMORY_BYTES[language];
  const maximumPages = memoryBytes / WASM_PAGE_BYTES;
  const { bytes } = meterModule(counting(source, layout, countsAt), { maximumPages });
  const { artifact } = await builtIsolate(language);
  const engine = await subject.create({ ...artifact, module: withoutData(bytes), memoryBytes });
  const most = new Uint32Array(functionTypes.length);
  const first = countsAt / COUNT_BYTES;
  for (const code of [...subject.programs, ...corpus(subject)]) {
    engine.reset();
    const before = memory();
    engine.run({ code, env: new Map(), typescript: false, limits: LIMITS }, () => true);
    const after = memory();
    most.forEach((count, index) => {
      const calls = (after[first + index] ?? 0) - (before[first + index] ?? 0);
      most[index] = Math.max(count, calls);
    });
  }
  return [...most.keys()].filter((index) => (most[index] ?? 0) >= FREQUENT_CALLS)
    .map((index) => importedFunctions + index);
}

/** Indexes as lines: the differences between them, in base 36. */
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

function sourceText(indexes: readonly number[]): string {
  return `/**
 * The functions of the module that programs call often, written by \`bench/frequent_functions.ts\`.
 * The list decides about time, size and fuel, and about nothing else.
 *
 * @module
 */

/** Differences between their indexes, in base 36. */
export const FREQUENT_FUNCTIONS = \`
${encoded(indexes).join("\n")}
\`;
`;
}

if (import.meta.main) {
  const subject = SUBJECTS.find(({ language }) => language === Deno.args[0]);
  if (subject === undefined) throw new TypeError("Usage: frequent_functions.ts perl|ruby");
  const path = `../runtimes/languages/${subject.language}/build/frequent_functions.ts`;
  const found = await frequentFunctions(subject);
  await Deno.writeTextFile(new URL(path, import.meta.url), sourceText(found));
  Deno.stdout.writeSync(new TextEncoder().encode(`${found.length} functions\n`));
}
