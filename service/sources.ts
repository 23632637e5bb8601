/**
 * The commit of the sources: from the file `COMMIT` of a release, or from the repository of a
 * checkout. No program is started for it.
 *
 * @module
 */

const ROOT = new URL("../", import.meta.url);
const COMMIT = /^[0-9a-f]{40,64}$/;

/** The commit, where it is known. */
export interface Sources {
  readonly commit?: string;
}

/** Finds the commit of a folder; by default that of the program. */
export async function sources(root: URL = ROOT): Promise<Sources> {
  const commit = await read(new URL("COMMIT", root)) ?? await headOf(root);
  return commit !== undefined && COMMIT.test(commit) ? { commit } : {};
}

/** The commit of a checkout. In a further worktree `.git` is a file that names the folder. */
async function headOf(root: URL): Promise<string | undefined> {
  const link = /^gitdir: (.+)$/.exec(await read(new URL(".git", root)) ?? "")?.[1];
  const folder = new URL(`${link ?? ".git"}/`, root);
  const head = await read(new URL("HEAD", folder));
  const name = /^ref: (refs\/[\w./-]+)$/.exec(head ?? "")?.[1];
  if (name === undefined) return head;
  const common = await read(new URL("commondir", folder));
  const shared = common === undefined ? folder : new URL(`${common}/`, folder);
  return await read(new URL(name, shared)) ?? await packed(name, shared);
}

async function packed(name: string, folder: URL): Promise<string | undefined> {
  const lines = (await read(new URL("packed-refs", folder)))?.split("\n") ?? [];
  return lines.find((line) => line.endsWith(` ${name}`))?.split(" ")[0];
}

/** The text of a file without the space around it; undefined when it cannot be read. */
async function read(url: URL): Promise<string | undefined> {
  try {
    return (await Deno.readTextFile(url)).trim();
  } catch (thrown) {
    if (thrown instanceof Error) return undefined;
    throw thrown;
  }
}
