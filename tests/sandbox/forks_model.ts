/**
 * A plain model of sandboxes with forks and checkpoints: what each operation changes, and how the
 * stored state is read to compare it.
 */
import { checkpointsOf } from "../../sandbox/checkpoints.ts";
import { runtimeId } from "../../sandbox/contexts.ts";
import {
  hasExpired,
  homeOf,
  readRecord,
  runtimeKey,
  type SandboxRecord,
} from "../../sandbox/root_record.ts";
import { decodeLayer } from "../../sandbox/env_layers.ts";
import { decodeShard } from "../../sandbox/manifest_shards.ts";
import { readBlob } from "../../store/blobs.ts";
import { rootRecordKey, sandboxBlobKey } from "../../store/keys.ts";
import { WORKSPACE } from "../../client/protocol/paths.ts";
import type { KvStore } from "../../store/kv.ts";
import { DEFAULT_TENANT } from "../../shared/binding.ts";
import { SANDBOX_LIMITS } from "../../shared/limits.ts";
import type { Caller } from "./fixture.ts";
import type { StoredProgram, StoredRuntime } from "./stored_runtime.ts";

/** A context. */
export interface ModelContext {
  readonly id: string;
  /** Undefined: nothing ran yet. */
  readonly value: number | undefined;
  readonly executions: number;
}

/** The part of a sandbox that is in a checkpoint. */
export interface ModelState {
  readonly files: ReadonlyMap<string, string>;
  /** Names of variables. */
  readonly env: readonly string[];
  readonly contexts: readonly ModelContext[];
}

/** A sandbox. */
export interface ModelBox extends ModelState {
  readonly checkpoints: readonly { readonly id: string; readonly state: ModelState }[];
}

/** All sandboxes by their names. */
export type Model = ReadonlyMap<string, ModelBox>;

/** A sandbox in which nothing is. */
export const EMPTY_BOX: ModelBox = { files: new Map(), env: [], contexts: [], checkpoints: [] };

/** An operation: how it is asked for, and what it makes of the model; undefined: a refusal. */
export interface Operation {
  readonly text: string;
  readonly box: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  apply(model: Model): Model | undefined;
  /**
   * The states that it may leave when its process ends in the middle: a first run makes its context
   * first.
   */
  begin?(model: Model): Model | undefined;
}

/** The sandboxes of a model, and how its programs are written. */
export interface ModelledGuests {
  readonly names: readonly string[];
  readonly binding: string;
  readonly codeOf: (program: StoredProgram) => string;
}

const KINDS = [
  "run",
  "run",
  "run",
  "file",
  "env",
  "new context",
  "fork context",
  "fork context",
  "fork sandbox",
  "checkpoint",
  "checkpoint",
  "restore",
  "restore",
  "delete context",
  "delete checkpoint",
  "delete sandbox",
] as const;

const NEW = "new";

