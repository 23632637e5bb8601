/** Calls a sandbox whose programs wait. */
import { assertEquals } from "@std/assert";
import { Caller } from "../sandbox/fixture.ts";
import { type Answered, TOOLS } from "./gateway_fixture.ts";

/** Calls a sandbox. */
export class ContextCaller extends Caller {
  /** Sends a request that must get this status. */
  async call(status: number, method: string, path: string, body?: unknown): Promise<Answered> {
    const answer = await this.send(method, path, body);
    const value = await answer.json();
    assertEquals([answer.status, value], [status, value]);
    return value;
  }

  /** Runs lines of a program in the default context. */
  async start(lines: readonly string[], fields: Record<string, unknown> = {}): Promise<Answered> {
    const code = lines.join("\n");
    return await this.call(200, "POST", "/execute", {
      binding: "PYTHON",
      code,
      ...TOOLS,
      ...fields,
    });
  }

  /** Answers a run. */
  async answer(run: string | undefined, answers: readonly unknown[]): Promise<Answered> {
    return await this.call(200, "POST", `/runs/${run}/answers`, { answers });
  }
}
