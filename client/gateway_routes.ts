/**
 * Requests to the gateway of a service at a URL (docs/contract.md#gateway-routes).
 *
 * @module
 */
import { LANGUAGES_PATH } from "./protocol/paths.ts";
import { listed, quoted } from "./protocol/text.ts";
import { bindingName, type Language, LANGUAGES } from "./protocol/types.ts";
import { type Endpoint, makeCall } from "./call.ts";
import { bindingFailure, validationFailed } from "./errors.ts";

/** The address of the service, and how to send requests. */
export interface GatewayAddress {
  /** URL without a trailing slash. */
  readonly base: string;
  /** Sent with each request. */
  readonly headers: { readonly [name: string]: string };
  /** Sends a request. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/** The part of a language's entry that bindings need. */
export interface ServedLanguage {
  /** The name used in paths. */
  readonly id: Language;
  /** Name and version of the engine. */
  readonly engine: string;
  /** Whether the service runs it. */
  readonly enabled: boolean;
  /** Whether it can hold contexts there. */
  readonly contexts: boolean;
}

/** The routes of a gateway. */
export interface GatewayRoutes {
  /** The gateway itself, for routes that belong to no binding. */
  readonly endpoint: Endpoint;
  /** Forwards a request to a binding to a path of the gateway. */
  forward(path: string, request: Request, body: RequestBody | undefined): Promise<Response>;
  /** The languages; requested once. */
  languages(): Promise<readonly ServedLanguage[]>;
}

/** The body of a request, whole. */
export type RequestBody = Uint8Array<ArrayBuffer>;

/** The ways to a gateway at an address. */
export function createGatewayRoutes(address: GatewayAddress): GatewayRoutes {
  const { fetch, base: origin, headers } = address;
  const endpoint: Endpoint = { fetch, origin, headers, defaults: {} };
  let known: Promise<readonly ServedLanguage[]> | undefined;
  return {
    endpoint,
    forward: async (path, request, body) => {
      return await address.fetch(forwarded(address, path, request, body));
    },
    languages: () => {
      known ??= fetchLanguages(endpoint).catch((error: unknown) => {
        known = undefined;
        throw error;
      });
      return known;
    },
  };
}

/** The names of the bindings of a service. */
export const BINDINGS: readonly string[] = LANGUAGES.map((language) => bindingName(language));

/** The language of a binding's name. */
export function languageOfBinding(name: string): Language {
  const language = LANGUAGES.find((id) => bindingName(id) === name);
  if (language !== undefined) return language;
  throw validationFailed(`Unknown binding ${quoted(name)}: ${listed(BINDINGS)}`);
}

/** The first language that the service runs. */
export async function firstEnabledLanguage(routes: GatewayRoutes): Promise<Language> {
  const first = (await routes.languages()).find(({ enabled }) => enabled);
  if (first === undefined) throw bindingFailure("The service runs no language");
  return first.id;
}

/** The body of a request to a binding; undefined when it has none. */
export async function bodyOf(request: Request): Promise<RequestBody | undefined> {
  if (request.method === "GET" || request.method === "HEAD") return undefined;
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.length === 0 ? undefined : bytes;
}

function forwarded(
  { base, headers }: GatewayAddress,
  path: string,
  request: Request,
  body: RequestBody | undefined,
): Request {
  const all = new Headers(request.headers);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return new Request(base + path, {
    method: request.method,
    headers: all,
    signal: request.signal,
    redirect: "manual",
    ...(body === undefined ? {} : { body }),
  });
}

/** Not retried here, because the calling code retries. */
async function fetchLanguages(endpoint: Endpoint): Promise<readonly ServedLanguage[]> {
  return await makeCall(endpoint, {
    method: "GET",
    path: LANGUAGES_PATH,
    status: 200,
    read: (body) => {
      const listed = body.list("languages", (entry) => ({
        id: entry.string("id"),
        engine: entry.string("engine"),
        enabled: entry.boolean("enabled"),
        contexts: entry.boolean("contexts"),
      }));
      return listed.flatMap((entry) => {
        const id = LANGUAGES.find((language) => language === entry.id);
        return id === undefined ? [] : [{ ...entry, id }];
      });
    },
  }, { retry: false });
}
