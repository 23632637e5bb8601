/**
 * The listing of a tenant's sandboxes (docs/contract.md#listing-of-sandboxes).
 *
 * The root records are their own index: their keys hold tenant and id, in order of id. So the
 * listing needs no further writes, and contains sandboxes of every earlier version.
 *
 * @module
 */
import { contentHash } from "../shared/content_hash.ts";
import type { TenantUsage } from "../client/protocol/sandbox_types.ts";
import { rootRecordsSelector, tenantCounterKey } from "../store/keys.ts";
import { countIn } from "../store/transaction.ts";
import { isoTimestamp } from "../shared/clock.ts";
import type { SandboxList, SandboxSummary } from "../shared/sandbox_types.ts";
import { slicesOf } from "../shared/slices.ts";
import { hasExpired, readRecord, type SandboxRecord } from "./root_record.ts";
import type { OperationOptions } from "./operation_options.ts";
import { Buffer } from "node:buffer";
import { type ServiceError, validationFailed } from "../shared/errors.ts";
import { LISTING_LIMITS } from "../shared/limits.ts";

/**
 * Maximum number of records that are read for one page. More than that have expired only while
 * the janitor is behind; then a page is short.
 */
const MAX_READ = 1_000;
/**
 * Records per read of the store, which decodes them in one go: a millisecond of the thread for each
 * of the largest.
 */
const RECORDS_PER_READ = 10;

/** A page of the listing. Sandboxes that have expired are not in it. */
export async function listSandboxes(
  options: OperationOptions,
  tenant: string,
  page: Page,
): Promise<SandboxList> {
  const { entries, last } = await listedAfter(options, tenant, page);
  return {
    sandboxes: entries.map(([id, record]) => summary(id, record)),
    ...(last === undefined ? {} : { cursor: cursorAfter(tenant, last) }),
    usage: await usageOf(options, tenant),
  };
}

/** A page, and the id after which the next one begins; undefined when there is none. */
interface ListedPage {
  readonly entries: readonly (readonly [id: string, record: SandboxRecord])[];
  readonly last: string | undefined;
}

/** The records of a page. `isWanted` leaves others out. */
export async function listedAfter(
  options: OperationOptions,
  tenant: string,
  { limit, after }: Page,
  isWanted: (record: SandboxRecord) => boolean = () => true,
): Promise<ListedPage> {
  const listed: [string, SandboxRecord][] = [];
  const slicer = slicesOf(tenant);
  let read = 0;
  let last: string | undefined;
  // one more than the page shows whether there is another page
  const batchSize = Math.min(limit + 1, RECORDS_PER_READ);
  const entries = options.kv.list(rootRecordsSelector(tenant, after), { batchSize });
  for await (const { key, value } of entries) {
    if (slicer.isOver()) await slicer.pause();
    const id = key[2];
    const record = readRecord(value);
    if (record === undefined || typeof id !== "string") continue;
    const isListed = !isOver(options, record) && isWanted(record);
    if ((isListed && listed.length >= limit) || read >= MAX_READ) return { entries: listed, last };
    if (isListed) listed.push([id, record]);
    last = id;
    read++;
  }
  return { entries: listed, last: undefined };
}

/** Whether a sandbox has expired and no run of this process keeps it. */
function isOver(
  { clock, runs }: OperationOptions,
  record: SandboxRecord,
): boolean {
  const { lifetime, contexts } = record;
  return hasExpired(record, clock()) && !contexts.some(({ id }) => runs.has(lifetime, id));
}

function summary(id: string, record: SandboxRecord): SandboxSummary {
  const { createdAt, lastUsed, expiresAt, contexts, workspace: { files, bytes } } = record;
  return {
    id,
    createdAt: isoTimestamp(() => createdAt),
    lastUsed: isoTimestamp(() => lastUsed),
    expiresAt,
    contexts: contexts.length,
    files,
    bytes,
  };
}

async function usageOf(options: OperationOptions, tenant: string): Promise<TenantUsage> {
  const { kv } = options;
  const quotas = options.quotas(tenant);
  const [sandboxes, bytes] = await kv.getMany<[unknown, unknown]>([
    tenantCounterKey(tenant, "sandboxes"),
    tenantCounterKey(tenant, "bytes"),
  ]);
  return {
    sandboxes: countIn(sandboxes),
    maxSandboxes: quotas.maxSandboxes,
    bytes: countIn(bytes),
    maxBytes: quotas.maxTenantBytes,
  };
}

/** The parameters as they were sent: all values of each name. */
export interface PageQuery {
  readonly limit: readonly string[];
  readonly cursor: readonly string[];
}

/** The part of a listing. */
export interface Page {
  /** Maximum number of sandboxes. */
  readonly limit: number;
  /** The sandboxes that follow this id; from the first one when absent. */
  readonly after?: string;
}

const DIGEST_BYTES = 12;
/** Length of the cursor of the longest id (63 characters), and more. */
const MAX_CURSOR = 128;

/** The cursor of the page that follows a sandbox. */
export function cursorAfter(tenant: string, id: string): string {
  const digest = contentHash(new TextEncoder().encode(JSON.stringify(["cursor", tenant, id])));
  const head = Buffer.from(digest, "hex").subarray(0, DIGEST_BYTES);
  return Buffer.concat([head, Buffer.from(id)]).toString("base64url");
}

/**
 * Reads the parameters of a tenant's request.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` that names the parameter.
 */
export function pageOf(tenant: string, query: PageQuery): Page {
  const limit = limitOf(query.limit);
  const [cursor, ...others] = query.cursor;
  if (cursor === undefined) return { limit };
  const after = cursor.length > MAX_CURSOR ? "" : idIn(cursor);
  if (others.length > 0 || cursorAfter(tenant, after) !== cursor) throw invalidCursor();
  return { limit, after };
}

function limitOf([text, ...others]: readonly string[]): number {
  const { pageSize, maxPageSize } = LISTING_LIMITS;
  if (text === undefined) return pageSize;
  const limit = /^[1-9]\d*$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > maxPageSize || others.length > 0) throw invalidLimit();
  return limit;
}

function idIn(cursor: string): string {
  return Buffer.from(cursor, "base64url").subarray(DIGEST_BYTES).toString();
}

/** The `limit` is not a number in the allowed range. */
export function invalidLimit(): ServiceError {
  return validationFailed(`limit must be a whole number from 1 to ${LISTING_LIMITS.maxPageSize}`);
}

function invalidCursor(): ServiceError {
  return validationFailed("cursor must come from an earlier page of this listing");
}
