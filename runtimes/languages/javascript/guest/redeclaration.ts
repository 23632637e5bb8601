/**
 * Lets a script declare names that an earlier script declared, as a console does.
 *
 * The engine keeps a script's `let`, `const` and `class` as properties of an object that no guest
 * sees, the lexicals. It keeps `var` and functions permanently on the global object. Lexicals are
 * removed before a script declares them again. They are restored when the script ends before it
 * reaches the declaration.
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

/** Whether a script can declare the name only as a variable. */
function isFixed(name: string): boolean {
  const descriptor = ownDescriptor(globalThis, name);
  return descriptor?.configurable === false && descriptor.writable === true;
}

/** Removes names and restores them. */
export class Redeclarations {
  #taken: List<Taken> = createList<Taken>();

  /**
   * Finds which of the names (a JSON array) exist. Returns JSON: `{"lexical": […], "fixed": […]}`.
   * Fixed names can be declared only as variables.
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

  /** Removes names (a JSON array) from the lexicals. */
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
   * Called when the script has ended. Removes the names (a JSON array) that it left without a
   * value, and restores the removed names that it did not declare again.
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
