/**
 * Explains why an index has no wheel of a package for the engine, and what to do.
 *
 * @module
 */
import { type EngineTags, fittingWords } from "../wheel_name.ts";
import { isOffered, isWithinAll, type Release, type ReleaseRules } from "./index_catalog.ts";

const SHOWN = 4;

/** The reason for the newest relevant version: one line without the name of the package. */
export function missingReason(
  releases: readonly Release[],
  allowed: ReleaseRules,
  engine: EngineTags,
): string {
  const { specifiers } = allowed;
  const range = specifiers.filter((it) => it !== "").join(",");
  const within = releases.filter(({ version }) => isWithinAll(version, specifiers));
  if (within.length === 0) return outsideReason(releases, range);
  const offered = within.filter((release) => isOffered(release, allowed));
  const [newest] = offered;
  if (newest === undefined) return unofferedReason(within);
  const reason = fitReason(newest, engine);
  return `the index has ${newest.version}, but ${reason}${olderAdvice(releases, range)}`;
}

function outsideReason(releases: readonly Release[], range: string): string {
  if (releases.length === 0) return "the index has no version of it";
  const versions = releases.slice(0, SHOWN).map(({ version }) => version);
  return `no version is ${range}; the newest are ${versions.join(", ")}`;
}

function unofferedReason(within: readonly Release[]): string {
  const stable = within.find(({ isYanked }) => isYanked);
  const open = within.find(({ isYanked }) => !isYanked);
  if (open !== undefined) {
    return `only pre-releases are there, such as ${open.version}: add --pre, or name the version`;
  }
  return `${stable?.version} was yanked by its authors: name it with == to take it all the same`;
}

function fitReason(release: Release, engine: EngineTags): string {
  if (release.otherPython !== undefined) {
    return `it needs Python ${release.otherPython}, and the engine is ${engine.python}`;
  }
  if (release.best !== undefined) return "the index gives no SHA-256 for its wheel";
  if (release.otherTags.length > 0) {
    return `its wheels are for ${platformWords(release.otherTags)}; ` +
      `the engine takes ${fittingWords(engine)}`;
  }
  if (release.hasSource) {
    return "only its sources are there, no wheel, and nothing is compiled here: " +
      `build a wheel for ${fittingWords(engine)} and put it into the folder`;
  }
  return "the index has no wheel of it";
}

/** The tags of WebAssembly wheels in full, because only versions differ; otherwise the platforms. */
function platformWords(tags: readonly string[]): string {
  const near = tags.filter((tag) => tag.endsWith("_wasm32") || tag.endsWith("-any"));
  const far = tags.filter((tag) => !near.includes(tag)).map((tag) => tag.split("-").at(-1) ?? tag);
  const all = [...new Set([...near, ...far.sort()])];
  const more = all.length > SHOWN ? ` and ${all.length - SHOWN} more` : "";
  return `${all.slice(0, SHOWN).join(", ")}${more}`;
}

/** The newest version that fits the engine but does not meet the specifiers. */
function olderAdvice(releases: readonly Release[], range: string): string {
  const fitting = releases.find(({ best, otherPython, isYanked }) =>
    best !== undefined && otherPython === undefined && !isYanked
  );
  if (fitting === undefined || range === "") return "";
  return `; ${fitting.version} would fit, but is not ${range}`;
}
