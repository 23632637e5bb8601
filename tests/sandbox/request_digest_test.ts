import { assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import { requestDigest } from "../../sandbox/stored_answers.ts";
import { sandboxReaders } from "../../sandbox/requests.ts";
import { ADMISSION_LIMITS, SANDBOX_LIMITS, SHARED_LIMITS } from "../../shared/limits.ts";
import type { SandboxExecuteRequest } from "../../shared/sandbox_types.ts";

const REQUEST: SandboxExecuteRequest = { code: "1", envVars: new Map([["A", "1"]]) };

/** Another value for each field. A field that is added to requests must be added here. */
const OTHERS: { readonly [F in keyof Required<SandboxExecuteRequest>]: SandboxExecuteRequest[F] } =
  {
    code: "2",
    contextId: "c",
    binding: "PYTHON",
    contextName: "n",
    envVars: new Map([["A", "2"]]),
    limits: { fuel: 1 },
    stdin: "x",
    seed: 1,
    clock: 1,
    repr: true,
    calls: { interactive: true },
  };

Deno.test("digest: differs when any field of the request does", () => {
  const requests = Object.entries(OTHERS).map(([field, value]) => ({ ...REQUEST, [field]: value }));
  const digests = [REQUEST, ...requests].map(requestDigest);
  assertEquals(new Set(digests).size, 1 + Object.keys(OTHERS).length);
});

Deno.test("digest: depends on the meaning of a request, not on its form", async () => {
  const read = sandboxReaders({ ...SHARED_LIMITS, ...ADMISSION_LIMITS, ...SANDBOX_LIMITS });
  const digestOf = async (body: string) => {
    const headers = { "content-type": "application/json" };
    const request = new Request("https://sandbox.internal", { method: "POST", headers, body });
    return requestDigest(await read.SandboxExecuteRequest(request, { forcedBinding: "PYTHON" }));
  };
  const plain = await digestOf('{"code":"é","envVars":{"A":"1","B":null},"limits":{"fuel":10}}');
  const same = [
    '{ "limits": {"fuel": 1e1}, "envVars": {"B": null, "A": "1"}, "code": "\\u00e9" }',
    '{"code":"é","envVars":{"A":"1","B":null},"limits":{"fuel":10},"unknown":[1],"binding":"PERL"}',
  ];
  for (const body of same) assertEquals(await digestOf(body), plain, body);
  const others = [
    '{"code":"e","envVars":{"A":"1","B":null},"limits":{"fuel":10}}',
    '{"code":"é","envVars":{"A":"1"},"limits":{"fuel":10}}',
    '{"code":"é","envVars":{"A":"1","B":"null"},"limits":{"fuel":10}}',
    '{"code":"é","envVars":{"B":"1","A":null},"limits":{"fuel":10}}',
    '{"code":"é","envVars":{"A":"1","B":null},"limits":{"wallMs":10}}',
    '{"code":"é","envVars":{"A":"1","B":null}}',
    '{"code":"é","envVars":{"A":"1","B":null},"limits":{"fuel":10},"contextId":"PYTHON"}',
  ];
  for (const body of others) assertNotEquals(await digestOf(body), plain, body);
});

Deno.test("digest: a kind of field that it does not know is refused, not left out", () => {
  const request = { ...REQUEST, bytes: new Uint8Array(1) };
  assertThrows(() => requestDigest(request), TypeError);
});
