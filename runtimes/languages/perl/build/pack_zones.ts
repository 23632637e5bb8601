/**
 * Packs the time zone database for the guest: converts the files of compiled zones to the format
 * that `guest/zones.pl` reads. Changes before 1970 are omitted.
 *
 * @module
 */
import { ZeroPerlAbiError } from "../host/zeroperl.ts";
import { joinBytes } from "../../../../shared/join_bytes.ts";

const HEADER_BYTES = 44;
const SECOND_HEADER_TIME_BYTES = 8;

/** The packed zones. */
export interface PackedZones {
  /** A line for each name, with offset and length of its record. */
  readonly index: string;
  readonly records: Uint8Array<ArrayBuffer>;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Bytes, preceded by their number. */
function counted(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(2 + bytes.length);
  new DataView(out.buffer).setUint16(0, bytes.length);
  out.set(bytes, 2);
  return out;
}

/** Sizes of the parts after a header. */
function partSizes(view: DataView, at: number, timeBytes: number) {
  const [inUtc = 0, standard = 0, leaps = 0, times = 0, kinds = 0, chars = 0] = [
    ...[20, 24, 28, 32, 36, 40].map((offset) => view.getUint32(at + offset)),
  ];
  const size = times * (timeBytes + 1) + kinds * 6 + chars + leaps * (timeBytes + 4) + standard +
    inUtc;
  return { times, kinds, size };
}

/** One zone of the database in the guest's format; undefined when the file is not a zone. */
function packZone(file: Uint8Array<ArrayBuffer>): Uint8Array | undefined {
  if (decoder.decode(file.subarray(0, 4)) !== "TZif") return undefined;
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const second = HEADER_BYTES + partSizes(view, 0, 4).size;
  const { times, kinds, size } = partSizes(view, second, SECOND_HEADER_TIME_BYTES);
  const start = second + HEADER_BYTES;
  const told = Array.from({ length: times }, (_, i) => Number(view.getBigInt64(start + i * 8)));
  const moments = [-Infinity, ...told]; // before the first change the first kind applies
  const begun = [0, ...file.subarray(start + times * 8, start + times * 9)];
  const since = moments.findLastIndex((moment) => moment <= 0);
  const kindsAt = start + times * 9;
  const names = file.subarray(kindsAt + kinds * 6);
  const packedKinds = Array.from({ length: kinds }, (_, index) => {
    const at = kindsAt + index * 6;
    const name = names.subarray(view.getUint8(at + 5));
    const text = name.subarray(0, name.indexOf(0));
    return joinBytes([file.subarray(at, at + 5), new Uint8Array([text.length]), text]);
  });
  const kept = moments.slice(since).map((moment) => Math.max(moment, -(2 ** 31)));
  const packedMoments = new DataView(new ArrayBuffer(kept.length * 4));
  kept.forEach((moment, index) => packedMoments.setInt32(index * 4, moment));
  const rule = decoder.decode(file.subarray(start + size)).trim();
  return joinBytes([
    counted(encoder.encode(rule)),
    counted(joinBytes(packedKinds)),
    counted(new Uint8Array(packedMoments.buffer)),
    counted(new Uint8Array(begun.slice(since))),
  ]);
}

/** Packs files by the names of their zones; equal zones share a record. */
export function packZones(files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>): PackedZones {
  const places = new Map<string, number>();
  const records: Uint8Array[] = [];
  let size = 0;
  let index = "\n";
  for (const name of [...files.keys()].sort()) {
    const record = packZone(files.get(name) ?? new Uint8Array());
    if (record === undefined) continue;
    const place = places.get(record.join()) ?? size;
    index += `${name} ${place} ${record.length} \n`;
    if (place < size) continue;
    places.set(record.join(), place);
    records.push(record);
    size += record.length;
  }
  if (records.length === 0) throw new ZeroPerlAbiError("there are no time zones");
  return { index, records: joinBytes(records) };
}
