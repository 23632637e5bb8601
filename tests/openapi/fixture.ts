/**
 * A gateway with sandboxes over a store in memory and runtimes without engines, and its document.
 *
 * @module
 */
import type { Language } from "../../client/protocol/types.ts";
import type { GatewayOptions, Handler } from "../../gateway/app.ts";
import { BodyBudget } from "../../gateway/body_budget.ts";
import type { LanguageRuntime } from "../../shared/binding.ts";
import { UsageMeter } from "../../sandbox/usage.ts";
import { BODY_BUDGET } from "../../shared/limits.ts";
import { echoRuntime } from "../gateway/echo_runtime.ts";
import { testGateway } from "../gateway/test_gateway.ts";
import { type ProcessOptions, sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { DocumentedService } from "./documented.ts";
import type { Send } from "./exchange.ts";

/** A gateway and its document. */
export interface DocumentedGateway {
  readonly service: DocumentedService;
  readonly send: Send;
}

/** Differences from the defaults. */
export interface GatewayFixtureOptions {
  readonly gateway?: Partial<GatewayOptions>;
  readonly sandboxes?: ProcessOptions;
  readonly headers?: { readonly [name: string]: string };
}

/** Does `work` with a gateway. Python and Perl have contexts, Ruby has none. */
export async function withGateway(
  parts: GatewayFixtureOptions,
  work: (gateway: DocumentedGateway) => Promise<void>,
): Promise<void> {
  await withStore(async (store) => {
    const all = {
      runtimes: echoRuntimes(),
      sandboxes: sandboxProcess(store, parts.sandboxes),
      mcp: true,
      usage: new UsageMeter(store, Date.now),
      builtFiles,
      ...parts.gateway,
    };
    const send = senderOf(testGateway(all), parts.headers ?? {});
    // the document is a large answer, for which a gateway of a test may have no room
    const roomy = senderOf(testGateway({ ...all, bodies: new BodyBudget(BODY_BUDGET) }), {
      ...parts.headers,
    });
    const document: unknown = await (await roomy("/openapi.json", {})).json();
    await work({ service: new DocumentedService(document), send });
  });
}

/** The files that the builder makes, as far as a gateway serves them. */
function builtFiles() {
  const bytes = new Uint8Array([59]);
  return Promise.resolve([{ path: "client.mjs", type: "text/javascript", bytes, gzip: bytes }]);
}

/** Echo runtimes of all languages. */
function echoRuntimes(): Map<Language, LanguageRuntime> {
  const languages: readonly Language[] = ["javascript", "python", "perl", "ruby"];
  return new Map(languages.map((language) => [language, echoRuntime(language)]));
}

function senderOf(handler: Handler, headers: { readonly [name: string]: string }): Send {
  return async (path, init) => {
    const all = new Headers({ host: "localhost:8000", ...headers });
    new Headers(init.headers).forEach((value, name) => all.set(name, value));
    return await handler(new Request(`http://localhost:8000${path}`, { ...init, headers: all }));
  };
}
