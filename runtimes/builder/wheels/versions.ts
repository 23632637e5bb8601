/**
 * Versions and specifiers of Python packages (PEP 440).
 *
 * @module
 */
import { compare, explain, satisfies, valid, validRange } from "@renovatebot/pep440";

/** The normalised form of a version; undefined if it is invalid. */
export function normalVersion(text: string): string | undefined {
  return valid(text) ?? undefined;
}

/** A specifier without blanks and empty parts, such as `>=1.0,<2`; undefined if it is invalid. */
export function parseSpecifier(text: string): string | undefined {
  const parts = text.split(",").map((part) => part.replaceAll(/\s+/g, "")).filter((part) => part);
  const specifier = parts.join(",");
  return parts.every((part) => validRange(part)) ? specifier : undefined;
}

/** Whether a version is a pre-release or a development release. */
export function isPrerelease(version: string): boolean {
  const parts = explain(version);
  return parts !== null && (parts.is_prerelease || parts.is_devrelease);
}

/** Whether a specifier names one exact version. Yanked releases need that (PEP 592). */
export function isExact(specifier: string): boolean {
  return specifier.split(",").some((part) => /^={2,3}[^=*]+$/.test(part));
}

/** Whether a specifier allows pre-releases because it names one. */
export function namesPrerelease(specifier: string): boolean {
  return specifier.split(",").some((part) => {
    const [, version] = /^(?:===?|~=|>=|<=)(.+)$/.exec(part) ?? [];
    return version !== undefined && isPrerelease(version);
  });
}

/** Whether a version meets a specifier. Pre-releases are treated like other versions. */
export function isWithin(version: string, specifier: string): boolean {
  return satisfies(version, specifier, { prereleases: true });
}

/** Compares versions for sorting, newest first. */
export function newestFirst(a: string, b: string): number {
  return compare(b, a);
}
