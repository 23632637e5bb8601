/** The behaviour of contexts in every engine: one suite, with programs for each language. */
import { Buffer } from "node:buffer";
import {
  assert,
  assertArrayIncludes,
  assertEquals,
  assertFalse,
  assertNotEquals,
} from "@std/assert";
import { encodeMessage } from "../../../../shared/message.ts";
import { memoryOf } from "./fake_state.ts";
import {
  type ContextLanguage,
  type ContextState,
  EngineBench,
  type RunOptions,
  stateOf,
} from "./engine_bench.ts";

/** Something that a run makes, and how a later run finds it. */
export interface Survivor {
  readonly name: string;
  readonly make: string;
  /** Continues with it: the state after the probe differs from that before. */
  readonly probe: string;
  readonly first: string;
  /** The value of the probe when it runs once more. */
  readonly second: string;
}

/** The programs of a language. */
export interface ContextPrograms {
  readonly survivors: readonly Survivor[];
  /** The value is 1; defines a variable of 1. */
  readonly define: string;
  /** Adds one to the variable and returns it. */
  readonly increment: string;
  /** Changes the variable, then never ends. */
  readonly changeThenLoop: string;
  /** Changes the variable, then writes without end. */
  readonly changeThenWrite: string;
  /** Adds one to the variable, then fails. */
  readonly incrementThenFail: string;
  /** Adds one to the variable; the value is longer than 1,000 bytes. */
  readonly incrementThenLong: string;
  /** Holds random bytes, more than 100,000. */
  readonly noise: string;
  /** The value is a random number. */
  readonly random: string;
  /** Holds a text 200 times, once with `MARK` in place of `$`. */
  readonly fill: (mark: string) => string;
  /** Makes the directory `d` and goes there. */
  readonly enter: string;
  /** The working directory. */
  readonly where: string;
  /** Writes a text into a file. */
  readonly write: (path: string, text: string) => string;
  readonly remove: (path: string) => string;
  readonly makeDirectory: (path: string) => string;
  readonly removeDirectory: (path: string) => string;
  readonly setTime: (path: string, seconds: string) => string;
  /** A list of `[path, contents or null, seconds of the time of change]` of all, sorted. */
  readonly tree: string;
}

const FILES = [
  { path: "/workspace/a.txt", text: "one", mtimeMs: 5_000 },
  { path: "/workspace/in/b.txt", text: "two", mtimeMs: 7_000 },
];

/** Tests one language. */
export function testContexts(language: ContextLanguage, words: ContextPrograms): void {
  let one: Promise<EngineBench> | undefined;
  let other: Promise<EngineBench> | undefined;
  const first = () => one ??= EngineBench.create(language);
  const another = () => other ??= EngineBench.create(language);
  const test = (name: string, body: (bench: EngineBench) => Promise<void> | void) =>
    Deno.test(`contexts of ${language}: ${name}`, async () => await body(await first()));

  for (const { name, make, probe, first: once, second } of words.survivors) {
    test(`${name} go on in the same engine and in another one`, async (bench) => {
      const made = bench.run(make);
      const state = stateOf(made);
      const resumed = bench.run(probe, { from: "resume" });
      assertEquals(resumed.shown, once, `after ${made.shown}`);
      assertEquals(bench.run(probe, { from: "resume" }).shown, second);
      const restored = (await another()).run(probe, { from: state });
      assertEquals(restored.shown, once, "restored");
      // the state that the other engine left, restored in the first one
      assertEquals(bench.run(probe, { from: stateOf(restored) }).shown, second, "restored again");
    });
  }

  test("all of it continues in another process", async (bench) => {
    const made = words.survivors.map(({ make, probe }) => ({
      probe,
      state: stateOf(bench.run(make)),
    }));
    const heads = made.map(({ probe, state: { cwd, snapshot } }) => ({
      ...snapshot,
      segments: snapshot.segments.length,
      cwd,
      probe,
    }));
    const segments = made.flatMap(({ state: { snapshot } }) => snapshot.segments);
    const values = await inAnotherProcess(language, encodeMessage({ snapshots: heads }, segments));
    assertEquals(values, words.survivors.map(({ first: once }) => once));
  });

  testEndings(test, words);
  testPutBack(test, words);
  testCanary(test, words);
  testFiles(test, words, another);
}

type Test = (name: string, body: (bench: EngineBench) => Promise<void> | void) => void;

