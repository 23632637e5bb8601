/** Commands of a sandbox belong to its tenant, whatever the names. */
import { assertEquals } from "@std/assert";
import { processCall } from "../../../adapters/e2b/process.ts";
import type { E2bPorts, E2bRequest } from "../../../adapters/e2b/request.ts";
import { message } from "../../../adapters/e2b/envelope.ts";

const LIMITS = { memoryBytes: 1, fileBytes: 1, workspaceBytes: 1, requestBytes: 1 };
const unused = () => Promise.reject(new Error("Commands need no sandbox"));

Deno.test("process.List tells only the commands of its tenant and sandbox", async () => {
  const finish = Promise.withResolvers<void>();
  const portsOf = (tenant: string): E2bPorts => ({
    tenant,
    languages: ["shell"],
    call: async ({ listener }) => {
      listener?.start();
      await finish.promise;
      return Response.json({ exitCode: 0 });
    },
    streams: { clock: () => 0, onUnexpected: () => undefined },
    terms: {
      begin: unused,
      find: unused,
      end: unused,
      list: unused,
      relabel: unused,
      restart: unused,
    },
    limits: LIMITS,
    now: () => 0,
  });
  const ask = (tenant: string, sandbox: string, name: string, body: Uint8Array<ArrayBuffer>) => {
    const request: E2bRequest = {
      method: "POST",
      path: ["process.Process", name],
      query: new URLSearchParams(),
      headers: new Headers(),
      body,
      stream: null,
      token: undefined,
      signal: new AbortController().signal,
    };
    return processCall(sandbox, name, request, portsOf(tenant));
  };
  const order = message({ process: { cmd: "sleep", args: ["9"] } });
  const started = await ask("a/b", "c", "Start", order);
  const listed = async (tenant: string, sandbox: string) => {
    const answer = await ask(tenant, sandbox, "List", new TextEncoder().encode("{}"));
    return (await answer.json()).processes.length;
  };
  const counts = [
    await listed("a/b", "c"),
    await listed("a", "b/c"),
    await listed("a/b", "d"),
    await listed("b", "c"),
  ];
  finish.resolve();
  await started.body?.cancel();
  assertEquals(counts, [1, 0, 0, 0]);
});
