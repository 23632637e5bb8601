/**
 * Knows which objects existed before the guest: the prototypes and namespaces of the language and
 * of this environment.
 *
 * @module
 */
import {
  ObjectGetPrototypeOf,
  ObjectPrototype,
  SetPrototypeAdd,
  SetPrototypeHas,
} from "./primordials.ts";

const MAX_DEPTH = 1;

/** Objects that no global refers to, whose prototypes are built in. */
function samples(): object[] {
  return [
    [][Symbol.iterator](),
    ""[Symbol.iterator](),
    "".matchAll(/x/g),
    new Map().keys(),
    new Set().keys(),
    (function* () {})(),
    (async function* () {})(),
    [].values().map((value) => value),
    Iterator.from({ next: () => ({ value: undefined, done: true }) }),
    async () => {},
    function* () {},
    async function* () {},
  ];
}

/** The built-in objects. */
export class BuiltIns {
  readonly #objects = new Set<object>();

  /** Records a namespace and its classes, including those of nested namespaces. */
  addNamespace(namespace: object, depth = 0): void {
    SetPrototypeAdd(this.#objects, namespace);
    for (const key of Reflect.ownKeys(namespace)) {
      const value: unknown = Object.getOwnPropertyDescriptor(namespace, key)?.value;
      if (typeof value === "function") this.#addClass(value);
      else if (typeof value === "object" && value !== null) this.#addObject(value, depth);
    }
  }

  #addObject(value: object, depth: number): void {
    if (this.has(value)) return;
    if (depth < MAX_DEPTH) this.addNamespace(value, depth + 1);
    else SetPrototypeAdd(this.#objects, value);
  }

  /** Records the prototypes that an object inherits from. */
  addPrototypesOf(value: object): void {
    let prototype = ObjectGetPrototypeOf(value);
    while (prototype !== null && prototype !== ObjectPrototype) {
      SetPrototypeAdd(this.#objects, prototype);
      prototype = ObjectGetPrototypeOf(prototype);
    }
  }

  #addClass(value: object): void {
    const prototype: unknown = Object.getOwnPropertyDescriptor(value, "prototype")?.value;
    if (typeof prototype !== "object" || prototype === null || prototype === ObjectPrototype) {
      return;
    }
    SetPrototypeAdd(this.#objects, prototype);
    this.addPrototypesOf(prototype);
  }

  /** Records all globals, and the objects that only syntax reaches. */
  addGlobals(): void {
    this.addNamespace(globalThis);
    for (const sample of samples()) this.addPrototypesOf(sample);
  }

  /** Whether an object is built in. `Object.prototype` is not: everything inherits from it. */
  has(value: object): boolean {
    return SetPrototypeHas(this.#objects, value);
  }

  /** Whether an object is built in, or inherits from something that is. */
  hasKin(value: object): boolean {
    let current: object | null = value;
    while (current !== null && current !== ObjectPrototype) {
      if (this.has(current)) return true;
      current = ObjectGetPrototypeOf(current);
    }
    return false;
  }
}
