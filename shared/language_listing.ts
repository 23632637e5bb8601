/**
 * The entries of `GET /languages` (docs/contract.md#gateway-routes).
 *
 * @module
 */
import { LANGUAGE_INFO } from "./languages.ts";
import type { LanguageLimits } from "./limits.ts";
import type {
  InstalledPackage,
  Language,
  LanguageListing,
  PublishedLimits,
} from "../client/protocol/types.ts";

/** Fields of an entry of `GET /languages` that depend on the configuration. */
export interface ListingOptions {
  /** Whether this service runs the language. */
  readonly enabled: boolean;
  /** Whether it can hold code contexts here. */
  readonly contexts: boolean;
  /** Its limits as configured. */
  readonly limits: LanguageLimits;
  /** Packages that the operator installed. @default {none} */
  readonly packages?: readonly InstalledPackage[];
}

/** One entry of `GET /languages`. `contexts` is among the capabilities when it is true. */
export function languageListing(
  language: Language,
  options: ListingOptions,
): LanguageListing {
  const info = LANGUAGE_INFO[language];
  const { enabled, contexts, packages = [] } = options;
  return {
    id: language,
    name: info.name,
    package: info.package,
    version: info.version,
    engine: info.engine,
    enabled,
    mode: "script",
    contexts,
    capabilities: contexts ? [...info.capabilities, "contexts"] : info.capabilities,
    aliases: info.aliases,
    limits: publishedLimits(options.limits),
    ...(packages.length === 0 ? {} : { packages }),
  };
}

function publishedLimits(limits: LanguageLimits): PublishedLimits {
  const { codeBytes, requestBytes, fuel, memoryBytes, outputBytes, outputLines } = limits;
  const { resultBytes, wallMs } = limits;
  return {
    codeBytes,
    requestBytes,
    fuel,
    memoryBytes,
    outputBytes,
    outputLines,
    resultBytes,
    wallMs,
  };
}
