/**
 * The cost of keeping a context: bytes written for a run, time to capture and write, the whole run
 * with its state resident and with its state restored.
 *
 * @module
 */
import {
  BUNDLED_LANGUAGES as LANGUAGES,
  type BundledLanguage as Language,
} from "../shared/languages.ts";
import { valueBytes } from "../store/atomic_size.ts";
import type { KvAtomic } from "../store/kv.ts";
import { openStore } from "../store/open.ts";
import { type StoreOperation, WrappedAtomic, WrappedStore } from "../store/wrapped_store.ts";
import { type Host, startHost, TestContext } from "../tests/runtimes/contexts/test_host.ts";
import { BOUND_HEAD, Bounds } from "./bounds.ts";
import { ms, quantile, table, times } from "./stats.ts";

interface Programs {
  readonly define: string;
  readonly increment: string;
  /** Contents of the context before the variable is changed, by name. */
  readonly held: Readonly<Record<string, string>>;
}

const PROGRAMS: { readonly [L in Language]?: Programs } = {
  javascript: {
    define: "let v = 1; v",
    increment: "v += 1; v",
    held: {
      "10 MiB of strings":
        "const held = []; for (let i = 0; i < 100; i++) held.push('abcdefghij'.repeat(10486) + i); 1",
      "100,000 objects":
        "const held = []; for (let i = 0; i < 100000; i++) held.push({ id: i, name: 'n' + i }); 1",
      "freed garbage":
        "{ let junk = []; for (let i = 0; i < 100000; i++) junk.push({ id: i, name: 'n' + i }); junk = null } 1",
    },
  },
  python: {
    define: "v = 1; v",
    increment: "v += 1; v",
    held: {
      "10 MiB of strings": "held = ['abcdefghij' * 10486 + str(i) for i in range(100)]; 1",
      "100,000 objects": "held = [{'id': i, 'name': f'n{i}'} for i in range(100_000)]; 1",
      "freed garbage": "junk = [{'id': i, 'name': f'n{i}'} for i in range(100_000)]; del junk; 1",
    },
  },
  perl: {
    define: "my $v = 1; $v",
    increment: "$v += 1; $v",
    held: {
      "10 MiB of strings": "my @held = map { ('abcdefghij' x 10486) . $_ } 1 .. 100; 1",
      "100,000 objects": 'my @held = map { { id => $_, name => "n$_" } } 1 .. 100_000; 1',
      "freed garbage":
        '{ my @junk = map { { id => $_, name => "n$_" } } 1 .. 100_000; @junk = () } 1',
    },
  },
  ruby: {
    define: "v = 1",
    increment: "v += 1",
    held: {
      "10 MiB of strings": "held = (1..100).map { |i| 'abcdefghij' * 10_486 + i.to_s }; 1",
      "100,000 objects": 'held = (1..100_000).map { |i| { id: i, name: "n#{i}" } }; 1',
      "freed garbage": 'junk = (1..100_000).map { |i| { id: i, name: "n#{i}" } }; junk = nil; 1',
    },
  },
};

const WARM_UP_RUNS = 10;
const RUNS = 40;
const FEW_RUNS = 15;
const KIB = 1024;
/** Pages that a trivial step changes; a round number for all languages. */
const COPIED_BYTES = 256 * KIB;

/** A store that counts the bytes of what is written. */
class CountingStore extends WrappedStore {
  written = 0;

  protected override around<T>(_: StoreOperation, work: () => Promise<T>): Promise<T> {
    return work();
  }

  override set(
    key: Deno.KvKey,
    value: unknown,
    options?: { expireIn?: number },
  ): Promise<Deno.KvCommitResult> {
    this.count(value);
    return super.set(key, value, options);
  }

  override atomic(): KvAtomic {
    return new CountingAtomic(this.kv.atomic(), this);
  }

  count(value: unknown): void {
    this.written += valueBytes(value);
  }
}

class CountingAtomic extends WrappedAtomic {
  readonly #store: CountingStore;

  constructor(atomic: KvAtomic, store: CountingStore) {
    super(atomic, (commit) => commit());
    this.#store = store;
  }

  override set(key: Deno.KvKey, value: unknown): this {
    this.#store.count(value);
    return super.set(key, value);
  }
}

interface Measured {
  /** Stored bytes of the context. */
  readonly stored: number;
  /** Bytes written to the store by a run. */
  readonly written: number;
  /** Capture and write, milliseconds. */
  readonly snapshotMs: number;
  /** The whole run. */
  readonly runMs: number;
}