/** The results of the programs of a message in a process of its own; see `restore_program.ts`. */
export async function inAnotherProcess(language: string, message: Uint8Array): Promise<unknown> {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeFile(path, message);
    const program = new URL("./restore_program.ts", import.meta.url).pathname;
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--allow-all", program, language, path],
    }).output();
    const text = new TextDecoder().decode(stdout);
    assertNotEquals(text, "", new TextDecoder().decode(stderr));
    return JSON.parse(text);
  } finally {
    await Deno.remove(path);
  }
}

function testEndings(test: Test, words: ContextPrograms): void {
  test("changes before an error or a result over the limit stay", (bench) => {
    bench.run(words.define);
    assert(bench.run(words.incrementThenFail, { from: "resume" }).state !== undefined);
    assertEquals(bench.run(words.increment, { from: "resume" }).shown, "3");
    const long = bench.run(words.incrementThenLong, {
      from: "resume",
      limits: { resultBytes: 100 },
    });
    assertEquals([long.shown, long.state === undefined], ["limit: result", false]);
    assertEquals(bench.run(words.increment, { from: "resume" }).shown, "5");
  });

  test("after another limit the state is lost, and the previous snapshot is valid", (bench) => {
    const state = stateOf(bench.run(words.define));
    const stopped: readonly (readonly [string, string, RunOptions])[] = [
      [words.changeThenLoop, "limit: fuel", { limits: { fuel: 200_000_000 } }],
      [words.changeThenWrite, "limit: output", { limits: { outputBytes: 5_000 } }],
      [words.noise, "limit: snapshot", { snapshotBytes: 100_000 }],
    ];
    for (const [code, ending, options] of stopped) {
      const ran = bench.run(code, { ...options, from: state });
      assertEquals([ran.shown, ran.state], [ending, undefined]);
      assertEquals(bench.run(words.increment, { from: state }).shown, "2");
    }
  });

  test("random numbers differ in each run, from whatever state it continues", (bench) => {
    const state = stateOf(bench.run(words.define));
    const values = [1, 2, 3].map(() => bench.run(words.random, { from: state }).shown);
    values.push(bench.run(words.random, { from: "resume" }).shown, bench.run(words.random).shown);
    assertEquals(new Set(values).size, 5);
  });
}

/** Everything in a memory that restoring a snapshot gives. */
function restoredMemory(
  bench: EngineBench,
  words: ContextPrograms,
  state: ContextState,
): Uint8Array {
  bench.run(words.define, { from: state });
  return bench.state.memory();
}

function holds(memory: Uint8Array, text: string): boolean {
  return new TextDecoder("latin1").decode(memory).includes(text);
}

function testCanary(test: Test, words: ContextPrograms): void {
  test("a snapshot contains no byte of another context that ran on the engine", (bench) => {
    const id = crypto.randomUUID();
    const mark = `canary-${id}`;
    assertFalse(holds(memoryOf(bench.state.baseline), id));
    const marked = stateOf(bench.run(words.fill(mark)));
    assert(holds(restoredMemory(bench, words, marked), mark), "the canary does not sing");
    for (let turn = 0; turn < 3; turn++) {
      bench.run(words.fill(mark), turn === 1 ? { from: marked } : {});
      const state = stateOf(bench.run(words.define));
      assertFalse(holds(bench.state.memory(), id), "in the memory of another context");
      assertFalse(holds(restoredMemory(bench, words, state), id), "in the snapshot of another");
    }
  });
}

function testPutBack(test: Test, words: ContextPrograms): void {
  test("after any state the memory is put back byte for byte", (bench) => {
    const programs = [words.define, words.noise, ...words.survivors.map(({ make }) => make)];
    const baseline = memoryOf(bench.state.baseline);
    for (const program of programs) {
      stateOf(bench.run(program));
      bench.reset();
      assert(Buffer.compare(bench.state.memory(), baseline) === 0, program);
      const state = stateOf(bench.run(program));
      bench.run(words.define, { from: state });
      bench.run(words.increment, { from: "resume" });
      bench.reset();
      assert(Buffer.compare(bench.state.memory(), baseline) === 0, `${program}, continued`);
    }
  });
}

