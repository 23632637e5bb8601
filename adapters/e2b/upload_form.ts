/**
 * Upload forms. The number of parts is checked before the parts are made.
 *
 * @module
 */
import { validationFailed } from "../../shared/errors.ts";
import { E2B_LIMITS } from "../../shared/limits.ts";
import { THREAD } from "../../shared/slices.ts";

/** A delimiter without its leading hyphens (RFC 2046, 5.1.1). */
const BOUNDARY = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i;
const BOUNDARY_TEXT = /^[0-9A-Za-z'()+_,\-./:=? ]{1,70}$/;

/**
 * The files of a form. Parsing is long work without a pause, so it takes a slice of the thread for
 * itself.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` for a form that is malformed or has too many parts.
 */
export async function filesInForm(
  body: Uint8Array<ArrayBuffer>,
  type: string,
  tenant: string,
): Promise<readonly File[]> {
  const [, quoted, plain] = BOUNDARY.exec(type) ?? [];
  const boundary = quoted ?? plain ?? "";
  if (!BOUNDARY_TEXT.test(boundary)) throw malformed();
  await THREAD.next(tenant);
  const { formParts } = E2B_LIMITS;
  // a delimiter begins each part, and one more ends the form
  if (hasMore(body, new TextEncoder().encode(`--${boundary}`), formParts + 1)) {
    throw validationFailed(`The form has more than ${formParts} parts`, 413);
  }
  // the parser must not read another boundary out of the header
  const headers = { "content-type": `multipart/form-data; boundary="${boundary}"` };
  try {
    const form = await new Response(body, { headers }).formData();
    return form.getAll("file").filter((part) => part instanceof File);
  } catch {
    throw malformed();
  }
}

function malformed(): Error {
  return validationFailed("The body is not a form");
}

/** Whether a text occurs more often than that, without overlaps. One pass (Knuth, Morris, Pratt). */
function hasMore(bytes: Uint8Array, text: Uint8Array, most: number): boolean {
  const shorter = [0];
  for (let at = 1, length = 0; at < text.length; at++) {
    while (length > 0 && text[at] !== text[length]) length = shorter[length - 1] ?? 0;
    if (text[at] === text[length]) length++;
    shorter.push(length);
  }
  let [found, length] = [0, 0];
  for (const byte of bytes) {
    while (length > 0 && byte !== text[length]) length = shorter[length - 1] ?? 0;
    if (byte === text[length]) length++;
    if (length < text.length) continue;
    length = 0;
    if (++found > most) return true;
  }
  return false;
}
