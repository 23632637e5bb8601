/**
 * Messages of errors that built-ins throw, in V8's words.
 *
 * @module
 */
import {
  bare,
  RegExpPrototypeExec,
  StringPrototypeIncludes,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
} from "../primordials.ts";
import type { Fault } from "./fault.ts";
import type { Wording } from "./operators.ts";
import { wordRefusal } from "./refused_pattern.ts";

const OBJECT_EXPECTED = /^([A-Za-z]+) object expected$/;
const BAD_KEY = /^invalid value used as ([A-Za-z]+) key$/;
/** Bytes per element, by the digits in a typed array's name. */
const ELEMENT_BITS = /(8|16|32|64)/;

function says(text: string): Wording {
  return () => text;
}

/** `text` followed by the argument, if the argument is known. */
function withArgument(text: string): Wording {
  return (fault) => {
    const argument = fault.argument();
    return argument === "" ? text : `${text} ${argument}`;
  };
}

function noPrototype(fault: Fault): string {
  const text = "Object prototype may only be an Object or null";
  const given = fault.builtIn === "create" ? fault.argument() : fault.secondArgument();
  return given === "" ? text : `${text}: ${given}`;
}

function objectExpected(fault: Fault): string | undefined {
  const { builtIn } = fault;
  if (builtIn === "") {
    const name = fault.find("assign");
    return name === "" ? undefined : `Cannot create property '${name}' on a primitive value`;
  }
  if (builtIn === "setPrototypeOf") return noPrototype(fault);
  if (StringPrototypeStartsWith(builtIn, "definePropert")) {
    return `Object.${builtIn} called on non-object`;
  }
  if (StringPrototypeIncludes(builtIn, "Map") || builtIn === "fromEntries") {
    return "Iterator value is not an entry object";
  }
  return StringPrototypeStartsWith(builtIn, "Weak") ? "Invalid value used in weak set" : undefined;
}

function constructorCall({ builtIn }: Fault): string {
  return builtIn === "Promise"
    ? "Promise constructor cannot be invoked without 'new'"
    : `Constructor ${builtIn} requires 'new'`;
}

function digits({ builtIn }: Fault): string | undefined {
  switch (builtIn) {
    case "toFixed":
      return "toFixed() digits argument must be between 0 and 100";
    case "toPrecision":
      return "toPrecision() argument must be between 1 and 100";
    case "toExponential":
      return "toExponential() argument must be between 0 and 100";
    default:
      return undefined;
  }
}

function elementBytes(typedArray: string): number {
  return Number(RegExpPrototypeExec(ELEMENT_BITS, typedArray)?.[1] ?? 8) / 8;
}

/** Arguments that cannot be converted to a BigInt, with the words around them. */
function bigIntArgument(before: string, after: string, fallback: string): Wording {
  return (fault) => {
    const argument = fault.argument();
    return argument === "" ? fallback : `${before}${argument}${after}`;
  };
}

const NO_WHOLE_NUMBER = bigIntArgument(
  "The number ",
  " cannot be converted to a BigInt because it is not an integer",
  "The number cannot be converted to a BigInt because it is not an integer",
);
const NO_BIGINT = bigIntArgument(
  "Cannot convert ",
  " to a BigInt",
  "Cannot convert value to a BigInt",
);

/** The engine's message → V8's wording. */
export const BUILT_IN_WORDINGS: Readonly<Record<string, Wording>> = bare({
  "empty array": says("Reduce of empty array with no initial value"),
  "invalid array length": ({ builtIn }) =>
    builtIn === "set" ? "offset is out of bounds" : "Invalid array length",
  "Array too long": says("Invalid array length"),
  "Array loo long": says("Invalid array length"),
  "invalid string length": says("Invalid string length"),
  "string too long": says("Invalid string length"),
  "invalid repeat count": withArgument("Invalid count value:"),
  "invalid code point": withArgument("Invalid code point"),
  "invalid number of digits": digits,
  "Date value is NaN": says("Invalid time value"),
  "not a Date object": says("this is not a Date object."),
  "not a TypedArray": says("this is not a typed array."),
  "bad normalization form": says(
    "The normalization form should be one of NFC, NFD, NFKC, NFKD.",
  ),
  "circular prototype chain": says("Cyclic __proto__ value"),
  "BigInt are forbidden in JSON.stringify": says("Do not know how to serialize a BigInt"),
  "circular reference": says("Converting circular structure to JSON"),
  "cannot convert to BigInt: not an integer": NO_WHOLE_NUMBER,
  "cannot convert NaN or Infinity to BigInt": NO_WHOLE_NUMBER,
  "cannot convert to BigInt": NO_BIGINT,
  "cannot convert to bigint": NO_BIGINT,
  "invalid BigInt literal": NO_BIGINT,
  "not an object": objectExpected,
  "not a symbol": (fault) => {
    const argument = fault.argument();
    return argument === "" ? undefined : `${argument} is not a symbol`;
  },
  "object prototype may only be an Object or null": noPrototype,
  "out of bound": says("Offset is outside the bounds of the DataView"),
  "invalid array index": withArgument("Invalid typed array length:"),
  "invalid byteOffset": (fault) =>
    `Start offset ${fault.secondArgument()} is outside the bounds of the buffer`,
  "property is not configurable": (fault) => {
    const name = fault.secondArgument();
    return `Cannot redefine property${name === "" ? "" : `: ${name}`}`;
  },
  "invalid offset": ({ builtIn }) =>
    `start offset of ${builtIn} should be a multiple of ${elementBytes(builtIn)}`,
  "invalid length": ({ builtIn }) =>
    StringPrototypeIncludes(builtIn, "Array")
      ? `byte length of ${builtIn} should be a multiple of ${elementBytes(builtIn)}`
      : "Invalid array buffer length",
  "invalid array buffer length": says("Array buffer allocation failed"),
  "null or undefined are forbidden": ({ builtIn }) =>
    `String.prototype.${builtIn} called on null or undefined`,
  "constructor requires 'new'": constructorCall,
  "must be called with new": constructorCall,
  "abstract class not constructable": ({ builtIn }) =>
    `Abstract class ${builtIn} not directly constructable`,
  "regexp must have the 'g' flag": ({ builtIn }) =>
    builtIn === "matchAll"
      ? "String.prototype.matchAll called with a non-global RegExp argument"
      : "String.prototype.replaceAll called with a non-global RegExp argument",
  "resolving function already set": says(
    "Promise executor has already been invoked with non-undefined arguments",
  ),
});

/** The wording of a message that contains a name, or of errors of a kind. */
export function wordBuiltIn(name: string, message: string, fault: Fault): string | undefined {
  if (name === "URIError") return "URI malformed";
  if (name === "SyntaxError" && fault.builtIn === "RegExp") {
    return wordRefusal(message, () => fault.argument());
  }
  const expected = RegExpPrototypeExec(OBJECT_EXPECTED, message)?.[1];
  if (expected !== undefined) {
    const method = `${expected}.prototype.${fault.builtIn}`;
    return `Method ${method} called on incompatible receiver #<Object>`;
  }
  const holder = RegExpPrototypeExec(BAD_KEY, message)?.[1];
  if (holder === undefined) return undefined;
  return holder === "WeakSet" || StringPrototypeSlice(fault.builtIn, 0, 7) === "WeakSet"
    ? "Invalid value used in weak set"
    : "Invalid value used as weak map key";
}
