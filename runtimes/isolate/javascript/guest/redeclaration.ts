/**
 * Names that a script declares although an earlier one did, as a console allows it.
 *
 * The engine keeps `let`, `const` and `class` of scripts as properties of an object that no
 * guest sees, the lexicals, and `var` and functions on the global object for good. The former
 * are taken away before they are declared anew; they come back when the script ended before it
 * got there.
 *
 * @module
 */
import {
  append,
  bare,
  createList,
  dataDescriptor,
  JSONParse,
  type List,
  ownDescriptor,
  ReflectDefineProperty,
  ReflectDeleteProperty,
} from "./primordials.ts";
import { jsonText } from "./json_text.ts";

interface Taken {
  readonly name: string;
  readonly descriptor: PropertyDescriptor;
}

/** Whether a script can declare the name as a variable only. */
function isFixed(name: string): boolean {
  const descriptor = ownDescriptor(globalThis, name);
  return descriptor?.configurable === false && descriptor.writable === true;
}

/** Takes names away and brings them back. */
export class Redeclarations {
  #taken: List<Taken> = createList<Taken>();

  /**
   * Which of the names (a JSON array) are there: JSON of `{"lexical": […], "fixed": […]}`.
   * The fixed ones can be declared as variables only.
   */
  find(lexicals: object, names: string): string {
    const all: ArrayLike<string> = JSONParse(names);
    const lexical: string[] = [];
    const fixed: string[] = [];
    for (let i = 0; i < all.length; i++) {
      const name = all[i] ?? "";
      if (ownDescriptor(lexicals, name) !== undefined) add(lexical, name);
      else if (isFixed(name)) add(fixed, name);
    }
    return jsonText(bare({ lexical, fixed })) ?? "";
  }

  /** Takes names (a JSON array) away from the lexicals. */
  take(lexicals: object, names: string): void {
    const all: ArrayLike<string> = JSONParse(names);
    this.#taken = createList<Taken>();
    for (let i = 0; i < all.length; i++) {
      const name = all[i] ?? "";
      const descriptor = ownDescriptor(lexicals, name);
      if (descriptor === undefined) continue;
      append(this.#taken, { name, descriptor });
      ReflectDeleteProperty(lexicals, name);
    }
  }

  /**
   * The script has ended: forgets the names (a JSON array) that it left without a value, and
   * puts back what was taken and is not declared anew.
   */
  restore(lexicals: object, unset: string): void {
    const all: ArrayLike<string> = JSONParse(unset);
    for (let i = 0; i < all.length; i++) ReflectDeleteProperty(lexicals, all[i] ?? "");
    for (let i = 0; i < this.#taken.length; i++) {
      const taken = this.#taken[i];
      if (taken === undefined) continue;
      const { name, descriptor } = taken;
      const isDeclared = ownDescriptor(lexicals, name) !== undefined || isFixed(name);
      if (!isDeclared) ReflectDefineProperty(lexicals, name, descriptor);
    }
    this.#taken = createList<Taken>();
  }
}

function add(list: string[], name: string): void {
  ReflectDefineProperty(list, list.length, dataDescriptor(name, true));
}
