/**
 * Limits of services that tests start, as variables of their environment.
 *
 * @module
 */
import { LANGUAGES } from "../../wire/languages.ts";
import { FUEL, SHARED_LIMITS } from "../../wire/limits.ts";

/** The service's defaults. */
export const SERVICE_LIMITS: Readonly<Record<string, string>> = limitVariables(1, 1);

/** A tenth of the fuel: an endless loop ends after about a second. */
export const SMALL_FUEL: Readonly<Record<string, string>> = fuelVariables(10);

/**
 * A tenth of the fuel and a third of the time. Every service that a test starts has them unless the
 * test says otherwise.
 */
export const SMALL_LIMITS: Readonly<Record<string, string>> = limitVariables(10, 3);

/**
 * For hundreds of endless loops in a row: they end after less than a second. In the other
 * languages programs that fill memory or results need more.
 */
export const LEAST_FUEL: Readonly<Record<string, string>> = {
  FUEL_PERL: String(Math.ceil(FUEL.perl / 15)),
  FUEL_RUBY: String(Math.ceil(FUEL.ruby / 12)),
};

/** So many kills that no test is refused for them. */
export const KILLS_WITHOUT_END: Readonly<Record<string, string>> = {
  MAX_KILLS_PER_MINUTE: "100000",
  MAX_KILLED_SECONDS_PER_MINUTE: "1000000",
};

function limitVariables(lessFuel: number, lessTime: number): Record<string, string> {
  return {
    ...fuelVariables(lessFuel),
    WALL_MS: String(Math.ceil(SHARED_LIMITS.wallMs / lessTime)),
  };
}

function fuelVariables(less: number): Record<string, string> {
  return Object.fromEntries(
    LANGUAGES.map((language): [string, string] => [
      `FUEL_${language.toUpperCase()}`,
      String(Math.ceil(FUEL[language] / less)),
    ]),
  );
}
