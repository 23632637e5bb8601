/**
 * A service in a process of its own, for tests and benchmarks that look at it from outside.
 *
 * @module
 */
import type { ExecutionResult, RunLimits } from "../../client/protocol/types.ts";
import { type Program, startProgram } from "./program.ts";
import { jsonPost } from "./json_post.ts";

/** A running service. */
export type Service = Program;

/** Starts the service on an ephemeral port; `env` adds to its environment. */
export function startService(env: Record<string, string> = {}): Promise<Service> {
  return startProgram({ env, stderr: "inherit" });
}

/** Runs code over HTTP; gives the answer's result and its timing header. */
export async function execute(
  url: string,
  language: string,
  code: string,
  limits?: RunLimits,
): Promise<{ readonly result: ExecutionResult; readonly timing: string }> {
  const response = await fetch(`${url}/execute/${language}`, jsonPost({ code, limits }));
  const result: ExecutionResult = await response.json();
  if (!response.ok) throw new Error(`The service answered ${response.status}`);
  return { result, timing: response.headers.get("server-timing") ?? "" };
}

/** The parts of a `Server-Timing` header in milliseconds. */
export function timingParts(header: string): ReadonlyMap<string, number> {
  const parts = header.split(",").map((part) => /^\s*([\w-]+);dur=([\d.]+)/.exec(part));
  return new Map(parts.flatMap((match) => match ? [[match[1] ?? "", Number(match[2])]] : []));
}
