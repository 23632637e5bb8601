/**
 * Compiles the shell's module with Rust. The same sources give the same bytes on every machine:
 * toolchain and crates are exact, and no path of the machine is in the module.
 *
 * @module
 */
import { CRATE_CHANGES, type CrateChange } from "./crate_changes.ts";
import { licenceTexts } from "./crate_licences.ts";
import { ShellModuleError, TOOLCHAIN } from "./module_file.ts";
import { MODULE_STACK_BYTES } from "../host/instance.ts";

const SOURCES = new URL("../module/", import.meta.url);
const FILES = ["Cargo.toml", "Cargo.lock"];
const TARGET = "wasm32-wasip1";
const CRATE = "vendor/bashkit";
/** Where cargo takes crates from: the folder that `cargo vendor` filled. */
const CARGO_CONFIG = `[source.crates-io]
replace-with = "vendored"
[source.vendored]
directory = "vendor"
`;
/** The separator of `CARGO_ENCODED_RUSTFLAGS`. */
const UNIT_SEPARATOR = "\x1f";

/** Receives a line for each step. */
type Progress = (line: string) => void;

/** A compiled module. */
export interface CompiledModule {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Licence texts of its crates. */
  readonly licences: string;
}

/**
 * Compiles the module in a new folder below the given one, which is removed afterwards.
 *
 * @throws {ShellModuleError} without Rust, or when a step fails.
 */
export async function compileModule(folder: string, progress: Progress): Promise<CompiledModule> {
  await prepareToolchain(progress);
  await Deno.mkdir(folder, { recursive: true });
  const work = await Deno.makeTempDir({ dir: await Deno.realPath(folder), prefix: "shell-build-" });
  try {
    await copySources(work);
    progress("Fetching the crates ...");
    await cargo(work, ["vendor", "--locked", "--quiet", "vendor"]);
    const licences = await licenceTexts(`${work}/vendor`);
    await changeCrate(`${work}/${CRATE}`);
    await Deno.mkdir(`${work}/.cargo`);
    await Deno.writeTextFile(`${work}/.cargo/config.toml`, CARGO_CONFIG);
    progress("Compiling the shell, which takes some minutes ...");
    await cargo(work, ["build", "--release", "--locked", "--offline", "--target", TARGET]);
    return { bytes: await Deno.readFile(`${work}/target/${TARGET}/release/shell.wasm`), licences };
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

/** Fetches what is missing of the toolchain. */
async function prepareToolchain(progress: Progress): Promise<void> {
  const installed = await run("rustup", ["run", TOOLCHAIN, "rustc", "--version"], {});
  if (!installed.success) {
    progress(`Fetching Rust ${TOOLCHAIN} ...`);
    await check("rustup", ["toolchain", "install", TOOLCHAIN, "--profile", "minimal"], {});
  }
  await check("rustup", ["target", "add", "--toolchain", TOOLCHAIN, TARGET], {});
}

async function copySources(work: string): Promise<void> {
  for (const name of FILES) await Deno.copyFile(new URL(name, SOURCES), `${work}/${name}`);
  await copyFolder(new URL("src/", SOURCES), `${work}/src`);
}

/** Copies files into a folder and its subfolders. */
async function copyFolder(from: URL, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(new URL(`${name}/`, from), `${to}/${name}`);
    else await Deno.copyFile(new URL(name, from), `${to}/${name}`);
  }
}

/** Changes the crate's files, adds ours to them, and takes their digests out of cargo's list. */
async function changeCrate(folder: string): Promise<void> {
  const byFile = Map.groupBy(CRATE_CHANGES, ({ file }) => file);
  for (const [file, changes] of byFile) {
    const path = `${folder}/${file}`;
    await Deno.writeTextFile(path, changed(await Deno.readTextFile(path), changes));
  }
  await copyFolder(new URL("crate/", SOURCES), `${folder}/src`);
  const list = `${folder}/.cargo-checksum.json`;
  const checksums = JSON.parse(await Deno.readTextFile(list));
  await Deno.writeTextFile(list, JSON.stringify({ ...checksums, files: {} }));
}

function changed(text: string, changes: readonly CrateChange[]): string {
  let result = text;
  for (const { file, from, to } of changes) {
    if (result.split(from).length !== 2) {
      throw new ShellModuleError(`${file} of bashkit does not have once: ${from}`);
    }
    result = result.replace(from, () => to);
  }
  return result;
}

async function cargo(work: string, args: readonly string[]): Promise<void> {
  const flags = [
    `--remap-path-prefix=${work}=/shell`,
    "-C",
    `link-arg=-zstack-size=${MODULE_STACK_BYTES}`,
  ];
  await check("cargo", [`+${TOOLCHAIN}`, ...args], {
    cwd: work,
    env: {
      CARGO_ENCODED_RUSTFLAGS: flags.join(UNIT_SEPARATOR),
      CARGO_TARGET_DIR: `${work}/target`,
    },
  });
}

type RunOptions = Pick<Deno.CommandOptions, "cwd" | "env">;

async function check(program: string, args: readonly string[], options: RunOptions): Promise<void> {
  const { success, stderr } = await run(program, args, options);
  if (success) return;
  throw new ShellModuleError(`${program} ${args.join(" ")} failed:\n${stderr.trim()}`);
}

async function run(
  program: string,
  args: readonly string[],
  options: RunOptions,
): Promise<{ readonly success: boolean; readonly stderr: string }> {
  const command = new Deno.Command(program, {
    args: [...args],
    ...options,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  });
  try {
    const { success, stderr } = await command.output();
    return { success, stderr: new TextDecoder().decode(stderr) };
  } catch (thrown) {
    if (!(thrown instanceof Deno.errors.NotFound)) throw thrown;
    throw new ShellModuleError(
      `${program} is not installed: the shell is compiled with Rust, from https://rustup.rs`,
    );
  }
}
