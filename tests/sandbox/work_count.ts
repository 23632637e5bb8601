/** Counts what code does to texts, maps and sets, because its time would say less. */

/** The counted work. */
export interface Work {
  /** Calls of methods, and steps of iterating over maps and sets. */
  readonly calls: number;
  /** Code units that were read one by one. */
  readonly units: number;
}

const mapSteps: object = Object.getPrototypeOf(new Map().entries());
const setSteps: object = Object.getPrototypeOf(new Set().values());

/** Methods that are counted. Single steps of the engine, such as comparing texts, are not. */
const COUNTED: readonly (readonly [owner: object, methods: readonly string[]])[] = [
  [String.prototype, ["slice", "split", "lastIndexOf", "indexOf", "startsWith"]],
  [Map.prototype, ["get", "has", "set", "delete"]],
  [Set.prototype, ["has", "add", "delete"]],
  [TextEncoder.prototype, ["encode", "encodeInto"]],
  [mapSteps, ["next"]],
  [setSteps, ["next"]],
];

/** Does a piece of synchronous work, and counts. */
export function workOf(work: () => void): Work {
  let calls = 0;
  let units = 0;
  using replaced = new DisposableStack();
  for (const [owner, methods] of COUNTED) {
    for (const name of methods) replaced.defer(onCall(owner, name, () => void calls++));
  }
  replaced.defer(onCall(String.prototype, "charCodeAt", () => void units++));
  work();
  return { calls, units };
}

/** Reports each call of a method. The returned function ends the reporting. */
function onCall(owner: object, name: string, told: () => void): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  const method: unknown = before?.value;
  if (before === undefined || typeof method !== "function") throw new TypeError(name);
  Object.defineProperty(owner, name, {
    ...before,
    value(this: unknown, ...args: unknown[]): unknown {
      told();
      return Reflect.apply(method, this, args);
    },
  });
  return () => Object.defineProperty(owner, name, before);
}
