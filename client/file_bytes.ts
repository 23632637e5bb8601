/**
 * Files as bytes: upload and download, without the detour over base64
 * (docs/contract.md#files-as-bytes).
 *
 * @module
 */
import { readBody, throwAnswer } from "./answer.ts";
import { ByteReader, concatenated } from "./byte_reader.ts";
import { type Body, type Endpoint, exchange, type Message } from "./call.ts";
import { throwIfAborted } from "./cancellation.ts";
import { FileTooLargeError, validationFailed } from "./errors.ts";
import { FILES_PATH } from "./protocol/paths.ts";
import { quoted } from "./protocol/text.ts";
import type { RequestOptions } from "./request_options.ts";
import { uploadInPieces } from "./upload_pieces.ts";
import { checkCondition, filePathSegments } from "./validation.ts";

/** Maximum length of a file of any service, in bytes. The service knows its own. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** Length from which on a file is sent in pieces, in bytes. */
const LONG_FILE_BYTES = 4 * 1024 * 1024;

/** The contents of an upload; text as UTF-8. */
export type FileContent = string | Uint8Array | Blob | ReadableStream<Uint8Array>;

/** Options of `files.upload`: conditions on the existing file. */
export interface UploadOptions extends RequestOptions {
  /** `"*"`: only create; if the file exists, the call rejects with `PRECONDITION_FAILED`. */
  readonly ifNoneMatch?: string | undefined;
  /**
   * Only replace this state, otherwise `PRECONDITION_FAILED`: the SHA-256 of the contents, in
   * hexadecimal and in quotation marks.
   */
  readonly ifMatch?: string | undefined;
}

/**
 * Files as bytes.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * await using sandbox = getSandbox(env.Sandbox, "scratch", { ephemeral: true });
 * await sandbox.files.upload("data/numbers.bin", Uint8Array.of(1, 2, 3));
 * console.assert((await sandbox.files.download("data/numbers.bin")).length === 3);
 * const stream = await sandbox.files.downloadStream("data/numbers.bin");
 * console.assert((await new Response(stream).arrayBuffer()).byteLength === 3);
 * ```
 */
