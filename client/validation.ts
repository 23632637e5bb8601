/**
 * Checks before anything is sent. The messages are those of the service. An invalid name of a
 * binding gets the contract's message for an unknown binding.
 *
 * @module
 */
import { NAME_PATTERN } from "./env_vars.ts";
import { ContextNotFoundError, validationFailed } from "./errors.ts";
import { quoted } from "./protocol/text.ts";

/** Maximum length of a program, in bytes of UTF-8 (docs/contract.md#limits). */
const MAX_CODE_BYTES = 64 * 1024;

/** Sandbox ids: 1 to 63 letters, digits, dots, underscores and hyphens, no hyphen at the ends. */
const SANDBOX_ID = /^(?!-)[A-Za-z0-9._-]{1,63}(?<!-)$/;

/** Program text: not empty, at most 64 KiB. */
export function checkCode(code: unknown): void {
  if (typeof code !== "string") throw validationFailed("code must be a string");
  if (code === "") throw validationFailed("code must not be empty");
  if (new TextEncoder().encode(code).length > MAX_CODE_BYTES) {
    throw validationFailed(`code is larger than ${MAX_CODE_BYTES} bytes`, 413);
  }
}

/** Checks the name of a binding. */
export function checkBindingName(name: unknown): void {
  if (typeof name !== "string") throw validationFailed("binding must be a string");
  if (!NAME_PATTERN.test(name)) throw validationFailed(`Unknown binding ${quoted(name)}`);
}

/** Checks the name of a sandbox. */
export function checkSandboxId(id: unknown): void {
  if (typeof id !== "string") throw validationFailed("The id of a sandbox must be a string");
  if (!SANDBOX_ID.test(id) || isDots(id)) {
    throw validationFailed(
      `Invalid sandbox id ${quoted(id)}: it is 1 to 63 letters, digits, dots, underscores ` +
        "and hyphens, no hyphen at either end, and not '.' or '..'",
    );
  }
}

/** Checks the path of a file; `name` is the name of the option. */
export function checkPath(path: unknown, name = "path"): void {
  if (typeof path !== "string") throw validationFailed(`${name} must be a string`);
  if (path === "") throw validationFailed(`${name} must not be empty`);
}

/**
 * The id of a context as one segment of a URL's path. A text that cannot be a segment (empty, `..`)
 * is not the id of a context; sent as is, it would address something else.
 *
 * @throws {ContextNotFoundError}
 */
export function contextSegment(id: unknown): string {
  if (typeof id !== "string") throw validationFailed("The id of a context must be a string");
  if (id !== "" && !isDots(id) && isWellFormed(id)) return encodeURIComponent(id);
  throw new ContextNotFoundError(`There is no context ${quoted(id)}`, {
    code: "CONTEXT_NOT_FOUND",
    httpStatus: 404,
    context: { contextId: id },
  });
}

function isDots(text: string): boolean {
  return text === "." || text === "..";
}

/** Whether a text has no lone surrogate, which a URL cannot contain. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
