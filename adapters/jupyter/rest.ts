/**
 * Jupyter's REST API: kernelspecs, kernels and sessions.
 *
 * @module
 */
import { z } from "zod";
import { validationFailed } from "../../shared/errors.ts";
import { JUPYTER_LIMITS } from "../../shared/jupyter_limits.ts";
import { kernelLanguage, kernelName } from "../../shared/notebook_languages.ts";
import { parseJsonObject } from "../../shared/read_body.ts";
import { jsonResponse } from "../../shared/responses.ts";
import { parseBody } from "../../shared/schemas.ts";
import { passedOn, refused } from "./errors.ts";
import {
  createKernel,
  findKernel,
  type Kernel,
  type KernelSession,
  listKernels,
  relabelKernel,
  removeKernel,
} from "./kernels.ts";
import { defaultLanguage, kernelspec, kernelspecs } from "./kernelspecs.ts";
import type { JupyterPorts, JupyterRequest } from "./ports.ts";
import { interruptKernel, restartLive } from "./requests.ts";
import type { JupyterServer } from "./server.ts";

/** The version of Jupyter Server whose API this is. */
const API_VERSION = "2.17.0";
/** Maximum number of commas, colons and opening brackets of a body, strings excepted. */
const MAX_STRUCTURE = 10_000;

const text = (name: string) => z.string(`${name} must be a string`).nullish();
const kernelSchema = z.object({ name: text("name"), path: text("path") });
const sessionSchema = z.object({
  path: text("path"),
  name: text("name"),
  type: text("type"),
  kernel: z.object({ id: text("kernel.id"), name: text("kernel.name") }).nullish(),
});

/** Answers a request. Throws what the ports throw, and `VALIDATION_FAILED`. */
export async function answerJupyter(
  request: JupyterRequest,
  ports: JupyterPorts,
  server: JupyterServer,
): Promise<Response> {
  const { method, path: [resource = "", id, action, ...more] } = request;
  if (more.length > 0) return missing();
  const route = `${method} ${resource}${id === undefined ? "" : "/:id"}${
    action === undefined ? "" : `/${action}`
  }`;
  switch (route) {
    case "GET ":
      return jsonResponse({ version: API_VERSION });
    case "GET status":
      return await status(ports, server);
    case "GET me":
      return jsonResponse(identityOf(ports));
    case "GET terminals":
      return jsonResponse([]);
    case "GET kernelspecs":
      return jsonResponse(kernelspecs(ports.languages));
    case "GET kernelspecs/:id": {
      const language = kernelLanguage(id ?? "", ports.languages);
      return language === undefined ? missing() : jsonResponse(kernelspec(language));
    }
    case "GET kernels":
      return jsonResponse((await listKernels(ports)).map((kernel) => shown(kernel, ports, server)));
    case "POST kernels":
      return await startKernel(request, ports, server);
    case "GET sessions": {
      const kernels = await listKernels(ports);
      return jsonResponse(kernels.map((kernel) => sessionOf(kernel, ports, server)));
    }
    case "POST sessions":
      return await startSession(request, ports, server);
  }
  const isOfKernel = resource === "kernels";
  if (!isOfKernel && resource !== "sessions") return missing();
  const kernel = isOfKernel
    ? await findKernel(id ?? "", ports)
    : (await listKernels(ports)).find(({ session }) => session.id === id);
  if (kernel === undefined) return missing(`There is no ${resource.slice(0, -1)} with this id`);
  return await answerOne(route, kernel, { request, ports, server });
}

async function answerOne(
  route: string,
  kernel: Kernel,
  { request, ports, server }: {
    readonly request: JupyterRequest;
    readonly ports: JupyterPorts;
    readonly server: JupyterServer;
  },
): Promise<Response> {
  const live = server.live(ports.tenant, kernel.id);
  switch (route) {
    case "GET kernels/:id":
      return jsonResponse(shown(kernel, ports, server));
    case "GET sessions/:id":
      return jsonResponse(sessionOf(kernel, ports, server));
    case "PATCH sessions/:id":
      return await changeSession(kernel, request, ports, server);
    case "DELETE kernels/:id":
    case "DELETE sessions/:id": {
      await live?.interrupt();
      const answer = await removeKernel(kernel, ports, request.signal);
      if (!answer.ok) return await passedOn(answer);
      live?.closeAll();
      return new Response(null, { status: 204 });
    }
    case "POST kernels/:id/interrupt":
      await interruptKernel(kernel.id, live, ports);
      return new Response(null, { status: 204 });
    case "POST kernels/:id/restart":
      await restartLive(kernel.id, live, ports);
      return jsonResponse(shown(kernel, ports, server));
    default:
      return missing();
  }
}

async function startKernel(
  request: JupyterRequest,
  ports: JupyterPorts,
  server: JupyterServer,
): Promise<Response> {
  const { name, path } = bodyOf(request, kernelSchema);
  const kernel = await createKernel(
    languageOf(name, ports),
    labelled({ path: path ?? "" }),
    ports,
    request.signal,
  );
  if (kernel instanceof Response) return await passedOn(kernel);
  return jsonResponse(shown(kernel, ports, server), {
    status: 201,
    headers: { location: `/jupyter/api/kernels/${kernel.id}` },
  });
}

