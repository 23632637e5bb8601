/**
 * Names of npm packages, and the specifiers with which programs import them.
 *
 * @module
 */

/** Maximum length of a name, as npm's registry has it. */
const MAX_NAME = 214;
const MAX_SUBPATH = 200;
/** A part of a name: npm refuses names that begin with a dot or an underscore. */
const PART = "[A-Za-z0-9~-][A-Za-z0-9._~-]*";
const NAME = new RegExp(`^(?:@${PART}/)?${PART}$`);
const SEGMENT = /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/;
const RESERVED = new Set(["node_modules", "favicon.ico"]);
/** A name, its subpath, and a version. */
const SPECIFIER = /^((?:@[^/@]*\/)?[^/@]+)(\/[^@]*)?(?:@(.+))?$/;

/** An operator's request: `lodash`, `lodash/fp`, `zod@4`, `@scope/name@^1.2`. */
export interface PackageRequest {
  readonly name: string;
  /** An entry besides the main one, such as `fp`; empty for the main one. */
  readonly subpath: string;
  /** A version, a range or a tag of the registry; undefined: the newest release. */
  readonly range: string | undefined;
}

/** Whether a text is the name of a package. */
export function isPackageName(text: string): boolean {
  return text.length <= MAX_NAME && NAME.test(text) && !RESERVED.has(text.toLowerCase());
}

/** Whether a text is a path below a package: `fp`, `plugin/utc`. */
export function isSubpath(text: string): boolean {
  return text.length <= MAX_SUBPATH && text.split("/").every((part) => SEGMENT.test(part));
}

/** Parses a request; undefined for anything else, such as a path or an address. */
export function parsePackageRequest(text: string): PackageRequest | undefined {
  const [, name = "", path = "", range] = SPECIFIER.exec(text) ?? [];
  const subpath = path.slice(1);
  if (!isPackageName(name) || (path !== "" && !isSubpath(subpath))) return undefined;
  return { name, subpath, range };
}

/** The package of a specifier such as `lodash/fp`; undefined for paths and other texts. */
export function packageOf(specifier: string): string | undefined {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
  return name !== undefined && isPackageName(name) ? name : undefined;
}
