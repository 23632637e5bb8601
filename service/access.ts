/**
 * Who may call: the tokens of `TOKENS` and `TOKENS_FILE`, and the quotas and limits of single tenants.
 *
 * @module
 */
import { type Credential, Tokens } from "../gateway/authentication.ts";
import { fileSignature, readConfigFile, watchConfigFile } from "../shared/config_file.ts";
import type { Log } from "../shared/log.ts";
import { Tenants } from "../shared/tenants.ts";
import { type Config, ConfigError } from "./config.ts";
import { countShort } from "./credentials.ts";
import { type TokensFile, tokensFileSchema } from "./tokens_file.ts";

/** The callers of a service, until it is closed. */
export interface Access {
  /** Absent where everybody is served. */
  readonly tokens: Tokens | undefined;
  readonly tenants: Tenants;
  close(): void;
}

/**
 * Opens the access to a service. A change of the file counts within two seconds; the last content
 * without a fault counts meanwhile.
 *
 * @throws {ConfigError} with the faults of the file.
 */
export async function openAccess(
  { credentials, tokensFile: path, limits }: Pick<Config, "credentials" | "tokensFile" | "limits">,
  log: Log,
): Promise<Access> {
  const tenants = new Tenants();
  if (path === undefined) {
    const tokens = credentials && new Tokens(credentials);
    warnOfShort(credentials ?? [], log);
    return { tokens, tenants, close: () => undefined };
  }
  const schema = tokensFileSchema(limits, credentials ?? []);
  const tokens = new Tokens(credentials ?? []);
  const take = (file: TokensFile) => {
    const all = [...credentials ?? [], ...file.credentials];
    tokens.replace(all);
    tenants.replace(file.rules);
    warnOfShort(all, log);
  };
  const known = await fileSignature(path);
  const first = await readConfigFile(path, schema);
  if ("faults" in first) throw new ConfigError(first.faults);
  take(first.value);
  const watcher = watchConfigFile(path, schema, {
    known,
    loaded: (file) => {
      take(file);
      log("info", "tokens.loaded", { tenants: file.rules.size });
    },
    refused: (faults) => log("error", "tokens.refused", { faults }),
  });
  return { tokens, tenants, close: () => watcher.close() };
}

function warnOfShort(credentials: readonly Credential[], log: Log): void {
  const short = countShort(credentials);
  if (short > 0) log("warn", "tokens.short", { count: short });
}
