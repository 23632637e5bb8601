/**
 * The command `store`: copies a store, checks it, or lists its use. It prints to standard output;
 * nothing of a guest is in it but names of tenants and sandboxes.
 *
 * @module
 */
import { ContextStore } from "../runtimes/contexts/context_store.ts";
import {
  listUsage,
  type ReadSnapshot,
  type SandboxUsage,
  StoreCheck,
  tenantCounts,
} from "../sandbox/store_survey.ts";
import { copyStore, StoreRefused } from "../store/copy.ts";
import type { KvStore } from "../store/kv.ts";
import { openStore } from "../store/open.ts";

/** An order of the command line. */
export interface StoreOrder {
  /** `copy FROM TO`, `check` or `usage`. */
  readonly args: readonly string[];
  /** The store of the service; undefined: that of the platform. */
  readonly kvPath: string | undefined;
}

/** The forms of the command. */
export const STORE_USAGE = "store copy FROM TO | store check | store usage";

const PROGRESS_ENTRIES = 10_000;

type Print = (line: string) => void;

/**
 * Runs an order. Returns the exit code: 1 when it failed or found problems, 2 for an order that
 * does not exist.
 */
export async function runStore({ args, kvPath }: StoreOrder, print: Print): Promise<number> {
  const [action, from, to, ...rest] = args;
  if (action === "copy" && from !== undefined && to !== undefined && rest.length === 0) {
    return await copy(from, to, print);
  }
  if (args.length === 1 && (action === "check" || action === "usage")) {
    const work = action === "check" ? check : usage;
    return await withStore("KV_PATH", kvPath, (kv) => work(kv, print));
  }
  print(`Usage: ${STORE_USAGE}`);
  return 2;
}

async function copy(from: string, to: string, print: Print): Promise<number> {
  if (from === to) throw new StoreRefused("both stores are the same");
  return await withStore("FROM", from, (source) =>
    openNamed("TO", to).then(async (target) => {
      try {
        let printed = 0;
        const report = await copyStore(source, target, {
          clock: Date.now,
          onProgress: (entries) => {
            if (entries - printed < PROGRESS_ENTRIES) return;
            printed = entries;
            print(`${entries} entries`);
          },
        });
        const earlier = report.resumed > 0 ? `, ${report.resumed} of them before` : "";
        print(`copied and compared: ${report.entries} entries${earlier}`);
        return 0;
      } finally {
        await target.close();
      }
    }));
}

async function check(kv: KvStore, print: Print): Promise<number> {
  const stores = new Map<string, ContextStore>();
  const readSnapshot: ReadSnapshot = async (language, address, reference) => {
    const store = stores.get(language) ?? new ContextStore({ kv, language, clock: Date.now });
    stores.set(language, store);
    await store.segments(address, await store.index(address, reference));
  };
  const checked = new StoreCheck(kv, readSnapshot);
  let problems = 0;
  const report = (where: string, problem: string) => {
    problems++;
    print(`${where}\t${problem}`);
  };
  const sums = new TenantSums();
  for await (const sandbox of listUsage(kv)) {
    sums.add(sandbox);
    const address = { tenant: sandbox.tenant, id: sandbox.sandbox };
    for (const problem of await checked.problemsOf(address)) {
      report(`${sandbox.tenant}\t${sandbox.sandbox}`, problem);
    }
  }
  for (const [tenant, sum] of sums.byTenant) {
    const counts = await tenantCounts(kv, tenant);
    for (const name of ["sandboxes", "bytes"] as const) {
      if (counts[name] === sum[name]) continue;
      report(`${tenant}\t`, `the counter of ${name} is ${counts[name]}, not ${sum[name]}`);
    }
  }
  print(`checked: ${sums.sandboxes} sandboxes, ${problems} problems`);
  return problems === 0 ? 0 : 1;
}

async function usage(kv: KvStore, print: Print): Promise<number> {
  const sums = new TenantSums();
  print("tenant\tsandbox\tbytes\tfiles\tcontexts\tcheckpoints");
  for await (const sandbox of listUsage(kv)) {
    sums.add(sandbox);
    const { tenant, bytes, files, contexts, checkpoints } = sandbox;
    print([tenant, sandbox.sandbox, bytes, files, contexts, checkpoints].join("\t"));
  }
  for (const [tenant, { sandboxes, bytes }] of sums.byTenant) {
    print(`${tenant}\t(${sandboxes} sandbox${sandboxes === 1 ? "" : "es"})\t${bytes}`);
  }
  return 0;
}

/** The use of the store by each tenant, added up. */
class TenantSums {
  readonly byTenant = new Map<string, { sandboxes: number; bytes: number }>();
  sandboxes = 0;

  add({ tenant, bytes }: SandboxUsage): void {
    const sum = this.byTenant.get(tenant) ?? { sandboxes: 0, bytes: 0 };
    sum.sandboxes++;
    sum.bytes += bytes;
    this.byTenant.set(tenant, sum);
    this.sandboxes++;
  }
}

async function withStore(
  name: string,
  path: string | undefined,
  work: (kv: KvStore) => Promise<number>,
): Promise<number> {
  if (path !== undefined && path !== ":memory:" && !/^\w+:\/\//.test(path)) {
    await Deno.stat(path).catch(() => {
      throw new StoreRefused(`${name}: there is no such file`);
    });
  }
  const kv = await openNamed(name, path);
  try {
    return await work(kv);
  } finally {
    await kv.close();
  }
}

async function openNamed(name: string, path: string | undefined): Promise<KvStore> {
  try {
    return await openStore(path);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : "unknown reason";
    throw new StoreRefused(`${name} cannot be opened: ${reason}`);
  }
}
