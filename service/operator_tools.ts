/**
 * The operator's tools of a service: the file `TOOLS`, read again when it changes (docs/tools.md).
 *
 * @module
 */
import { fileSignature, readConfigFile, watchConfigFile } from "../shared/config_file.ts";
import type { Log } from "../shared/log.ts";
import { NO_TOOLS, type OperatorTools } from "../shared/operator_tools.ts";
import type { Secrets } from "../tools/header_values.ts";
import { type ToolsFile, toolsFileSchema } from "../tools/tools_file.ts";
import { type Config, ConfigError, type Environment } from "./config.ts";
import { type Facts, variableNames } from "./config_variables.ts";

/** The tools of a service, until it is closed. */
export interface OpenTools {
  readonly tools: OperatorTools;
  close(): Promise<void>;
}

/** Variables of the platform, of telemetry and of PostgreSQL's client. */
const FOREIGN = /^(?:DENO_|OTEL_|PG[A-Z]+$)/;

/** The variables of the environment that the file may name: those that do not configure the service. */
export function environmentSecrets(env: Environment, facts: Facts): Secrets {
  const own = new Set(variableNames(facts));
  return {
    value: (name) => Object.hasOwn(env, name) ? env[name] : undefined,
    isReserved: (name) => own.has(name) || FOREIGN.test(name),
  };
}

/** The longest wait for the tools of MCP servers at the start, in milliseconds. */
const SERVERS_MS = 3_000;

/**
 * Opens the tools. A change of the file counts within two seconds; the last content without a fault
 * counts meanwhile.
 *
 * @throws {ConfigError} with the faults of the file.
 */
export async function openTools(
  { toolsFile: path }: Pick<Config, "toolsFile">,
  secrets: Secrets,
  log: Log,
): Promise<OpenTools> {
  if (path === undefined) return { tools: NO_TOOLS, close: () => Promise.resolve() };
  const schema = toolsFileSchema(secrets);
  const known = await fileSignature(path);
  const first = await readConfigFile(path, schema);
  if ("faults" in first) throw new ConfigError(first.faults);
  const { ToolSets } = await import("../tools/tool_sets.ts");
  const tools = new ToolSets({ log, clock: Date.now });
  const take = (file: ToolsFile) => {
    tools.replace(file);
    const { servers, operations } = file;
    log("info", "tools.loaded", { servers: servers.size, operations: operations.size });
  };
  take(first.value);
  await tools.ready(SERVERS_MS);
  const watcher = watchConfigFile(path, schema, {
    known,
    loaded: take,
    refused: (faults) => log("error", "tools.refused", { faults }),
  });
  return {
    tools,
    close: async () => {
      watcher.close();
      await tools.close();
    },
  };
}
