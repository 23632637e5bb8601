/**
 * Environment variables as they are sent (docs/contract.md#environment-variables). Each is checked
 * before anything is sent, with the rules of the service.
 *
 * @module
 */
import { validationFailed } from "./errors.ts";
import { quoted } from "./protocol/text.ts";

/** Names of environment variables and of bindings (docs/contract.md#runtime-routes). */
export const NAME_PATTERN: RegExp = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Variables by name. The meaning of `undefined` depends on the call. */
export interface EnvVars {
  /** Name → value. */
  readonly [name: string]: string | undefined;
}

/** Variables as JSON carries them: `null` unsets. */
export type EnvLayer = Record<string, string | null>;

/** For calls that unset: `undefined` becomes `null`. */
export function envLayerWithNulls(envVars: EnvVars): EnvLayer {
  return layerOf(checked(envVars).map(([name, text]) => [name, text ?? null]));
}

/** For calls that only set: `undefined` is omitted. */
export function envLayerWithout(envVars: EnvVars): EnvLayer {
  return layerOf(
    checked(envVars).flatMap(([name, text]) => {
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

/** Without a prototype, so that `__proto__` is a name like any other. */
function layerOf(entries: readonly [string, string | null][]): EnvLayer {
  const layer: EnvLayer = Object.create(null);
  for (const [name, text] of entries) layer[name] = text;
  return layer;
}

function checked(envVars: EnvVars): [string, string | undefined][] {
  if (typeof envVars !== "object" || envVars === null || Array.isArray(envVars)) {
    throw validationFailed("envVars must be an object");
  }
  const entries = Object.entries(envVars);
  for (const [name, text] of entries) checkVariable(name, text);
  return entries;
}

function checkVariable(name: string, text: unknown): void {
  if (!NAME_PATTERN.test(name)) {
    throw validationFailed(`Invalid environment variable name ${quoted(name)}`);
  }
  if (text !== undefined && typeof text !== "string") {
    throw validationFailed(`The value of environment variable ${quoted(name)} must be a string`);
  }
  if (typeof text === "string" && text.includes("\0")) {
    throw validationFailed(
      `The value of environment variable ${quoted(name)} must not contain NUL`,
    );
  }
}
