/**
 * Messages of errors that the guest's own code causes, in V8's words.
 *
 * @module
 */
import {
  bare,
  RegExpPrototypeExec,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
} from "../primordials.ts";
import type { Fault } from "./fault.ts";

/** Returns a message in V8's words; undefined to keep the engine's message. */
export type Wording = (fault: Fault) => string | undefined;

const ITERATOR = "Symbol.iterator";
const READ = /^cannot read property '([^]*)' of (undefined|null)$/;
const WRITE = /^cannot set property '([^]*)' of (undefined|null)$/;
const UNDEFINED_NAME = /^([^]+) is not defined$/;
const UNINITIALIZED = /^([^]+) is not initialized$/;
/** Names that only elements of arrays are likely to have. */
const INDEX = /^(?:0|[1-9][0-9]*)$/;
const READ_ONLY = /^'([^]*)' is read-only$/;
const PRIVATE_FIELD =
  /^(?:private class field '([^]+)' does not exist|undefined private field '([^]+)')$/;

/** Built-ins that call a function argument, and have their own messages for it. */
const COMPARING = bare({ sort: true, toSorted: true } as Record<string, boolean>);

function notCallable(fault: Fault): string {
  const { builtIn } = fault;
  if (builtIn === "") return fault.find("call") || "object is not a function";
  if (COMPARING[builtIn] === true) {
    return "The comparison function must be either a function or undefined";
  }
  const what = (builtIn === "from" ? fault.secondArgument() : fault.argument()) || "undefined";
  return builtIn === "Promise"
    ? `Promise resolver ${what} is not a function`
    : `${what} is not a function`;
}

/** Type and text of a literal, as V8 describes a value that is not iterable. */
function valueText(literal: string, fallback: string): string {
  if (RegExpPrototypeExec(/^-?[0-9]/, literal) !== null) return `number ${literal}`;
  return literal === "true" || literal === "false" ? `boolean ${literal}` : literal || fallback;
}

function notIterable(fault: Fault, value: string): string {
  const found = fault.builtIn === "" ? fault.find("iterate") : "";
  if (found !== "") return found;
  const what = fault.builtIn === "" ? value : valueText(fault.argument(), value);
  return `${what} is not iterable (cannot read property Symbol(Symbol.iterator))`;
}

function classCall(fault: Fault): string {
  return `Class constructor ${fault.className} cannot be invoked without 'new'`;
}

function notExtensible(fault: Fault): string {
  if (fault.builtIn === "") {
    const name = fault.find("assign");
    return `Cannot add property ${name}, object is not extensible`;
  }
  const isDefinition = StringPrototypeStartsWith(fault.builtIn, "defineProp");
  const name = isDefinition ? fault.secondArgument() : fault.find("push", fault.builtIn);
  const verb = isDefinition ? "define" : "add";
  return `Cannot ${verb} property${name === "" ? "" : ` ${name}`}, object is not extensible`;
}

