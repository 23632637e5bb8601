/**
 * Checks before anything is sent. The messages are those of the service. An invalid name of a
 * binding gets the contract's message for an unknown binding.
 *
 * @module
 */
import { NAME_PATTERN } from "./env_vars.ts";
import { ContextNotFoundError, SandboxError, validationFailed } from "./errors.ts";
import { languageNamed } from "./protocol/language_names.ts";
import { WORKSPACE } from "./protocol/paths.ts";
import { listed, quoted } from "./protocol/text.ts";
import { type Language, LANGUAGES } from "./protocol/types.ts";

/** Maximum number of sandboxes on a page of their listing. */
const MAX_PAGE_SIZE = 100;

/** Keys of runs: 1 to 255 visible ASCII characters. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** Sandbox ids: 1 to 63 letters, digits, dots, underscores and hyphens, no hyphen at the ends. */
const SANDBOX_ID = /^(?!-)[A-Za-z0-9._-]{1,63}(?<!-)$/;

/** Program text: not empty. The service knows how long it may be. */
export function checkCode(code: unknown): void {
  if (typeof code !== "string") throw validationFailed("code must be a string");
  if (code === "") throw validationFailed("code must not be empty");
}

/** Whether a result has its `repr`. */
export function checkRepr(repr: unknown): void {
  if (typeof repr !== "boolean") throw validationFailed("repr must be true or false");
}

/** Standard input. The service knows how long it may be. */
export function checkStdin(stdin: unknown): void {
  if (typeof stdin !== "string") throw validationFailed("stdin must be a string");
}

/** Checks `seed` or `clock` of a run, whose maximum is `most`. */
export function checkReplay(name: "seed" | "clock", value: unknown, most: number): void {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > most) {
    throw validationFailed(`${name} must be an integer from 0 to ${most}`);
  }
}

/** Checks the key of a run. It is not shown. */
export function checkIdempotencyKey(key: unknown): void {
  if (typeof key !== "string" || !IDEMPOTENCY_KEY.test(key)) {
    throw validationFailed("idempotencyKey must be 1 to 255 visible ASCII characters");
  }
}

/** Checks a number of runs. */
export function checkExecutions(executions: unknown): void {
  if (typeof executions !== "number" || !Number.isSafeInteger(executions) || executions < 0) {
    throw validationFailed("ifExecutions must be an integer, 0 or more");
  }
}

/** Checks the name of a binding. */
export function checkBindingName(name: unknown): void {
  if (typeof name !== "string") throw validationFailed("binding must be a string");
  if (!NAME_PATTERN.test(name)) throw validationFailed(`Unknown binding ${quoted(name)}`);
}

/** The language with a name, which is its id or an alias, in any case. */
export function checkedLanguage(name: unknown): Language {
  if (typeof name !== "string") throw validationFailed("language must be a string");
  const language = languageNamed(name);
  if (language !== undefined) return language;
  throw validationFailed(`Unknown language ${quoted(name)}: ${listed(LANGUAGES)}`);
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

/** Checks a condition on a file; only the service knows its syntax. */
export function checkCondition(name: string, condition: unknown): void {
  if (condition === undefined) return;
  if (
    typeof condition !== "string" || !/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(condition)
  ) {
    throw validationFailed(`${name} must be * or entity tags in quotation marks`);
  }
}

/** Checks the number of sandboxes per page. */
export function checkPageSize(limit: unknown): void {
  if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_SIZE) {
    throw validationFailed(`limit must be a whole number from 1 to ${MAX_PAGE_SIZE}`);
  }
}

/**
 * The path of a file below `/files/`: percent-encoded by segment.
 *
 * A path with a segment that URLs and proxies resolve or drop (`..`, `.`, none) is one segment. So
 * the service gets it as it is, and refuses what leaves the workspace.
 */
export function filePathSegments(path: string): string {
  checkPath(path);
  if (!isWellFormed(path)) throw validationFailed("path must be well-formed Unicode");
  const inside = path.startsWith(`${WORKSPACE}/`) ? path.slice(WORKSPACE.length + 1) : path;
  const segments = inside.split("/");
  if (segments.every((segment) => segment !== "" && !isDots(segment))) {
    return segments.map(encodeURIComponent).join("/");
  }
  // alone, `.` and `..` would be resolved even when they are encoded
  return encodeURIComponent(isDots(path) ? `./${path}` : path);
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

/**
 * The id of a checkpoint as a segment of a path.
 *
 * @throws {SandboxError} CHECKPOINT_NOT_FOUND, for an id that no checkpoint has.
 */
export function checkpointSegment(id: unknown): string {
  if (typeof id !== "string") throw validationFailed("The id of a checkpoint must be a string");
  if (id !== "" && !isDots(id) && isWellFormed(id)) return encodeURIComponent(id);
  throw new SandboxError(`There is no checkpoint ${quoted(id)}`, {
    code: "CHECKPOINT_NOT_FOUND",
    httpStatus: 404,
    context: { checkpointId: id },
  });
}

/** The id of a run as a part of a path. */
export function runSegment(id: unknown): string {
  if (typeof id !== "string") throw validationFailed("The id of a run must be a string");
  if (id !== "" && !isDots(id) && isWellFormed(id)) return encodeURIComponent(id);
  throw new SandboxError(`There is no run ${quoted(id)}`, {
    code: "RUN_NOT_FOUND",
    httpStatus: 404,
    context: { run: id },
  });
}

function isDots(text: string): boolean {
  return text === "." || text === "..";
}

/** Whether a text has no lone surrogate, which a URL cannot contain. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
