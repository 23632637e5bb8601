/**
 * The operator's packages of one language, as a build takes them.
 *
 * @module
 */
import type { InstalledPackage } from "../../client/protocol/types.ts";
import type { LibraryFile } from "../engine/packed_library.ts";

/** The operator's packages for a language whose programs see them as files. */
export interface OperatorPackages {
  /** In order of name. */
  readonly installed: readonly InstalledPackage[];
  /** Read-only files of the guest. */
  readonly files: readonly LibraryFile[];
  /** Packages that the image has loaded, as programs name them. */
  readonly preload: readonly string[];
}
