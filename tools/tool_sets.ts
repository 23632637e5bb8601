/**
 * The operator's tools of a service. Each reading of the file makes a set; calls that began before
 * another one keep their target, as long as it is one of the last sets of this process.
 *
 * @module
 */
import type { AllowedAddress } from "../outgoing/addresses.ts";
import { Outgoing, type OutgoingOptions } from "../outgoing/outgoing.ts";
import {
  matchesTool,
  type OperatorCall,
  type OperatorTool,
  type OperatorTools,
  toolDenied,
  type ToolOutcome,
} from "../shared/operator_tools.ts";
import { systemTimers, type Timers } from "../shared/timers.ts";
import { MAX_TOOLS } from "./file_rules.ts";
import { HttpOperations } from "./http_operations.ts";
import { McpServer } from "./mcp_server.ts";
import { ObservedShapes } from "./observed_shapes.ts";
import { SecretFilter } from "./secret_filter.ts";
import { argumentsOf, type ToolSource } from "./tool_source.ts";
import type { ServerEntry, ToolsFile } from "./tools_file.ts";

/** Sets of earlier files that are kept. */
const EARLIER_SETS = 16;

/** Dependencies of the sets. */
export interface ToolSetsOptions extends Omit<OutgoingOptions, "allowed"> {
  /** The system's when absent. */
  readonly timers?: Timers;
}

interface ToolSet {
  readonly tenants: ToolsFile["tenants"];
  readonly sources: readonly ToolSource[];
}

/** The sets of tools of a service. */
export class ToolSets implements OperatorTools {
  readonly #options: ToolSetsOptions;
  readonly #secrets = new SecretFilter();
  readonly #observed = new ObservedShapes();
  /** By their entries of the file. */
  readonly #servers = new Map<string, McpServer>();
  /** The present one first. */
  #sets: readonly ToolSet[] = [];

  constructor(options: ToolSetsOptions) {
    this.#options = options;
  }

  /** From now on these are the tools. */
  replace(file: ToolsFile): void {
    const { servers, operations, tenants, privateAddresses: allowed } = file;
    this.#secrets.add(
      [...servers.values(), ...operations.values()].flatMap(({ headers }) => headers.secrets),
    );
    const outgoing = new Outgoing({ ...this.#options, allowed });
    const operationsSource = new HttpOperations({ operations, outgoing, secrets: this.#secrets });
    const mcp = [...servers].map(([key, server]) => this.#server(key, server, allowed));
    const sets = [{ tenants, sources: [operationsSource, ...mcp] }, ...this.#sets];
    this.#sets = sets.slice(0, EARLIER_SETS);
    for (const [identity, server] of this.#servers) {
      if (mcp.includes(server)) continue;
      server.rest();
      if (!this.#sets.some(({ sources }) => sources.includes(server))) {
        this.#servers.delete(identity);
      }
    }
    const kept = new Set(this.#sets.flatMap(({ sources }) => sources));
    for (const old of sets.slice(EARLIER_SETS)) {
      for (const source of old.sources) if (!kept.has(source)) void source.close();
    }
  }

  /** Resolves once all servers have listed their tools, or after so many milliseconds. */
  async ready(maxMs: number): Promise<void> {
    const { timers = systemTimers } = this.#options;
    const late = Promise.withResolvers<void>();
    const cancel = timers.after(maxMs, () => late.resolve());
    const listed = Promise.all([...this.#servers.values()].map((server) => server.refresh()));
    await Promise.race([listed, late.promise]);
    cancel();
  }

  /** The tools of a server: those of before, if it is the same in the file. */
  #server(key: string, server: ServerEntry, allowed: readonly AllowedAddress[]): McpServer {
    const { url, headers, approval, idempotent, timeoutMs, tools } = server;
    const settings = [approval, idempotent, timeoutMs, [...tools]];
    const identity = JSON.stringify([key, url.href, headers.values, settings, allowed]);
    const { timers = systemTimers, log } = this.#options;
    const source = this.#servers.get(identity) ?? new McpServer({
      key,
      server,
      outgoing: new Outgoing({ ...this.#options, allowed }),
      secrets: this.#secrets,
      log,
      timers,
    });
    this.#servers.set(identity, source);
    void source.refresh();
    return source;
  }

  of(tenant: string): readonly OperatorTool[] {
    const [set] = this.#sets;
    const tools = set === undefined ? [] : toolsOf(set, tenant);
    const observed = this.#observed.of(tenant);
    if (observed === undefined) return tools;
    return tools.map((tool) => {
      const { name, settings: { revision }, outputSchema } = tool;
      const schema = outputSchema === undefined ? observed({ name, revision }) : undefined;
      return schema === undefined ? tool : { ...tool, observedSchema: schema };
    });
  }

  async call(call: OperatorCall): Promise<ToolOutcome> {
    const { tenant, name, revision, timeoutMs, maxBytes, signal } = call;
    const tool = this.of(tenant).find((tool) => tool.name === name);
    if (tool === undefined) return toolDenied(name);
    const source = this.#source(name, revision);
    if (source === undefined) {
      const message = `${name} was not called: the operator has changed it since`;
      return { error: { kind: "tool", message } };
    }
    const { timers = systemTimers } = this.#options;
    const timeOut = new AbortController();
    const cancel = timers.after(
      timeoutMs,
      () => timeOut.abort(new DOMException("The call took too long", "TimeoutError")),
    );
    try {
      const outcome = await source.call(name, argumentsOf(call.arguments), {
        tenant,
        maxBytes,
        signal: AbortSignal.any([signal, timeOut.signal]),
      });
      if ("value" in outcome && tool.outputSchema === undefined) {
        this.#observed.add(tenant, { name, revision }, outcome.value);
      }
      return outcome;
    } finally {
      cancel();
    }
  }

  /** The source of a tool with a target, the latest one first. */
  #source(name: string, revision: string): ToolSource | undefined {
    return this.#sets.flatMap(({ sources }) => sources).find((source) =>
      source.list().some((tool) => tool.name === name && tool.settings.revision === revision)
    );
  }

  /** Takes no more calls. */
  async close(): Promise<void> {
    const sets = this.#sets;
    this.#sets = [];
    await Promise.all(sets.map(closeSet));
  }
}

async function closeSet({ sources }: ToolSet): Promise<void> {
  await Promise.all(sources.map((source) => source.close()));
}

function toolsOf({ tenants, sources }: ToolSet, tenant: string): readonly OperatorTool[] {
  const patterns = tenants.get(tenant) ?? tenants.get("*") ?? [];
  if (patterns.length === 0) return [];
  return sources.flatMap((source) => source.list())
    .filter(({ name }) => patterns.some((pattern) => matchesTool(pattern, name)))
    .slice(0, MAX_TOOLS);
}
