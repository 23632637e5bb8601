/**
 * A copy of a whole sandbox, as of one moment: its files and variables as new blobs, its contexts
 * as forks that share their memory with the source. It is what a fork of a sandbox and a checkpoint
 * consist of.
 *
 * @module
 */
import { sandboxBlobKey } from "../store/keys.ts";
import type { Transaction } from "../store/transaction.ts";
import { encodeLayer, type EnvVars, NO_VARIABLES } from "./env_layers.ts";
import { encodeShard, planShards } from "./manifest_shards.ts";
import type { OperationOptions } from "./operation_options.ts";
import {
  emptyRecord,
  type SandboxAddress,
  type SandboxRecord,
  type SandboxState,
} from "./root_record.ts";
import { addForks } from "./context_forks.ts";
import { EMPTY_TREE, Tree, type TreeNode } from "./tree.ts";

/** The contents of a sandbox in memory. */
interface LoadedSandbox {
  readonly tree: Tree;
  /** Of each file, by path. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  readonly env: EnvVars;
  /** The variables of each context, in their order. */
  readonly envs: readonly EnvVars[];
}

/** A copy that is not committed yet. */
export interface SandboxCopy {
  /** The source, as of the moment of the copy; undefined: an empty sandbox. */
  readonly source: SandboxRecord | undefined;
  /** Adds the copy to a transaction, within `retryFork`. Returns its record. */
  write(transaction: Transaction): Promise<SandboxRecord>;
}

/**
 * Copies a sandbox under a new lifetime. `check` refuses a state before anything is written.
 */
export async function copySandbox(
  options: OperationOptions,
  from: SandboxAddress,
  { to, check }: {
    readonly to: SandboxAddress;
    readonly check: (state: SandboxState) => void | Promise<void>;
  },
): Promise<SandboxCopy> {
  const { state, loaded } = await options.stored.steady(
    await options.changes.current(from),
    async (state) => {
      await check(state);
      return { state, loaded: await load(options, state.record) };
    },
  );
  const toLifetime = options.ids();
  const forks = (state.record?.contexts ?? []).map((source) => {
    const { runtimeId: _, ...target } = source;
    return { source, target };
  });
  const contexts = forks.map(({ target }) => target);
  const base = { ...emptyRecord(toLifetime, options.clock()), contexts };
  const lifetime = state.record?.lifetime ?? "";
  return {
    source: state.record,
    write: async (transaction) => {
      await addForks(options, transaction, { from, lifetime, to, toLifetime, forks });
      return written(transaction, base, { loaded, state: options.ids() });
    },
  };
}

const READS_IN_FLIGHT = 8;

async function load(
  { stored }: OperationOptions,
  record: SandboxRecord | undefined,
): Promise<LoadedSandbox> {
  if (record === undefined) {
    return { tree: EMPTY_TREE, contents: new Map(), env: NO_VARIABLES, envs: [] };
  }
  const tree = await stored.tree(record);
  const contents = new Map<string, Uint8Array>();
  const queue = tree.nodes.entries();
  const reader = async () => {
    for (const [path, node] of queue) {
      if (node.type === "file") {
        contents.set(path, await stored.contents(record.lifetime, node.ref));
      }
    }
  };
  await Promise.all(Array.from({ length: READS_IN_FLIGHT }, reader));
  const env = await stored.layer(record, record.env);
  const envs = await Promise.all(record.contexts.map(({ env }) => stored.layer(record, env)));
  return { tree, contents, env, envs };
}

function written(
  transaction: Transaction,
  base: SandboxRecord,
  { loaded: { tree, contents, env, envs }, state }: {
    readonly loaded: LoadedSandbox;
    readonly state: string;
  },
): SandboxRecord {
  const key = sandboxBlobKey(base.lifetime);
  const layer = (vars: EnvVars) =>
    vars.size === 0 ? null : transaction.putBlob(key, encodeLayer(vars));
  const nodes = new Map<string, TreeNode>();
  for (const [path, node] of tree.nodes) {
    const bytes = contents.get(path);
    const isFile = node.type === "file" && bytes !== undefined;
    nodes.set(path, isFile ? { ...node, ref: transaction.putBlob(key, bytes) } : node);
  }
  const copy = new Tree(nodes);
  const shards = planShards(copy.nodes, [], new Set()).written.map((shard) => {
    return {
      from: shard.from,
      end: shard.end,
      ref: transaction.putBlob(key, encodeShard(shard)),
    };
  });
  return {
    ...base,
    env: layer(env),
    contexts: base.contexts.map((context, index) => ({
      ...context,
      env: layer(envs[index] ?? NO_VARIABLES),
    })),
    workspace: { state, files: copy.files, bytes: copy.bytes, shards },
  };
}
