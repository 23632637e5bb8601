/**
 * Finds the scalars of a running Perl from outside: they lie in arenas, and a program's open
 * files are scalars that cannot be reached otherwise.
 *
 * @module
 */

/** A head is a pointer to the body, a count of references, flags, and eight bytes of value. */
const HEAD_BYTES = 24;
const COUNT_OFFSET = 4;
const FLAGS_OFFSET = 8;
const TYPE_MASK = 0xff;
/** `SVt_PVIO` of Perl 5.42. */
const IO_TYPE = 15;
/** Perl gets heads in blocks of just under 4 KiB; the first of a block describes it. */
const HEADS_IN_ARENA = 170;
const ARENA_BYTES = HEADS_IN_ARENA * HEAD_BYTES;

/**
 * Whether an address holds the first head of an arena: flags 0, and the number of heads that
 * follow.
 */
function isArena(view: DataView, at: number): boolean {
  return at > 0 && at % 8 === 0 && at + ARENA_BYTES <= view.byteLength &&
    view.getUint32(at + COUNT_OFFSET, true) === HEADS_IN_ARENA &&
    view.getUint32(at + FLAGS_OFFSET, true) === 0;
}

/** The addresses of the arenas, in a chain from `PL_sv_arenaroot` at `root`. */
function arenas(view: DataView, root: number): number[] {
  const found: number[] = [];
  for (let at = view.getUint32(root, true); isArena(view, at); at = view.getUint32(at, true)) {
    if (found.push(at) > view.byteLength / ARENA_BYTES) break; // a loop: the guest broke its memory
  }
  return found;
}

/** The number of arenas in the chain that begins with the pointer at `root`. */
export function chainLength(view: DataView, root: number): number {
  return arenas(view, root).length;
}

/** Addresses of the scalars that hold, or held, an open file or directory. */
export function openFiles(view: DataView, root: number): number[] {
  const found: number[] = [];
  for (const arena of arenas(view, root)) {
    for (let index = 1; index < HEADS_IN_ARENA; index++) {
      const at = arena + index * HEAD_BYTES;
      const used = view.getUint32(at + COUNT_OFFSET, true) > 0;
      const type = view.getUint32(at + FLAGS_OFFSET, true) & TYPE_MASK;
      if (used && type === IO_TYPE) found.push(at);
    }
  }
  return found;
}
