/**
 * E2B's protocol over the service's own routes (docs/e2b.md).
 *
 * `adapters/e2b/` owns what E2B's SDKs send and expect: paths, shapes and errors. It may import
 * `shared/`. It adds no rule: it calls the routes that other callers use, and sets the ends of
 * sandboxes. The gateway loads this module with the first request.
 *
 * @module
 */
import { controlCall } from "./control.ts";
import { notImplemented, refused, SANDBOX_GONE } from "./errors.ts";
import { fileCall } from "./files.ts";
import { filesystemCall } from "./filesystem.ts";
import { endOfStream } from "./envelope.ts";
import { interpreterCall } from "./interpreter.ts";
import { processCall } from "./process.ts";
import type { E2bPorts, E2bRequest } from "./request.ts";

/** First segments of the control plane. */
const CONTROL = ["sandboxes", "v2", "templates", "volumes", "snapshots", "v3"];

/**
 * Answers a request. Throws what the ports throw, and for a request that is not acceptable
 * `VALIDATION_FAILED`.
 */
export async function answerE2b(request: E2bRequest, ports: E2bPorts): Promise<Response> {
  const [first = ""] = request.path;
  if (CONTROL.includes(first)) return await controlCall(request, ports);
  const sandbox = request.headers.get("e2b-sandbox-id") ?? "";
  if (await ports.terms.find(sandbox) === undefined) return refused(SANDBOX_GONE);
  return await sandboxCall(sandbox, request, ports);
}

async function sandboxCall(
  sandbox: string,
  request: E2bRequest,
  ports: E2bPorts,
): Promise<Response> {
  const { method, path: [first, second] } = request;
  switch (first) {
    case "health":
      return new Response(null, { status: 204 });
    case "execute":
    case "contexts":
      return await interpreterCall(sandbox, request, ports);
    case "files":
      return await fileCall(sandbox, request, ports);
    case "filesystem.Filesystem":
      if (method === "POST" && second !== undefined) {
        return await filesystemCall(sandbox, second, request, ports);
      }
  }
  const isProcess = first === "process.Process";
  if (isProcess && method === "POST" && second !== undefined && ports.languages.includes("shell")) {
    return await processCall(sandbox, second, request, ports);
  }
  const message = isProcess
    ? "The service runs no shell commands: use run_code"
    : "The service does not have this part of E2B";
  const type = request.headers.get("content-type") ?? "";
  return type.startsWith("application/connect+")
    ? endOfStream({ code: "unimplemented", message })
    : notImplemented(message);
}
