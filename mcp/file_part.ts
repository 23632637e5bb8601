/**
 * A part of a file as `read_file` gives it: text where it is UTF-8, base64 otherwise.
 *
 * @module
 */

/** Bytes of a part when the caller does not say. */
export const READ_BYTES: number = 16 * 1024;

/** A part of a file, in bytes. Exactly one of `text` and `base64` is there. */
export interface FilePart {
  /** Of the whole file. */
  readonly size: number;
  readonly offset: number;
  readonly bytes: number;
  readonly text?: string;
  readonly base64?: string;
  /** Absent at the end of the file. */
  readonly nextOffset?: number;
}

/** Bytes of the whole file that an answer is about; undefined when it does not say. */
export function sizeIn({ status, headers }: Response): number | undefined {
  const [, size] = /^bytes (?:\*|\d+-\d+)\/(\d+)$/.exec(headers.get("content-range") ?? "") ?? [];
  if (size !== undefined) return Number(size);
  const length = headers.get("content-length");
  return status === 200 && length !== null ? Number(length) : undefined;
}

/**
 * Makes a part. A character that its end cuts is left to the next part, unless nothing else is
 * here.
 */
export function partOf(
  data: Uint8Array<ArrayBuffer>,
  { size, offset }: Pick<FilePart, "size" | "offset">,
): FilePart {
  const isEnd = offset + data.length >= size;
  const whole = isEnd ? data.length : wholeCharacters(data);
  const text = decoded(data.subarray(0, whole));
  const bytes = text === undefined || (whole === 0 && data.length > 0) ? data.length : whole;
  const next = offset + bytes;
  return {
    size,
    offset,
    bytes,
    ...(text === undefined || bytes !== whole ? { base64: data.toBase64() } : { text }),
    ...(next < size ? { nextOffset: next } : {}),
  };
}

/** Undefined when it is not UTF-8. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (thrown) {
    if (thrown instanceof TypeError) return undefined;
    throw thrown;
  }
}

/** Length without a last character that is cut, if it is UTF-8. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
