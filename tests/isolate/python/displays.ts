/** INTERIM */
import { bootImage } from "../../../runtimes/isolate/python/boot.ts";
import { PythonEngine } from "../../../runtimes/isolate/python/engine.ts";
import { driverSources } from "../../../runtimes/build/python.ts";
import { decodePythonImage } from "../../../runtimes/isolate/python/artifact.ts";
import { trampolineBytes } from "../../../runtimes/isolate/python/trampoline.ts";
import { builtIsolate } from "../../support/built.ts";
import { runIn } from "./support.ts";
import type { Ending } from "../../../runtimes/isolate/engine.ts";

export interface Display {
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly main?: true;
}
let engine: Promise<PythonEngine> | undefined;
async function make() {
  const { artifact } = await builtIsolate("python");
  const parts = {
    module: await WebAssembly.compile(artifact.module),
    trampoline: await WebAssembly.compile(trampolineBytes()),
    maximumPages: 4096,
  };
  const { files } = decodePythonImage(artifact.image);
  const driver = new Map(await driverSources());
  driver.set(
    "displays.py",
    driver.get("displays.py")!.replace('"/dev/display"', '"/workspace/.display"').replace(
      "= posix.O_WRONLY",
      "= posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND",
    ),
  );
  return new PythonEngine({
    ...parts,
    image: bootImage({ ...parts, files, packages: [], driver }),
    readOnlyFiles: files,
    time: { now: () => Date.now(), monotonic: () => performance.now() },
    random: (target) => void target.fill(7),
  });
}
export async function displaysOf(code: string): Promise<{ displays: Display[]; ending: Ending }> {
  const on = await (engine ??= make());
  on.reset();
  const { ending, stderr } = runIn(on, code);
  if (stderr) console.log(stderr);
  let text = "";
  try {
    const inode = on.state.files.resolve("/workspace/.display") as any;
    const bytes = new Uint8Array(inode.content.size);
    on.state.files.data.read(inode, 0, bytes);
    text = new TextDecoder().decode(bytes);
  } catch { /* none */ }
  return { displays: text.split("\n").filter(Boolean).map((l) => JSON.parse(l)), ending };
}
export async function shownBy(code: string) {
  const r = await displaysOf(code);
  if (r.ending.kind === "error") console.log(code, r.ending.error.traceback.join("\n"));
  return r.displays;
}
