/**
 * Runs orders in Pyodide as it is published, in this process: each in an interpreter of its own, with
 * the same wheels unpacked.
 *
 * @module
 */
import { loadPyodide } from "pyodide";
import type { Order } from "./suite.ts";
import { guestProgram, workspaceFiles } from "./workspace_files.ts";

const PACKAGES = "/lib/python3.14/site-packages";

/** matplotlib starts a timer when it is imported. The published engine has no threads. */
const WITHOUT_TIMERS = `import threading
threading.Timer.start = threading.Timer.cancel`;

/** The bytes of the wheels in a folder, in order of name. */
export function wheelsIn(folder: string): readonly Uint8Array[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => name.endsWith(".whl")).sort()
    .map((name) => Deno.readFileSync(`${folder}/${name}`));
}

/**
 * Runs an order after the import of some modules, and tells how it ended. `write` gets what the guest
 * writes to standard output.
 */
export async function runStock(
  { wheels, preload }: { wheels: readonly Uint8Array[]; preload: readonly string[] },
  order: Order,
  write: (bytes: Uint8Array) => void,
): Promise<string> {
  const pyodide = await loadPyodide({ stdout: () => undefined, stderr: () => undefined });
  pyodide.setStdout({
    write: (bytes: Uint8Array) => {
      write(bytes);
      return bytes.length;
    },
  });
  for (const wheel of wheels) pyodide.unpackArchive(wheel, "wheel", { extractDir: PACKAGES });
  for (const [path, bytes] of workspaceFiles(order)) {
    const full = `/workspace${path}`;
    pyodide.FS.mkdirTree(full.slice(0, full.lastIndexOf("/")));
    pyodide.FS.writeFile(full, bytes);
  }
  pyodide.FS.chdir("/workspace");
  const imports = `import importlib, sys
sys.path.insert(0, "/workspace")
${WITHOUT_TIMERS}
for name in ${JSON.stringify(preload)}: importlib.import_module(name)`;
  try {
    pyodide.runPython(imports);
    pyodide.runPython(guestProgram());
    return "none";
  } catch (error) {
    return error instanceof Error ? error.message.trim().split("\n").at(-1) ?? "" : String(error);
  }
}
