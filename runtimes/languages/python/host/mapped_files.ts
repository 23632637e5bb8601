/**
 * `mmap` of files: a copy in memory, which `msync` and `munmap` write back. Anonymous maps do not get
 * here: the C library makes them from its own memory.
 *
 * @module
 */
import { FileError } from "../../../files/file_error.ts";
import { systemCall } from "./file_call.ts";
import type { GuestProcess } from "./guest_process.ts";

const PROT_WRITE = 2;
const MAP_PRIVATE = 2;
const MAP_TYPE = 15;
/** Fuel for a byte of a map: the map is filled with zeros before the file is read into it. */
const MAP_BYTE_FUEL = 3;
/** Size of the largest possible file, in bytes. */
const MAX_MAP_BYTES = 64 * 1024 * 1024;

function writeBack(
  process: GuestProcess,
  map: { readonly at: number; readonly length: number; readonly descriptor: number },
  offset: number,
): void {
  const { descriptors } = process.files;
  const inFile = descriptors.stat(map.descriptor).size - offset;
  const length = Math.max(0, Math.min(map.length >>> 0, inFile));
  if (length === 0) return;
  descriptors.writeAt(map.descriptor, process.memory.span(map.at, length), offset);
}

/** The calls by their import names. */
export function mappedFileCalls(process: GuestProcess) {
  const { memory, files: { descriptors } } = process;
  return {
    _mmap_js: (
      length: number,
      _protection: number,
      flags: number,
      descriptor: number,
      offset: bigint,
      allocated: number,
      address: number,
    ) =>
      systemCall(process, () => {
        const wanted = length >>> 0;
        const file = descriptors.get(descriptor);
        if (file.inode.kind !== "file" || !file.readable) throw new FileError("EACCES");
        if (wanted === 0 || wanted > MAX_MAP_BYTES) throw new FileError("EINVAL");
        const isPrivate = (flags & MAP_TYPE) === MAP_PRIVATE;
        if (!isPrivate && !file.writable && (_protection & PROT_WRITE) !== 0) {
          throw new FileError("EACCES");
        }
        process.charge(wanted * MAP_BYTE_FUEL);
        const at = process.allocate(wanted);
        if (at === 0) throw new FileError("ENOSPC");
        const bytes = memory.span(at, wanted);
        bytes.fill(0);
        descriptors.readAt(descriptor, bytes, Number(offset));
        memory.setU32(allocated, 1);
        memory.setU32(address, at);
        return 0;
      }),
    _msync_js: (
      at: number,
      length: number,
      _protection: number,
      flags: number,
      descriptor: number,
      offset: bigint,
    ) =>
      systemCall(process, () => {
        if ((flags & MAP_TYPE) === MAP_PRIVATE) return 0;
        writeBack(process, { at, length, descriptor }, Number(offset));
        return 0;
      }),
    _munmap_js: (
      at: number,
      length: number,
      protection: number,
      flags: number,
      descriptor: number,
      offset: bigint,
    ) =>
      systemCall(process, () => {
        if ((flags & MAP_TYPE) === MAP_PRIVATE || (protection & PROT_WRITE) === 0) return 0;
        writeBack(process, { at, length, descriptor }, Number(offset));
        return 0;
      }),
  };
}
