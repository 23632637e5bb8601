/**
 * `WeakRef` as the language defines it: a target that was just referenced or dereferenced lives
 * until the running job ends. The engine by itself drops an object with its last strong reference.
 *
 * @module
 */
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
 * Replaces the engine's constructor. Returns a function to call when a run begins, because the
 * previous run's jobs may be lost.
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
