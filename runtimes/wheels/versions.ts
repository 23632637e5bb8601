/**
 * Versions and specifiers of Python packages (PEP 440).
 *
 * @module
 */
import { compare, explain, satisfies, valid, validRange } from "@renovatebot/pep440";

/** The normalised form of a version; undefined when it is none. */
export function normalVersion(text: string): string | undefined {
  return valid(text) ?? undefined;
}

/** A specifier without blanks and empty parts, such as `>=1.0,<2`; undefined when it is none. */
export function parseSpecifier(text: string): string | undefined {
  const parts = text.split(",").map((part) => part.replaceAll(/\s+/g, "")).filter((part) => part);
  const specifier = parts.join(",");
  return parts.every((part) => validRange(part)) ? specifier : undefined;
}

/** Whether a version is a release candidate, a beta or the like, or a build of a developer. */
export function isPrerelease(version: string): boolean {
  const parts = explain(version);
  return parts !== null && (parts.is_prerelease || parts.is_devrelease);
}

/** Whether a specifier names one version exactly. Only then a yanked release is taken (PEP 592). */
export function isExact(specifier: string): boolean {
  return specifier.split(",").some((part) => /^={2,3}[^=*]+$/.test(part));
}

/** Whether a specifier asks for pre-releases by naming one. */
export function namesPrerelease(specifier: string): boolean {
  return specifier.split(",").some((part) => {
    const [, version] = /^(?:===?|~=|>=|<=)(.+)$/.exec(part) ?? [];
    return version !== undefined && isPrerelease(version);
  });
}

/** Whether a version is within a specifier; pre-releases count like others. */
export function isWithin(version: string, specifier: string): boolean {
  return satisfies(version, specifier, { prereleases: true });
}

/** The order of versions, the newest first. */
export function newestFirst(a: string, b: string): number {
  return compare(b, a);
}
