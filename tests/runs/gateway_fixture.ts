/** A gateway over a runtime whose programs call, ask and sleep. */
import { assertEquals } from "@std/assert";
import type { GatewayOptions, Handler } from "../../gateway/app.ts";
import type { LanguageRuntime } from "../../shared/binding.ts";
import { jsonResponse } from "../../shared/responses.ts";
import { echoRuntime } from "../gateway/echo_runtime.ts";
import { testGateway } from "../gateway/test_gateway.ts";
import { CallingProgram, type IsolateRules } from "./calling_runtime.ts";

/** A runtime without contexts, with programs of `calling_runtime.ts`. */
export function callingRuntime(rules: IsolateRules = {}): LanguageRuntime {
  const echo = echoRuntime("python");
  return {
    ...echo,
    binding: {
      ...echo.binding,
      execute: async (request, caller) => {
        if (caller.calls === undefined) return await echo.binding.execute(request, caller);
        const stdout = await new CallingProgram(caller.calls, caller, rules).run(request.code);
        const { code } = request;
        return jsonResponse({
          code,
          language: "python",
          engine: "calling",
          durationMs: 1,
          logs: { stdout, stderr: [] },
          results: [],
        });
      },
    },
  };
}

/** A body of an answer whose fields are read one by one. */
export interface Answered {
  readonly logs: { readonly stdout: readonly string[] };
  readonly error?: { readonly name: string };
  readonly waiting?: {
    readonly run: string;
    readonly calls: readonly {
      readonly key: string;
      readonly name: string;
      readonly arguments: unknown;
      readonly approval?: string;
    }[];
    readonly input?: { readonly key: string; readonly prompt: string };
    readonly until?: number;
    readonly expiresAt?: number;
  };
  readonly code: string;
  readonly message?: string;
  readonly context?: { readonly [name: string]: unknown };
  readonly [field: string]: unknown;
}

/** Calls a gateway. */
export class RunCaller {
  readonly handler: Handler;

  constructor(rules: IsolateRules = {}, options: Partial<GatewayOptions> = {}) {
    const runtimes = new Map([["python", callingRuntime(rules)] as const]);
    this.handler = testGateway({ runtimes, ...options });
  }

  /** Sends a request. */
  async send(method: string, path: string, body?: unknown, init: RequestInit = {}) {
    return await this.handler(
      new Request(`http://127.0.0.1${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...init,
        headers: { "content-type": "application/json", ...init.headers },
      }),
    );
  }

  /** Sends a request that must get this status. */
  async call(status: number, method: string, path: string, body?: unknown): Promise<Answered> {
    const answer = await this.send(method, path, body);
    const value = await answer.json();
    assertEquals([answer.status, value], [status, value]);
    return value;
  }

  /** Runs lines of a program with these tools. */
  async run(lines: readonly string[], fields: Record<string, unknown> = TOOLS): Promise<Answered> {
    return await this.call(200, "POST", "/execute/python", { code: lines.join("\n"), ...fields });
  }

  /** Answers a run. */
  async answer(run: string | undefined, answers: readonly unknown[]): Promise<Answered> {
    return await this.call(200, "POST", `/runs/${run}/answers`, { answers });
  }
}

/** Two tools. */
export const TOOLS = {
  tools: [
    {
      name: "crm.find",
      inputSchema: {
        type: "object",
        properties: { q: { type: "string" } },
        required: ["q"],
        additionalProperties: false,
      },
      outputSchema: { type: "object", required: ["id"] },
    },
    { name: "mail.send", timeoutMs: 200 },
    { name: "ping" },
  ],
};
