/**
 * The packages of the operator, as the description of `run_code` names them.
 *
 * @module
 */
import type { InstalledPackage, Language } from "../../client/protocol/types.ts";
import { LANGUAGE_INFO } from "../../shared/languages.ts";

/** Maximum length of the names of one language, in characters. */
const MAX_NAMES = 1_000;

/** Sentences that name the packages of each language; empty without packages. */
export function packagesText(
  languages: readonly Language[],
  packages: ReadonlyMap<Language, readonly InstalledPackage[]>,
): string {
  return languages.flatMap((language) => {
    const installed = packages.get(language) ?? [];
    return installed.length === 0
      ? []
      : [` Packages for ${LANGUAGE_INFO[language].name}: ${namesOf(installed)}.`];
  }).join("");
}

/** As many as fit, and the number of the others. */
function namesOf(installed: readonly InstalledPackage[]): string {
  const names: string[] = [];
  let length = 0;
  for (const { name, version } of installed) {
    const text = `${name} ${version}`;
    length += text.length + 2;
    if (length > MAX_NAMES) break;
    names.push(text);
  }
  const left = installed.length - names.length;
  return left === 0 ? names.join(", ") : `${names.join(", ")} and ${left} others`;
}
