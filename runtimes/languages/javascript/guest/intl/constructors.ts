/**
 * The common part of the `Intl` classes that guests see.
 *
 * @module
 */
import { bare, dataDescriptor, ReflectConstruct, ReflectDefineProperty } from "../primordials.ts";
import { type Class, setName, setTag } from "../web/expose.ts";
import { OPTIONS, readLocales, readOptions } from "./options.ts";
import type { IntlSend } from "./request.ts";

/** How guests see a class. */
export interface Shape {
  readonly name: string;
  /** Number of parameters, reported by `length`. */
  readonly length: number;
  /** Whether the class may be called without `new`. */
  readonly callable: boolean;
}

function isClass(value: unknown): value is Class {
  return typeof value === "function";
}

/** A function that wraps a class and decides what a call without `new` does. */
function makeConstructor(target: Class, { name, callable }: Shape): Class {
  const shown = function (...args: unknown[]): object {
    if (new.target === undefined && !callable) {
      throw new TypeError(`Constructor Intl.${name} requires 'new'`);
    }
    return ReflectConstruct(target, args, new.target ?? shown);
  };
  ReflectDefineProperty(shown, "prototype", bare({ value: target.prototype, writable: false }));
  ReflectDefineProperty(target.prototype, "constructor", dataDescriptor(shown));
  if (!isClass(shown)) throw new TypeError("Not a constructor");
  return shown;
}

/** Completes a class: name, tag, `length`, `supportedLocalesOf`. */
export function finishClass(target: Class, shape: Shape, send: IntlSend): Class {
  const { name, length } = shape;
  const shown = makeConstructor(target, shape);
  setTag(target, name, `Intl.${name}`);
  setName(shown, name);
  ReflectDefineProperty(shown, "length", bare({ value: length, configurable: true }));
  const { supportedLocalesOf } = {
    supportedLocalesOf(locales: unknown, options: unknown = undefined): unknown {
      const list = readLocales(locales);
      const bag = readOptions(options, OPTIONS.supportedLocalesOf);
      return send("supportedLocalesOf", name, list, bag);
    },
  };
  if (name !== "Locale") {
    ReflectDefineProperty(shown, "supportedLocalesOf", dataDescriptor(supportedLocalesOf));
  }
  return shown;
}

/** A function without a name, like the bound functions of `Intl`. */
export function anonymous<Fn extends (...args: never[]) => unknown>(fn: Fn): Fn {
  setName(fn, "");
  return fn;
}
