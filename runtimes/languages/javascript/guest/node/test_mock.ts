/**
 * `mock` of `node:test`: functions that record their calls.
 *
 * @module
 */

type AnyFunction = (...args: unknown[]) => unknown;

/** A recorded call. */
interface NotedCall {
  readonly arguments: readonly unknown[];
  readonly result: unknown;
  readonly error: unknown;
  readonly this: unknown;
  readonly target: unknown;
}

/** The recorded calls of a function, and its behaviour. */
class MockContext {
  #calls: NotedCall[] = [];
  #implementation: AnyFunction;
  readonly #once = new Map<number, AnyFunction>();
  readonly #original: AnyFunction;
  readonly #undo: () => void;

  constructor(original: AnyFunction, implementation: AnyFunction, undo: () => void) {
    this.#original = original;
    this.#implementation = implementation;
    this.#undo = undo;
  }

  get calls(): readonly NotedCall[] {
    return [...this.#calls];
  }

  callCount(): number {
    return this.#calls.length;
  }

  mockImplementation(implementation: AnyFunction): void {
    this.#implementation = implementation;
  }

  mockImplementationOnce(implementation: AnyFunction, onCall = this.#calls.length): void {
    this.#once.set(onCall, implementation);
  }

  resetCalls(): void {
    this.#calls = [];
  }

  restore(): void {
    this.#undo();
    this.#implementation = this.#original;
  }

  run(self: unknown, args: unknown[], target: unknown): unknown {
    const implementation = this.#once.get(this.#calls.length) ?? this.#implementation;
    const note = (result: unknown, error: unknown) =>
      void this.#calls.push({ arguments: args, result, error, this: self, target });
    try {
      const result = target === undefined
        ? Reflect.apply(implementation, self, args)
        : Reflect.construct(implementation, args, target as AnyFunction);
      note(result, undefined);
      return result;
    } catch (error) {
      note(undefined, error);
      throw error;
    }
  }
}

function createMock(
  original: AnyFunction,
  implementation: AnyFunction,
  undo: () => void,
): { readonly mocked: AnyFunction; readonly context: MockContext } {
  const context = new MockContext(original, implementation, undo);
  const mocked = new Proxy(original, {
    apply: (_target, self, args: unknown[]) => context.run(self, args, undefined),
    construct: (_target, args: unknown[], target) => Object(context.run(undefined, args, target)),
    get: (target, key, receiver) => key === "mock" ? context : Reflect.get(target, key, receiver),
  });
  return { mocked, context };
}

/** Makes mocks, and restores all of them together. */
export class MockTracker {
  #contexts: MockContext[] = [];

  fn(original: unknown = undefined, implementation: unknown = undefined): AnyFunction {
    const first = typeof original === "function" ? original as AnyFunction : () => undefined;
    const second = typeof implementation === "function" ? implementation as AnyFunction : first;
    return this.#add(createMock(first, second, () => {}));
  }

  method(object: object, name: PropertyKey, implementation: unknown = undefined): AnyFunction {
    const original: unknown = Reflect.get(object, name);
    if (typeof original !== "function") {
      throw new TypeError(`The property "${String(name)}" is no method`);
    }
    const own = Object.getOwnPropertyDescriptor(object, name);
    const undo = () => {
      if (own === undefined) Reflect.deleteProperty(object, name);
      else Object.defineProperty(object, name, own);
    };
    const first = original as AnyFunction;
    const second = typeof implementation === "function" ? implementation as AnyFunction : first;
    const mocked = this.#add(createMock(first, second, undo));
    const shape = { configurable: true, enumerable: own?.enumerable ?? false, writable: true };
    Object.defineProperty(object, name, { ...shape, value: mocked });
    return mocked;
  }

  restoreAll(): void {
    for (const context of this.#contexts) context.restore();
  }

  reset(): void {
    this.restoreAll();
    this.#contexts = [];
  }

  #add({ mocked, context }: ReturnType<typeof createMock>): AnyFunction {
    this.#contexts.push(context);
    return mocked;
  }
}
