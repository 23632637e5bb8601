/**
 * Text as it stands in the fragment of a link: compressed, in letters that links allow.
 *
 * @module
 */

/** Longest text once it is unpacked, in bytes: more than a program can be. */
const MAX_UNPACKED = 256 * 1024;

/** Packs a text: letters, digits, `-` and `_`. */
export async function packText(text: string): Promise<string> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The value of a packed JSON text; undefined when it is damaged or too long. */
export async function unpackJson(packed: string): Promise<unknown> {
  try {
    const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return JSON.parse(await unpacked(bytes));
  } catch {
    return undefined;
  }
}

async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for (let length = 0;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.length;
    if (length > MAX_UNPACKED) {
      await reader.cancel();
      throw new RangeError("The text is too long");
    }
    text += decoder.decode(value, { stream: true });
  }
}
