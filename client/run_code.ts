/**
 * Runs without a sandbox (docs/contract.md#client-free-runcode).
 *
 * @module
 */
import { isSandboxNamespace, isServiceBinding, type ServiceBinding } from "./bindings.ts";
import { envLayerWithout } from "./env_vars.ts";
import { validationFailed } from "./errors.ts";
import type { ExecutionResult } from "./execution_result.ts";
import { BINDINGS } from "./gateway_routes.ts";
import { listed } from "./protocol/text.ts";
import { RUNTIME_ORIGIN } from "./protocol/paths.ts";
import { callRun, type RunRequest } from "./run_call.ts";
import { commonFields, type StatelessRunCodeOptions } from "./run_options.ts";
import { checkCode } from "./validation.ts";

/**
 * Runs code in a fresh instance of a runtime. Nothing is kept.
 *
 * Resolves even when the guest fails: check `error`. Rejects with a `SandboxError` when the code
 * could not be run.
 *
 * @example
 * ```ts ignore
 * import { connect, runCode } from "@belljar/client";
 *
 * const env = connect("http://127.0.0.1:8000");
 * const result = await runCode(env.JAVASCRIPT, "console.log('hello'); [1, 2, 3]", {
 *   timeout: 5_000,
 *   onStdout: ({ text }) => console.log("guest:", text),
 * });
 * console.assert(JSON.stringify(result.results[0]?.json) === "[1,2,3]");
 * ```
 *
 * @throws {Error} synchronously, when `target` is a namespace of sandboxes.
 */
export function runCode(
  target: ServiceBinding,
  code: string,
  options: StatelessRunCodeOptions = {},
): Promise<ExecutionResult> {
  if (isSandboxNamespace(target)) {
    throw new Error(
      "runCode() takes a service binding to a runtime worker, not a namespace of sandboxes: " +
        "use getSandbox(namespace, id).interpreter.runCode()",
    );
  }
  return run(target, code, options);
}

const NO_TARGET = `Pass a service binding as the target: connect() has ${
  listed(BINDINGS)
}, such as env.PYTHON`;

async function run(
  target: ServiceBinding,
  code: string,
  options: StatelessRunCodeOptions,
): Promise<ExecutionResult> {
  if (!isServiceBinding(target)) throw validationFailed(NO_TARGET);
  const endpoint = {
    fetch: (request: Request) => target.fetch(request),
    origin: RUNTIME_ORIGIN,
    headers: {},
    defaults: {},
  };
  return await callRun(endpoint, execution(code, options), options);
}

function execution(code: string, options: StatelessRunCodeOptions): RunRequest {
  checkCode(code);
  const { envVars } = options;
  const body = {
    code,
    ...(envVars === undefined ? {} : { envVars: envLayerWithout(envVars) }),
    ...commonFields(options),
  };
  return { body };
}
