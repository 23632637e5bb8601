/** Serves a runtime without an engine over real HTTP, as `deno task runtime` does. */
import { createAuthenticator } from "../../gateway/authentication.ts";
import { KillMeter } from "../../gateway/admission.ts";
import { createRuntimeGateway } from "../../gateway/runtime_alone.ts";
import type { RuntimeBinding } from "../../shared/binding.ts";
import { languageListing } from "../../shared/language_listing.ts";
import { ADMISSION_LIMITS, limitsByLanguage } from "../../shared/limits.ts";

/** Looks like nothing else in a log. */
export const TOKEN = "canary-token-5f0e1c";
const LIMITS = limitsByLanguage().python;

/** A server that listens. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
}

/** Serves the routes of a runtime; its tenant is `alone`. */
export function serveRuntime(
  { fetch }: Pick<RuntimeBinding, "fetch">,
  kills: KillMeter = new KillMeter(ADMISSION_LIMITS, Date.now),
): TestServer {
  const unused = () => Promise.reject(new Error("the routes of a runtime use its app alone"));
  const handler = createRuntimeGateway({
    runtime: {
      binding: {
        language: "python",
        engine: "fake",
        fetch,
        execute: unused,
        executeInContext: unused,
      },
      listing: languageListing("python", { enabled: true, contexts: true, limits: LIMITS }),
      health: () => ({ state: "ready", isolates: 1, build: "fake" }),
      close: () => Promise.resolve(),
    },
    authenticate: createAuthenticator([{ tenant: "alone", token: TOKEN }]),
    kills,
    stopping: new AbortController().signal,
    clock: Date.now,
    log: () => undefined,
  });
  return serveHttp(handler);
}

/** Listens on loopback; ending it closes connections at once. */
export function serveHttp(
  handler: (request: Request) => Response | Promise<Response>,
): TestServer {
  const ending = new AbortController();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, signal: ending.signal, onListen: () => {} },
    handler,
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await server.finished;
    },
  };
}
