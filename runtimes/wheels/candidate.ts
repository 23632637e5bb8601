/**
 * Wheels among which the resolution chooses.
 *
 * @module
 */
import type { WheelName } from "../build/wheel_name.ts";

/** Where a wheel comes from; `folder`: the operator put it there. */
export type CandidateSource = "index" | "engine" | "folder";

/** One wheel of one version that fits the engine. */
export interface Candidate {
  /** Normalised. */
  readonly name: string;
  /** Normalised. */
  readonly version: string;
  readonly wheel: WheelName;
  readonly source: CandidateSource;
  /** SHA-256; empty for a wheel of the folder. */
  readonly sha256: string;
  /** Where to fetch it; for a wheel of the folder, its path. */
  readonly url: URL;
  /** Whether the index gives its metadata as a file, and the SHA-256 of that where it says so. */
  readonly metadata: { readonly sha256: string | undefined } | undefined;
  /** Names of what it needs, as the engine's lock file has them; the bounds are in its metadata. */
  readonly depends: readonly string[] | undefined;
  /** What it needs, where that is known without reading the wheel. */
  readonly requires: readonly string[] | undefined;
  /** What extras need, as far as that is known. */
  readonly extras: Readonly<Record<string, readonly string[]>>;
}
