/**
 * Runs orders in Belljar's Python, in this process: each in an instance at its baseline.
 *
 * @module
 */
import { readBuildInputs } from "../../runtimes/builder/build_inputs.ts";
import { BuildCache } from "../../runtimes/builder/cache.ts";
import type { Ending } from "../../runtimes/engine/engine.ts";
import type { WorkspaceEntry } from "../../runtimes/files/workspace_tree.ts";
import { createPythonEngine } from "../../runtimes/languages/python/create.ts";
import type { PythonEngine } from "../../runtimes/languages/python/engine.ts";
import { MEMORY_BYTES } from "../../shared/limits.ts";
import type { Order } from "./suite.ts";
import { guestProgram, workspaceFiles } from "./workspace_files.ts";

const CACHE = new URL("../../.belljar/cache", import.meta.url).pathname;
const STDOUT = 1;
/** All but fuel: wide enough for a file of tests. Sleeps of tests are virtual. */
const LIMITS = {
  outputBytes: 1 << 30,
  outputLines: 1 << 30,
  resultBytes: 1 << 20,
  tracebackBytes: 1 << 16,
  displayBytes: 1 << 20,
  wallMs: 3_600_000,
};

/** Builds the engine with the wheels of a folder when it is missing, and starts it. */
export async function engineHere(
  wheels: string,
  preload: readonly string[],
): Promise<PythonEngine> {
  const cache = await BuildCache.open(
    CACHE,
    await readBuildInputs({ pythonWheels: wheels, pythonPreload: preload }),
  );
  await cache.build(["python"], () => undefined);
  return await createPythonEngine({
    ...await cache.read("python"),
    memoryBytes: MEMORY_BYTES.python,
  });
}

/** Directories before what is in them. */
function entriesOf(order: Order): readonly WorkspaceEntry[] {
  const files = workspaceFiles(order);
  const folders = new Set<string>();
  for (const [path] of files) {
    for (let at = path.indexOf("/", 1); at > 0; at = path.indexOf("/", at + 1)) {
      folders.add(path.slice(0, at));
    }
  }
  const directories = [...folders].sort().map((path): WorkspaceEntry => (
    { kind: "directory", path: `/workspace${path}`, mtimeMs: 0 }
  ));
  return [
    ...directories,
    ...files.map(([path, bytes]): WorkspaceEntry => (
      { kind: "file", path: `/workspace${path}`, mtimeMs: 0, bytes }
    )),
  ];
}

function described(ending: Ending): string {
  if (ending.kind === "limit") return `the limit of ${ending.limit}`;
  if (ending.kind === "error") return `${ending.error.name}: ${ending.error.message}`;
  return ending.kind;
}

/** Runs an order, and tells how it ended. `write` gets what the guest writes to standard output. */
export function runHere(
  engine: PythonEngine,
  order: Order,
  write: (bytes: Uint8Array) => void,
): string {
  engine.reset();
  engine.state.files.importWorkspace(entriesOf(order));
  const request = {
    code: guestProgram(),
    env: new Map(),
    typescript: false,
    limits: { ...LIMITS, fuel: order.fuel },
  };
  const { ending } = engine.run(request, (stream, bytes) => {
    if (stream === STDOUT) write(bytes);
    return true;
  });
  return described(ending);
}
