/**
 * Data that must never be in the log: code, values, output, names of files, tokens
 * (docs/contract.md#environment-variables).
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { connect, getSandbox, runCode, SandboxError } from "../../client/mod.ts";
import { startProgram } from "../support/program.ts";

/** A marker in everything that a caller sends or a guest writes. */
const SECRET = "Marzipan4711";

Deno.test("service: the log contains nothing that callers send or guests write", async () => {
  await using program = await startProgram({
    env: {
      LANGUAGES: "javascript,python",
      TOKENS: `tenant:${SECRET}`,
      WALL_MS: "700",
      FUEL_JAVASCRIPT: `${Number.MAX_SAFE_INTEGER}`,
    },
  });
  const env = connect(program.url, { token: SECRET });
  const sandbox = getSandbox<typeof env>(env.Sandbox, SECRET);
  const envVars = { [SECRET]: SECRET };
  await sandbox.setEnvVars(envVars);
  await sandbox.files.write(SECRET, SECRET);
  await assertRejects(() => sandbox.files.read(`${SECRET}/${SECRET}`), SandboxError);
  for (const binding of ["JAVASCRIPT", "PYTHON"] as const) {
    const calls = [
      `"${SECRET}"`,
      `throw new Error("${SECRET}")`,
      `raise ValueError("${SECRET}")`,
      `console.log("${SECRET}"); display("${SECRET}"); while (true) {}`,
      `print("${SECRET}" * 1000000)`,
      `${SECRET} ${SECRET}`,
    ];
    for (const code of calls) {
      await sandbox.interpreter.runCode(code, { binding, envVars });
      await runCode(env[binding], code, { envVars });
    }
  }
  const options = { binding: "JAVASCRIPT", timeout: 100 } as const;
  const endless = `"${SECRET}"; while (true) {}`;
  await assertRejects(() => sandbox.interpreter.runCode(endless, options), DOMException);
  const keyed = async (code: string) => {
    const answer = await fetch(`${program.url}/languages/python/sandboxes/${SECRET}/execute`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${SECRET}`,
        "content-type": "application/json",
        "idempotency-key": SECRET,
      },
      body: JSON.stringify({ code }),
    });
    await answer.body?.cancel();
    return [answer.status, answer.headers.has("idempotency-replayed")];
  };
  assertEquals(await keyed(`"${SECRET}"`), [200, false]);
  assertEquals(await keyed(`"${SECRET}"`), [200, true]);
  assertEquals(await keyed(`"${SECRET}" * 2`), [409, false]);
  const wrong = connect(program.url, { token: `${SECRET}${SECRET}` });
  await assertRejects(() => runCode(wrong.PYTHON, SECRET), SandboxError);
  const headers = { authorization: `Bearer ${SECRET}`, "content-type": "application/json" };
  for (const body of [SECRET, `{"code": ${SECRET}`, `{"code": "${SECRET}`, `["${SECRET}"]`]) {
    const url = `${program.url}/execute/python?${SECRET}`;
    const answer = await fetch(url, { method: "POST", headers, body });
    assertEquals([answer.status, (await answer.json()).code], [400, "VALIDATION_FAILED"]);
  }
  for (const path of [SECRET, `${SECRET}/${SECRET}`, `%FF${SECRET}`]) {
    const url = `${program.url}/languages/python/sandboxes/${SECRET}/files/${path}`;
    for (const method of ["PUT", "GET", "DELETE"]) {
      const body = method === "PUT" ? { body: SECRET } : {};
      await (await fetch(url, { method, headers, ...body })).body?.cancel();
    }
  }
  await sandbox.destroy();
  await program.end("SIGTERM");
  assert(program.output().includes(program.url));
  assert(!program.output().includes(SECRET), program.output());
});
