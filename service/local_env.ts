/**
 * The service without HTTP: bindings in this process, for programs, tests and notebooks in a
 * checkout. They work like the bindings of the client's `connect()`.
 *
 * @module
 */
import { bindingName, type Language } from "../client/protocol/types.ts";
import { createLog } from "../gateway/log.ts";
import { AVAILABLE_LANGUAGES, createRuntimes } from "../runtimes/create_runtimes.ts";
import type { SandboxNamespace } from "../sandbox/sandboxes.ts";
import { DEFAULT_TENANT, type RuntimeBinding } from "../shared/binding.ts";
import {
  ADMISSION_LIMITS,
  type AdmissionLimits,
  type LimitsByLanguage,
  limitsByLanguage,
  SANDBOX_QUOTAS,
  type SandboxQuotas,
} from "../shared/limits.ts";
import { type BundledLanguage, isBundled, languagesWithContexts } from "../shared/languages.ts";
import type { Log } from "../shared/log.ts";
import { startBackend } from "./backend.ts";
import { bindingsOf, withSandboxes } from "./sandbox_backend.ts";

/** Options of {@link createLocalEnv}. */
export interface LocalEnvOptions<L extends Language = BundledLanguage> {
  /** Languages to start. @default {all but the shell} */
  readonly languages?: readonly L[];
  /**
   * File of the data, or `:memory:`, which loses everything when the environment closes. @default
   * {":memory:"}
   */
  readonly kvPath?: string;
  /** Folder of built engines. By default `.belljar/cache` of the checkout. */
  readonly cacheDir?: string;
  /**
   * Maximum number of child processes of one language. By default the number of cores, at least 2.
   */
  readonly isolates?: number;
  /** Whether to go without contexts, so that all runs are stateless. @default {false} */
  readonly stateless?: boolean;
  /** Whether Ruby has contexts too. @default {false} */
  readonly rubyContexts?: boolean;
  /** Folder of wheels to install. */
  readonly pythonWheels?: string;
  /** Names of Python modules that are in the image from the start, so that importing them is free. */
  readonly pythonPreload?: readonly string[];
  /** Folder of npm packages that `deno task packages` made. */
  readonly javascriptPackages?: string;
  /** Names of packages of that folder that are in the image from the start. */
  readonly javascriptPreload?: readonly string[];
  /** Folder whose `lib` has modules for Perl. */
  readonly perlPackages?: string;
  /** Folder with a folder for each gem. */
  readonly rubyPackages?: string;
  /** Limits of runs. The service's defaults when absent. */
  readonly limits?: LimitsByLanguage;
  /** How many runs are admitted. The service's default for each absent field. */
  readonly admission?: Partial<AdmissionLimits>;
  /** Quotas for all sandboxes together. The service's default for each absent field. */
  readonly quotas?: Partial<SandboxQuotas>;
  /** Receives what an operator has to know. By default warnings and errors go to standard error. */
  readonly log?: Log;
}

/** A runtime for each language, by the name of its binding. */
export type LocalBindings<L extends Language> = {
  readonly [Name in Uppercase<L>]: RuntimeBinding;
};

/** The parts of the environment in addition to its bindings. */
export interface LocalServices extends AsyncDisposable {
  /** The sandboxes. */
  readonly Sandbox: SandboxNamespace;
  /** Stops all child processes and closes the data. Calls in flight fail. Idempotent. */
  close(): Promise<void>;
}

/** An environment in this process: bindings of the enabled languages, and sandboxes. */
export type LocalEnv<L extends Language = BundledLanguage> = LocalServices & LocalBindings<L>;

const MIN_ISOLATES = 2;

/**
 * Starts the service in this process and returns its bindings. Builds missing engines first, which
 * takes half a minute.
 *
 * It needs Deno with `--unstable-kv` (the checkout's `deno.json` says so), and the permissions to
 * read and write its folders, to run Deno, and to reach loopback. Guests have none of these
 * permissions: they run in child processes, as in the service. There is one tenant and no token.
 *
 * ```ts ignore
 * import { createLocalEnv } from "./service/local_env.ts";
 * import { getSandbox } from "@belljar/client";
 *
 * await using env = await createLocalEnv({ languages: ["python"] });
 * const sandbox = getSandbox<typeof env>(env.Sandbox, "ada");
 * const { results } = await sandbox.interpreter.runCode("6 * 7", { binding: "PYTHON" });
 * ```
 *
 * @throws {Error} when the data cannot be opened, or a language cannot be built or started.
 */
export async function createLocalEnv<const L extends Language = BundledLanguage>(
  options: LocalEnvOptions<L> = {},
): Promise<LocalEnv<L>> {
  const settings = settingsOf(options);
  const log = options.log ?? standardErrorLog();
  const backend = withSandboxes(await startBackend(settings, createRuntimes, log), settings, log);
  let closing: Promise<void> | undefined;
  const close = () => closing ??= backend.close();
  const bindings = Object.fromEntries(bindingsOf(backend.runtimes));
  if (!isComplete(bindings, settings.languages)) {
    await close();
    throw new Error("A language did not start");
  }
  return {
    ...bindings,
    Sandbox: backend.sandboxes.forTenant(DEFAULT_TENANT),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function settingsOf<L extends Language>(options: LocalEnvOptions<L>) {
  return {
    languages: enabledLanguages(options.languages),
    kvPath: options.kvPath ?? ":memory:",
    cacheDir: options.cacheDir ?? checkoutCache(),
    isolates: options.isolates ?? Math.max(MIN_ISOLATES, navigator.hardwareConcurrency),
    isolatePerTenant: false,
    stateless: options.stateless ?? false,
    contextLanguages: languagesWithContexts(options.rubyContexts ? ["ruby"] : []),
    packages: {
      pythonWheels: options.pythonWheels,
      pythonPreload: options.pythonPreload ?? [],
      javascriptPackages: options.javascriptPackages,
      javascriptPreload: options.javascriptPreload ?? [],
      perlPackages: options.perlPackages,
      rubyPackages: options.rubyPackages,
    },
    limits: options.limits ?? limitsByLanguage(),
    admission: { ...ADMISSION_LIMITS, ...options.admission },
    quotas: { ...SANDBOX_QUOTAS, ...options.quotas },
  };
}

/** Removes duplicates and sorts in the order of `GET /languages`. */
function enabledLanguages<L extends Language>(chosen: readonly L[] | undefined): readonly L[] {
  const isChosen = (language: Language): language is L =>
    chosen === undefined ? isBundled(language) : chosen.some((name) => name === language);
  return AVAILABLE_LANGUAGES.filter(isChosen);
}

/** The folder that `deno task build` writes to. */
function checkoutCache(): string {
  const { dirname } = import.meta;
  if (dirname === undefined) throw new Error("cacheDir is required outside a checkout");
  return `${dirname}/../.belljar/cache`;
}

function isComplete<L extends Language>(
  bindings: object,
  languages: readonly L[],
): bindings is LocalBindings<L> {
  return languages.every((language) => Object.hasOwn(bindings, bindingName(language)));
}

function standardErrorLog(): Log {
  const encoder = new TextEncoder();
  const write = createLog((line) => Deno.stderr.writeSync(encoder.encode(line)), Date.now);
  return (level, event, fields) => {
    if (level !== "info") write(level, event, fields);
  };
}