/** A random operation on one of the sandboxes. */
export function randomOperation(
  { names, binding, codeOf }: ModelledGuests,
  model: Model,
  below: (bound: number) => number,
): Operation {
  const pick = <T>(items: readonly T[]): T | undefined => items[below(items.length)];
  const name = pick(names) ?? "";
  const box = model.get(name) ?? EMPTY_BOX;
  const kind = KINDS[below(KINDS.length)] ?? "run";
  const text = `${kind} in ${name}`;
  const change = (work: (box: ModelBox) => Partial<ModelBox> | undefined) => (model: Model) => {
    const before = model.get(name) ?? EMPTY_BOX;
    const changed = work(before);
    return changed && new Map(model).set(name, { ...before, ...changed });
  };
  const file = `f${below(3)}`;
  const content = "x".repeat(below(4) === 0 ? 70_000 : 1 + below(9));
  const context = pick(box.contexts);
  const checkpoint = pick(box.checkpoints);
  const post = { text, box: name, method: "POST" };
  switch (kind) {
    case "run": {
      const add = 1 + below(9);
      const write = below(2) === 0 ? { path: file, chars: content.length } : undefined;
      const where = context === undefined ? { binding } : { contextId: context.id };
      const code = codeOf({ add, ...(write === undefined ? {} : { write }) });
      const ran = (found: ModelContext): ModelContext => ({
        ...found,
        value: (found.value ?? 0) + add,
        executions: found.executions + 1,
      });
      const fresh = { id: NEW, value: undefined, executions: 0 };
      const apply = change(({ contexts, files }) => {
        const target = context === undefined ? contexts[0] ?? fresh : withId(contexts, context.id);
        return target && {
          contexts: target === fresh
            ? [ran(fresh)]
            : contexts.map((each) => each === target ? ran(each) : each),
          files: write === undefined ? files : new Map(files).set(file, content),
        };
      });
      const begin = change(({ contexts }) =>
        context === undefined ? { contexts: [...contexts, fresh] } : undefined
      );
      return { ...post, path: "/execute", body: { code, ...where }, apply, begin };
    }
    case "file": {
      const body = { op: "write", path: file, content };
      const apply = change(({ files }) => ({ files: new Map(files).set(file, content) }));
      return { ...post, path: "/files", body, apply };
    }
    case "env": {
      const variable = `V${below(3)}`;
      const body = { envVars: { [variable]: content.slice(0, 9) } };
      const apply = change(({ env }) => ({ env: [...new Set([...env, variable])].sort() }));
      return { ...post, path: "/env", body, apply };
    }
    case "new context":
      return {
        ...post,
        path: "/contexts",
        body: { binding },
        apply: change(({ contexts }) => added(contexts, { value: undefined, executions: 0 })),
      };
    case "fork context": {
      const path = `/contexts/${context?.id ?? "none"}/fork`;
      const apply = change(({ contexts }) => {
        const source = withId(contexts, context?.id);
        return source && added(contexts, source);
      });
      return { ...post, path, body: {}, apply };
    }
    case "fork sandbox": {
      const to = pick(names) ?? "";
      const apply = (model: Model) => {
        const source = model.get(name);
        if (source === undefined || model.has(to)) return undefined;
        return new Map(model).set(to, { ...source, checkpoints: [] });
      };
      return { ...post, path: "/fork", body: { to }, apply };
    }
    case "checkpoint": {
      const apply = change(({ checkpoints, ...state }) =>
        checkpoints.length < SANDBOX_LIMITS.checkpoints
          ? { checkpoints: [...checkpoints, { id: NEW, state }] }
          : undefined
      );
      return { ...post, path: "/checkpoints", body: {}, apply };
    }
    case "restore": {
      const path = `/checkpoints/${checkpoint?.id ?? "none"}/restore`;
      const apply = change(({ checkpoints }) => withId(checkpoints, checkpoint?.id)?.state);
      return { ...post, path, apply };
    }
    case "delete checkpoint": {
      const path = `/checkpoints/${checkpoint?.id ?? "none"}`;
      const apply = change(({ checkpoints }) => {
        const gone = withId(checkpoints, checkpoint?.id);
        return gone && { checkpoints: checkpoints.filter((each) => each !== gone) };
      });
      return { ...post, method: "DELETE", path, apply };
    }
    case "delete context": {
      const path = `/contexts/${context?.id ?? "none"}`;
      const apply = change(({ contexts }) => {
        const gone = withId(contexts, context?.id);
        return gone && { contexts: contexts.filter((each) => each !== gone) };
      });
      return { ...post, method: "DELETE", path, apply };
    }
    case "delete sandbox": {
      const apply = (model: Model) => {
        const left = new Map(model);
        left.delete(name);
        return left;
      };
      return { ...post, method: "DELETE", path: "/", apply };
    }
  }
}

function withId<T extends { readonly id: string }>(
  items: readonly T[],
  id: string | undefined,
): T | undefined {
  return items.find((each) => each.id === id);
}

function added(
  contexts: readonly ModelContext[],
  made: Omit<ModelContext, "id">,
): Partial<ModelBox> | undefined {
  if (contexts.length >= SANDBOX_LIMITS.contexts) return undefined;
  return { contexts: [...contexts, { ...made, id: NEW }] };
}

