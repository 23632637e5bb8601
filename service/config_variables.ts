/**
 * The environment variables: the format and the default of each one.
 *
 * | variable | meaning | default |
 * |---|---|---|
 * | `HOST`, `PORT` | where to listen; port 0 lets the system choose | 127.0.0.1, 8000 |
 * | `TOKENS_FILE` | file of tenants with tokens, quotas and limits (`tokens_file.ts`), read again when it changes | |
 * | `TOOLS` | file of the operator's tools (`tools/tools_file.ts`), read again when it changes | |
 * | `TOKENS` | `tenant:token`, comma-separated; a bare token belongs to tenant `default`; `admin:token:admin` reads usage | |
 * | `AUTH` | `none`: serve everybody, on any address | |
 * | `ALLOWED_ORIGINS` | web origins that may call, comma-separated | none |
 * | `EMBED_ORIGINS` | web origins that may show the page in a frame, comma-separated | none |
 * | `LANGUAGES` | ids, comma-separated | all that this build has |
 * | `STATELESS` | `1`: no contexts | `0` |
 * | `RUBY_CONTEXTS` | `1`: Ruby has contexts too | `0` |
 * | `KV_PATH` | file of the data, `:memory:`, or an `https` URL of a KV server | `./.belljar/data.sqlite3`; on Deno Deploy its own |
 * | `CACHE_DIR` | folder of built engines | `./.belljar/cache` |
 * | `ACCESS_LOG` | `1`: a line of the log for each request | `0` |
 * | `MCP` | `0`: no `/mcp` | `1` |
 * | `E2B` | `0`: no `/e2b` | `1` |
 * | `JUPYTER` | `0`: no `/jupyter` | `1` |
 * | `PAGE` | `0`: no page at `/` | `1` |
 * | `MAX_SANDBOXES`, `MAX_TENANT_BYTES`, `SANDBOX_IDLE_TTL_MS` | quotas of a tenant, and when idle sandboxes expire (0: never) | `shared/limits.ts` |
 * | `PYTHON_WHEELS` | folder of wheels to install | none |
 * | `PIP_INDEX_URL` | index of packages for `deno task wheels` | PyPI |
 * | `WHEELS_DISTRIBUTION_URL` | mirror of the packages that are built for the Python engine, for `deno task wheels` | where its version is published |
 * | `PYTHON_PRELOAD` | Python modules that are in the image from the start, comma-separated | none |
 * | `PYTHON_WARM_UP` | `1`: isolates of Python use the packages for data work before their first program | `0` |
 * | `JAVASCRIPT_PACKAGES` | folder of npm packages | none |
 * | `JAVASCRIPT_PRELOAD` | packages of that folder that are in the image from the start, comma-separated | none |
 * | `NPM_CONFIG_REGISTRY` | registry for `deno task packages` | npm's |
 * | `PERL_PACKAGES` | folder whose `lib` has modules for Perl | none |
 * | `RUBY_PACKAGES` | folder with a folder for each gem | none |
 * | `ISOLATES` | maximum number of isolates of one language | number of cores, at least 2 |
 * | `ISOLATE_PER_TENANT` | `1`: a fresh isolate between tenants | `0` |
 * | `CODE_BYTES`, `REQUEST_BYTES`, `STDIN_BYTES`, `OUTPUT_BYTES`, `OUTPUT_LINES`, `RESULT_BYTES`, `TRACEBACK_BYTES`, `DISPLAY_BYTES`, `WALL_MS`, `FUEL_<LANGUAGE>`, `MEMORY_<LANGUAGE>` | limits of a run | `shared/limits.ts` |
 * | `FILE_BYTES`, `WORKSPACE_BYTES`, `SNAPSHOT_BYTES` | limits of files and snapshots | `shared/limits.ts` |
 * | `RUNS_PER_TENANT`, `WAITING_PER_TENANT`, `WAITING_PER_LANGUAGE`, `CALLS_PER_TENANT`, `WAITING_CALLS_PER_TENANT`, `MAX_WAIT_MS`, `MAX_KILLS_PER_MINUTE`, `MAX_KILLED_SECONDS_PER_MINUTE` | admission | `shared/limits.ts` |
 * | `WAIT_MS` | time after which a call or question of a program expires | a day |
 * | `NOTIFY_HOSTS` | names, addresses and ranges, with or without a port, comma-separated, that callers may name for notifications of their runs | none |
 *
 * Messages never show a value: any value may be a secret in the wrong variable.
 *
 * @module
 */