/** The engine's message → V8's wording. */
export const OPERATOR_WORDINGS: Readonly<Record<string, Wording>> = bare({
  "not a function": notCallable,
  "not a constructor": (fault) => fault.find("call") || undefined,
  "value is not iterable": (fault) => notIterable(fault, "object"),
  "class constructors must be invoked with 'new'": classCall,
  "object is not extensible": notExtensible,
  "Cannot convert undefined or null to object": (fault) =>
    fault.builtIn === "" ? fault.find("destructure") || undefined : undefined,
  "no setter for property": (fault) => {
    const name = fault.find("assign");
    return `Cannot set property ${name} of #<Object> which has only a getter`;
  },
  "could not delete property": (fault) => {
    const name = fault.find("delete");
    return `Cannot delete property '${name}' of #<Object>`;
  },
  "proxy: cannot set property": (fault) => {
    const name = fault.find("assign");
    return `'set' on proxy: trap returned falsish for property '${name}'`;
  },
  "invalid 'in' operand": (fault) => fault.find("in") || undefined,
  "invalid 'instanceof' right operand": () => "Right-hand side of 'instanceof' is not callable",
  "operand 'prototype' property is not an object": () =>
    "Function has non-object prototype 'undefined' in instanceof check",
  "BigInt operands are forbidden for >>>": () =>
    "BigInts have no unsigned right shift, use >> instead",
  "bigint argument with unary +": () => "Cannot convert a BigInt value to a number",
  "cannot convert BigInt to number": ({ builtIn }) =>
    builtIn === ""
      ? "Cannot mix BigInt and other types, use explicit conversions"
      : "Cannot convert a BigInt value to a number",
  "BigInt division by zero": () => "Division by zero",
  "BigInt negative exponent": () => "Exponent must be non-negative",
  "BigInt is too large to allocate": () => "Maximum BigInt size exceeded",
  "cannot convert symbol to string": () => "Cannot convert a Symbol value to a string",
  "cannot convert symbol to number": () => "Cannot convert a Symbol value to a number",
  "toPrimitive": () => "Cannot convert object to primitive value",
  "this is not initialized": () =>
    "Must call super constructor in derived class before accessing 'this' or returning from " +
    "derived constructor",
  "'this' can be initialized only once": () => "Super constructor may only be called once",
  "derived class constructor must return an object or undefined": () =>
    "Derived constructors may only return object or undefined",
  "parent class must be constructor": () =>
    "Class extends value undefined is not a constructor or null",
  "revoked proxy": () => "Cannot perform 'get' on a proxy that has been revoked",
  "cannot invoke a running generator": () => "Generator is already running",
  "iterator must return an object": () => "Result of the Symbol.iterator method is not an object",
  "iterator does not have a throw method": () => "The iterator does not provide a 'throw' method",
  "promise self resolution": () => "Chaining cycle detected for promise #<Promise>",
});

function wordAccess(message: string, fault: Fault): string | undefined {
  const read = RegExpPrototypeExec(READ, message);
  const match = read ?? RegExpPrototypeExec(WRITE, message);
  if (match === null) return undefined;
  const name = match[1] ?? "";
  const holder = match[2] ?? "";
  if (name === ITERATOR) return notIterable(fault, holder);
  if (fault.builtIn === "") fault.find("property", StringPrototypeSlice(name, 0, 200));
  return read === null
    ? `Cannot set properties of ${holder} (setting '${name}')`
    : `Cannot read properties of ${holder} (reading '${name}')`;
}

/** Globals of Node, and of other servers, that do not exist here. */
const ABSENT: Readonly<Record<string, boolean>> = bare({
  ...{ WebAssembly: true, Worker: true, WebSocket: true, EventSource: true, XMLHttpRequest: true },
  ...{ PerformanceObserver: true, PerformanceObserverEntryList: true },
  PerformanceResourceTiming: true,
});

function wordName(message: string, fault: Fault): string | undefined {
  const absent = RegExpPrototypeExec(UNDEFINED_NAME, message);
  const early = RegExpPrototypeExec(UNINITIALIZED, message);
  const name = absent?.[1] ?? early?.[1];
  if (name === undefined) return undefined;
  fault.find("name", name);
  if (ABSENT[name] === true) return `${message}: it is not available here`;
  return early === null ? message : `Cannot access '${name}' before initialization`;
}

function wordReadOnly(message: string, fault: Fault): string | undefined {
  const name = RegExpPrototypeExec(READ_ONLY, message)?.[1];
  if (name === undefined) return undefined;
  const holder = RegExpPrototypeExec(INDEX, name) === null ? "#<Object>" : "[object Array]";
  return fault.find("constant", name) ||
    `Cannot assign to read only property '${name}' of object '${holder}'`;
}

function wordPrivateField(message: string, fault: Fault): string | undefined {
  const match = RegExpPrototypeExec(PRIVATE_FIELD, message);
  const name = match?.[1] ?? match?.[2];
  if (name === undefined) return undefined;
  fault.find("property", name);
  return `Cannot read private member ${name} from an object whose class did not declare it`;
}

/** The wording of a message that contains a name. */
export function wordNamed(message: string, fault: Fault): string | undefined {
  return wordAccess(message, fault) ?? wordName(message, fault) ?? wordReadOnly(message, fault) ??
    wordPrivateField(message, fault);
}
