/**
 * The lock of a folder of npm packages: the packages, and the SHA-256 of each file that programs can
 * load. `deno task packages` writes it. A build and a start check the folder against it.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { isPackageName, isSubpath } from "./package_names.ts";
import { parseText } from "../../shared/schemas.ts";

/** The lock's name, in the folder of the packages. */
export const PACKAGES_LOCK = "packages.lock.json";

/** Maximum number of packages in a folder, and of files, and of their bytes. */
export const PACKAGES_LIMITS = {
  packages: 500,
  files: 10_000,
  bytes: 64 * 1024 * 1024,
} as const;

const SHA256 = /^[0-9a-f]{64}$/;
const MAX_PARTS = 2_000;
const MAX_ENTRIES = 500;
const name = z.string().refine(isPackageName);

const partSchema = z.strictObject({
  name,
  version: z.string().max(256),
  /** The tarball's hash, as npm's registry gives it. */
  integrity: z.string().max(1024),
});

const fileSchema = z.strictObject({
  /** Path in the folder, below its package's name. */
  file: z.string().refine((path) =>
    path.split("/").every((part) => isSubpath(part.replace(/^@/, "")))
  ),
  sha256: z.string().regex(SHA256),
  /** Size in bytes. */
  size: z.int().nonnegative(),
});

const packageSchema = z.strictObject({
  name,
  version: z.string().max(256),
  /** The version, range or tag that the operator asked for; empty for the newest release. */
  requested: z.string().max(256),
  /** Subpaths that can be imported, besides the package itself. */
  entries: z.array(z.string().refine(isSubpath)).max(MAX_ENTRIES),
  files: z.array(fileSchema).max(PACKAGES_LIMITS.files),
  /** The package and its dependencies, which are in the bundles. */
  parts: z.array(partSchema).max(MAX_PARTS),
});

const lockSchema = z.strictObject({
  version: z.literal(1),
  /** The packages, sorted by name. */
  packages: z.array(packageSchema).max(PACKAGES_LIMITS.packages),
}).refine(hasOwnFiles);

/** A package that the lock names. */
export type LockedPackage = z.infer<typeof packageSchema>;

/** A file that the lock names. */
export type LockedFile = z.infer<typeof fileSchema>;

/** The lock of a folder. */
export type PackagesLock = z.infer<typeof lockSchema>;

/** The lock of an empty folder. */
export const NO_PACKAGES: PackagesLock = { version: 1, packages: [] };

/** A file of the folder, by its path there. */
export interface PackageFile {
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** Whether each package occurs once and its files are below its name. */
function hasOwnFiles({ packages }: { readonly packages: readonly LockedPackage[] }): boolean {
  const names = new Set(packages.map((one) => one.name));
  return names.size === packages.length &&
    packages.every((one) => one.files.every(({ file }) => file.startsWith(`${one.name}/`)));
}

/** Parses the text of a lock; undefined when it is not one. */
export function parsePackagesLock(text: string): PackagesLock | undefined {
  return parseText(lockSchema, text);
}

/** The advice about a lock that cannot be read. */
export const DAMAGED_PACKAGES_LOCK =
  `${PACKAGES_LOCK} is damaged: restore it, or empty the folder and run deno task packages add with the names again`;

/** SHA-256 of a file, in hexadecimal digits. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Why a file is not the one that the lock names: one line. Undefined if it is. */
export function fileRefusal(
  { file, sha256 }: LockedFile,
  bytes: Uint8Array | undefined,
): string | undefined {
  if (bytes === undefined) {
    return `${file} is missing, which ${PACKAGES_LOCK} names: deno task packages add makes it again`;
  }
  if (sha256Of(bytes) === sha256) return undefined;
  return `${file} is not the file that ${PACKAGES_LOCK} names: its SHA-256 differs; ` +
    "deno task packages add makes it again";
}
