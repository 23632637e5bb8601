/**
 * The files of the guest's `/workspace`, and the program that it runs.
 *
 * @module
 */
import type { Order } from "./suite.ts";

const GUEST = new URL("./guest.py", import.meta.url);
/** Images that tests compare with: reading them needs a library, and they take most of the room. */
const LEFT_OUT = /\.(?:png|pyc)$/;

/** The program that the guest runs. */
export function guestProgram(): string {
  return Deno.readTextFileSync(GUEST);
}

function* below(folder: string, path = ""): Generator<readonly [path: string, file: string]> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const file = `${folder}/${name}`;
    if (isDirectory) yield* below(file, `${path}/${name}`);
    else if (!LEFT_OUT.test(name)) yield [`${path}/${name}`, file];
  }
}

/** Paths below `/workspace`, with a leading slash, and their bytes. */
export function workspaceFiles(
  { workspace, ...order }: Order,
): readonly (readonly [path: string, bytes: Uint8Array])[] {
  const own = workspace === undefined ? [] : [...below(workspace)];
  return [
    ...own.map(([path, file]) => [path, Deno.readFileSync(file)] as const),
    ["/order.json", new TextEncoder().encode(JSON.stringify(order))],
  ];
}
