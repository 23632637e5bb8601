/**
 * Values derived from configured limits: those of sandboxes, the bytes of requests in flight, and
 * which limits must not exceed which.
 *
 * @module
 */
import {
  BODY_BUDGET,
  BODY_DEADLINE_MS,
  type BodyBudgetLimits,
  type LimitsByLanguage,
  SANDBOX_LIMITS,
  type SandboxLimits,
  type SharedLimits,
  WORKSPACE_LIMITS,
} from "./limits.ts";

const MIB = 1024 * 1024;
/**
 * Longest body of `POST /files`, in bytes, however large a file may be: it is in memory several times
 * while it is parsed. Larger files are sent as bytes.
 */
const MAX_FILE_REQUEST_BYTES = 64 * MIB;
/** Bodies of the maximum length that the share of a tenant has room for. */
const BODIES_PER_TENANT = 4;

/** The limits of files, on which those of sandboxes depend. All languages share them. */
export type FileLimits = Pick<SharedLimits, "fileBytes" | "workspaceBytes">;

/** The limits of every sandbox. */
export function sandboxLimits({ fileBytes, workspaceBytes }: FileLimits): SandboxLimits {
  return {
    ...SANDBOX_LIMITS,
    fileRequestBytes: fileRequestBytes(fileBytes),
    workspace: { ...WORKSPACE_LIMITS, fileBytes, totalBytes: workspaceBytes },
  };
}

/** A file of the maximum size in base64, with its path: the default when files are smaller. */
function fileRequestBytes(fileBytes: number): number {
  const encoded = 4 * Math.ceil(fileBytes / 3);
  const path = SANDBOX_LIMITS.fileRequestBytes - 4 * Math.ceil(WORKSPACE_LIMITS.fileBytes / 3);
  return Math.min(
    MAX_FILE_REQUEST_BYTES,
    Math.max(SANDBOX_LIMITS.fileRequestBytes, encoded + path),
  );
}

/** The bytes of requests and answers in flight: the default, or room for several long ones. */
export function bodyBudget(limits: LimitsByLanguage): BodyBudgetLimits {
  const { javascript } = limits;
  const longest = Math.max(javascript.requestBytes, sandboxLimits(javascript).fileRequestBytes);
  const perTenant = Math.max(BODY_BUDGET.bodyBytesPerTenant, BODIES_PER_TENANT * longest);
  const isDefault = perTenant === BODY_BUDGET.bodyBytesPerTenant;
  return {
    ...BODY_BUDGET,
    bodyBytes: isDefault ? BODY_BUDGET.bodyBytes : 2 * perTenant,
    bodyBytesPerTenant: perTenant,
  };
}

/** Length of an upload up to which {@link BODY_DEADLINE_MS} is time enough. */
const SHORT_UPLOAD_BYTES = WORKSPACE_LIMITS.fileBytes;
/** Slowest sender of the rest, in bytes per millisecond: half a MiB in a second. */
const UPLOAD_BYTES_PER_MS = MIB / 2_000;

/** Time for the body of an upload to arrive, in milliseconds. */
export function uploadDeadlineMs(bytes: number): number {
  const rest = Math.max(0, bytes - SHORT_UPLOAD_BYTES);
  return BODY_DEADLINE_MS + Math.ceil(rest / UPLOAD_BYTES_PER_MS);
}

/** A limit that must not exceed another one. */
export interface LimitOrder {
  readonly lower: keyof SharedLimits;
  readonly upper: keyof SharedLimits;
}

/** All of them. */
export const LIMIT_ORDERS: readonly LimitOrder[] = [
  { lower: "codeBytes", upper: "requestBytes" },
  { lower: "stdinBytes", upper: "requestBytes" },
  { lower: "fileBytes", upper: "workspaceBytes" },
];
