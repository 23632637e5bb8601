/**
 * The client's environment: bindings to runtimes, and a namespace of sandboxes.
 * Any object with these methods works: the values of `connect()`, a service in the same process, or
 * a fake.
 *
 * @module
 */

/**
 * A binding to one runtime worker or one sandbox. The host of a request is ignored.
 *
 * @example
 * ```ts ignore
 * import { runCode, type ServiceBinding } from "@belljar/client";
 *
 * // a fake for tests, whose programs all return 42
 * const fake: ServiceBinding = {
 *   fetch: async (request) => {
 *     const { code } = await request.json();
 *     return Response.json({
 *       code,
 *       language: "python",
 *       engine: "fake",
 *       durationMs: 0,
 *       logs: { stdout: [], stderr: [] },
 *       results: [{ text: "42" }],
 *     });
 *   },
 * };
 * console.assert((await runCode(fake, "6 * 7")).results[0]?.text === "42");
 * ```
 */
export interface ServiceBinding {
  /** Sends a request; rejects only when the other side cannot be called. */
  fetch(request: Request): Promise<Response>;
}

/**
 * A namespace in which sandboxes are found by name.
 *
 * @example
 * ```ts ignore
 * import { connect, getSandbox } from "@belljar/client";
 *
 * const { Sandbox } = connect("http://127.0.0.1:8000");
 * const { contexts } = await getSandbox(Sandbox, "unused").info();
 * console.assert(contexts.length === 0);
 * ```
 */
export interface SandboxNamespace {
  /** The id of the sandbox with a name. Only the namespace knows the meaning of the value. */
  idFromName(name: string): unknown;
  /** The stub of a sandbox. It need not exist yet: its first use creates it. */
  get(id: unknown): ServiceBinding;
  /** The names of the bindings, where they are known. Messages list them. */
  readonly bindings?: readonly string[];
}

/**
 * The names in `Env` that hold a service binding; any string when `Env` is not known.
 *
 * A namespace of sandboxes, a string or a number in `Env` is not a binding, so its name is not
 * included.
 */
export type ServiceBindingName<Env> = unknown extends Env ? string : {
  [Name in Extract<keyof Env, string>]: NonNullable<Env[Name]> extends ServiceBinding ? Name
    : never;
}[Extract<keyof Env, string>];

/** Whether a value has the methods of a namespace and is not a binding itself. */
export function isSandboxNamespace(value: unknown): value is SandboxNamespace {
  return isObject(value) && !isServiceBinding(value) && hasMethod(value, "idFromName") &&
    hasMethod(value, "get");
}

/** Whether a value can receive requests. */
export function isServiceBinding(value: unknown): value is ServiceBinding {
  return isObject(value) && hasMethod(value, "fetch");
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" || typeof value === "function") && value !== null;
}

function hasMethod(value: object, name: string): boolean {
  return typeof Reflect.get(value, name) === "function";
}
