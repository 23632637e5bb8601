/**
 * A service in memory, good enough to drive the client: runtimes, sandboxes and a gateway as
 * the contract has them in sections B, C and D, with `node:vm` as the engine of all languages.
 */
import type { RuntimeBindings, SandboxNamespace, ServiceBinding } from "../../client/mod.ts";
import { bindingName, type Language, LANGUAGES } from "../../client/protocol/types.ts";
import { answering, FakeError, noSuchRoute, refused } from "./fake/errors.ts";
import { type FakeRuntime, fakeRuntime } from "./fake/runtime.ts";
import { emptyInfo, type FakeBindings, FakeSandbox } from "./fake/sandbox.ts";

/** The bindings that the conformance suite uses. */
export interface FakeEnv extends RuntimeBindings {
  readonly Sandbox: SandboxNamespace;
  /** Something with `fetch` that is no runtime. */
  readonly MAIL: ServiceBinding;
  /** Something that is no binding at all. */
  readonly REGION: string;
}

/** A fake service: in the same process, and as a gateway. */
export interface FakeService {
  readonly env: FakeEnv;
  /** Answers as the gateway does (docs/contract.md#gateway-routes). */
  gateway(request: Request): Promise<Response>;
}

/** A request as a fake saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

/** Makes a service without sandboxes. With `token`, its gateway wants that token. */
export function createFakeService(options: { readonly token?: string } = {}): FakeService {
  const runtimes = new Map(LANGUAGES.map((id) => [id, fakeRuntime(id, id !== "ruby")]));
  const of = (id: Language): FakeRuntime => runtimes.get(id) ?? fakeRuntime(id, false);
  const bindings = {
    JAVASCRIPT: of("javascript"),
    PYTHON: of("python"),
    PERL: of("perl"),
    RUBY: of("ruby"),
    SHELL: of("shell"),
    MAIL: { fetch: () => Promise.resolve(new Response("no mail", { status: 404 })) },
    REGION: "north",
  };
  const sandboxes = new Map<string, FakeSandbox>();
  const Sandbox = fakeNamespace(sandboxes, new Map(Object.entries(bindings)));
  return {
    env: { Sandbox, ...bindings },
    gateway: (request) =>
      answering(() => {
        const authorized = request.headers.get("authorization") === `Bearer ${options.token}`;
        if (options.token !== undefined && !authorized) {
          throw new FakeError("UNAUTHORIZED", "A valid token is required");
        }
        const { pathname, searchParams } = new URL(request.url);
        if (pathname === "/sandboxes") return listing(sandboxes, searchParams);
        return route(request, Sandbox, of);
      }),
  };
}

function fakeNamespace(
  sandboxes: Map<string, FakeSandbox>,
  bindings: FakeBindings,
): SandboxNamespace {
  return {
    idFromName: (name) => ({ name }),
    get: (id) => {
      const name = String(typeof id === "object" && id !== null ? Reflect.get(id, "name") : id);
      return { fetch: (request) => answering(() => reach(sandboxes, name, bindings, request)) };
    },
  };
}

function reach(
  sandboxes: Map<string, FakeSandbox>,
  name: string,
  bindings: FakeBindings,
  request: Request,
): Promise<Response> | Response {
  if (request.headers.get("x-sandbox-id") !== name) throw refused("x-sandbox-id does not agree");
  const route = `${request.method} ${new URL(request.url).pathname}`;
  if (route === "DELETE /") {
    sandboxes.delete(name);
    return Response.json({ success: true });
  }
  const known = sandboxes.get(name);
  if (route === "GET /" && known === undefined) return Response.json(emptyInfo(name));
  const sandbox = known ?? new FakeSandbox(name, bindings);
  sandboxes.set(name, sandbox);
  return sandbox.fetch(request);
}

async function route(
  request: Request,
  namespace: SandboxNamespace,
  of: (id: Language) => FakeRuntime,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === "/languages") return Response.json({ languages: LANGUAGES.map(of).map(listed) });
  const [, top, name, middle, id, ...rest] = pathname.split("/");
  const language = LANGUAGES.find((known) => known === (name ?? "javascript"));
  if (language === undefined) throw refused(`Unsupported language '${name}'`);
  if (top === "execute") return await of(language).fetch(await readdressed(request, "/execute"));
  if (top !== "languages" || middle !== "sandboxes" || id === undefined) throw noSuchRoute();
  const path = `/${rest.join("/")}`;
  const forced = path === "/contexts" || path === "/execute" ? bindingName(language) : undefined;
  const stub = namespace.get(namespace.idFromName(decodeURIComponent(id)));
  return await stub.fetch(await readdressed(request, path, forced));
}

/** `GET /sandboxes`; a cursor is the id before the page. */
function listing(sandboxes: ReadonlyMap<string, FakeSandbox>, query: URLSearchParams): Response {
  const limit = Number(query.get("limit") ?? 50);
  const after = query.get("cursor") ?? "";
  const ids = [...sandboxes.keys()].filter((id) => id > after).sort();
  const page = ids.slice(0, limit);
  const usage = { sandboxes: sandboxes.size, maxSandboxes: 100, bytes: 0, maxBytes: 1_000 };
  return Response.json({
    sandboxes: page.map((id) => sandboxes.get(id)?.summary()),
    ...(ids.length > limit ? { cursor: page.at(-1) } : {}),
    usage,
  });
}

function listed({ probe: { language, engine, contexts } }: FakeRuntime) {
  return { id: language, engine, contexts, enabled: true };
}

async function readdressed(request: Request, path: string, binding?: string): Promise<Request> {
  const bytes = await request.bytes();
  const body = binding === undefined || bytes.length === 0
    ? bytes
    : JSON.stringify({ ...JSON.parse(new TextDecoder().decode(bytes)), binding });
  const { method, headers } = request;
  const url = `https://inside.internal${path}`;
  return new Request(url, { method, headers, ...(body.length === 0 ? {} : { body }) });
}
