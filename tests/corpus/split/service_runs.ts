/**
 * Programs at a running service: at once without a context, and in pieces in one context.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type { ContextLanguage } from "../../runtimes/engine/snapshot/engine_bench.ts";
import type { ExecutionResult } from "../../../client/protocol/types.ts";
import { jsonPost } from "../../support/json_post.ts";

/** Environment of every program. */
export const ENVIRONMENT = { GREETING: "hello world", DEBUG_LEVEL: "3" };

async function post(url: string, body: unknown): Promise<Response> {
  return await fetch(url, jsonPost(body));
}

async function resultOf(response: Response): Promise<ExecutionResult> {
  const text = await response.text();
  assertEquals(response.status, 200, text);
  return JSON.parse(text);
}

/** Runs a program without a context. */
export async function runOnce(
  url: string,
  language: ContextLanguage,
  code: string,
  envVars: Record<string, string> = ENVIRONMENT,
): Promise<ExecutionResult> {
  return await resultOf(await post(`${url}/execute/${language}`, { code, envVars }));
}

/** A context in a sandbox of its own. */
export class SplitContext {
  readonly #sandbox: string;

  /** `url` of the service; may have changed when the service was started again. */
  constructor(
    readonly language: ContextLanguage,
    readonly id: string = crypto.randomUUID(),
  ) {
    this.#sandbox = `/languages/${language}/sandboxes/${id}`;
  }

  async run(url: string, code: string): Promise<ExecutionResult> {
    const body = { code, envVars: ENVIRONMENT };
    return await resultOf(await post(`${url}${this.#sandbox}/execute`, body));
  }

  async delete(url: string): Promise<void> {
    const response = await fetch(`${url}${this.#sandbox}`, { method: "DELETE" });
    assertEquals(response.status, 200, await response.text());
  }
}
