/**
 * Conditions of a request on the state of a file: `If-Match` and `If-None-Match` (RFC 9110, 13.1).
 *
 * The tag of a file is the hash of its contents, so files with the same contents have the same tag,
 * whoever wrote them.
 *
 * @module
 */
import type { FileOperation } from "../client/protocol/sandbox_types.ts";
import { ServiceError, validationFailed } from "../shared/errors.ts";

interface EntityTag {
  readonly weak: boolean;
  /** With its quotation marks. */
  readonly tag: string;
}

/** Any tag, or one of these. */
type EntityTags = "*" | readonly EntityTag[];

/** The conditions of a request. */
export interface Conditions {
  readonly ifMatch: EntityTags | undefined;
  readonly ifNoneMatch: EntityTags | undefined;
}

/** One tag of a list, or nothing, up to the next comma. Blanks have one place each, so the time is linear. */
const LIST_ENTRY = /[ \t]*(?:(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y;
/** Maximum length of a header: room for a hundred tags of ours. */
const MAX_LENGTH = 8 * 1024;

/** The tag of a file. */
export function tagOf(ref: { readonly sha256: string }): string {
  return `"${ref.sha256}"`;
}

/**
 * Reads the conditions.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` that names the header that is malformed.
 */
export function conditionsOf(headers: Headers): Conditions {
  return {
    ifMatch: tagsIn(headers, "If-Match"),
    ifNoneMatch: tagsIn(headers, "If-None-Match"),
  };
}

function tagsIn(headers: Headers, name: string): EntityTags | undefined {
  const value = headers.get(name);
  if (value === null) return undefined;
  if (value === "*") return "*";
  if (value.length > MAX_LENGTH) {
    throw validationFailed(`${name} is longer than ${MAX_LENGTH} characters`);
  }
  const tags: EntityTag[] = [];
  LIST_ENTRY.lastIndex = 0;
  while (LIST_ENTRY.lastIndex < value.length) {
    const entry = LIST_ENTRY.exec(value);
    if (entry === null) throw malformed(name);
    const [, weak, tag] = entry;
    if (tag !== undefined) tags.push({ weak: weak !== undefined, tag });
  }
  if (tags.length === 0) throw malformed(name);
  return tags;
}

function malformed(name: string): ServiceError {
  return validationFailed(`${name} must be * or a list of entity tags such as "abc"`);
}

/** Whether `If-Match` holds. Undefined: there is no file. Weak tags never match. */
export function holdsMatch({ ifMatch }: Conditions, present: string | undefined): boolean {
  if (ifMatch === undefined) return true;
  if (present === undefined) return false;
  return ifMatch === "*" || ifMatch.some(({ weak, tag }) => !weak && tag === present);
}

/** Whether `If-None-Match` holds. Undefined: there is no file. Weak tags match too. */
export function holdsNoneMatch({ ifNoneMatch }: Conditions, present: string | undefined): boolean {
  if (ifNoneMatch === undefined || present === undefined) return true;
  return ifNoneMatch !== "*" && !ifNoneMatch.some(({ tag }) => tag === present);
}

/** The file is not in the state that the request requires. */
export function preconditionFailed(path: string, op: FileOperation): ServiceError {
  return new ServiceError(
    "PRECONDITION_FAILED",
    "The file does not meet the condition of the request",
    {
      context: { path, operation: op },
      operation: `file.${op}`,
    },
  );
}
