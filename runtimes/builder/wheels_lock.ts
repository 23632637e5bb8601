/**
 * The lock of a folder of wheels: the operator's requirements, and the exact files that they resolved
 * to. `deno task wheels` writes it. A build checks the folder against it.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { normalName, parseWheelName } from "./wheel_name.ts";
import { parseText } from "../../shared/schemas.ts";

/** The lock's name, in the folder of the wheels. */
export const WHEELS_LOCK = "wheels.lock.json";

/** Maximum number of packages in a lock. */
export const MAX_PACKAGES = 500;

const SHA256 = /^[0-9a-f]{64}$/;
const name = z.string().refine((text) => text !== "" && normalName(text) === text);
const requirements = z.array(z.string().max(4096)).max(4096);

const lockedWheelSchema = z.strictObject({
  /** Normalised. */
  name,
  version: z.string(),
  /** Name of the wheel in the folder. */
  file: z.string().refine((file) => parseWheelName(file) !== undefined),
  sha256: z.string().regex(SHA256),
  /** Size in bytes. */
  size: z.int().nonnegative(),
  /** The source: a package index, or the engine's distribution. */
  source: z.enum(["index", "engine"]),
  url: z.url(),
  /** Requirements whose markers hold for the engine. */
  requires: requirements,
  /** Additional requirements of each extra. */
  extras: z.record(name, requirements),
});

const lockSchema = z.strictObject({
  version: z.literal(1),
  /** The engine that the wheels fit. */
  engine: z.strictObject({ python: z.string(), platform: z.string() }),
  /** The operator's requirements, such as `pydantic[email]>=2`. */
  requested: z.array(z.string()).max(MAX_PACKAGES),
  /** The packages, sorted by name. */
  packages: z.array(lockedWheelSchema).max(MAX_PACKAGES),
});

/** A wheel that the lock names. */
export type LockedWheel = z.infer<typeof lockedWheelSchema>;

/** The lock of a folder. */
export type WheelsLock = z.infer<typeof lockSchema>;

/** A wheel of the folder, by its file name. */
interface FoundWheel {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Parses the text of a lock; undefined when it is not one. */
export function parseWheelsLock(text: string): WheelsLock | undefined {
  return parseText(lockSchema, text);
}

/** The advice about a lock that cannot be read. */
export const DAMAGED_LOCK =
  `${WHEELS_LOCK} is damaged: restore it, or empty the folder and run deno task wheels add with the names again`;

/**
 * Why a folder's wheels do not match its lock: one line that names a file. Undefined if they match.
 * Wheels that the lock does not name are the operator's own; they may not be of a package that the
 * lock names too.
 */
export function lockRefusal(text: string, wheels: readonly FoundWheel[]): string | undefined {
  const lock = parseWheelsLock(text);
  if (lock === undefined) return DAMAGED_LOCK;
  const found = new Map(wheels.map((wheel) => [wheel.name, wheel.bytes]));
  const locked = new Map(lock.packages.map((wheel) => [wheel.name, wheel]));
  for (const { file, sha256 } of lock.packages) {
    const bytes = found.get(file);
    if (bytes === undefined) {
      return `${file} is missing, which ${WHEELS_LOCK} names: deno task wheels add fetches it`;
    }
    if (createHash("sha256").update(bytes).digest("hex") !== sha256) {
      return `${file} is not the file that ${WHEELS_LOCK} names: its SHA-256 differs; ` +
        "deno task wheels add fetches it again";
    }
  }
  for (const file of found.keys()) {
    const own = locked.get(parseWheelName(file)?.name ?? "");
    if (own !== undefined && own.file !== file) {
      return `${file} and ${own.file} are the same package: remove the one that is not wanted`;
    }
  }
  return undefined;
}
