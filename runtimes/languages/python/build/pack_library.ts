/**
 * Packs the library of the image: compiled standard library, time zones, wheels. Python itself does
 * the packing, in the same machine that guests get.
 *
 * @module
 */
import type { GuestFileSystem } from "../../../files/guest_file_system.ts";
import type { Inode } from "../../../files/inode.ts";
import { BootError } from "../../../engine/boot_error.ts";
import { bootMachine, PYTHON_PATHS, startPython } from "./boot.ts";
import type { MachineOptions, ReadOnlyFile } from "../host/machine.ts";

/** A wheel cannot be installed. The message begins with its name. */
export class WheelError extends BootError {
  override name = "WheelError";
}

/** A wheel, by its file name. */
export interface Wheel {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The input. */
export interface LibraryParts {
  /** `python_stdlib.zip` as published. */
  readonly standardLibrary: Uint8Array;
  /** The `tzdata` wheel. */
  readonly timeZones: Uint8Array;
  readonly wheels: readonly Wheel[];
  /** Paths below `site-packages` of native modules that are linked. @default {none} */
  readonly natives?: readonly string[];
  /** Source of `driver/linux_errors.py`. */
  readonly errors: string;
  /** Source of `library/pack_library.py`. */
  readonly script: string;
  /** Modules that the published library lacks: sources by their paths in it. */
  readonly modules: ReadonlyMap<string, string>;
}

/** The output. */
export interface PackedLibrary {
  readonly files: readonly ReadOnlyFile[];
  /** Name and version of each wheel. */
  readonly packages: readonly string[];
}

const MIB = 1024 * 1024;
const FILE_LIMITS = {
  fileBytes: 256 * MIB,
  temporaryBytes: 512 * MIB,
  entries: 100_000,
};
const TIME_ZONES = "/usr/share/zoneinfo";
/** Left out: Pyodide's own packages, whose bridge does not exist here, and modules that need what is not here. */
const DROPPED = ["_pyodide/", "pyodide/", "_ssl.py", "antigravity.py", "site-packages/"];

function contentOf(files: GuestFileSystem, inode: Inode): Uint8Array {
  if (inode.kind !== "file") return new Uint8Array();
  const bytes = new Uint8Array(inode.content.size);
  files.data.read(inode, 0, bytes);
  return bytes;
}

function collect(files: GuestFileSystem, folder: string, prefix: string): ReadOnlyFile[] {
  return files.entries(folder).flatMap((inode): ReadOnlyFile[] => {
    const path = `${folder}/${inode.entryName}`;
    if (inode.kind === "directory") return collect(files, path, prefix);
    return [[path.slice(prefix.length), contentOf(files, inode)]];
  });
}

function readPackages(text: string): readonly string[] {
  const packages: unknown = JSON.parse(text);
  return Array.isArray(packages) ? packages.map(String) : [];
}

/** The error for a failed packing: one line for a faulty wheel, else Python's whole output. */
function failure(said: string): BootError {
  const [, problem] = /^(?:__main__\.)?WheelError: (.+)$/m.exec(said) ?? [];
  return problem === undefined ? new BootError(said) : new WheelError(problem);
}

/**
 * Returns the files of the guest's file system and the names of packages. Throws a WheelError or a
 * BootError.
 */
export function packLibrary(
  machineParts: Pick<MachineOptions, "module" | "trampoline" | "maximumPages">,
  parts: LibraryParts,
): PackedLibrary {
  const encoder = new TextEncoder();
  const settings = {
    standardLibrary: PYTHON_PATHS.standardLibrary,
    packages: PYTHON_PATHS.packages,
    timeZones: TIME_ZONES,
    dropped: DROPPED,
    natives: parts.natives ?? [],
  };
  const { machine, said } = bootMachine({
    ...machineParts,
    fileLimits: FILE_LIMITS,
    readOnlyFiles: [
      [PYTHON_PATHS.standardLibrary, parts.standardLibrary],
      ["/build/python_stdlib.zip", parts.standardLibrary],
      ["/build/tzdata.whl", parts.timeZones],
      ["/build/settings.json", encoder.encode(JSON.stringify(settings))],
      ...[...parts.modules].map(([path, text]) =>
        [`/build/modules/${path}`, encoder.encode(text)] as const
      ),
      ...parts.wheels.map(({ name, bytes }) => [`/build/wheels/${name}`, bytes] as const),
    ],
  });
  startPython(machine, parts.errors);
  if (!machine.python.runSource(parts.script)) throw failure(said());
  const { files } = machine;
  const packages = contentOf(files, files.resolve("/tmp/packages.json"));
  return {
    files: collect(files, "/tmp/library", "/tmp/library"),
    packages: readPackages(new TextDecoder().decode(packages)),
  };
}
