/**
 * `WeakRef` as the language has it: what was referred to, or looked at, stays until the running
 * job is over. The engine alone drops an object with its last strong reference.
 *
 * @module
 */
import { showAsBuiltIn } from "./function_text.ts";
import {
  append,
  copyStatics,
  createList,
  dataDescriptor,
  defineHidden,
  type List,
  ReflectConstruct,
  ReflectDefineProperty,
  uncurryThis,
} from "./primordials.ts";

const queueJob = queueMicrotask;

/**
 * Puts the constructor in the place of the engine's. Gives what is to be called when a run
 * begins: jobs of the one before may be lost.
 */
export function installWeakReferences(): () => void {
  const NativeWeakRef = WeakRef;
  const nativeDeref = uncurryThis(WeakRef.prototype.deref) as (self: unknown) => unknown;
  let kept: List<unknown> = createList<unknown>();
  const keep = (value: unknown): void => {
    if (kept.length === 0) {
      queueJob(() => {
        kept = createList<unknown>();
      });
    }
    append(kept, value);
  };
  const constructor = function (...args: unknown[]): object {
    if (new.target === undefined) throw new TypeError("Constructor WeakRef requires 'new'");
    const reference: object = ReflectConstruct(NativeWeakRef, args, new.target);
    keep(args[0]);
    return reference;
  };
  copyStatics(NativeWeakRef, constructor);
  showAsBuiltIn(constructor);
  const holder = {
    deref(this: unknown): unknown {
      const value = nativeDeref(this);
      if (value !== undefined) keep(value);
      return value;
    },
  };
  defineHidden(NativeWeakRef.prototype, "deref", holder.deref);
  defineHidden(NativeWeakRef.prototype, "constructor", constructor);
  ReflectDefineProperty(globalThis, "WeakRef", dataDescriptor(constructor));
  return () => {
    kept = createList<unknown>();
  };
}
