/**
 * What the client asks of an environment: bindings to runtimes, and a namespace of sandboxes.
 * Whatever has these methods will do: the values of `connect()`, a service in the same process,
 * or a fake.
 *
 * @module
 */

/** The way to one runtime worker, or to one sandbox. The host of a request has no meaning. */
export interface ServiceBinding {
  /** Sends a request; rejects only when the other side cannot be called. */
  fetch(request: Request): Promise<Response>;
}

/** Where sandboxes are found by name. */
export interface SandboxNamespace {
  /** The id of the sandbox of a name; the value means something to the namespace only. */
  idFromName(name: string): unknown;
  /** The way to a sandbox. It need not exist yet: its first use makes it. */
  get(id: unknown): ServiceBinding;
}

/**
 * The names in `Env` that hold a service binding; any string when `Env` is not known.
 *
 * A namespace of sandboxes, a text or a number in `Env` is no binding, so its name is not one
 * of them.
 */
export type ServiceBindingName<Env> = unknown extends Env ? string : {
  [Name in Extract<keyof Env, string>]: NonNullable<Env[Name]> extends ServiceBinding ? Name
    : never;
}[Extract<keyof Env, string>];

/** Whether a value has the methods of a namespace, and is no binding itself. */
export function isSandboxNamespace(value: unknown): value is SandboxNamespace {
  return isObject(value) && !isServiceBinding(value) && hasMethod(value, "idFromName") &&
    hasMethod(value, "get");
}

/** Whether a value can be sent requests. */
export function isServiceBinding(value: unknown): value is ServiceBinding {
  return isObject(value) && hasMethod(value, "fetch");
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" || typeof value === "function") && value !== null;
}

function hasMethod(value: object, name: string): boolean {
  return typeof Reflect.get(value, name) === "function";
}