import { z } from "zod";
import { type BindingName, bindingName, type Language } from "../client/protocol/types.ts";
import type { Credential } from "../gateway/authentication.ts";
import { defaultLanguages, type LanguageFacts, moduleProblems } from "./enabled_languages.ts";
import { type AllowedHost, parseAllowedHost } from "../outgoing/allowed_hosts.ts";
import type { PackageSettings } from "../shared/binding.ts";
import { CALL_LIMITS } from "../shared/call_limits.ts";
import { byLanguage, LANGUAGES, languagesWithContexts } from "../shared/languages.ts";
import {
  ADMISSION_CEILINGS,
  ADMISSION_LIMITS,
  type AdmissionLimits,
  FUEL,
  FUEL_CEILING,
  ISOLATES_CEILING,
  type LimitsByLanguage,
  limitsByLanguage,
  MEMORY_BYTES,
  MEMORY_CEILING,
  MEMORY_STEP,
  SANDBOX_QUOTAS,
  type SandboxQuotas,
  SHARED_CEILINGS,
  SHARED_LIMITS,
  type SharedLimits,
  WAIT_MS,
} from "../shared/limits.ts";
import { LIMIT_ORDERS } from "../shared/limit_rules.ts";
import { credential, haveDistinctTokens } from "./credentials.ts";
import { flag, list, moduleName, origin, specifier, wholeNumber } from "./variable_formats.ts";

/** Facts of this build and machine that the environment does not change. */
export interface Facts extends LanguageFacts {
  /** Processor cores. */
  readonly cores: number;
}

/** The parsed variables, each checked on its own. */
export interface Settings {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** Who may call, when tokens are configured. */
  readonly credentials: readonly Credential[] | undefined;
  /** File of tenants with their tokens, quotas and limits. */
  readonly tokensFile: string | undefined;
  /** File of the operator's tools. */
  readonly toolsFile: string | undefined;
  /** Everybody may call, on any address. */
  readonly openToAll: boolean;
  readonly allowedOrigins: readonly string[];
  /** Web origins that may show the page in a frame. */
  readonly embedOrigins: readonly string[];
  /** The enabled languages, in the order of `GET /languages`; at least one. */
  readonly languages: readonly Language[];
  readonly stateless: boolean;
  /** The languages that have contexts, enabled or not. */
  readonly contextLanguages: readonly Language[];
  /** Whether each request is logged. */
  readonly accessLog: boolean;
  /** Whether `/mcp` is served. */
  readonly mcp: boolean;
  /** Whether `/e2b` is served. */
  readonly e2b: boolean;
  /** Whether `/jupyter` is served. */
  readonly jupyter: boolean;
  /** Whether the page is served. */
  readonly page: boolean;
  /** Where data is kept; undefined: `config.ts` chooses. */
  readonly kvPath: string | undefined;
  readonly cacheDir: string;
  /** The operator's packages. The build of the engines checks them. */
  readonly packages: PackageSettings;
  /** Index of Python packages; only `wheels` reads it, and checks it. */
  readonly packageIndex: string | undefined;
  /** Mirror of the Python engine's distribution; only `wheels` reads it, and checks it. */
  readonly wheelsDistribution: string | undefined;
  /** Registry of npm packages; only `packages` reads it, and checks it. */
  readonly npmRegistry: string | undefined;
  readonly isolates: number;
  readonly isolatePerTenant: boolean;
  readonly warmPreloads: boolean;
  readonly limits: LimitsByLanguage;
  readonly admission: AdmissionLimits;
  readonly quotas: SandboxQuotas;
  /** Milliseconds that a call or question of a program waits for its answer. */
  readonly waitMs: number;
  /** Hosts that callers may name for notifications of their runs. */
  readonly notifyHosts: readonly AllowedHost[];
}

