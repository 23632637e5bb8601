/** A reset instance contains nothing of earlier runs, and runs cost the same. */
import { assert, assertEquals, assertFalse } from "@std/assert";
import { Buffer } from "node:buffer";
import { decodeImage } from "../../../../runtimes/engine/image.ts";
import { Baseline } from "../../../../runtimes/engine/baseline.ts";
import { type ImageHead, Instance } from "../../../../runtimes/languages/ruby/host/instance.ts";
import { WasiHost } from "../../../../runtimes/files/wasi/host.ts";
import { builtIsolate } from "../../../support/built.ts";
import { printedSeed, seededBelow } from "../../../support/random.ts";
import { anotherEngine, rubyEngine, runOn, shortEnding } from "./ruby.ts";

const CANARY = "belljar-canary-7f3a9c";
const TIME = { now: () => Date.now(), monotonic: () => performance.now() };

/** Changes as much as it can and leaves the canary wherever it can. */
const MESSY = `
  $kept = ["${CANARY}"] * 100
  ENV["X"] = "${CANARY}"
  class String; def canary = "${CANARY}"; end
  Object.const_set(:CANARY, "${CANARY}".to_sym)
  File.write("canary.txt", "${CANARY}")
  h = {}; 5_000.times { |i| h["${CANARY}#{i}"] = [i] }
  def deep(n) = n.zero? ? "${CANARY}" : [n].map { deep(n - 1) }.first
  deep(100); GC.start
  e = [1].each; e.next
  puts "${CANARY}"; $stdout = StringIO.new; srand(1)
  require "zlib"; Zlib.deflate("${CANARY}" * 50)
  throw :x rescue h.size
`;

async function newInterpreter(): Promise<Instance> {
  const { artifact } = await builtIsolate("ruby");
  const image = decodeImage(artifact.image, (head) => head as ImageHead);
  const parts = {
    module: await WebAssembly.compile(artifact.module),
    head: image.head,
    pages: image.pages,
    baseline: new Baseline(image),
  };
  const host = new WasiHost({
    time: TIME,
    random: (into) => void crypto.getRandomValues(into),
    charge: () => undefined,
  });
  return new Instance(parts, host);
}

function contains(bytes: Uint8Array, text: string): boolean {
  const wanted = new TextEncoder().encode(text);
  const [first = 0] = wanted;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return true;
  }
  return false;
}

Deno.test("ruby reset: memory and globals are those of a new instance, bit for bit", async () => {
  const used = await newInterpreter();
  const fresh = await newInterpreter();
  used.prepare(MESSY, new Map([["A", CANARY]]), 1_000);
  assertEquals(new TextDecoder().decode(used.run()), "t5000");
  assert(contains(used.vm.bytes, CANARY), "the program left nothing");
  assert(used.restore(), "the memory grew");
  assertFalse(contains(used.vm.bytes, CANARY));
  const digest = async (bytes: Uint8Array<ArrayBuffer>) =>
    new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
  const { length } = fresh.vm.bytes;
  assertEquals(await digest(used.vm.bytes.slice(0, length)), await digest(fresh.vm.bytes));
  assert(used.vm.bytes.subarray(length).every((byte) => byte === 0));
  const globals = ({ vm }: Instance) => [...vm.globals].map(([name, { value }]) => [name, value]);
  assertEquals(globals(used), globals(fresh));
});

Deno.test("ruby reset: the next run finds no files, variables, methods or constants", async () => {
  const engine = await rubyEngine();
  for (const code of [MESSY, `${MESSY}\nexit!`, `${MESSY}\n$a = 'x' * (60 << 20); loop {}`]) {
    runOn(engine, code, { limits: { fuel: 3_000_000_000 } });
    const { ending } = runOn(
      engine,
      "[$kept, ENV.size, ''.respond_to?(:canary), defined?(CANARY), Dir.children('.'), Dir.children('/tmp')]",
    );
    assertEquals(shortEnding(ending), "json [null,0,false,null,[],[]]");
  }
});

const PROGRAMS = [
  'h = {}; 3_000.times { |i| h["k#{i}"] = [i] }; h.inspect.size',
  "def f(n) = n < 2 ? n : f(n - 1) + f(n - 2)\nf(15)",
  "200.times { begin; raise 'x'; rescue => e; e.backtrace; end }; GC.start; 1",
  "e = (1..50).each; 50.times { e.next }; [1, 2].map { |x| x.to_s * 1000 }.size",
];

Deno.test("ruby reset: fuel is the same in 20 runs and in two engines", async () => {
  const engines = [await anotherEngine(), await anotherEngine()];
  for (const code of PROGRAMS) {
    const costs = engines.flatMap((engine) =>
      Array.from({ length: 20 }, () => runOn(engine, code).fuelConsumed)
    );
    assertEquals(new Set(costs).size, 1, `${code}\n${costs.join(" ")}`);
    assert((costs[0] ?? 0) > 0);
  }
});

Deno.test("ruby reset: fuel is the same in two processes", async () => {
  const program = new URL("fuel_program.ts", import.meta.url).href;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", program, ...PROGRAMS],
    cwd: new URL("../../../../", import.meta.url),
  }).output();
  const said = new TextDecoder().decode(stdout);
  assert(said !== "", new TextDecoder().decode(stderr));
  const engine = await rubyEngine();
  assertEquals(JSON.parse(said), PROGRAMS.map((code) => runOn(engine, code).fuelConsumed));
});

Deno.test("ruby reset: a run that grew memory does not change the fuel of the next", async () => {
  const engine = await rubyEngine();
  const [code = ""] = PROGRAMS;
  const cost = runOn(engine, code).fuelConsumed;
  runOn(engine, "$a = 'x' * (60 << 20); 1");
  assertEquals(runOn(engine, code).fuelConsumed, cost);
  runOn(engine, "loop {}", { limits: { fuel: 1_000_000_000 } });
  assertEquals(runOn(engine, code).fuelConsumed, cost);
});

Deno.test("ruby reset: memory with any contents is restored", async () => {
  const used = await newInterpreter();
  const fresh = await newInterpreter();
  const below = seededBelow(printedSeed("ruby memory"));
  const scribbles: readonly ((words: Uint32Array) => void)[] = [
    (words) => void words.fill(0xffffffff),
    (words) => void words.fill(0),
    (words) => words.forEach((_, i) => void (words[i] = below(0xffffffff))),
    (words) => words.forEach((_, i) => void (words[i] = below(words.length) * 4)),
  ];
  for (const scribble of scribbles) {
    scribble(new Uint32Array(used.vm.bytes.buffer));
    assertEquals(used.stoppedAt(), []);
    assert(used.restore());
    assertEquals(Buffer.compare(used.vm.bytes, fresh.vm.bytes), 0);
    used.prepare("6 * 7", new Map(), 1_000);
    assertEquals(new TextDecoder().decode(used.run()), "t42");
    assert(used.restore());
  }
});
