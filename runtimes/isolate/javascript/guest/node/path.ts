/**
 * `path`, as on Linux: the npm package `path-browserify`, which is Node's own, resolving from
 * the guest's working directory.
 *
 * @module
 */
import packagePath from "path-browserify";

type Resolve = (...parts: unknown[]) => string;

interface PathModule {
  resolve: Resolve;
  posix: object;
  readonly sep: string;
}

function isPathModule(value: unknown): value is PathModule {
  return typeof value === "object" && value !== null && "resolve" in value && "posix" in value;
}

/** The module `path`. Its `posix` is itself; there is no `win32`. */
export function createPath(cwd: () => string): object {
  if (!isPathModule(packagePath)) throw new TypeError("The package has no paths");
  const path = packagePath;
  const { resolve } = path;
  // an absolute first part, so that the package never asks the global `process`
  path.resolve = (...parts) => Reflect.apply(resolve, path, [cwd(), ...parts]);
  return Object.assign(path, { toNamespacedPath: (value: unknown) => value, posix: path });
}
