/**
 * Builds of the same sources with another module: its bytes differ, and so does its digest. As
 * objects, and as the folder of a service.
 */
import { assert } from "@std/assert";
import { createHash } from "node:crypto";
import type { Language } from "../../client/protocol/types.ts";
import { BuildCache, type BuiltIsolate } from "../../runtimes/builder/cache.ts";
import {
  engineDigest,
  METERING_VERSION,
  type ModuleVersions,
} from "../../runtimes/builder/engine_names.ts";
import { decodeMessage, encodeMessage } from "../../shared/message.ts";
import { builtIsolate } from "./built.ts";

const CACHE = new URL("../../.belljar/cache", import.meta.url).pathname;

const presentBuilds = new Map<Language, Promise<BuiltIsolate>>();

/** The build of the present sources, which the files of a group load once. */
export function presentBuild(language: Language): Promise<BuiltIsolate> {
  return presentBuilds.getOrInsertComputed(language, () => loadBuild(language));
}

async function loadBuild(language: Language): Promise<BuiltIsolate> {
  await builtIsolate(language);
  const built = await (await BuildCache.open(CACHE)).load(language);
  assert(built !== undefined);
  return built;
}

/** A module that does the same, with a mark at its end: a custom section of that name. */
export function marked(module: Uint8Array, mark: string): Uint8Array<ArrayBuffer> {
  const name = new TextEncoder().encode(mark);
  assert(name.length < 100);
  const section = [0, name.length + 1, name.length, ...name];
  const all = new Uint8Array(module.length + section.length);
  all.set(module);
  all.set(section, module.length);
  return all;
}

/** A build with another module. */
export function buildWith(
  built: BuiltIsolate,
  module: Uint8Array<ArrayBuffer>,
  versions: ModuleVersions = { abi: built.versions.abi, metering: METERING_VERSION },
): BuiltIsolate {
  const engine = engineDigest(module, versions);
  return {
    ...built,
    build: `build of ${engine.slice(0, 8)}`,
    engineDigest: engine,
    versions: { ...built.versions, ...versions, lowestMetering: 1 },
    openEngine: async () => {
      const baseline = await built.readBaseline();
      return new Blob([await built.engineWith({ module, baseline })]).stream();
    },
    readModule: () => Promise.resolve(module),
    engineWith: ({ baseline, module: earlier = module }) =>
      built.engineWith({ baseline, module: earlier }),
  };
}

/** A build whose module has a mark. */
export async function markedBuild(built: BuiltIsolate, mark: string): Promise<BuiltIsolate> {
  return buildWith(built, marked(await built.readModule(), mark));
}

/**
 * Fills a folder of built engines in which the module of one language has a mark, and the isolate
 * program is changed.
 */
export async function markedCache(
  folder: string,
  language: Language,
  mark: string,
  change: (program: string) => string = (program) => program,
): Promise<string> {
  const { program, engineFile, versions } = await presentBuild(language);
  await Deno.mkdir(folder, { mode: 0o700 });
  const changed = new TextEncoder().encode(change(await Deno.readTextFile(program)));
  await Deno.writeFile(
    `${folder}/${nameIn(program).replace(/-[0-9a-f]{64}\.js$/, `-${digestOf(changed)}.js`)}`,
    changed,
    { mode: 0o600 },
  );
  const { head, parts: [module, ...rest] } = decodeMessage(await Deno.readFile(engineFile));
  assert(module !== undefined && typeof head === "object");
  const other = marked(module, mark);
  const engine = engineDigest(other, versions);
  const bytes = encodeMessage({ ...head, engine, build: mark }, [other, ...rest]);
  const digest = digestOf(bytes);
  await Deno.writeFile(
    `${folder}/${nameIn(engineFile).replace(/-[0-9a-f]{64}\.engine$/, `-${digest}.engine`)}`,
    bytes,
    { mode: 0o600 },
  );
  return folder;
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
