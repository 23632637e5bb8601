/**
 * Finds, by experiment, the addresses of three variables of this build of Perl that no function
 * reaches: the number of the last string evaluation, the list of END blocks, and the arenas of
 * scalars. It also creates the lists of CHECK and INIT blocks and passes them to the driver.
 *
 * @module
 */
import { chainLength } from "./scalars.ts";
import { type ValueHandle, type ZeroPerl, ZeroPerlAbiError } from "./zeroperl.ts";

/** Addresses in the module's static data. */
export interface PerlLayout {
  /** `PL_evalseq`, 32 bits: "(eval 3)" is the third. */
  readonly evaluationCounter: number;
  /** `PL_endav`: a pointer to an array, or 0. */
  readonly endBlocks: number;
  /** `PL_sv_arenaroot`: a pointer to the newest arena. */
  readonly arenas: number;
}

/** Scalar heads: type in the low byte of the flags. */
const FLAGS_OFFSET = 8;
const TYPE_MASK = 0xff;
/** `SVt_PVAV` of Perl 5.42. */
const ARRAY_TYPE = 11;
/** Minimum number of arenas; a new interpreter has several. */
const MIN_ARENAS = 3;

/** The part of memory with the module's own variables. */
export interface StaticData {
  readonly from: number;
  readonly to: number;
}

function words(perl: ZeroPerl, area: StaticData): Uint32Array<ArrayBuffer> {
  const copy = perl.bytes.slice(area.from, area.to & ~3);
  return new Uint32Array(copy.buffer);
}

function only(found: readonly number[], area: StaticData, what: string): number {
  const [index] = found;
  if (index === undefined || found.length > 1) {
    throw new ZeroPerlAbiError(`${found.length} places for ${what}`);
  }
  return area.from + index * 4;
}

/** The number in the name of the calling evaluation. */
function evaluationNumber(perl: ZeroPerl, probe: string): number {
  perl.evaluate(`$${probe} = (CORE::caller(0))[1]`);
  const handle = perl.variable(probe);
  const text = new TextDecoder().decode(perl.stringBytes(handle));
  perl.release(handle);
  const number = Number(/^\(eval (\d+)\)$/.exec(text)?.[1]);
  if (!Number.isInteger(number)) throw new ZeroPerlAbiError(`an evaluation is called "${text}"`);
  return number;
}

function findEvaluationCounter(perl: ZeroPerl, area: StaticData, probe: string): number {
  let candidates: number[] | undefined;
  for (let round = 0; round < 4; round++) {
    // A word that also counts something else gets out of step.
    perl.evaluate(`{ my $x; eval "1" for 0 .. ${round}; { my $y = sub { $x } } }`);
    const number = evaluationNumber(perl, probe);
    const now = words(perl, area);
    candidates = (candidates ?? [...now.keys()]).filter((index) => now[index] === number);
  }
  return only(candidates ?? [], area, "the number of the evaluation");
}

function isArray(perl: ZeroPerl, pointer: number): boolean {
  if (pointer % 4 !== 0 || pointer + 16 > perl.bytes.length) return false;
  return (perl.view.getUint32(pointer + FLAGS_OFFSET, true) & TYPE_MASK) === ARRAY_TYPE;
}

/** The address of the list of blocks of a kind, which Perl creates for the first of them. */
function findBlocks(perl: ZeroPerl, area: StaticData, kind: string): number {
  const before = words(perl, area);
  if (!perl.evaluate(`no warnings; ${kind} { }`)) throw new ZeroPerlAbiError(perl.lastError());
  const after = words(perl, area);
  const changed = [...after.keys()].filter((index) =>
    before[index] === 0 && isArray(perl, after[index] ?? 0)
  );
  return only(changed, area, `the list of ${kind} blocks`);
}

function findEndBlocks(perl: ZeroPerl, area: StaticData): number {
  const address = findBlocks(perl, area, "END");
  perl.view.setUint32(address, 0, true); // the array remains, unused
  return address;
}

/**
 * Finds the lists of CHECK and INIT blocks. Perl fills them while it compiles but no longer runs
 * them, because its main program has already started. The driver runs them, through
 * `Belljar::check_blocks` and `Belljar::init_blocks`. `handle` can be set to an array.
 */
export function shareBlocks(perl: ZeroPerl, area: StaticData, handle: ValueHandle): void {
  for (const kind of ["CHECK", "INIT"]) {
    const address = findBlocks(perl, area, kind);
    perl.view.setUint32(handle, perl.view.getUint32(address, true), true);
    const reference = perl.call("zeroperl_new_ref", handle);
    const name = `Belljar::${kind.toLowerCase()}_blocks`;
    perl.setVariable(name, reference);
    perl.release(reference);
    if (!perl.evaluate(`@$${name} = ()`)) throw new ZeroPerlAbiError(perl.lastError());
  }
}

/** The word from which the longest chain of arenas can be followed. */
function findArenas(perl: ZeroPerl, area: StaticData): number {
  const { view } = perl;
  const lengths = [...words(perl, area).keys()]
    .map((index) => chainLength(view, area.from + index * 4));
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
  const indices = [...lengths.keys()].filter((index) => lengths[index] === longest);
  if (longest < MIN_ARENAS) throw new ZeroPerlAbiError("no arenas of scalars");
  return only(indices, area, "the arenas of scalars");
}

/** Finds all of them. `probe` names a package variable that may be used. */
export function findLayout(perl: ZeroPerl, area: StaticData, probe: string): PerlLayout {
  return {
    evaluationCounter: findEvaluationCounter(perl, area, probe),
    endBlocks: findEndBlocks(perl, area),
    arenas: findArenas(perl, area),
  };
}
