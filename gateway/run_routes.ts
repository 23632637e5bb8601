/**
 * The routes of stateless runs (docs/contract.md#gateway-routes).
 *
 * @module
 */
import type { Context } from "hono";
import { z } from "zod";
import { EXECUTE_PATH } from "../client/protocol/paths.ts";
import type { Language } from "../client/protocol/types.ts";
import type { LanguageRuntime } from "../shared/binding.ts";
import type { LimitsByLanguage } from "../shared/limits.ts";
import { callAdmitted, type CallOptions } from "./admitted_call.ts";
import type { GatewayEnv } from "./gateway_env.ts";
import type { GatewayRoute } from "./route.ts";
import { entryOf } from "./language_path.ts";
import { beginStateless, runtimeFailure } from "../runs/stateless_run.ts";
import { executeReader } from "../shared/execute_request.ts";
import { withRunTools } from "../shared/operator_tools.ts";
import type { RunAudience } from "../shared/run_listener.ts";
import { answerAsRun } from "./stream_options.ts";

const DESCRIPTION = "Runs a program in a fresh instance with an empty workspace. Nothing " +
  "is kept. A program that fails or hits a limit is answered with 200 and `error`. With " +
  "`Accept`, the answer is a stream of what happens.";

/** Creates the routes. */
export function runRoutes(
  runtimes: ReadonlyMap<Language, LanguageRuntime>,
  limits: LimitsByLanguage,
  deps: CallOptions,
): readonly GatewayRoute[] {
  const runs = new Map(
    [...runtimes].map(([language, runtime]) => [
      language,
      executeCall(runtime, deps, limits[language].stdinBytes),
    ]),
  );
  const execute = async (context: Context<GatewayEnv>, language: Language) => {
    const run = entryOf(language, runs);
    const tenant = context.get("tenant");
    return await answerAsRun(
      context,
      deps,
      (audience) => run(tenant, context.req.raw, audience),
    );
  };
  const common = {
    method: "post",
    tag: "Stateless runs",
    success: {
      description: "The program ran, whether it succeeded, failed or hit a limit.",
      schema: "ExecutionResult",
      headers: { "Server-Timing": "ServerTiming" },
      streamed: true,
    },
  } as const;
  return [
    {
      ...common,
      path: EXECUTE_PATH,
      id: "execute",
      summary: "Run JavaScript or TypeScript",
      description: `${DESCRIPTION} Same as the path of \`javascript\`.`,
      body: { schema: "ExecuteJavaScriptRequest" },
      errors: ["common", "token", "language", "body", "run"],
      answer: (context) => execute(context, "javascript"),
    },
    {
      ...common,
      path: `${EXECUTE_PATH}/{language}`,
      id: "executeLanguage",
      summary: "Run a program in a language",
      description: DESCRIPTION,
      pathParameters: { language: z.enum([...runtimes.keys()]).describe("The language.") },
      body: { schema: "ExecuteRequest" },
      errors: ["common", "token", "language", "body", "run", "parameter"],
      answer: (context) => execute(context, context.get("language")),
    },
  ];
}

/**
 * Runs code statelessly for a tenant. Rejects with a `ServiceError`: `VALIDATION_FAILED`,
 * `RATE_LIMITED`, `OVERLOADED`, or 502 when the runtime cannot be called.
 */
type ExecuteCall = (
  tenant: string,
  request: Request,
  audience: RunAudience,
) => Promise<Response>;

/** Creates the call of a runtime. `stdinBytes`: maximum length of standard input. */
function executeCall(
  runtime: LanguageRuntime,
  deps: CallOptions,
  stdinBytes: number,
): ExecuteCall {
  const { id: language, limits } = runtime.listing;
  const { binding } = runtime;
  const failure = (thrown: unknown, caller: AbortSignal) =>
    runtimeFailure(thrown, caller, deps.log, { language });
  const reader = executeReader({ language, limits: { ...limits, stdinBytes } });
  return async (tenant, request, { signal: caller, listener }) => {
    const call = { tenant, request, caller, maxBytes: limits.requestBytes };
    return await callAdmitted(call, deps, async (body, signal, wait, transferPlace) => {
      const asked = reader.parse(body);
      const own = deps.tenants.limits(tenant, language, asked.limits);
      const limited = own === undefined ? asked : { ...asked, limits: own };
      if (limited.calls !== undefined) {
        const program = withRunTools(limited, () => deps.runs.tools.of(tenant));
        const run = await beginStateless(deps.runs, {
          binding,
          tenant,
          request: program,
          fuel: limits.fuel,
          leave: transferPlace(),
          failure,
        });
        return await deps.runs.followFromStart(run, { signal, listener });
      }
      try {
        const onBehalf = { tenant, maxWaitMs: wait.left(), signal, listener };
        return await binding.execute(limited, onBehalf);
      } catch (thrown) {
        throw failure(thrown, signal);
      }
    });
  };
}
