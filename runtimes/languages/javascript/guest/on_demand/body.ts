/**
 * Bodies of requests and responses: their bytes, and the ways to read them once.
 *
 * @module
 */
import { environment } from "./environment.ts";
import { decodeForm, encodeForm, FormData } from "./form_data.ts";
import type { Headers } from "./headers.ts";
import { ReadableStream, streamOf } from "./streams.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const TEXT = "text/plain;charset=UTF-8";
const FORM = "application/x-www-form-urlencoded;charset=UTF-8";

/** A body and the type that it brings with it. */
export interface NewBody {
  readonly body: Body;
  readonly type: string | undefined;
}

/** Content that can be read once. */
export class Body {
  #bytes: Bytes | undefined;
  #stream: ReadableStream<Uint8Array> | undefined;
  #isUsed = false;

  constructor(content: Bytes | ReadableStream<Uint8Array>) {
    if (content instanceof ReadableStream) this.#stream = content;
    else this.#bytes = content;
  }

  get stream(): ReadableStream<Uint8Array> {
    return this.#stream ??= streamOf(this.#bytes ?? new Uint8Array());
  }

  get isUsed(): boolean {
    return this.#isUsed || Boolean(Reflect.get(Object(this.#stream), "_disturbed"));
  }

  get isUnusable(): boolean {
    return this.isUsed || this.#stream?.locked === true;
  }

  /** A second body with the same content. */
  tee(): Body {
    if (this.#stream === undefined && this.#bytes !== undefined) return new Body(this.#bytes);
    const [first, second] = this.stream.tee();
    this.#stream = first;
    return new Body(second);
  }

  /** Reads all; the body is used from now on. */
  async read(): Promise<Bytes> {
    if (this.isUnusable) throw new TypeError("Body is unusable: Body has already been read");
    this.#isUsed = true;
    if (this.#stream === undefined && this.#bytes !== undefined) {
      this.#stream = streamOf(this.#bytes);
      await this.#stream.getReader().cancel();
      return this.#bytes.slice();
    }
    return await readAll(this.stream);
  }
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<Bytes> {
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (!(next.value instanceof Uint8Array)) throw new TypeError("Received non-Uint8Array chunk");
    parts.push(next.value);
    length += next.value.length;
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function fromIterable(content: AsyncIterable<unknown>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return ReadableStream.from((async function* () {
    for await (const chunk of content) {
      yield typeof chunk === "string" ? encoder.encode(chunk) : chunk as Uint8Array;
    }
  })());
}

/** The body for what a program passes as one; undefined for null and undefined. */
export function newBody(content: unknown): NewBody | undefined {
  if (content === undefined || content === null) return undefined;
  if (content instanceof ReadableStream) {
    if (content.locked || Reflect.get(content, "_disturbed") === true) {
      throw new TypeError("Response body object should not be disturbed or locked");
    }
    return { body: new Body(content), type: undefined };
  }
  if (content instanceof Blob) {
    const type = content.type === "" ? undefined : content.type;
    return { body: new Body(environment.blobBytes(content)), type };
  }
  if (content instanceof FormData) {
    const { blob, type } = encodeForm(content);
    return { body: new Body(environment.blobBytes(blob)), type };
  }
  if (content instanceof ArrayBuffer || ArrayBuffer.isView(content)) {
    return { body: new Body(environment.blobBytes(content).slice()), type: undefined };
  }
  const isParameters = content instanceof URLSearchParams;
  if (!isParameters && typeof content === "object" && Symbol.asyncIterator in content) {
    return { body: new Body(fromIterable(content as AsyncIterable<unknown>)), type: undefined };
  }
  return {
    body: new Body(new TextEncoder().encode(`${content}`)),
    type: isParameters ? FORM : TEXT,
  };
}

interface Parts {
  readonly headers: Headers;
  readonly content: Body | undefined;
}

const parts = new WeakMap<object, Parts>();

function partsOf(self: object): Parts {
  const found = parts.get(self);
  if (found === undefined) throw new TypeError("Illegal invocation");
  return found;
}

/** The body of a request or a response. */
export function contentOf(self: object): Body | undefined {
  return partsOf(self).content;
}

/** Gives a request or a response its headers and its body. */
export function setParts(self: object, headers: Headers, made: NewBody | undefined): void {
  if (made?.type !== undefined && !headers.has("content-type")) {
    headers.set("content-type", made.type);
  }
  parts.set(self, { headers, content: made?.body });
}

/** The common part of a request and a response: a body, and readers of it. */
export abstract class WithBody {
  get headers(): Headers {
    return partsOf(this).headers;
  }

  get body(): ReadableStream<Uint8Array> | null {
    return contentOf(this)?.stream ?? null;
  }

  get bodyUsed(): boolean {
    return contentOf(this)?.isUsed ?? false;
  }

  async bytes(): Promise<Bytes> {
    return await contentOf(this)?.read() ?? new Uint8Array();
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer;
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async blob(): Promise<Blob> {
    const type = this.headers.get("content-type") ?? "";
    return new Blob([await this.bytes()], { type });
  }

  async formData(): Promise<FormData> {
    const type = this.headers.get("content-type") ?? "";
    const boundary = /^multipart\/form-data\b[^]*;\s*boundary="?([^";]+)"?/i.exec(type)?.[1];
    if (boundary !== undefined) return decodeForm(await this.bytes(), boundary);
    if (!/^application\/x-www-form-urlencoded\b/i.test(type)) {
      throw new TypeError(
        'Content-Type was not one of "multipart/form-data" or "application/x-www-form-urlencoded".',
      );
    }
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(await this.text())) form.append(name, value);
    return form;
  }
}
