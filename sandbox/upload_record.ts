/**
 * Unfinished uploads: their records, and what a sandbox's record says about all of them together.
 *
 * An upload counts with its whole length from its first piece on, so that its last one always has
 * room. Its parts are stored where those of the file will be.
 *
 * @module
 */
import { z } from "zod";
import { UPLOAD_EXTRA_BYTES, UPLOAD_IDLE_MS } from "../shared/limits.ts";
import { sandboxBlobKey, uploadKey, uploadsPrefix } from "../store/keys.ts";
import type { KvStore } from "../store/kv.ts";
import type { BlobRef } from "../store/blobs.ts";
import type { OpenBlob } from "../store/blob_writer.ts";
import type { Draft } from "./draft.ts";
import { homeOf, type SandboxRecord } from "./root_record.ts";
import type { Maintenance } from "../shared/binding.ts";
import { type DueSandbox, expiringThingsTask } from "../store/expiry.ts";
import type { OperationOptions } from "./operation_options.ts";

/** An unfinished upload. */
export interface UploadRecord {
  /** Write id of the parts. */
  readonly id: string;
  /** Length of the whole file. */
  readonly total: number;
  /** Bytes of all pieces so far. */
  readonly bytes: number;
  /** When its last piece came, epoch milliseconds. */
  readonly at: number;
  /** Changes with each request that goes on with it. */
  readonly writer: string;
}

const schema: z.ZodType<UploadRecord> = z.object({
  id: z.string(),
  total: z.number(),
  bytes: z.number(),
  at: z.number(),
  writer: z.string(),
});

/** An upload as it was read. */
export interface StoredUpload {
  readonly key: Deno.KvKey;
  readonly versionstamp: string;
  readonly record: UploadRecord;
}

/** The upload of a path; undefined: there is none. It may be over. */
export async function findUpload(
  kv: KvStore,
  lifetime: string,
  path: string,
): Promise<StoredUpload | undefined> {
  const key = uploadKey(lifetime, path);
  const { value, versionstamp } = await kv.get(key);
  if (versionstamp === null) return undefined;
  return { key, versionstamp, record: schema.parse(value) };
}

/** Up to `limit` uploads of a sandbox. */
export async function uploadsOf(
  kv: KvStore,
  lifetime: string,
  limit: number,
): Promise<readonly StoredUpload[]> {
  const found: StoredUpload[] = [];
  const list = kv.list({ prefix: uploadsPrefix(lifetime) }, { limit });
  for await (const { key, versionstamp, value } of list) {
    found.push({ key, versionstamp, record: schema.parse(value) });
  }
  return found;
}

/** Whether an upload is over, because no piece came for long. */
export function isOver({ at }: UploadRecord, now: number): boolean {
  return at + UPLOAD_IDLE_MS <= now;
}

/** Where the parts of an upload are. `home`: that of its sandbox. */
export function blobOf(home: string, { id }: UploadRecord): OpenBlob {
  return { key: sandboxBlobKey(home), writeId: id };
}

/** The parts of an upload, all that may have come. */
export function partsOfUpload({ id, total }: UploadRecord): BlobRef {
  return { run: id, n: 0, bytes: total, sha256: "" };
}

/** The record of a sandbox with one upload more. */
export function withUpload(record: SandboxRecord, total: number, now: number): SandboxRecord {
  const { count, bytes, until } = record.uploads ?? { count: 0, bytes: 0, until: Infinity };
  return {
    ...record,
    uploads: {
      count: count + 1,
      bytes: bytes + total + UPLOAD_EXTRA_BYTES,
      until: Math.min(until, now + UPLOAD_IDLE_MS),
    },
  };
}

/** The record of a sandbox without an upload. */
export function withoutUpload(
  { uploads, ...rest }: SandboxRecord,
  { total }: UploadRecord,
): SandboxRecord {
  if (uploads === undefined || uploads.count <= 1) return rest;
  const bytes = uploads.bytes - total - UPLOAD_EXTRA_BYTES;
  return { ...rest, uploads: { ...uploads, count: uploads.count - 1, bytes } };
}

/** Removes an upload and its parts as part of a draft; returns the sandbox's record without it. */
export function dropUpload(
  draft: Draft,
  record: SandboxRecord,
  { key, versionstamp, record: upload }: StoredUpload,
): SandboxRecord {
  draft.transaction.check(key, versionstamp).delete(key);
  // nobody else needs them, in a home of several too
  draft.transaction.deleteBlob(sandboxBlobKey(homeOf(record)), partsOfUpload(upload));
  return withoutUpload(record, upload);
}

/** Sandboxes of one round of the janitor. */
const PER_ROUND = 1_000;
/** Uploads of one commit. */
const PER_COMMIT = 8;

/** Removes unfinished uploads to which no piece came for long. */
export function uploadExpiryTask(options: OperationOptions): Maintenance {
  return expiringThingsTask(options, {
    name: "unfinished uploads",
    index: "upload_expiry",
    perRound: PER_ROUND,
    perCommit: PER_COMMIT,
    remove: (due) => removeOver(options, due),
  });
}

/** Removes uploads that are over, as many as a commit takes. Returns how many. */
async function removeOver(
  options: OperationOptions,
  { tenant, id, lifetime }: DueSandbox,
): Promise<number> {
  const { kv, clock, changes, limits } = options;
  return await changes.change({ tenant, id }, async ({ record }, draft) => {
    if (record?.lifetime !== lifetime || record.uploads === undefined) return 0;
    const now = clock();
    const uploads = await uploadsOf(kv, lifetime, limits.uploads);
    const over = uploads.filter((upload) => isOver(upload.record, now)).slice(0, PER_COMMIT);
    const left = uploads.filter((upload) => !over.includes(upload));
    let next = record;
    for (const upload of over) next = dropUpload(draft, next, upload);
    const until = Math.min(...left.map((upload) => upload.record.at)) + UPLOAD_IDLE_MS;
    draft.asMaintenance();
    draft.update(
      next.uploads === undefined ? next : {
        ...next,
        uploads: { ...next.uploads, until: Number.isFinite(until) ? until : now + UPLOAD_IDLE_MS },
      },
    );
    return over.length;
  });
}
