/**
 * `process.env`: an object whose values are always text.
 *
 * @module
 */
import {
  bare,
  dataDescriptor,
  ReflectDefineProperty,
  ReflectDeleteProperty,
  ReflectOwnKeys,
} from "../primordials.ts";

/** The environment, and the function that replaces its variables. */
export interface Environment {
  readonly env: object;
  reset(entries: ArrayLike<readonly [string, string]>): void;
}

function asText(value: unknown): string {
  if (typeof value === "symbol") throw new TypeError("Cannot convert a Symbol value to a string");
  return `${value}`;
}

/** An environment without variables. */
export function createEnvironment(): Environment {
  const variables = {};
  const env = new Proxy(
    variables,
    bare({
      set: (target: object, key: PropertyKey, value: unknown) =>
        ReflectDefineProperty(target, key, dataDescriptor(asText(value), true)),
      defineProperty: (target: object, key: PropertyKey, descriptor: PropertyDescriptor) =>
        ReflectDefineProperty(target, key, dataDescriptor(asText(descriptor.value), true)),
    }),
  );
  return {
    env,
    reset(entries) {
      const keys = ReflectOwnKeys(variables);
      for (let i = 0; i < keys.length; i++) ReflectDeleteProperty(variables, keys[i] ?? "");
      for (let i = 0; i < entries.length; i++) {
        const entry = entries[i];
        if (entry === undefined) continue;
        ReflectDefineProperty(variables, entry[0], dataDescriptor(entry[1], true));
      }
    },
  };
}
