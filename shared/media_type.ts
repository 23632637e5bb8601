/**
 * The media type a JSON body must be declared with.
 *
 * @module
 */

const JSON_TYPE = /^[ \t]*application\/json(?=[ \t]*(?:;|$))/i;

/** A parameter of RFC 9110, section 5.6.6: name, then a token or a quoted string. May be empty. */
const PARAMETER =
  /^[ \t]*;[ \t]*(?:([!#$%&'*+.^_`|~\w-]+)=(?:([!#$%&'*+.^_`|~\w-]+)|"((?:[^"\\]|\\.)*)"))?[ \t]*/;

/**
 * Whether a `Content-Type` declares JSON in UTF-8: `application/json` in any case, with any
 * parameters, of which each `charset` says utf-8. Absent or malformed declares nothing.
 */
export function isJsonMediaType(contentType: string | null): boolean {
  const type = contentType === null ? null : JSON_TYPE.exec(contentType);
  if (type === null) return false;
  let rest = type.input.slice(type[0].length).trimEnd();
  while (rest !== "") {
    const parameter = PARAMETER.exec(rest);
    if (parameter === null) return false;
    const [whole, name, token, quoted] = parameter;
    if (name?.toLowerCase() === "charset" && !isUtf8(token ?? quoted)) {
      return false;
    }
    rest = rest.slice(whole.length);
  }
  return true;
}

function isUtf8(charset: string | undefined): boolean {
  return charset?.toLowerCase() === "utf-8";
}
