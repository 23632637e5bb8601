/**
 * Files of a sandbox with their states, so that an edit replaces only the state that it began with.
 *
 * @module
 */
import type { Language } from "@belljar/client";
import type { Service } from "./service.ts";

/** A file as it was read. */
export interface ReadFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Names its state. */
  readonly etag: string | null;
}

/** Somebody else has changed the file. */
export class FileChanged extends Error {
  override readonly name = "FileChanged";
}

/** The place of files: a sandbox, by any of its languages. */
export interface FilePlace {
  readonly service: Service;
  readonly language: Language;
  readonly sandbox: string;
}

const CHANGED = 412;

/** Reads a file. Rejects with an Error. */
export async function readFile(place: FilePlace, path: string): Promise<ReadFile> {
  const answer = await place.service.send(pathOf(place, path));
  if (!answer.ok) throw await failureOf(answer);
  return { bytes: new Uint8Array(await answer.arrayBuffer()), etag: answer.headers.get("etag") };
}

/**
 * Writes a file. `etag`: of the state that it replaces; null: there must be none; undefined: any. Gives
 * the new state. Rejects with {@link FileChanged}, or another Error.
 */
export async function writeFile(
  place: FilePlace,
  path: string,
  text: string,
  etag: string | null | undefined,
): Promise<string | null> {
  const condition: Record<string, string> = etag === undefined
    ? {}
    : etag === null
    ? { "if-none-match": "*" }
    : { "if-match": etag };
  const answer = await place.service.send(pathOf(place, path), {
    method: "PUT",
    headers: { "content-type": "application/octet-stream", ...condition },
    body: text,
  });
  if (answer.status === CHANGED) throw new FileChanged(`${path} was changed by somebody else.`);
  if (!answer.ok) throw await failureOf(answer);
  return answer.headers.get("etag");
}

function pathOf({ language, sandbox }: FilePlace, path: string): string {
  const segments = path.replace(/^\/workspace\//, "").split("/").map(encodeURIComponent);
  return `languages/${language}/sandboxes/${encodeURIComponent(sandbox)}/files/${
    segments.join("/")
  }`;
}

async function failureOf(answer: Response): Promise<Error> {
  try {
    const { message } = await answer.json();
    return new Error(String(message));
  } catch {
    return new Error(`The service answers with status ${answer.status}.`);
  }
}
