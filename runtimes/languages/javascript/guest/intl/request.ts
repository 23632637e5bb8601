/**
 * How the guest's `Intl` asks the host: one JSON request and one JSON reply per call. A refusal by
 * the host or by ICU is thrown here as the guest's own RangeError or TypeError.
 *
 * @module
 */
import type { HostFunction } from "../host.ts";
import {
  bare,
  createList,
  JSONParse,
  JSONStringify,
  type List,
  ObjectPrototypeHasOwnProperty,
} from "../primordials.ts";

/** Coerced options, without prototype; numbers that JSON cannot represent are text. */
export type OptionBag = Record<string, string | number | boolean>;

/** An argument of a method: text, a number, or a list of texts. */
export type Argument = string | number | List<string>;

/** Asks the host; throws the error that the host reports. */
export type IntlSend = (
  service: string,
  method: string,
  locales: List<string>,
  options: OptionBag,
  ...args: readonly Argument[]
) => unknown;

function fail(error: { readonly name?: unknown; readonly message?: unknown }): never {
  const message = `${error.message}`;
  if (error.name === "RangeError") throw new RangeError(message);
  if (error.name === "TypeError") throw new TypeError(message);
  throw new Error(message);
}

/** An argument list whose JSON does not depend on what guests did to arrays. */
function toList(args: readonly Argument[]): List<Argument> {
  const list = createList<Argument>();
  for (let i = 0; i < args.length; i++) list[i] = args[i] ?? "";
  return list;
}

/** Makes the function that asks the host. */
export function createIntlSend(host: HostFunction): IntlSend {
  return (service, method, locales, options, ...args) => {
    const request = bare({ service, method, locales, options, args: toList(args) });
    const reply = JSONParse(host("intl", JSONStringify(request)));
    if (ObjectPrototypeHasOwnProperty(reply, "error")) fail(reply.error);
    return reply.value;
  };
}
