/**
 * A part of a file as `read_file` returns it: text if it is UTF-8, otherwise base64.
 *
 * @module
 */

/** Default length of a part in bytes. */
export const READ_BYTES: number = 16 * 1024;

/** A part of a file. Sizes are bytes. Exactly one of `text` and `base64` is present. */
export interface FilePart {
  /** Size of the whole file. */
  readonly size: number;
  readonly offset: number;
  readonly bytes: number;
  readonly text?: string;
  readonly base64?: string;
  /** Absent at the end of the file. */
  readonly nextOffset?: number;
}

/** Size of the whole file in bytes, from the answer's headers; undefined if they lack it. */
export function sizeIn({ status, headers }: Response): number | undefined {
  const [, size] = /^bytes (?:\*|\d+-\d+)\/(\d+)$/.exec(headers.get("content-range") ?? "") ?? [];
  if (size !== undefined) return Number(size);
  const length = headers.get("content-length");
  return status === 200 && length !== null ? Number(length) : undefined;
}

/**
 * Makes a part. A character that is cut by its end belongs to the next part, unless this part
 * contains nothing else.
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

/** The text; undefined if the bytes are not UTF-8. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (thrown) {
    if (thrown instanceof TypeError) return undefined;
    throw thrown;
  }
}

/** The length in bytes without an incomplete last character, if the bytes are UTF-8. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
