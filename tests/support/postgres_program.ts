/**
 * The programs of PostgreSQL that are installed. They refuse to run as root, so root runs them as
 * the user that the package makes.
 *
 * @module
 */

const USER = "postgres";
/** Where Debian puts them, by version. */
const DEBIAN = "/usr/lib/postgresql";

/** Installed programs. */
export interface ServerProgram {
  /** The user that must own the folder of a server; undefined for the present one. */
  readonly owner: number | undefined;
  /** The command that runs a program. */
  commandOf(name: string): readonly string[];
}

/** The newest version that is installed; undefined when there is none that can be used. */
export function serverProgram(): ServerProgram | undefined {
  const folder = folders().find((folder) => exists(`${folder}/initdb`));
  if (folder === undefined) return undefined;
  if (Deno.uid() !== 0) return { owner: undefined, commandOf: (name) => [`${folder}/${name}`] };
  const owner = userId(USER);
  return owner === undefined
    ? undefined
    : { owner, commandOf: (name) => ["runuser", "-u", USER, "--", `${folder}/${name}`] };
}

function folders(): readonly string[] {
  const onPath = (Deno.env.get("PATH") ?? "").split(":");
  const versions = exists(DEBIAN) ? [...Deno.readDirSync(DEBIAN)].map(({ name }) => name) : [];
  versions.sort((a, b) => Number(b) - Number(a));
  return [...versions.map((version) => `${DEBIAN}/${version}/bin`), ...onPath];
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound || thrown instanceof Deno.errors.NotADirectory) {
      return false;
    }
    throw thrown;
  }
}

function userId(name: string): number | undefined {
  const line = Deno.readTextFileSync("/etc/passwd").split("\n")
    .find((line) => line.startsWith(`${name}:`));
  return line === undefined ? undefined : Number(line.split(":")[2]);
}
