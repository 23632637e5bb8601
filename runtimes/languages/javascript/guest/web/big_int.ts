/**
 * `BigInt.asUintN` as ECMA-262 defines it: the engine's own returns a negative number when the
 * highest bit is set.
 *
 * @module
 */
import { dataDescriptor, ReflectApply, ReflectDefineProperty } from "../primordials.ts";

const native: unknown = BigInt.asUintN;
const toBigInt = BigInt;

/** Installs the correct function. */
export function correctBigInt(): void {
  const { asUintN } = {
    asUintN(bits: unknown, value: unknown): bigint {
      const count = Math.trunc(+(bits as number)) || 0;
      const wrapped = ReflectApply(native, undefined, [count, value]) as bigint;
      return wrapped < 0n ? wrapped + (1n << toBigInt(count)) : wrapped;
    },
  };
  ReflectDefineProperty(BigInt, "asUintN", dataDescriptor(asUintN));
}
