/**
 * The wheels that the resolver chooses from.
 *
 * @module
 */
import type { WheelName } from "../wheel_name.ts";

/** The source of a wheel. `folder`: the operator put it into the folder. */
export type CandidateSource = "index" | "engine" | "folder";

/** A wheel of one version that fits the engine. */
export interface Candidate {
  /** Normalised. */
  readonly name: string;
  /** Normalised. */
  readonly version: string;
  readonly wheel: WheelName;
  readonly source: CandidateSource;
  /** SHA-256 in hexadecimal digits; empty for a wheel of the folder. */
  readonly sha256: string;
  /** The URL to fetch it from; for a wheel of the folder, its path. */
  readonly url: URL;
  /** Whether the index has its metadata as a separate file (PEP 658), and the SHA-256 of that file if given. */
  readonly metadata: { readonly sha256: string | undefined } | undefined;
  /** Names of its dependencies from the engine's lock file. Its metadata has their versions. */
  readonly depends: readonly string[] | undefined;
  /** Its requirements, if they are known without reading the wheel. */
  readonly requires: readonly string[] | undefined;
  /** Requirements of its extras, if they are known. */
  readonly extras: Readonly<Record<string, readonly string[]>>;
}