async function measure(
  store: CountingStore,
  context: TestContext,
  code: string,
  count: number,
): Promise<Measured> {
  const written: number[] = [];
  const snapshots: number[] = [];
  let stored = 0;
  const sample = await times(count, async () => {
    const before = store.written;
    const { context: { snapshotMs, snapshot }, error } = await context.run(code);
    if (error !== undefined) throw new Error(`${error.name}: ${error.message}`);
    written.push(store.written - before);
    snapshots.push(snapshotMs ?? 0);
    stored = snapshot?.storedBytes ?? 0;
  });
  return {
    stored,
    written: quantile(written, 0.5),
    snapshotMs: quantile(snapshots, 0.5),
    runMs: quantile(sample, 0.5),
  };
}

type Row = readonly string[];

async function row(
  name: string,
  { stored, written, snapshotMs, runMs }: Measured,
  bounds: Bounds,
): Promise<Row> {
  const kib = (bytes: number) => (bytes / KIB).toFixed(1);
  const bound = await bounds.cells(snapshotMs, { written, copied: COPIED_BYTES });
  return [name, kib(stored), kib(written), ms(snapshotMs), ...bound, ms(runMs)];
}

/** Runs with a resident state, whatever else it holds. */
async function residentRows(
  store: CountingStore,
  host: Host,
  programs: Programs,
  bounds: Bounds,
): Promise<Row[]> {
  const fresh = await TestContext.create(host);
  await fresh.run(programs.define);
  await measure(store, fresh, programs.increment, WARM_UP_RUNS);
  const rows: Row[] = [];
  const tell = async (name: string, measured: Measured) => {
    rows.push(await row(name, measured, bounds));
  };
  await tell("one variable", await measure(store, fresh, programs.increment, RUNS));
  for (const [name, hold] of Object.entries(programs.held)) {
    const context = await TestContext.create(host);
    await context.run(programs.define);
    await tell(`${name}: the run that makes it`, await measure(store, context, hold, 1));
    await measure(store, context, programs.increment, 2);
    const after = await measure(store, context, programs.increment, FEW_RUNS);
    await tell(`${name}: one variable after it`, after);
  }
  return rows;
}

/** Two contexts alternate in one isolate: each run restores a state. */
async function restoredRows(store: CountingStore, host: Host, programs: Programs) {
  const rows = [];
  for (const [name, hold] of [["small", ""], ...Object.entries(programs.held)]) {
    const turns = [await TestContext.create(host), await TestContext.create(host)];
    for (const context of turns) {
      await context.run(programs.define);
      if (hold !== "" && hold !== undefined) await context.run(hold);
    }
    const sample: number[] = [];
    for (let turn = 0; turn < FEW_RUNS; turn++) {
      for (const context of turns) {
        sample.push((await measure(store, context, programs.increment, 1)).runMs);
      }
    }
    const runMs = ms(quantile(sample, 0.5));
    rows.push([`restored in a running isolate: ${name}`, "", "", "", "", "", runMs]);
  }
  return rows;
}

/** From the start of a runtime to the first answer of a context that another runtime created. */
async function fromFreshProcess(
  store: CountingStore,
  language: Language,
  context: TestContext,
  code: string,
): Promise<readonly string[]> {
  await using host = await startHost(language, { store, rubyContexts: true });
  const sample = await measure(store, context.on(host), code, 1);
  return [
    "restored in a fresh process, started before",
    "",
    "",
    ms(sample.snapshotMs),
    "",
    "",
    ms(sample.runMs),
  ];
}

async function languageTable(
  language: Language,
  programs: Programs,
  bounds: Bounds,
): Promise<string> {
  const folder = await Deno.makeTempDir();
  const store = new CountingStore(await openStore(`${folder}/data.sqlite3`));
  try {
    let context: TestContext;
    const rows: (readonly string[])[] = [];
    {
      await using host = await startHost(language, { store, rubyContexts: true });
      rows.push(...await residentRows(store, host, programs, bounds));
      rows.push(...await restoredRows(store, host, programs));
      context = await TestContext.create(host);
      await context.run(programs.define);
    }
    rows.push(await fromFreshProcess(store, language, context, programs.increment));
    const head = [
      language,
      "kept, KiB",
      "written by a run, KiB",
      "capture and write, ms",
      ...BOUND_HEAD,
      "run, ms",
    ];
    return table(head, rows);
  } finally {
    store.close();
    await Deno.remove(folder, { recursive: true });
  }
}

/** A table for each of the languages that has contexts. Medians; the store is a file. */
export async function snapshotTables(
  languages: readonly Language[],
  bounds: Bounds,
): Promise<readonly string[]> {
  const tables: string[] = [];
  for (const language of languages) {
    const programs = PROGRAMS[language];
    if (programs === undefined) continue;
    tables.push(await languageTable(language, programs, bounds));
  }
  return tables;
}

if (import.meta.main) {
  const languages = Deno.args.length > 0
    ? LANGUAGES.filter((language) => Deno.args.includes(language))
    : LANGUAGES;
  await using bounds = await Bounds.start();
  for (const text of await snapshotTables(languages, bounds)) {
    Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n\n`));
  }
}
