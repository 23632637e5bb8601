/**
 * The configuration: environment variables turned into plain values, checked once at the start.
 * `config_variables.ts` defines the format of each variable.
 *
 * Without `TOKENS` the service serves everybody who can reach it. It starts that way only when
 * asked to (`AUTH=none`), or when only this machine can reach it: `HOST` is loopback and the
 * hosting platform sets neither `DENO_SERVE_ADDRESS` nor `DENO_DEPLOY`.
 *
 * @module
 */
import { isLoopback } from "../gateway/host_check.ts";
import { type Facts, type Settings, settingsSchema, variableNames } from "./config_variables.ts";

/** Where data is kept unless `KV_PATH` says otherwise. */
const DATA_FILE = "./.belljar/data.sqlite3";

/** Environment variables by name, as the process received them. */
export type Environment = { readonly [name: string]: string | undefined };

/** The configuration of a process. */
export interface Config extends Settings {
  /** Whether to refuse to serve on any address but loopback. */
  readonly loopbackOnly: boolean;
  /** Where data is kept; undefined: in the platform's database. */
  readonly kvPath: string | undefined;
  /**
   * Whether a platform delivers the requests. A loopback address is then the inner side of its
   * proxy.
   */
  readonly hosted: boolean;
}

/** An unusable configuration. Each problem begins with the name of a variable. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/**
 * Reads the configuration of a service.
 *
 * @throws {ConfigError} which names each variable with an unusable value.
 */
export function readConfig(env: Environment, facts: Facts): Config {
  const settings = readSettings(env, facts);
  const platform = ["DENO_SERVE_ADDRESS", "DENO_DEPLOY"].find((name) => env[name] !== undefined);
  const problem = accessProblem(settings, platform);
  if (problem !== undefined) throw new ConfigError([problem]);
  const ownKv = env["DENO_DEPLOY"] !== undefined;
  return {
    ...settings,
    kvPath: settings.kvPath ?? (ownKv ? undefined : DATA_FILE),
    loopbackOnly: !hasTokens(settings) && !settings.openToAll,
    hosted: platform !== undefined,
  };
}

/**
 * Reads the variables without deciding whether a service may start with them. An empty variable
 * counts as absent, except `TOKENS`. Unknown variables are ignored; {@link similarVariables} finds
 * those that may be misspelled.
 *
 * @throws {ConfigError} which names each variable with an unusable value.
 */
export function readSettings(env: Environment, facts: Facts): Settings {
  const parsed = settingsSchema(facts).safeParse(withoutEmpty(env));
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    parsed.error.issues.map(({ path, message }) => `${path.join()} ${message}`),
  );
}

/** Beginnings of variables of other programs, of which the service reads some too. */
const FOREIGN = ["PIP_", "NPM_"];

/**
 * The names of variables that the service does not know, and that begin like those that it knows: up
 * to the first underscore.
 */
export function similarVariables(env: Environment, facts: Facts): readonly string[] {
  const known = new Set(variableNames(facts));
  const beginnings = new Set([...known].flatMap((name) => /^[A-Z0-9]+_/.exec(name) ?? []));
  return Object.keys(env).filter((name) => {
    const [beginning = ""] = /^[A-Z0-9]+_/.exec(name) ?? [];
    return beginnings.has(beginning) && !FOREIGN.includes(beginning) && !known.has(name);
  }).sort();
}

/** Files of variables often contain `NAME=`. Only for `TOKENS` is that certainly a mistake. */
function withoutEmpty(env: Environment): Environment {
  const entries = Object.entries(env);
  return Object.fromEntries(entries.filter(([name, text]) => text !== "" || name === "TOKENS"));
}

function hasTokens({ credentials, tokensFile }: Settings): boolean {
  return credentials !== undefined || tokensFile !== undefined;
}

/** The reason why the service must not start with these settings, if there is one. */
function accessProblem(settings: Settings, platform: string | undefined): string | undefined {
  const { credentials, openToAll, host } = settings;
  if (hasTokens(settings)) {
    const name = credentials === undefined ? "TOKENS_FILE" : "TOKENS";
    return openToAll ? `AUTH is none although ${name} is set: choose one` : undefined;
  }
  if (openToAll || (isLoopback(host) && platform === undefined)) return undefined;
  const reason = platform === undefined ? "HOST is not a loopback address" : `${platform} is set`;
  return `TOKENS must be set because ${reason} (or AUTH=none, to serve everybody)`;
}
