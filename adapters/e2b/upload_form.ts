/**
 * The files of upload forms. A short form is read whole, so that a malformed one stores nothing. The
 * files of a longer one are stored while it arrives.
 *
 * @module
 */
import { chunkPauses } from "../../shared/chunk_pauses.ts";
import { ServiceError } from "../../shared/errors.ts";
import { joinBytes } from "../../shared/join_bytes.ts";
import { E2B_LIMITS } from "../../shared/limits.ts";
import { discard } from "../../shared/read_body.ts";
import { type FormPart, formParts, malformedForm } from "./form_parts.ts";

/** A delimiter without its leading hyphens (RFC 2046, 5.1.1). */
const BOUNDARY = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i;
const BOUNDARY_TEXT = /^[0-9A-Za-z'()+_,\-./:=? ]{1,70}$/;
/** Bytes of a short form that are looked at without a pause. */
const PIECE_BYTES = 64 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/** A file of a form. */
export interface FormFile {
  readonly name: string;
  readonly content: Bytes | ReadableStream<Bytes>;
  /** The fault of the form that ended the content. */
  readonly fault?: () => ServiceError | undefined;
}

/** Whether a media type is that of forms. */
export function isForm(type: string): boolean {
  return type.toLowerCase().startsWith("multipart/form-data");
}

/**
 * The files of a form that is in memory.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` for a form that is malformed or has too many parts.
 */
export async function filesInForm(
  body: Bytes,
  type: string,
  tenant: string,
): Promise<readonly FormFile[]> {
  const files: FormFile[] = [];
  for await (
    const part of formParts(piecesOf(body, tenant), boundaryIn(type), E2B_LIMITS.formParts)
  ) {
    if (!isFile(part)) continue;
    files.push({ name: part.filename, content: joinBytes(await Array.fromAsync(part.content)) });
  }
  return files;
}

async function* piecesOf(body: Bytes, tenant: string): AsyncGenerator<Bytes, void> {
  const pause = chunkPauses(tenant);
  for (let at = 0; at < body.length; at += PIECE_BYTES) {
    const piece = body.subarray(at, at + PIECE_BYTES);
    yield piece;
    await pause(piece.length);
  }
}

/**
 * The files of a form that arrives, each while it arrives. Files that nobody reads are skipped.
 *
 * @throws {ServiceError} as {@link filesInForm} does, and what the stream throws.
 */
export async function* filesInStream(
  stream: ReadableStream<Bytes>,
  type: string,
  tenant: string,
): AsyncGenerator<FormFile, void> {
  const boundary = boundaryIn(type);
  const reader = stream.getReader();
  try {
    for await (const part of formParts(chunksOf(reader), boundary, E2B_LIMITS.formParts)) {
      if (isFile(part)) yield { name: part.filename, ...streamOf(part.content) };
    }
  } finally {
    // the sender of a form that is refused must see the answer
    await discard(reader, chunkPauses(tenant));
  }
}

async function* chunksOf(
  reader: ReadableStreamDefaultReader<Bytes>,
): AsyncGenerator<Bytes, void> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

function streamOf(parts: AsyncGenerator<Bytes, void>): Pick<FormFile, "content" | "fault"> {
  let fault: ServiceError | undefined;
  const content = new ReadableStream<Bytes>({
    pull: async (controller) => {
      try {
        const { done, value } = await parts.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      } catch (thrown) {
        if (thrown instanceof ServiceError) fault = thrown;
        throw thrown;
      }
    },
  }, { highWaterMark: 0 });
  return { content, fault: () => fault };
}

function isFile(part: FormPart): part is FormPart & { readonly filename: string } {
  return part.name === "file" && part.filename !== undefined;
}

function boundaryIn(type: string): string {
  const [, quoted, plain] = BOUNDARY.exec(type) ?? [];
  const boundary = quoted ?? plain ?? "";
  if (!BOUNDARY_TEXT.test(boundary)) throw malformedForm();
  return boundary;
}
