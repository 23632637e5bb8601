/**
 * Methods of call sites that V8 has and the engine has not. Packages read them to name their callers.
 *
 * @module
 */
import {
  bare,
  defineHidden,
  ObjectGetPrototypeOf,
  ownDescriptor,
  ReflectApply,
  StringPrototypeStartsWith,
} from "./primordials.ts";

/** The engine's file name of code that `eval` runs. */
const EVALUATED = "<input>";

type Method = (this: unknown) => unknown;

/** Adds the methods to the prototype of a call site. */
export function completeCallSites(site: unknown): void {
  const prototype = ObjectGetPrototypeOf(site);
  if (prototype === null) return;
  const call = (name: string, self: unknown): unknown =>
    ReflectApply(ownDescriptor(prototype, name)?.value, self, []);
  const nameOf = (self: unknown): string | null => {
    const name = call("getFunctionName", self);
    return typeof name === "string" && name !== "" && !StringPrototypeStartsWith(name, "<")
      ? name
      : null;
  };
  const methods: Record<string, Method> = bare({
    isConstructor() {
      const callee = call("getFunction", this);
      return typeof callee === "function" &&
        ownDescriptor(callee, "prototype")?.writable === false;
    },
    isEval() {
      return call("getFileName", this) === EVALUATED;
    },
    isToplevel: () => true,
    isAsync: () => false,
    isPromiseAll: () => false,
    getPromiseIndex: () => null,
    getThis: () => undefined,
    getTypeName: () => null,
    getMethodName: () => null,
    getEvalOrigin: () => undefined,
    getScriptNameOrSourceURL() {
      return call("getFileName", this);
    },
    toString() {
      const place = `${call("getFileName", this)}:${call("getLineNumber", this)}:${
        call("getColumnNumber", this)
      }`;
      const name = nameOf(this);
      if (name === null) return place;
      return `${call("isConstructor", this) === true ? "new " : ""}${name} (${place})`;
    },
  });
  for (const name of Object.keys(methods)) {
    if (ownDescriptor(prototype, name) === undefined) defineHidden(prototype, name, methods[name]);
  }
}
