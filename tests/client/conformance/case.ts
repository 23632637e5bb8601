/** A case of the conformance suite. Cases use nothing of Deno, so they run in Node too. */
import {
  getSandbox,
  type RuntimeBindings,
  type Sandbox,
  type SandboxNamespace,
  type ServiceBindingName,
} from "../../../client/mod.ts";

/** The bindings that the cases use: in the same process, or of `connect()`. */
export interface ConformanceEnv extends Omit<RuntimeBindings, "SHELL"> {
  readonly Sandbox: SandboxNamespace;
}

/** The names of bindings that {@link ConformanceEnv} has. */
export type Binding = ServiceBindingName<ConformanceEnv>;

/** One rule, against any service. */
export interface ConformanceCase {
  /** Which rule, and what holds. */
  readonly name: string;
  /** Throws when it does not hold. */
  readonly run: (env: ConformanceEnv) => Promise<void>;
}

/** A case in a sandbox of its own, which is deleted afterwards. */
export function inSandbox(
  name: string,
  use: (sandbox: Sandbox<Binding>, env: ConformanceEnv) => Promise<void>,
): ConformanceCase {
  return {
    name,
    run: async (env) => {
      const sandbox = getSandbox<ConformanceEnv>(env.Sandbox, `case-${crypto.randomUUID()}`);
      try {
        await use(sandbox, env);
      } finally {
        await sandbox.destroy();
      }
    },
  };
}
