/**
 * What programs display, in an engine whose driver writes it to a file in place of the device.
 */
import { driverSources } from "../../../runtimes/build/python.ts";
import type { Ending } from "../../../runtimes/isolate/engine.ts";
import { decodePythonImage } from "../../../runtimes/isolate/python/artifact.ts";
import { bootImage, type BootOptions } from "../../../runtimes/isolate/python/boot.ts";
import { PythonEngine } from "../../../runtimes/isolate/python/engine.ts";
import { trampolineBytes } from "../../../runtimes/isolate/python/trampoline.ts";
import { builtIsolate } from "../../support/built.ts";
import { type Ran, runIn, type RunOptions } from "./support.ts";

/** An entry. */
export interface Display {
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly main?: true;
}

/** What came of a run, and what it displayed. */
export interface Displayed extends Ran {
  readonly displays: readonly Display[];
}

const FILE = "/tmp/displays";

/** The parts of a machine. */
export async function machineParts() {
  const { artifact } = await builtIsolate("python");
  return {
    module: await WebAssembly.compile(artifact.module),
    trampoline: await WebAssembly.compile(trampolineBytes()),
    maximumPages: 4096,
  };
}

/** An engine that displays. */
export async function displayingEngine(
  parts: Omit<BootOptions, "driver">,
): Promise<PythonEngine> {
  const driver = new Map(await driverSources());
  const source = driver.get("displays.py") ?? "";
  driver.set(
    "displays.py",
    source.replace('"/dev/display"', `"${FILE}"`)
      .replace("= posix.O_WRONLY", "= posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND"),
  );
  return new PythonEngine({
    ...parts,
    image: bootImage({ ...parts, driver }),
    readOnlyFiles: parts.files,
    time: { now: () => 0, monotonic: () => 0 },
    random: (target) => void target.fill(7),
  });
}

async function makeEngine(): Promise<PythonEngine> {
  const { artifact } = await builtIsolate("python");
  const { files } = decodePythonImage(artifact.image);
  return await displayingEngine({ ...await machineParts(), files, packages: [] });
}

let engine: Promise<PythonEngine> | undefined;

/** The engine of a file's tests, at its baseline. */
export async function pristineEngine(): Promise<PythonEngine> {
  const on = await (engine ??= makeEngine());
  on.reset();
  return on;
}

function takeDisplays({ state: { files } }: PythonEngine): readonly Display[] {
  const found = files.entries("/tmp").find(({ entryName }) => entryName === "displays");
  if (found?.kind !== "file") return [];
  const bytes = new Uint8Array(found.content.size);
  files.data.read(found, 0, bytes);
  files.truncate("/tmp/displays", 0);
  return new TextDecoder().decode(bytes).split("\n").slice(0, -1).map((line) => JSON.parse(line));
}

/** Runs a program in the engine's current state. */
export function displayIn(on: PythonEngine, code: string, options: RunOptions = {}): Displayed {
  const ran = runIn(on, code, options);
  return { ...ran, displays: takeDisplays(on) };
}

/** Runs a program on the pristine engine. */
export async function displaysOf(code: string, options: RunOptions = {}): Promise<Displayed> {
  return displayIn(await pristineEngine(), code, options);
}

/** What a program displays that does not fail. */
export async function shownBy(code: string): Promise<readonly Display[]> {
  const { displays, ending } = await displaysOf(code);
  if (ending.kind === "none" || ending.kind === "text" || ending.kind === "json") return displays;
  throw new Error(`${messageOf(ending)} from ${code}`);
}

function messageOf(ending: Ending): string {
  return ending.kind === "error" ? ending.error.traceback.join("\n") : JSON.stringify(ending);
}
