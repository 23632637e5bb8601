/**
 * Limits of services that tests start, as variables of their environment.
 *
 * @module
 */
import { LANGUAGES } from "../../shared/languages.ts";
import { FUEL, SHARED_LIMITS } from "../../shared/limits.ts";

/** The service's defaults. */
export const SERVICE_LIMITS: Readonly<Record<string, string>> = {
  ...fuelVariables(1),
  WALL_MS: String(SHARED_LIMITS.wallMs),
};

/** A fortieth of the fuel: an endless loop ends after about a second of processor time. */
export const SMALL_FUEL: Readonly<Record<string, string>> = fuelVariables(40);

/**
 * Little fuel. Every service that a test starts has these limits unless the test says otherwise.
 * The wall clock stays the service's, because loops must end by fuel on a busy machine too.
 */
export const SMALL_LIMITS: Readonly<Record<string, string>> = {
  ...SERVICE_LIMITS,
  ...SMALL_FUEL,
};

/**
 * For hundreds of endless loops in a row: they end after less than a second. In the other
 * languages programs that fill memory or results need more.
 */
export const LEAST_FUEL: Readonly<Record<string, string>> = {
  FUEL_PERL: String(Math.ceil(FUEL.perl / 58)),
  FUEL_RUBY: String(Math.ceil(FUEL.ruby / 46)),
};

/** So many kills that no test is refused for them. */
export const KILLS_WITHOUT_END: Readonly<Record<string, string>> = {
  MAX_KILLS_PER_MINUTE: "100000",
  MAX_KILLED_SECONDS_PER_MINUTE: "1000000",
};

function fuelVariables(less: number): Record<string, string> {
  return Object.fromEntries(
    LANGUAGES.map((language): [string, string] => [
      `FUEL_${language.toUpperCase()}`,
      String(Math.ceil(FUEL[language] / less)),
    ]),
  );
}
