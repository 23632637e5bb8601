/**
 * Uploads in pieces: `PUT` of a file with `Content-Range` (docs/contract.md#pieces).
 *
 * A request first claims the upload: it changes its record, which fences every earlier request for it.
 * Then it writes the bytes of its piece, and counts them only when all have come. The last piece
 * makes the file current, in one commit that also ends the upload.
 *
 * @module
 */
import { createHash, type Hash } from "node:crypto";
import { conflict, noSpace } from "../shared/errors.ts";
import type { BodyMeter } from "../shared/read_body.ts";
import { pipeBody, type PipeRules } from "../shared/pipe_body.ts";
import { uploadDeadlineMs } from "../shared/limit_rules.ts";
import { BlobCorrupt, type BlobRef } from "../store/blobs.ts";
import { BlobWriter, hashOfParts, WriterFenced } from "../store/blob_writer.ts";
import { uploadKey } from "../store/keys.ts";
import { withOwnPatience } from "../store/patience.ts";
import type { ContentRange, PieceRange } from "./file_headers.ts";
import { putFile } from "./file_changes.ts";
import type { OperationOptions } from "./operation_options.ts";
import { homeOf, type SandboxAddress } from "./root_record.ts";
import { TreeEdit } from "./tree.ts";
import {
  blobOf,
  dropUpload,
  findUpload,
  isOver,
  type StoredUpload,
  type UploadRecord,
  withUpload,
} from "./upload_record.ts";
import type { ResolvedPath } from "./workspace_path.ts";

/** How often others may go on with the same upload before a request gives up. */
const ATTEMPTS = 20;

/** A body with a piece. */
export interface PieceBody {
  readonly request: Request;
  readonly meter: BodyMeter | undefined;
}

/** A file that arrives in one request, too large for the memory. */
export interface LongBody extends PieceBody {
  /** Its length; undefined: up to `most.bytes`. */
  readonly length: number | undefined;
  readonly most: NonNullable<PipeRules["most"]>;
}

/** Where an upload is recorded: by the path of its file, or for one request alone. */
interface Place {
  readonly target: ResolvedPath;
  readonly name: string;
}

/** The upload after a request: so many bytes of it, or all, before the file is current. */
export type Received = { readonly kind: "incomplete"; readonly bytes: number } | WholeUpload;

/** An upload all of whose bytes are there. */
export interface WholeUpload {
  readonly kind: "whole";
  readonly lifetime: string;
  readonly upload: StoredUpload;
  /** The blob that has them. */
  readonly ref: BlobRef;
}

/** Bytes of the pieces of a file that are there. Creates nothing. */
export async function receivedBytes(
  options: OperationOptions,
  address: SandboxAddress,
  { path }: ResolvedPath,
  { total }: ContentRange,
): Promise<number> {
  const state = await options.changes.current(address);
  const lifetime = state.record?.lifetime;
  if (lifetime === undefined) return 0;
  const upload = await findUpload(options.kv, lifetime, path);
  if (upload === undefined || isOver(upload.record, options.clock())) return 0;
  if (upload.record.total !== total) throw otherLength(upload.record);
  return upload.record.bytes;
}

/**
 * Takes a piece. The bytes of a piece that does not come to its end do not count.
 *
 * @throws {ServiceError} `CONFLICT` for a gap, another length, or when another request goes on with
 * the upload; `NO_SPACE`; `VALIDATION_FAILED` for a body of another length. The faults of files.
 */
export async function receivePiece(
  options: OperationOptions,
  address: SandboxAddress,
  target: ResolvedPath,
  range: PieceRange,
  { request, meter }: PieceBody,
): Promise<Received> {
  return await withOwnPatience(async () => {
    const claimed = await claim(options, address, { target, name: target.path }, range);
    if (typeof claimed === "number") return { kind: "incomplete", bytes: claimed };
    const { lifetime, home, upload } = claimed;
    const { start, end, total } = range;
    try {
      await writePiece(options, claimed, { request, meter }, {
        skipped: upload.record.bytes - start,
        bytes: end - start,
        deadlineMs: uploadDeadlineMs(end - start),
      });
      if (end === total) {
        const sha256 = await hashOfParts(options.kv, blobOf(home, upload.record), total);
        const ref = { run: upload.record.id, n: 0, bytes: total, sha256 };
        return { kind: "whole", lifetime, upload, ref };
      }
      const next = { ...upload.record, bytes: range.end, at: options.clock() };
      const { key, versionstamp } = upload;
      const counted = await options.kv.atomic().check({ key, versionstamp }).set(key, next)
        .commit();
      if (!counted.ok) throw new WriterFenced();
      return { kind: "incomplete", bytes: range.end };
    } catch (thrown) {
      // a later request may have written its own bytes over the parts that were read
      if (thrown instanceof BlobCorrupt) await checkClaim(options, upload);
      throw thrown instanceof WriterFenced ? continuedElsewhere() : thrown;
    }
  });
}

/**
 * Takes a whole file. It has an upload of its own, which does not outlive a failure.
 *
 * @throws {ServiceError} `NO_SPACE`, `VALIDATION_FAILED`. The faults of files.
 */
export async function receiveWhole(
  options: OperationOptions,
  address: SandboxAddress,
  target: ResolvedPath,
  { length, most, request, meter }: LongBody,
): Promise<WholeUpload> {
  const place = { target, name: `${target.path}\0${options.ids()}` };
  return await withOwnPatience(async () => {
    const total = length ?? most.bytes;
    const range = { start: 0, end: total, total };
    const claimed = await claim(options, address, place, range, length !== undefined);
    if (typeof claimed === "number") throw continuedElsewhere();
    const { lifetime, upload } = claimed;
    try {
      const hash = createHash("sha256");
      const bytes = await writePiece(options, claimed, { request, meter }, {
        skipped: 0,
        ...(length === undefined ? {} : { bytes: length }),
        most,
        deadlineMs: uploadDeadlineMs(total),
      }, hash);
      const ref = { run: upload.record.id, n: 0, bytes, sha256: hash.digest("hex") };
      return { kind: "whole", lifetime, upload, ref };
    } catch (thrown) {
      await abandonUpload(options, address, claimed);
      throw thrown instanceof WriterFenced ? continuedElsewhere() : thrown;
    }
  });
}

