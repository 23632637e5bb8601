/**
 * Files of the cache folder: written whole, and removed when they are old.
 *
 * @module
 */

/** Others may read, because one user may build and another may serve. */
const FILE_MODE = 0o644;
/**
 * Age at which entries of other sources are removed. Before that a service may still start from
 * one.
 */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Writes a file atomically. */
export async function writeWhole(path: string, data: Uint8Array): Promise<void> {
  const draft = `${path}.${crypto.randomUUID()}`;
  await Deno.writeFile(draft, data, { createNew: true, mode: FILE_MODE });
  await Deno.rename(draft, path);
}

/** Removes a file that is older than 30 days. Another process may be doing the same. */
export async function removeWhenOld(path: string): Promise<void> {
  try {
    const { mtime } = await Deno.stat(path);
    if (mtime !== null && Date.now() - mtime.getTime() > KEPT_MS) await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
