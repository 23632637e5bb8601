/** Running other programs from tests, at the root of the project. */

const ROOT = new URL("../../", import.meta.url);

/** How a program ended. */
export interface Ended {
  readonly code: number;
  /** Both streams, without colours. */
  readonly output: string;
}

/** Runs Deno. */
export function deno(...args: string[]): Promise<Ended> {
  return run(Deno.execPath(), ...args);
}

/** Runs a program. */
export async function run(program: string, ...args: string[]): Promise<Ended> {
  const command = new Deno.Command(program, {
    args,
    cwd: ROOT,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
}

/** A folder that is removed when it is disposed of. */
export interface Folder extends AsyncDisposable {
  readonly path: string;
}

/** Makes a folder. */
export async function temporaryFolder(): Promise<Folder> {
  const path = await Deno.makeTempDir();
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
