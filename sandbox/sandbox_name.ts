/**
 * Names of sandboxes.
 *
 * @module
 */
import { quoted } from "../client/protocol/text.ts";
import { type ServiceError, validationFailed } from "../shared/errors.ts";

/** Names of sandboxes. The OpenAPI document shows both, so the pattern is without lookbehind. */
export const SANDBOX_NAME: { readonly pattern: RegExp; readonly maxLength: number } = {
  pattern: /^(?!\.{1,2}$)(?:[A-Za-z0-9._]|[A-Za-z0-9._][A-Za-z0-9._-]*[A-Za-z0-9._])$/,
  maxLength: 63,
};

/** Whether a sandbox can have the name. */
export function isSandboxName(name: string): boolean {
  return name.length <= SANDBOX_NAME.maxLength && SANDBOX_NAME.pattern.test(name);
}

/** The sandbox is not there, and the call creates none. */
export function noSandbox(name: string): ServiceError {
  return validationFailed(`There is no sandbox ${quoted(name)}`, 404);
}

/** The error for a name that no sandbox can have. */
export function invalidName(name: string): ServiceError {
  return validationFailed(
    `Invalid sandbox id ${quoted(name)}: it is 1 to ${SANDBOX_NAME.maxLength} letters, digits, ` +
      "dots, underscores and hyphens, no hyphen at either end, and not '.' or '..'",
  );
}
