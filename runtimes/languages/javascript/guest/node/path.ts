/**
 * `path`, as on Linux: the npm package `path-browserify`, which is Node's own code. It resolves
 * from the guest's working directory and checks arguments as current Node does.
 *
 * @module
 */
import packagePath from "path-browserify";
import { invalidArgument } from "../web/node_error.ts";

type Method = (...args: unknown[]) => unknown;

/** Names of the arguments that must be strings; the last one may be optional. */
const TEXT_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  basename: ["path", "suffix?"],
  dirname: ["path"],
  extname: ["path"],
  isAbsolute: ["path"],
  normalize: ["path"],
  parse: ["path"],
  relative: ["from", "to"],
};

function requireText(value: unknown, name: string): void {
  if (typeof value !== "string") throw invalidArgument(name, "of type string", value);
}

function take(name: string): Method {
  const method: unknown = Reflect.get(Object(packagePath), name);
  if (typeof method !== "function") throw new TypeError(`The package has no ${name}`);
  return (...args) => Reflect.apply(method, packagePath, args);
}

function checked(name: string, expected: readonly string[]): Method {
  const method = take(name);
  return (...args) => {
    for (const [index, argument] of expected.entries()) {
      const isOptional = argument.endsWith("?");
      if (isOptional && args[index] === undefined) continue;
      requireText(args[index], isOptional ? argument.slice(0, -1) : argument);
    }
    return method(...args);
  };
}

/** The module `path`. Its `posix` is itself; there is no `win32`. */
export function createPath(cwd: () => string): object {
  const [join, resolve, format] = ["join", "resolve", "format"].map(take);
  const members: Record<string, unknown> = {
    join(...parts: unknown[]): unknown {
      for (const part of parts) requireText(part, "path");
      return join?.(...parts);
    },
    resolve(...parts: unknown[]): unknown {
      for (const [index, part] of parts.entries()) requireText(part, `paths[${index}]`);
      // an absolute first part, so that the package never asks the global `process`
      return resolve?.(cwd(), ...parts);
    },
    format(parts: unknown): unknown {
      if (typeof parts !== "object" || parts === null) {
        throw invalidArgument("pathObject", "of type object", parts);
      }
      return format?.(parts);
    },
    toNamespacedPath: (value: unknown) => value,
  };
  for (const [name, expected] of Object.entries(TEXT_ARGUMENTS)) {
    members[name] = checked(name, expected);
  }
  const path: object = Object.assign(packagePath, members);
  return Object.assign(path, { posix: path });
}
