/**
 * The requirements of a package, from the core metadata of its wheel.
 *
 * @module
 */
import { readEntry } from "../zip_archive.ts";
import { normalName } from "../wheel_name.ts";
import type { MarkerValues } from "./markers.ts";
import { parseRequirement, type Requirement, requirementText } from "./requirement.ts";

/** The requirements of one version of a package whose markers hold for the engine. */
export interface Needs {
  /** Requirements in every case, as text without markers. */
  readonly requires: readonly string[];
  /** Additional requirements of each extra. Has a key for every extra of the package. */
  readonly extras: Readonly<Record<string, readonly string[]>>;
}

/** The metadata is not readable. The message does not name the package. */
export class MetadataError extends Error {
  override readonly name = "MetadataError";
}

/** Maximum size of metadata in bytes. */
export const METADATA_BYTES = 4 * 1024 * 1024;
/** Maximum number of requirements and extras of one package. */
const MAX_FIELDS = 4096;

/** The values of all headers with a name. A header may have several lines. */
function headers(text: string, name: string): readonly string[] {
  const [head = ""] = text.replaceAll("\r\n", "\n").split("\n\n", 1);
  const lines = head.replaceAll(/\n[ \t]+/g, " ").split("\n");
  const start = `${name.toLowerCase()}:`;
  return lines.filter((line) => line.toLowerCase().startsWith(start))
    .map((line) => line.slice(start.length).trim());
}

function applies({ marker }: Requirement, values: MarkerValues, extra: string): boolean {
  return marker === undefined || marker({ ...values, extra });
}

/** Parses the text of a METADATA file. Throws a {@link MetadataError}. */
export function readNeeds(text: string, values: MarkerValues): Needs {
  const lines = headers(text, "Requires-Dist");
  const names = headers(text, "Provides-Extra").map(normalName);
  if (lines.length > MAX_FIELDS || names.length > MAX_FIELDS) {
    throw new MetadataError("it names too many requirements");
  }
  const all = lines.flatMap((line) => {
    const requirement = parseRequirement(line);
    if (requirement !== undefined) return [requirement];
    // An invalid requirement of an unused extra does no harm.
    if (/^[^;]*;.*\bextra\b/.test(line)) return [];
    throw new MetadataError(`its requirement ${JSON.stringify(line)} cannot be read`);
  });
  const needed = (wanted: (requirement: Requirement) => boolean) => [
    ...new Set(all.filter(wanted).map(requirementText)),
  ];
  const isBase = (requirement: Requirement) => applies(requirement, values, "");
  return {
    requires: needed(isBase),
    extras: Object.fromEntries(names.map((extra) => [
      extra,
      needed((requirement) => !isBase(requirement) && applies(requirement, values, extra)),
    ])),
  };
}

/** The METADATA file in the bytes of a wheel. Throws a {@link MetadataError}. */
export function metadataIn(wheel: Uint8Array<ArrayBuffer>): string {
  const isMetadata = (path: string) => /^[^/]+\.dist-info\/METADATA$/.test(path);
  let found: Uint8Array | undefined;
  try {
    found = readEntry(wheel, isMetadata, METADATA_BYTES);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "it is damaged";
    throw new MetadataError(`it cannot be unpacked: ${reason}`, { cause });
  }
  if (found === undefined) throw new MetadataError("it has no metadata");
  return new TextDecoder().decode(found);
}