/** A document has one session: that of a path that has one already is the answer, as in Jupyter. */
async function startSession(
  request: JupyterRequest,
  ports: JupyterPorts,
  server: JupyterServer,
): Promise<Response> {
  const { path, name, type, kernel: wanted } = bodyOf(request, sessionSchema);
  const session = labelled({ path: path ?? "", name: name ?? "", type: type ?? "notebook" });
  const created = (kernel: Kernel) =>
    jsonResponse(sessionOf(kernel, ports, server), {
      status: 201,
      headers: { location: `/jupyter/api/sessions/${kernel.session.id}` },
    });
  if (session.path !== "") {
    const known = (await listKernels(ports)).find((kernel) => kernel.session.path === session.path);
    if (known !== undefined) return created(known);
  }
  if (wanted?.id !== undefined && wanted.id !== null) {
    const kernel = await findKernel(wanted.id, ports);
    const changed = kernel && await relabelKernel(kernel, session, ports);
    return changed === undefined ? missing("There is no kernel with this id") : created(changed);
  }
  const language = languageOf(wanted?.name, ports);
  const kernel = await createKernel(
    language,
    { ...session, id: crypto.randomUUID() },
    ports,
    request.signal,
  );
  return kernel instanceof Response ? await passedOn(kernel) : created(kernel);
}

/** Another kernel takes the place of the session's one, which ends. */
async function changeSession(
  kernel: Kernel,
  request: JupyterRequest,
  ports: JupyterPorts,
  server: JupyterServer,
): Promise<Response> {
  const { path, name, type, kernel: wanted } = bodyOf(request, sessionSchema);
  const session = labelled({
    ...kernel.session,
    path: path ?? kernel.session.path,
    name: name ?? kernel.session.name,
    type: type ?? kernel.session.type,
  });
  const isSame = wanted?.id === kernel.id ||
    (!wanted?.id && (!wanted?.name || languageOf(wanted.name, ports) === kernel.language));
  if (isSame) {
    const changed = await relabelKernel(kernel, session, ports);
    return changed === undefined ? missing() : jsonResponse(sessionOf(changed, ports, server));
  }
  const next = wanted?.id
    ? await findKernel(wanted.id, ports)
    : await createKernel(languageOf(wanted?.name, ports), session, ports, request.signal);
  if (next instanceof Response) return await passedOn(next);
  const changed = next && await relabelKernel(next, session, ports);
  if (changed === undefined) return missing("There is no kernel with this id");
  const removed = await removeKernel(kernel, ports, request.signal);
  server.live(ports.tenant, kernel.id)?.closeAll();
  if (!removed.ok) return await passedOn(removed);
  return jsonResponse(sessionOf(changed, ports, server));
}

function bodyOf<T>({ body }: JupyterRequest, schema: z.ZodType<T, unknown>): T {
  const value = body.length === 0 ? {} : parseJsonObject(body, MAX_STRUCTURE);
  return parseBody(schema, value);
}

function languageOf(name: string | null | undefined, { languages }: JupyterPorts) {
  if (!name) return defaultLanguage(languages);
  const language = kernelLanguage(name, languages);
  if (language === undefined) throw validationFailed(`There is no kernel ${JSON.stringify(name)}`);
  return language;
}

/** The labels of a session, whose length is bounded. */
function labelled<T extends Partial<KernelSession>>(session: T): T {
  const bytes = new TextEncoder().encode(Object.values(session).join("")).length;
  if (bytes <= JUPYTER_LIMITS.labelBytes) return session;
  throw validationFailed(
    `path, name and type are longer than ${JUPYTER_LIMITS.labelBytes} bytes together`,
  );
}

function shown(
  { id, language, startedAt }: Kernel,
  { tenant }: JupyterPorts,
  server: JupyterServer,
) {
  return {
    id,
    name: kernelName(language),
    last_activity: new Date(startedAt).toISOString(),
    execution_state: "idle",
    connections: 0,
    ...server.live(tenant, id)?.activity,
  };
}

function sessionOf(kernel: Kernel, ports: JupyterPorts, server: JupyterServer) {
  const { id, path, name, type } = kernel.session;
  const told = { id, path, name, type, kernel: shown(kernel, ports, server) };
  return type === "notebook" ? { ...told, notebook: { path, name } } : told;
}

async function status(ports: JupyterPorts, server: JupyterServer): Promise<Response> {
  const kernels = (await listKernels(ports)).map((kernel) => shown(kernel, ports, server));
  const now = new Date().toISOString();
  return jsonResponse({
    started: kernels.map((kernel) => kernel.last_activity).sort()[0] ?? now,
    last_activity: kernels.map((kernel) => kernel.last_activity).sort().at(-1) ?? now,
    connections: kernels.reduce((sum, { connections }) => sum + connections, 0),
    kernels: kernels.length,
  });
}

function identityOf({ tenant }: JupyterPorts) {
  return {
    identity: {
      username: tenant,
      name: tenant,
      display_name: tenant,
      initials: null,
      avatar_url: null,
      color: null,
    },
    permissions: {},
  };
}

function missing(message = "There is no such route"): Response {
  return refused(404, message);
}
