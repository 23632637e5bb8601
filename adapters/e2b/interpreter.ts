/**
 * The interpreter: runs with a stream of events, and contexts.
 *
 * @module
 */
import { z } from "zod";
import { CONTEXTS_PATH, EXECUTE_PATH } from "../../client/protocol/paths.ts";
import { bindingName, type Language } from "../../client/protocol/types.ts";
import { validationFailed } from "../../shared/errors.ts";
import { languageNamed } from "../../shared/languages.ts";
import { tooLarge } from "../../shared/read_body.ts";
import { jsonResponse } from "../../shared/responses.ts";
import { sandboxPath, segment } from "../../shared/service_calls.ts";
import { streamRun } from "../../shared/streamed_run.ts";
import { bodyOf } from "./body.ts";
import type { E2bPorts, E2bRequest } from "./request.ts";
import { passedOn, refused } from "./errors.ts";
import { homePath, workspacePath } from "./paths.ts";
import { RunLines } from "./run_lines.ts";

/** A program that does nothing, for one without any text, which the service's own routes refuse. */
const EMPTY_PROGRAM = "\n";
/** The language of a run that names none. */
const DEFAULT_LANGUAGE = "python";

const text = (name: string) => z.string(`${name} must be a string`).nullish();
const runSchema = z.object({
  code: z.string("code must be a string"),
  context_id: text("context_id"),
  language: text("language"),
  env_vars: z.record(
    z.string(),
    z.string("env_vars must hold strings"),
    "env_vars must be an object",
  )
    .nullish(),
});
const contextSchema = z.object({ language: text("language"), cwd: text("cwd") });

const ownContextSchema = z.object({ id: z.string(), language: z.string(), cwd: z.string() });
const ownContextsSchema = z.object({ contexts: z.array(ownContextSchema) });

/** Answers `/execute` and `/contexts`. */
export async function interpreterCall(
  sandbox: string,
  request: E2bRequest,
  ports: E2bPorts,
): Promise<Response> {
  const { method, path: [first, id, action, ...more] } = request;
  const route = `${method} /${first}${id === undefined ? "" : "/:id"}${action ?? ""}`;
  if (more.length > 0) return refused({ status: 404, message: "There is no such route" });
  switch (route) {
    case "POST /execute":
      return await run(sandbox, request, ports);
    case "POST /contexts":
      return await createContext(sandbox, request, ports);
    case "GET /contexts":
      return await listContexts(sandbox, request, ports);
    case "DELETE /contexts/:id":
      return await removeContext(sandbox, id ?? "", request, ports);
    case "POST /contexts/:idrestart":
      await ports.terms.restart(sandbox, id ?? "");
      return jsonResponse(null);
    default:
      return refused({ status: 404, message: "There is no such route" });
  }
}

async function run(sandbox: string, request: E2bRequest, ports: E2bPorts): Promise<Response> {
  const { code, context_id: contextId, language, env_vars: envVars } = bodyOf(request, runSchema);
  const { requestBytes } = ports.limits;
  // the request of the run would be longer still, and takes long to be written
  if (code.length > requestBytes) throw tooLarge(requestBytes);
  const hasContext = contextId !== undefined && contextId !== null;
  if (hasContext && language !== undefined && language !== null) {
    throw validationFailed("Give context_id or language, not both");
  }
  const runsIn = hasContext ? anyLanguage(ports) : languageOf(language);
  const answer = await streamRun(
    new RunLines(ports.now),
    request.signal,
    ports.streams,
    ({ signal, listener }) =>
      ports.call({
        method: "POST",
        path: sandboxPath(runsIn, sandbox, EXECUTE_PATH),
        body: {
          code: code === "" ? EMPTY_PROGRAM : code,
          repr: true,
          ...(hasContext ? { contextId } : {}),
          ...(envVars === undefined || envVars === null ? {} : { envVars }),
        },
        listener,
      }, signal),
  );
  return answer.status === 200 ? answer : await passedOn(answer);
}

/** The path of a call that names a context may name any language. */
function anyLanguage({ languages: [first] }: E2bPorts): string {
  return first ?? DEFAULT_LANGUAGE;
}

function languageOf(name: string | null | undefined): Language {
  const named = languageNamed(name ?? DEFAULT_LANGUAGE);
  if (named === undefined) throw validationFailed(`There is no language ${JSON.stringify(name)}`);
  return named.language;
}

async function createContext(
  sandbox: string,
  request: E2bRequest,
  ports: E2bPorts,
): Promise<Response> {
  const { language: name, cwd } = bodyOf(request, contextSchema);
  const language = languageOf(name);
  const answer = await ports.call({
    method: "POST",
    path: sandboxPath(language, sandbox, CONTEXTS_PATH),
    body: {
      binding: bindingName(language),
      ...(cwd === undefined || cwd === null ? {} : { cwd: workspacePath(cwd) }),
    },
  }, request.signal);
  if (!answer.ok) return await passedOn(answer);
  return jsonResponse(shown(ownContextSchema.parse(await answer.json())));
}

async function listContexts(
  sandbox: string,
  request: E2bRequest,
  ports: E2bPorts,
): Promise<Response> {
  const path = sandboxPath(anyLanguage(ports), sandbox, CONTEXTS_PATH);
  const answer = await ports.call({ method: "GET", path }, request.signal);
  if (!answer.ok) return await passedOn(answer);
  return jsonResponse(ownContextsSchema.parse(await answer.json()).contexts.map(shown));
}

async function removeContext(
  sandbox: string,
  id: string,
  request: E2bRequest,
  ports: E2bPorts,
): Promise<Response> {
  const path = sandboxPath(anyLanguage(ports), sandbox, `${CONTEXTS_PATH}/${segment(id)}`);
  const answer = await ports.call({ method: "DELETE", path }, request.signal);
  return answer.ok ? jsonResponse(null) : await passedOn(answer);
}

function shown({ id, language, cwd }: z.infer<typeof ownContextSchema>) {
  return { id, language, cwd: homePath(cwd) };
}
