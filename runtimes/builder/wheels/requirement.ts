/**
 * Requirements as operators and packages write them (PEP 508): `name[extra]>=1; marker`.
 *
 * @module
 */
import { normalName } from "../wheel_name.ts";
import { type Marker, parseMarker } from "./markers.ts";
import { parseSpecifier } from "./versions.ts";

/** A requirement of a package. */
export interface Requirement {
  /** Normalised. */
  readonly name: string;
  /** Normalised, sorted, without duplicates. */
  readonly extras: readonly string[];
  /** Such as `>=1.0,<2`; empty for any version. */
  readonly specifier: string;
  /** The marker; undefined if the requirement always applies. */
  readonly marker: Marker | undefined;
}

/** Maximum length of a requirement in UTF-16 code units. */
const MAX_CHARS = 4096;
const NAME = "[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?";
const REQUIREMENT = new RegExp(
  `^\\s*(${NAME})\\s*(?:\\[([^\\]]*)\\])?\\s*([^;@]*?)\\s*(?:;\\s*(.+?)\\s*)?$`,
  "s",
);
const EXTRA = new RegExp(`^${NAME}$`);

/** Whether a requirement names a URL to fetch the package from: `name @ https://…`. */
export function hasAddress(text: string): boolean {
  return /^[^;]*@/.test(text) || text.includes("://");
}

/** Parses a requirement; undefined if it is invalid or names a URL. */
export function parseRequirement(text: string): Requirement | undefined {
  if (text.length > MAX_CHARS || hasAddress(text.split(";")[0] ?? "")) return undefined;
  const [, name, extrasText = "", range = "", markerText] = REQUIREMENT.exec(text) ?? [];
  if (name === undefined) return undefined;
  const extras = extrasText.split(",").map((extra) => extra.trim()).filter((extra) => extra);
  const [, inner = range] = /^\((.*)\)$/s.exec(range) ?? [];
  const specifier = parseSpecifier(inner);
  const marker = markerText === undefined ? undefined : parseMarker(markerText);
  const isBad = specifier === undefined || !extras.every((extra) => EXTRA.test(extra)) ||
    (markerText !== undefined && marker === undefined);
  if (isBad) return undefined;
  return {
    name: normalName(name),
    extras: [...new Set(extras.map(normalName))].sort(),
    specifier,
    marker,
  };
}

/** A requirement as text, without its marker. */
export function requirementText({ name, extras, specifier }: Requirement): string {
  return `${name}${extras.length === 0 ? "" : `[${extras.join(",")}]`}${specifier}`;
}
