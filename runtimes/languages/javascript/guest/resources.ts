/**
 * Resources of a script's top level (`using`, `await using`): registered when they are declared, and
 * disposed of in reverse order when the script ends.
 *
 * @module
 */
import {
  append,
  bare,
  createList,
  defineHidden,
  type List,
  ReflectApply,
  ReflectGet,
} from "./primordials.ts";

/** A resource and its method. `isAsync`: what the method returns is awaited. */
interface Resource {
  readonly value: unknown;
  /** Undefined for the resources `null` and `undefined`. */
  readonly dispose: unknown;
  readonly isAsync: boolean;
}

/** Why a script, or a disposal, failed. */
interface Failure {
  readonly error: unknown;
}

const { dispose: DISPOSE, asyncDispose: ASYNC_DISPOSE } = Symbol;
const NewPromise = Promise;
const MESSAGE = "An error was suppressed during disposal";
const Suppressed: unknown = ReflectGet(globalThis, "SuppressedError");

function suppress(error: unknown, suppressed: unknown): unknown {
  if (typeof Suppressed === "function") {
    return Reflect.construct(Suppressed, [error, suppressed, MESSAGE]);
  }
  const made = new Error(MESSAGE);
  for (
    const [key, value] of [["name", "SuppressedError"], ["error", error], [
      "suppressed",
      suppressed,
    ]]
  ) {
    defineHidden(made, `${key}`, value);
  }
  return made;
}

function failAfter(earlier: Failure | undefined, error: unknown): Failure {
  return { error: earlier === undefined ? error : suppress(error, earlier.error) };
}

function methodOf(
  value: object,
  isAsync: boolean,
): { readonly method: unknown; readonly key: symbol } {
  const asynchronous: unknown = isAsync ? ReflectGet(value, ASYNC_DISPOSE) : undefined;
  if (asynchronous !== undefined && asynchronous !== null) {
    return { method: asynchronous, key: ASYNC_DISPOSE };
  }
  return { method: ReflectGet(value, DISPOSE), key: DISPOSE };
}

function call({ value, dispose }: Resource): unknown {
  return dispose === undefined ? undefined : ReflectApply(dispose, value, []);
}

function disposeNow(resources: List<Resource>, failed: Failure | undefined): Failure | undefined {
  let failure = failed;
  for (let i = resources.length - 1; i >= 0; i--) {
    const resource = resources[i];
    if (resource === undefined) continue;
    try {
      call(resource);
    } catch (error) {
      failure = failAfter(failure, error);
    }
  }
  return failure;
}

async function disposeLater(
  resources: List<Resource>,
  failed: Failure | undefined,
): Promise<void> {
  let failure = failed;
  for (let i = resources.length - 1; i >= 0; i--) {
    const resource = resources[i];
    if (resource === undefined) continue;
    try {
      const result = call(resource);
      if (resource.isAsync) await result;
    } catch (error) {
      failure = failAfter(failure, error);
    }
  }
  if (failure !== undefined) throw failure.error;
}

function isAnyAsync(resources: List<Resource>): boolean {
  for (let i = 0; i < resources.length; i++) if (resources[i]?.isAsync === true) return true;
  return false;
}

/** The resources of the script that runs. */
export class Resources {
  #resources = createList<Resource>();

  /** Forgets those of a run that ended early. */
  begin(): void {
    if (this.#resources.length > 0) this.#resources = createList<Resource>();
  }

  /** Registers a resource. Returns an object, which the prepared source destructures. */
  use(value: unknown, isAsync: boolean): object {
    if (value === null || value === undefined) {
      if (isAsync) append(this.#resources, { value, dispose: undefined, isAsync });
      return bare({});
    }
    if (typeof value !== "object" && typeof value !== "function") {
      throw new TypeError("An object is expected with `using` declarations");
    }
    const { method, key } = methodOf(value, isAsync);
    if (typeof method !== "function") throw new TypeError(`${String(key)} is not a function`);
    append(this.#resources, { value, dispose: method, isAsync: isAsync });
    return bare({});
  }

  #take(): List<Resource> {
    const resources = this.#resources;
    this.begin();
    return resources;
  }

  /** At the end of the script: a promise if a resource is asynchronous. */
  dispose(): unknown {
    const resources = this.#take();
    if (isAnyAsync(resources)) return disposeLater(resources, undefined);
    const failure = disposeNow(resources, undefined);
    if (failure !== undefined) throw failure.error;
    return undefined;
  }

  /**
   * When the script has failed with `error`, or ended by `return`. False when the error is still to
   * be reported; otherwise a promise reports the error that counts, if there is one.
   */
  disposeAfter(ended: { readonly error: unknown } | undefined): boolean {
    const resources = this.#take();
    if (resources.length === 0) return ended === undefined;
    if (isAnyAsync(resources)) {
      disposeLater(resources, ended);
      return true;
    }
    const failure = disposeNow(resources, ended);
    if (failure === ended) return ended === undefined;
    NewPromise.reject(failure?.error);
    return true;
  }
}