function testFiles(test: Test, words: ContextPrograms, another: () => Promise<EngineBench>): void {
  test("the working directory stays while it exists", (bench) => {
    const { state, head } = bench.run(words.enter);
    assertEquals([state?.cwd, head?.dirs], ["/workspace/d", ["/workspace/d"]]);
    const next = { from: "resume", cwd: "/workspace/d" } as const;
    assertEquals(bench.run(words.where, next).shown.replaceAll(/['"]/g, ""), "/workspace/d");
    const gone = bench.run(words.where, { from: state });
    assertEquals(gone.shown.replaceAll(/['"]/g, ""), "/workspace");
    assertEquals(gone.state?.cwd, "/workspace");
    for (const cwd of ["/tmp", "/", "/workspace/none", "/workspace/../tmp", "nonsense", ""]) {
      assertEquals(bench.run(words.where, { cwd }).shown.replaceAll(/['"]/g, ""), "/workspace");
    }
  });

  test("a run sees the files of the workspace, with their times", (bench) => {
    const { shown, head } = bench.run(words.tree, { files: FILES, dirs: ["/workspace/empty"] });
    const tree: [string, string | null, number][] = JSON.parse(shown);
    assertEquals(
      tree.map(([path, text, time]) => text === null ? [path, text] : [path, text, time]),
      [
        ["a.txt", "one", 5],
        ["empty", null],
        ["in", null],
        ["in/b.txt", "two", 7],
      ],
    );
    assertEquals([head?.files, head?.deleted], [[], []]);
    assertEquals(head?.dirs, undefined, "they are as before");
  });

  test("a run sees changes of the workspace since the previous run", async (bench) => {
    const changes: RunOptions = {
      removed: ["/workspace/in", "/workspace/in/b.txt", "/workspace/turns.txt", "/workspace/dir"],
      files: [
        { path: "/workspace/a.txt", text: "changed", mtimeMs: 9_000 },
        { path: "/workspace/new/c.txt", text: "three", mtimeMs: 1_000 },
        { path: "/workspace/dir", text: "a file now", mtimeMs: 2_000 },
      ],
      dirs: ["/workspace/turns.txt", "/workspace/new"],
    };
    const after = [
      ["a.txt", "changed"],
      ["dir", "a file now"],
      ["new", null],
      ["new/c.txt", "three"],
      ["turns.txt", null],
    ];
    const begin: RunOptions = {
      files: [...FILES, { path: "/workspace/turns.txt", text: "x" }],
      dirs: ["/workspace/dir"],
    };
    // read before they change, so that whatever is cached is cached
    const seen = bench.run(words.tree, begin);
    const contents = ({ shown }: { readonly shown: string }) =>
      (JSON.parse(shown) as [string, string | null][]).map(([path, text]) => [path, text]);
    assertEquals(contents(seen).length, 5);
    assertEquals(contents(bench.run(words.tree, { from: "resume", ...changes })), after);
    // a restored engine gets all of it
    const restored = (await another()).run(words.tree, { from: stateOf(seen), ...changes });
    assertEquals(contents(restored), after);
  });

  test("a run's changes of the workspace are reported", (bench) => {
    const files = [...FILES, { path: "/workspace/in/c.txt", text: "three" }];
    bench.run(words.define, { files });
    const run = (code: string) => bench.run(code, { from: "resume" });
    const wrote = run(`${words.write("a.txt", "changed")}\n${words.write("d.txt", "new")}`);
    const paths = wrote.head?.files.map(([path]) => path).sort();
    assertEquals([paths, [...wrote.contents].sort()], [
      ["/workspace/a.txt", "/workspace/d.txt"],
      ["changed", "new"],
    ]);
    const removed = run(`${words.remove("in/b.txt")}\n${words.makeDirectory("in/deep")}`);
    assertEquals([removed.head?.files, removed.head?.deleted], [[], ["/workspace/in/b.txt"]]);
    assertEquals(removed.head?.dirs, ["/workspace/in", "/workspace/in/deep"]);
    const turned = run(
      [
        words.remove("a.txt"),
        words.makeDirectory("a.txt"),
        words.write("a.txt/in.txt", "below"),
        words.remove("in/c.txt"),
        words.removeDirectory("in/deep"),
        words.removeDirectory("in"),
        words.write("in", "a file"),
      ].join("\n"),
    );
    assertEquals(turned.head?.dirs, ["/workspace/a.txt"]);
    assertEquals(turned.head?.files.map(([path]) => path).sort(), [
      "/workspace/a.txt/in.txt",
      "/workspace/in",
    ]);
    assertArrayIncludes([...turned.head?.deleted ?? []], ["/workspace/in/c.txt"]);
  });

  test("times that a run sets are reported, within the range of dates", (bench) => {
    bench.run(words.define, { files: FILES });
    const run = (seconds: string) =>
      bench.run(words.setTime("a.txt", seconds), { from: "resume" }).head?.files;
    assertEquals(run("1234"), [["/workspace/a.txt", 1_234_000]]);
    const [far] = run("8e15") ?? [];
    if (far !== undefined) assert(Math.abs(far[1]) <= 8.64e15, String(far));
  });
}