/** Reads all sandboxes in the store. */
export async function observe(
  kv: KvStore,
  { names, runtime, now, caller }: {
    readonly names: readonly string[];
    readonly runtime: StoredRuntime;
    readonly now: number;
    readonly caller: (name: string) => Caller;
  },
): Promise<Model> {
  const model = new Map<string, ModelBox>();
  for (const name of names) {
    const record = readRecord((await kv.get(rootRecordKey(DEFAULT_TENANT, name))).value);
    if (record === undefined || hasExpired(record, now)) continue;
    const box = caller(name);
    const files = new Map<string, string>();
    for (const path of await box.paths()) {
      files.set(path.slice(WORKSPACE.length + 1), String(await box.text(path)));
    }
    const { envVars } = await box.ok("GET", "/");
    const checkpoints = [];
    for (const { id, state } of await checkpointsOf(kv, record)) {
      const contexts = await contextsIn(runtime, name, state);
      checkpoints.push({ id, state: { ...await keptIn(kv, state), contexts } });
    }
    model.set(name, {
      files,
      env: Array.isArray(envVars) ? envVars.map(String).sort() : [],
      contexts: await contextsIn(runtime, name, record),
      checkpoints,
    });
  }
  return model;
}

/** Files and names of variables of a checkpoint, which no request shows. */
async function keptIn(
  kv: KvStore,
  record: SandboxRecord,
): Promise<Pick<ModelState, "files" | "env">> {
  const { workspace, env } = record;
  const key = sandboxBlobKey(homeOf(record));
  const files = new Map<string, string>();
  for (const { ref } of workspace.shards) {
    for (const [path, node] of decodeShard(await readBlob(kv, key, ref))) {
      if (node.type === "directory") continue;
      const bytes = await readBlob(kv, key, node.ref);
      files.set(path.slice(WORKSPACE.length + 1), new TextDecoder().decode(bytes));
    }
  }
  const names = env === null ? [] : [...decodeLayer(await readBlob(kv, key, env)).keys()];
  return { files, env: names.sort() };
}

async function contextsIn(
  runtime: StoredRuntime,
  name: string,
  { lifetime, contexts }: SandboxRecord,
): Promise<readonly ModelContext[]> {
  const sandboxKey = runtimeKey({ tenant: DEFAULT_TENANT, id: name }, lifetime);
  return await Promise.all(contexts.map(async (context) => {
    const address = { sandboxKey, contextId: runtimeId(context) };
    const value = await runtime.valueOf(address, context.snapshotRef);
    return { id: context.id, value, executions: context.executions };
  }));
}

/**
 * A model as text, without ids: two are the same when their texts are. `deep`: with what is in
 * checkpoints.
 */
export function textOf(model: Model, deep = true): string {
  const state = ({ contexts, files, env }: ModelState) => {
    const values = contexts.map(({ value, executions }) => `${value}/${executions}`).join(" ");
    const contents = [...files].sort().map(([path, text]) => `${path}:${text.length}`);
    return `${values}; ${contents}; ${env}`;
  };
  const lines = [...model].map(([name, box]) => {
    const kept = box.checkpoints.map((each) => `[${deep ? state(each.state) : ""}]`);
    return `${name}: ${state(box)}; ${kept.join(" ")}`;
  });
  return lines.sort().join("\n");
}

/** A model with the ids that were minted: those of an observation that is the same. */
export function withIds(model: Model, observed: Model): Model {
  return new Map([...model].map(([name, box]) => {
    const seen = observed.get(name) ?? EMPTY_BOX;
    const named = (contexts: readonly ModelContext[], from: readonly ModelContext[]) =>
      contexts.map((context, index) => ({ ...context, id: from[index]?.id ?? context.id }));
    const checkpoints = box.checkpoints.map(({ id, state }, index) => {
      const found = seen.checkpoints[index];
      const contexts = named(state.contexts, found?.state.contexts ?? []);
      return { id: found?.id ?? id, state: { ...state, contexts } };
    });
    return [name, { ...box, contexts: named(box.contexts, seen.contexts), checkpoints }];
  }));
}