/** Removes an upload. If that fails, it goes when it is old. */
export async function abandonUpload(
  { kv, changes }: OperationOptions,
  address: SandboxAddress,
  { lifetime, upload }: Pick<WholeUpload, "lifetime" | "upload">,
): Promise<void> {
  await Promise.allSettled([
    withOwnPatience(() =>
      changes.change(address, async ({ record }, draft) => {
        const { versionstamp } = await kv.get(upload.key);
        if (record?.lifetime !== lifetime || versionstamp !== upload.versionstamp) return;
        draft.asMaintenance();
        draft.update(dropUpload(draft, record, upload));
      })
    ),
  ]);
}

interface ClaimedUpload {
  readonly lifetime: string;
  /** Where the blobs of the sandbox are. */
  readonly home: string;
  readonly upload: StoredUpload;
}

/** The upload, for this request to go on with; a number: so many bytes are there, the piece included. */
async function claim(
  options: OperationOptions,
  address: SandboxAddress,
  place: Place,
  range: PieceRange,
  isExact = true,
): Promise<ClaimedUpload | number> {
  const { kv, clock, ids, changes } = options;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { record } = await changes.current(address);
    const found = record && await findUpload(kv, record.lifetime, place.name);
    const isThere = found !== undefined && !isOver(found.record, clock());
    if (record === undefined || !isThere) {
      if (range.start > 0) throw gap(0);
      await begin(options, address, place, range, isExact);
      continue;
    }
    const { key, versionstamp, record: upload } = found;
    if (upload.total !== range.total) throw otherLength(upload);
    if (range.start > upload.bytes) throw gap(upload.bytes);
    if (range.end <= upload.bytes) return upload.bytes;
    const next: UploadRecord = { ...upload, at: clock(), writer: ids() };
    const done = await kv.atomic().check({ key, versionstamp }).set(key, next).commit();
    if (!done.ok) continue;
    return {
      lifetime: record.lifetime,
      home: homeOf(record),
      upload: { key, versionstamp: done.versionstamp, record: next },
    };
  }
  throw continuedElsewhere();
}

/** Begins an upload, if there is room for the whole file. `isExact`: whether `total` is its length. */
async function begin(
  options: OperationOptions,
  address: SandboxAddress,
  { target, name }: Place,
  { total }: PieceRange,
  isExact: boolean,
): Promise<void> {
  const { kv, clock, ids, changes, limits, stored } = options;
  await changes.change(address, async (state, draft) => {
    const before = changes.recordOrNew(state);
    const now = clock();
    const found = await findUpload(kv, before.lifetime, name);
    if (found !== undefined && !isOver(found.record, now)) return;
    const record = found === undefined ? before : dropUpload(draft, before, found);
    const most = limits.uploads;
    if ((record.uploads?.count ?? 0) >= most) {
      throw noSpace(`The sandbox has ${most} unfinished uploads`, "uploads");
    }
    const edit = new TreeEdit(await stored.tree(state.record));
    const ref = { run: "", n: 0, bytes: isExact ? total : 0, sha256: "" };
    putFile(edit, target, { ref }, { recursive: true, limits: limits.workspace, now });
    const upload: UploadRecord = { id: ids(), total, bytes: 0, at: now, writer: ids() };
    const key = uploadKey(before.lifetime, name);
    if (found === undefined) draft.transaction.check(key, null);
    draft.transaction.set(key, upload);
    draft.update(withUpload(record, total, now));
  });
}

/** The body of a piece. The first `skipped` bytes of it are there already. */
interface PieceRules extends Pick<PipeRules, "bytes" | "most" | "deadlineMs"> {
  readonly skipped: number;
}

/** Writes a piece; returns its length. */
async function writePiece(
  { kv }: OperationOptions,
  { home, upload: { key, versionstamp, record } }: ClaimedUpload,
  { request, meter }: PieceBody,
  { skipped: before, ...rules }: PieceRules,
  hash?: Hash,
): Promise<number> {
  const guard = { key, versionstamp };
  const writer = await BlobWriter.after(kv, blobOf(home, record), {
    bytes: record.bytes,
    guard,
  });
  let skipped = before;
  const piped = { ...rules, signal: request.signal, meter };
  const length = await pipeBody(request, piped, async (chunk) => {
    const skip = Math.min(skipped, chunk.length);
    skipped -= skip;
    hash?.update(chunk);
    await writer.write(chunk.subarray(skip));
  });
  await writer.flush();
  return length;
}

/** Throws `CONFLICT` when another request has claimed or ended the upload since. */
export async function checkClaim(
  { kv }: OperationOptions,
  { key, versionstamp }: StoredUpload,
): Promise<void> {
  const now = await kv.get(key);
  if (now.versionstamp !== versionstamp) throw continuedElsewhere();
}

/** The pieces before this one are missing: so many bytes are there. */
export function gap(bytes: number) {
  return conflict(`The piece leaves a gap: ${bytes} bytes of the file are there`);
}

function otherLength({ total }: UploadRecord) {
  return conflict(`The upload has begun for a file of ${total} bytes`);
}

function continuedElsewhere() {
  return conflict("Another request goes on with this upload");
}