export interface ByteFiles {
  /**
   * Creates a file or replaces its contents. Missing parent directories are created. A stream is read
   * into memory first; if it breaks off, nothing is changed. More than 4 MiB of any other content are
   * sent in pieces, which go on after a broken connection; `timeout` holds for each of them.
   */
  upload(path: string, content: FileContent, options?: UploadOptions): Promise<void>;
  /** Reads a file. */
  download(path: string, options?: RequestOptions): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Reads a file as it arrives. Resolves once the file is found. `signal` and `timeout` hold until
   * the stream is read to its end or cancelled; then it fails with their reason.
   */
  downloadStream(
    path: string,
    options?: RequestOptions,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}

/** The files of the sandbox at an endpoint, as bytes. */
export function createByteFiles(endpoint: Endpoint): ByteFiles {
  return {
    upload: async (path, content, options = {}) => {
      const long = longContent(content);
      const message = uploadOf(path, long ?? content, options);
      if (long !== undefined) return await uploadInPieces(endpoint, message, long, options);
      await exchange(endpoint, message, options, async (response, signal) => {
        if (response.status !== 201 && response.status !== 204) await throwAnswer(response, signal);
        await readBody(response, signal);
      });
    },
    download: async (path, options = {}) => {
      return await exchange(endpoint, downloadOf(path), options, async (response, signal) => {
        if (response.status !== 200) await throwAnswer(response, signal);
        return await readBody(response, signal, MAX_FILE_BYTES);
      });
    },
    downloadStream: async (path, options = {}) => {
      const message = downloadOf(path);
      return await new Promise((resolve, reject) => {
        exchange(endpoint, message, options, async (response, signal) => {
          if (response.status !== 200) await throwAnswer(response, signal);
          const body = await ByteReader.ofBody(response, MAX_FILE_BYTES);
          await new Promise<void>((done) => resolve(streamOf(body, signal, done)));
        }).catch(reject);
      });
    },
  };
}

function downloadOf(path: string): Message {
  const headers = { accept: "*/*" };
  return { method: "GET", path: `${FILES_PATH}/${filePathSegments(path)}`, headers };
}

function uploadOf(
  path: string,
  content: FileContent,
  { ifMatch, ifNoneMatch }: UploadOptions,
): Message {
  checkCondition("ifMatch", ifMatch);
  checkCondition("ifNoneMatch", ifNoneMatch);
  return {
    method: "PUT",
    path: `${FILES_PATH}/${filePathSegments(path)}`,
    headers: {
      accept: "application/json",
      "content-type": "application/octet-stream",
      ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
      ...(ifNoneMatch === undefined ? {} : { "if-none-match": ifNoneMatch }),
    },
    body: bodyFor(path, content),
  };
}

/** A content that is sent in pieces; later changes of it do not reach the copy. */
function longContent(content: FileContent): Blob | undefined {
  if (content instanceof Blob) return content.size > LONG_FILE_BYTES ? content : undefined;
  const isBytes = typeof content === "string" || content instanceof Uint8Array;
  return isBytes && content.length > LONG_FILE_BYTES ? new Blob([bytesOf(content)]) : undefined;
}

/** The content as bytes that can be sent again, and that no later change of the content reaches. */
function bodyFor(path: string, content: FileContent): Body {
  if (content instanceof ReadableStream) return (signal) => collected(path, content, signal);
  const whole = content instanceof Blob ? content : new Blob([bytesOf(content)]);
  if (whole.size > MAX_FILE_BYTES) throw tooLarge(path, whole.size);
  return async () => new Uint8Array(await whole.arrayBuffer());
}

function bytesOf(content: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof content === "string") return content;
  if (content instanceof Uint8Array) return new Uint8Array(content);
  throw validationFailed("content must be a string, a Uint8Array, a Blob or a ReadableStream");
}

/** Rejects with what the stream fails with. */
async function collected(
  path: string,
  stream: ReadableStream<unknown>,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  const cancel = (reason?: unknown) => void reader.cancel(reason).catch(() => undefined);
  const stop = () => cancel(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    const pieces: Uint8Array[] = [];
    for (let length = 0;;) {
      const { done, value } = await reader.read();
      throwIfAborted(signal);
      if (done) return concatenated(pieces);
      if (!(value instanceof Uint8Array)) throw validationFailed("content must consist of bytes");
      length += value.length;
      if (length > MAX_FILE_BYTES) throw tooLarge(path, length);
      pieces.push(value);
    }
  } catch (error) {
    cancel(error);
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** As the service says it. */
function tooLarge(path: string, actualSize: number): FileTooLargeError {
  const operation = "write";
  const most = `at most ${MAX_FILE_BYTES} bytes`;
  return new FileTooLargeError(`EFBIG: file too large (${most}), ${operation} ${quoted(path)}`, {
    code: "FILE_TOO_LARGE",
    httpStatus: 413,
    context: { path, operation, errno: "EFBIG", maxSize: MAX_FILE_BYTES, actualSize },
    operation: `file.${operation}`,
  });
}

/** A stream that reads on demand. `done` is called after the last read. */
function streamOf(
  body: ByteReader,
  signal: AbortSignal,
  done: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const end = () => {
    signal.removeEventListener("abort", stop);
    body.cancel();
    done();
  };
  let stop = () => {};
  return new ReadableStream({
    start: (controller) => {
      stop = () => {
        controller.error(signal.reason);
        end();
      };
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    },
    pull: async (controller) => {
      try {
        const piece = await body.read();
        if (signal.aborted) return;
        if (piece !== undefined) return controller.enqueue(new Uint8Array(piece));
        controller.close();
      } catch (error) {
        if (!signal.aborted) controller.error(error);
      }
      end();
    },
    cancel: end,
  }, { highWaterMark: 0 });
}
