/**
 * The listing of a tenant's sandboxes (docs/contract.md#listing-of-sandboxes).
 *
 * The root records are their own index: their keys hold tenant and id, in order of id. So the
 * listing needs no further writes, and contains sandboxes of every earlier version.
 *
 * @module
 */
import { rootRecordsSelector, tenantCounterKey } from "../store/keys.ts";
import { countIn } from "../store/transaction.ts";
import { isoTimestamp } from "../shared/clock.ts";
import type { SandboxList, SandboxSummary, TenantUsage } from "../shared/sandbox_types.ts";
import { slicesOf } from "../shared/slices.ts";
import { cursorAfter, type Page } from "./listing_page.ts";
import { hasExpired, readRecord, type SandboxRecord } from "./root_record.ts";
import type { OperationOptions } from "./operation_options.ts";

/** Options of a listing. */
export type ListingOptions = Pick<OperationOptions, "kv" | "clock" | "quotas" | "runs">;

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
  options: ListingOptions,
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
  options: ListingOptions,
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
  { clock, runs }: ListingOptions,
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

async function usageOf({ kv, quotas }: ListingOptions, tenant: string): Promise<TenantUsage> {
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
