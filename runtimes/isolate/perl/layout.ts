/**
 * Finds, by experiment, where this build of Perl keeps two of its variables that no function
 * reaches: the number of the last string evaluation, and the list of END blocks.
 *
 * @module
 */
import { type ZeroPerl, ZeroPerlAbiError } from "./zeroperl.ts";

/** Addresses in the module's static data. */
export interface PerlLayout {
  /** `PL_evalseq`, 32 bits: "(eval 3)" is the third. */
  readonly evaluationCounter: number;
  /** `PL_endav`: a pointer to an array, or 0. */
  readonly endBlocks: number;
}

/** Scalar heads: type in the low byte of the flags. */
const FLAGS_OFFSET = 8;
const TYPE_MASK = 0xff;
/** `SVt_PVAV` of Perl 5.42. */
const ARRAY_TYPE = 11;

/** The part of memory that holds the module's own variables. */
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

/** The number in the name of the evaluation that asks. */
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
    // What counts something else as well gets out of step.
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

function findEndBlocks(perl: ZeroPerl, area: StaticData): number {
  const before = words(perl, area);
  if (!perl.evaluate("END { }")) throw new ZeroPerlAbiError(perl.lastError());
  const after = words(perl, area);
  const changed = [...after.keys()].filter((index) =>
    before[index] === 0 && isArray(perl, after[index] ?? 0)
  );
  const address = only(changed, area, "the list of END blocks");
  perl.view.setUint32(address, 0, true); // the array stays behind, in nobody's way
  return address;
}

/** Looks for both; `probe` names a package variable that may be used. */
export function findLayout(perl: ZeroPerl, area: StaticData, probe: string): PerlLayout {
  return {
    evaluationCounter: findEvaluationCounter(perl, area, probe),
    endBlocks: findEndBlocks(perl, area),
  };
}
