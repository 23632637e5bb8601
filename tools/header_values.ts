/**
 * Headers of the operator's requests. `${NAME}` in a value is a secret of the environment, and `$${` is
 * the text `${`.
 *
 * @module
 */

/** Gives variables of the environment that a file may name. */
export interface Secrets {
  /** The value of a variable; undefined if it is not set. */
  readonly value: (name: string) => string | undefined;
  /** Whether a variable configures the service: it is no secret of a tool. */
  readonly isReserved: (name: string) => boolean;
}

/** A value with its secrets in place, or all that is wrong with it. Faults hold no values. */
export type HeaderValue =
  | { readonly value: string; readonly secrets: readonly string[] }
  | { readonly faults: readonly string[] };

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const SECRET_NAME = /^[A-Z_][A-Z0-9_]*$/;
const OPENING = /\$?\$\{/g;
const LINE_BREAK = /[\r\n]/;
const TEXT = /^[\t -~\u0080-\u00ff]*$/;
/** The service sets these itself, or they belong to the connection. */
const OWN: ReadonlySet<string> = new Set([
  ..."accept-encoding connection content-length expect host keep-alive te trailer".split(" "),
  ..."transfer-encoding upgrade".split(" "),
]);

/** The fault of a header's name; undefined: it is valid. */
export function headerNameFault(name: string): string | undefined {
  if (!NAME.test(name)) return "is no name of a header";
  return OWN.has(name.toLowerCase()) ? "cannot be set: the service sets it" : undefined;
}

/** Puts secrets in their places. */
export function headerValue(text: string, { value: valueOf, isReserved }: Secrets): HeaderValue {
  const faults: string[] = [];
  const secrets: string[] = [];
  let value = "";
  let at = 0;
  for (const { 0: opening, index } of text.matchAll(OPENING)) {
    if (index < at) continue;
    value += text.slice(at, index);
    at = index + opening.length;
    if (opening === "$${") {
      value += "${";
      continue;
    }
    const end = text.indexOf("}", at);
    const name = end === -1 ? "" : text.slice(at, end);
    if (!SECRET_NAME.test(name)) {
      faults.push("has a ${ that begins no ${NAME} of A-Z, 0-9 and _: the text itself is $${");
      break;
    }
    at = end + 1;
    const secret = isReserved(name) ? undefined : valueOf(name);
    const fault = isReserved(name)
      ? `${name} configures the service: it cannot be named`
      : secretFault(name, secret);
    if (fault !== undefined) faults.push(fault);
    else if (secret !== undefined) {
      value += secret;
      secrets.push(secret);
    }
  }
  value += text.slice(at);
  if (faults.length === 0 && !TEXT.test(value)) {
    faults.push("has characters that no header can have");
  }
  return faults.length > 0 ? { faults } : { value, secrets };
}

function secretFault(name: string, secret: string | undefined): string | undefined {
  if (secret === undefined) return `${name} is not set`;
  if (secret === "") return `${name} is empty`;
  if (LINE_BREAK.test(secret)) return `${name} has a line break`;
  return TEXT.test(secret) ? undefined : `${name} has characters that no header can have`;
}
