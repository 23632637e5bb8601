/**
 * Why a module is not found.
 *
 * @module
 */
import { ABSENT_MODULES } from "../../host/module_names.ts";
import {
  MapPrototypeGet,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
  uncurryThis,
} from "../primordials.ts";

const SCHEME = "node:";

/** Why a package is not found. */
export const NO_PACKAGES =
  "Packages cannot be installed and addresses not fetched here. Modules of Node, files of " +
  "the workspace and packages in its node_modules can be loaded.";

/** Maximum length of a message, in characters. */
const MAX_MESSAGE = 500;
const PACKAGE = /^(?:@[A-Za-z0-9~-][\w.~-]*\/)?[A-Za-z0-9~-][\w.~-]*(?:\/[\w.~-]+)*$/;
const matches = uncurryThis(RegExp.prototype.exec) as (pattern: RegExp, text: string) => unknown;

/** Why a module of Node does not exist here; undefined for other names. */
export function absence(id: string): string | undefined {
  const name = StringPrototypeStartsWith(id, SCHEME) ? StringPrototypeSlice(id, SCHEME.length) : id;
  const reason = MapPrototypeGet(ABSENT_MODULES, name);
  return typeof reason === "string" ? `Cannot find module '${id}': ${reason}` : undefined;
}

/**
 * The message about a missing package: `beginning`, the packages that the operator has added, and
 * how to add one.
 */
export function missingPackage(
  beginning: string,
  id: string,
  installed: readonly string[],
): string {
  const command = matches(PACKAGE, id) === null
    ? ""
    : ` The operator of the service adds packages: deno task packages add ${id}`;
  const count = installed.length;
  if (count === 0) return shortest(beginning, `${NO_PACKAGES}${command}`, NO_PACKAGES);
  return shortest(
    beginning,
    `Packages here: ${installed.join(", ")}.${command}`,
    `${count} packages are here, which GET /languages lists.${command}`,
    `${count} packages are here, which GET /languages lists.`,
  );
}

/** The first ending that fits. */
function shortest(beginning: string, ...endings: readonly string[]): string {
  let message = beginning;
  for (let i = 0; i < endings.length; i++) {
    message = `${beginning}\n${endings[i]}`;
    if (message.length <= MAX_MESSAGE) return message;
  }
  return message;
}
