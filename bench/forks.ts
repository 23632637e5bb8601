/**
 * Forks of a context with much memory and of a sandbox that holds it, against the same state made
 * again: time to the answer, and bytes that the service writes to its file.
 *
 * `deno run --allow-all bench/forks.ts [rounds] [MiB] [sandboxes]`
 *
 * @module
 */
import { connect, type ForkableContext, getSandbox, type Sandbox } from "../client/mod.ts";
import { startService } from "../tests/support/service.ts";
import { quantile, table } from "./stats.ts";

const BINDING = "PYTHON";
const MIB = 1024 * 1024;

/** Bytes that a process has written to files. */
async function writtenBy(pid: number): Promise<number> {
  const text = await Deno.readTextFile(`/proc/${pid}/io`);
  return Number(/^write_bytes: (\d+)$/m.exec(text)?.[1] ?? NaN);
}

/** A step's milliseconds and bytes in each round. */
class Steps {
  readonly #pid: number;
  readonly #rows = new Map<string, { readonly ms: number[]; readonly bytes: number[] }>();

  constructor(pid: number) {
    this.#pid = pid;
  }

  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = await writtenBy(this.#pid);
    const began = performance.now();
    const result = await work();
    const ms = performance.now() - began;
    const row = this.#rows.get(name) ?? { ms: [], bytes: [] };
    row.ms.push(ms);
    row.bytes.push(await writtenBy(this.#pid) - before);
    this.#rows.set(name, row);
    return result;
  }

  toTable(): string {
    const half = (sample: readonly number[]) => quantile(sample, 0.5);
    return table(
      ["step", "p50, ms", "p95, ms", "written, KiB"],
      [...this.#rows].map(([name, { ms, bytes }]) => [
        name,
        half(ms).toFixed(1),
        quantile(ms, 0.95).toFixed(1),
        (half(bytes) / 1024).toFixed(0),
      ]),
    );
  }
}

async function valueIn(sandbox: Sandbox, context: ForkableContext, code: string): Promise<string> {
  const { results, error } = await sandbox.interpreter.runCode(code, { context });
  if (error !== undefined) throw new Error(`${error.name}: ${error.message}`);
  return results[0]?.text ?? "";
}

async function main(rounds: number, mib: number, sandboxes: number): Promise<string> {
  const folder = await Deno.makeTempDir({ dir: Deno.cwd(), prefix: ".bench-" });
  const env = { LANGUAGES: "python", KV_PATH: `${folder}/data.sqlite3` };
  try {
    await using service = await startService({ ...env, MAX_TENANT_BYTES: String(2 ** 40) });
    const { Sandbox } = connect(service.url);
    const sandbox = getSandbox(Sandbox, "source");
    const { interpreter, checkpoints } = sandbox;
    const make = `import os, hashlib\ndata = os.urandom(${mib * MIB})\nlen(data)`;
    const digest = "hashlib.sha256(data).hexdigest()";
    const steps = new Steps(service.pid);
    const source = await interpreter.createCodeContext({ binding: BINDING });
    await valueIn(sandbox, source, make);
    const wanted = await valueIn(sandbox, source, digest);
    for (let round = 0; round < rounds; round++) {
      const fork = await steps.take("fork of the context", () => source.fork());
      const first = () => valueIn(sandbox, fork, digest);
      if (await steps.take("first run in the fork", first) !== wanted) throw new Error("differs");
      const { id } = await steps.take("checkpoint", () => checkpoints.create());
      await steps.take("restore", () => checkpoints.restore(id));
      await checkpoints.delete(id);
      await interpreter.deleteCodeContext(fork.id);
      const again = await interpreter.createCodeContext({ binding: BINDING });
      await steps.take("the same state made again", () => valueIn(sandbox, again, make));
      await interpreter.deleteCodeContext(again.id);
    }
    const copies = await Promise.all(
      Array.from(
        { length: sandboxes },
        (_, index) =>
          steps.take("fork of the sandbox, side by side", () => sandbox.fork(`copy-${index}`)),
      ),
    );
    const began = performance.now();
    let right = 0;
    await Promise.all(copies.map(async (copy, index) => {
      const [context] = await copy.interpreter.listCodeContexts();
      if (context === undefined) return;
      const state = await valueIn(copy, context, `n = ${index}\n${digest} + str(n)`);
      if (state === `'${wanted.slice(1, -1)}${index}'`) right++;
    }));
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    return `${steps.toTable()}\n\n${right} of ${sandboxes} forks ran side by side and were right, in ${seconds} s.`;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const [rounds = 10, mib = 30, sandboxes = 100] = Deno.args.map(Number);
  const load = Deno.loadavg().map((value) => value.toFixed(1)).join(" ");
  const text = await main(rounds, mib, sandboxes);
  const head = `State of ${mib} MiB, load ${load}, Deno ${Deno.version.deno}`;
  Deno.stdout.writeSync(new TextEncoder().encode(`${head}\n\n${text}\n`));
}