const HOST_PATTERN = /^(?:[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+|\[[0-9A-Fa-f:.]+\])$/;

/** The schema of all variables. Its messages are worded to follow the variable's name. */
export function settingsSchema(facts: Facts): z.ZodType<Settings, unknown> {
  return z.object(variables(facts)).check(({ value, issues }) => {
    if (issues.length > 0) return;
    for (const message of moduleProblems(facts, value.LANGUAGES ?? [], value.CACHE_DIR)) {
      issues.push({ code: "custom", path: ["LANGUAGES"], message, input: value });
    }
    for (const { lower, upper } of LIMIT_ORDERS) {
      const [less, more] = [SHARED_VARIABLES[lower], SHARED_VARIABLES[upper]];
      if (value[less] <= value[more]) continue;
      const message = `must not be more than ${more}: raise that one too`;
      issues.push({ code: "custom", path: [less], message, input: value });
    }
  }).transform((values) => ({
    host: values.HOST.replace(/^\[(.*)\]$/, "$1"),
    port: values.PORT,
    credentials: values.TOKENS,
    tokensFile: values.TOKENS_FILE,
    toolsFile: values.TOOLS,
    openToAll: values.AUTH === "none",
    allowedOrigins: values.ALLOWED_ORIGINS,
    embedOrigins: values.EMBED_ORIGINS,
    languages: values.LANGUAGES ?? defaultLanguages(facts, values.CACHE_DIR),
    stateless: values.STATELESS,
    contextLanguages: languagesWithContexts(values.RUBY_CONTEXTS ? ["ruby"] : []),
    accessLog: values.ACCESS_LOG,
    mcp: values.MCP,
    e2b: values.E2B,
    jupyter: values.JUPYTER,
    page: values.PAGE,
    kvPath: values.KV_PATH,
    cacheDir: values.CACHE_DIR,
    packages: {
      pythonWheels: values.PYTHON_WHEELS,
      pythonPreload: values.PYTHON_PRELOAD,
      javascriptPackages: values.JAVASCRIPT_PACKAGES,
      javascriptPreload: values.JAVASCRIPT_PRELOAD,
      perlPackages: values.PERL_PACKAGES,
      rubyPackages: values.RUBY_PACKAGES,
    },
    packageIndex: values.PIP_INDEX_URL,
    wheelsDistribution: values.WHEELS_DISTRIBUTION_URL,
    npmRegistry: values.NPM_CONFIG_REGISTRY,
    isolates: values.ISOLATES,
    isolatePerTenant: values.ISOLATE_PER_TENANT,
    warmPreloads: values.PYTHON_WARM_UP,
    limits: limitsByLanguage(
      {
        codeBytes: values.CODE_BYTES,
        requestBytes: values.REQUEST_BYTES,
        outputBytes: values.OUTPUT_BYTES,
        outputLines: values.OUTPUT_LINES,
        resultBytes: values.RESULT_BYTES,
        tracebackBytes: values.TRACEBACK_BYTES,
        displayBytes: values.DISPLAY_BYTES,
        wallMs: values.WALL_MS,
        stdinBytes: values.STDIN_BYTES,
        snapshotBytes: values.SNAPSHOT_BYTES,
        fileBytes: values.FILE_BYTES,
        workspaceBytes: values.WORKSPACE_BYTES,
      },
      byLanguage((language) => values[`FUEL_${bindingName(language)}`]),
      byLanguage((language) => values[`MEMORY_${bindingName(language)}`]),
    ),
    admission: {
      runsPerTenant: values.RUNS_PER_TENANT,
      waitingPerTenant: values.WAITING_PER_TENANT,
      waitingPerLanguage: values.WAITING_PER_LANGUAGE,
      callsPerTenant: values.CALLS_PER_TENANT,
      waitingCallsPerTenant: values.WAITING_CALLS_PER_TENANT,
      maxWaitMs: values.MAX_WAIT_MS,
      killsPerMinute: values.MAX_KILLS_PER_MINUTE,
      killedSecondsPerMinute: values.MAX_KILLED_SECONDS_PER_MINUTE,
    },
    quotas: {
      maxSandboxes: values.MAX_SANDBOXES,
      maxTenantBytes: values.MAX_TENANT_BYTES,
      idleTtlMs: values.SANDBOX_IDLE_TTL_MS,
    },
    waitMs: values.WAIT_MS,
    notifyHosts: values.NOTIFY_HOSTS,
  }));
}

/** The names of all variables. */
export function variableNames(facts: Facts): readonly string[] {
  return Object.keys(variables(facts));
}

function variables(facts: Facts) {
  return {
    HOST: z.string().regex(HOST_PATTERN, "must be a host name or an IP address")
      .default("127.0.0.1"),
    PORT: wholeNumber({ fallback: 8000, min: 0, max: 65535 }),
    TOKENS: list(credential, "must be a token, or a tenant and a token as in tenant:token")
      .refine(haveDistinctTokens, "must not hold a token twice").optional(),
    TOKENS_FILE: z.string().optional(),
    TOOLS: z.string().optional(),
    AUTH: z.literal("none", "must be none, or absent").optional(),
    ALLOWED_ORIGINS: list(origin, "must be an origin such as https://example.com").default([]),
    EMBED_ORIGINS: list(origin, "must be an origin such as https://example.com").default([]),
    LANGUAGES: languages(facts.available),
    STATELESS: flag("0"),
    RUBY_CONTEXTS: flag("0"),
    ACCESS_LOG: flag("0"),
    MCP: flag("1"),
    E2B: flag("1"),
    JUPYTER: flag("1"),
    PAGE: flag("1"),
    KV_PATH: z.string().optional(),
    CACHE_DIR: z.string().default("./.belljar/cache"),
    PYTHON_WHEELS: z.string().optional(),
    PIP_INDEX_URL: z.string().optional(),
    WHEELS_DISTRIBUTION_URL: z.string().optional(),
    PYTHON_PRELOAD: list(moduleName, "must be the name of a Python module such as numpy").default(
      [],
    ),
    PYTHON_WARM_UP: flag("0"),
    JAVASCRIPT_PACKAGES: z.string().optional(),
    JAVASCRIPT_PRELOAD: list(specifier, "must be the name of a package such as lodash").default([]),
    NPM_CONFIG_REGISTRY: z.string().optional(),
    PERL_PACKAGES: z.string().optional(),
    RUBY_PACKAGES: z.string().optional(),
    ISOLATES: wholeNumber({ fallback: Math.max(2, facts.cores), min: 1, max: ISOLATES_CEILING }),
    ISOLATE_PER_TENANT: flag("0"),
    NOTIFY_HOSTS: list(
      parseAllowedHost,
      "must be a host name, an IP address or a range, with or without a port",
    ).default([]),
    ...runLimitVariables(),
    ...admissionVariables(),
    ...quotaVariables(),
    ...unsupportedVariables(),
  };
}

/** The variable of each limit that all languages share. */
const SHARED_VARIABLES = {
  codeBytes: "CODE_BYTES",
  requestBytes: "REQUEST_BYTES",
  stdinBytes: "STDIN_BYTES",
  outputBytes: "OUTPUT_BYTES",
  outputLines: "OUTPUT_LINES",
  resultBytes: "RESULT_BYTES",
  tracebackBytes: "TRACEBACK_BYTES",
  displayBytes: "DISPLAY_BYTES",
  wallMs: "WALL_MS",
  fileBytes: "FILE_BYTES",
  workspaceBytes: "WORKSPACE_BYTES",
  snapshotBytes: "SNAPSHOT_BYTES",
} as const satisfies { readonly [K in keyof SharedLimits]: string };

function runLimitVariables() {
  const shared = (name: keyof typeof SHARED_LIMITS) =>
    wholeNumber({ fallback: SHARED_LIMITS[name], min: 1, max: SHARED_CEILINGS[name] });
  return {
    CODE_BYTES: shared("codeBytes"),
    REQUEST_BYTES: shared("requestBytes"),
    OUTPUT_BYTES: shared("outputBytes"),
    OUTPUT_LINES: shared("outputLines"),
    RESULT_BYTES: shared("resultBytes"),
    TRACEBACK_BYTES: shared("tracebackBytes"),
    DISPLAY_BYTES: shared("displayBytes"),
    WALL_MS: shared("wallMs"),
    STDIN_BYTES: shared("stdinBytes"),
    SNAPSHOT_BYTES: shared("snapshotBytes"),
    FILE_BYTES: shared("fileBytes"),
    WORKSPACE_BYTES: shared("workspaceBytes"),
    ...fuelVariables(),
    ...memoryVariables(),
  };
}

type MemoryVariables = { readonly [V in `MEMORY_${BindingName}`]: z.ZodType<number, unknown> };

/** A memory consists of whole pages. */
function memoryVariables(): MemoryVariables {
  const variables = LANGUAGES.map((language) => {
    const least = MEMORY_BYTES[language];
    const bytes = wholeNumber({ fallback: least, min: least, max: MEMORY_CEILING });
    return [
      `MEMORY_${bindingName(language)}`,
      bytes.transform((all) => all - all % MEMORY_STEP),
    ];
  });
  return Object.fromEntries(variables);
}

type FuelVariables = { readonly [V in `FUEL_${BindingName}`]: z.ZodType<number, unknown> };

function fuelVariables(): FuelVariables {
  const variables = LANGUAGES.map((language) => [
    `FUEL_${bindingName(language)}`,
    wholeNumber({ fallback: FUEL[language], min: 1, max: FUEL_CEILING }),
  ]);
  return Object.fromEntries(variables);
}

function admissionVariables() {
  const limit = (name: keyof AdmissionLimits, min: number) =>
    wholeNumber({ fallback: ADMISSION_LIMITS[name], min, max: ADMISSION_CEILINGS[name] });
  return {
    RUNS_PER_TENANT: limit("runsPerTenant", 1),
    WAITING_PER_TENANT: limit("waitingPerTenant", 0),
    WAITING_PER_LANGUAGE: limit("waitingPerLanguage", 0),
    CALLS_PER_TENANT: limit("callsPerTenant", 1),
    WAITING_CALLS_PER_TENANT: limit("waitingCallsPerTenant", 0),
    MAX_WAIT_MS: limit("maxWaitMs", 1),
    MAX_KILLS_PER_MINUTE: limit("killsPerMinute", 0),
    MAX_KILLED_SECONDS_PER_MINUTE: limit("killedSecondsPerMinute", 0),
  };
}

function quotaVariables() {
  const quota = (name: keyof SandboxQuotas, min: number) =>
    wholeNumber({ fallback: SANDBOX_QUOTAS[name], min, max: Number.MAX_SAFE_INTEGER });
  return {
    MAX_SANDBOXES: quota("maxSandboxes", 0),
    MAX_TENANT_BYTES: quota("maxTenantBytes", 0),
    SANDBOX_IDLE_TTL_MS: quota("idleTtlMs", 0),
    WAIT_MS: wholeNumber({ fallback: WAIT_MS, min: 1, max: CALL_LIMITS.timeoutMs }),
  };
}

/** Variables that would have no effect. An operator who sets them expects another service. */
function unsupportedVariables() {
  const problem = "is not supported: run a service with LANGUAGES on each machine, all on one " +
    "KV_PATH, behind a proxy (docs/operating.md#several-services-for-different-languages)";
  const names = LANGUAGES.map(bindingName).flatMap((name) => [`${name}_URL`, `${name}_TOKEN`]);
  return Object.fromEntries(names.map((name) => [name, z.undefined(problem).optional()]));
}

function languages(available: readonly Language[]) {
  const parse = (item: string) => available.find((language) => language === item);
  return list(parse, `must be one of ${available.join(", ")}`)
    .transform((named) => LANGUAGES.filter((language) => named.includes(language)))
    .optional();
}
