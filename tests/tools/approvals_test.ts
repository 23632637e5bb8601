// test: long
/** No program performs a call that needs an approval without it, whatever way it takes. */
import { assert, assertEquals } from "@std/assert";
import { z } from "zod";
import { BUNDLED_LANGUAGES, type BundledLanguage } from "../../shared/languages.ts";
import { callJson, startProgram } from "../support/program.ts";
import { serveTools } from "./fixture.ts";

/** Programs that call `bank.pay` directly, from a file, and past their driver. */
const WAYS: { readonly [L in BundledLanguage]: readonly string[] } = {
  javascript: [
    "await tools.bank.pay({ sum: 1 })",
    "await (0, eval)('tools')['bank']['pay'].call(null, { sum: 1 })",
    `require("fs").writeFileSync("pay.js", "module.exports = () => tools.bank.pay({ sum: 1 })");
await require("./pay.js")()`,
  ],
  python: [
    "tools.bank.pay(sum=1)",
    "open('pay.py', 'w').write('tools.bank.pay(sum=1)')\nexec(open('pay.py').read())",
    "import os\nf = os.open('/dev/call', os.O_RDWR)\nos.write(f, b'call 1 bank.pay {\"sum\":1}\\n')\nos.write(f, b'wait 1 -\\n')",
  ],
  perl: [
    "Belljar::call('bank.pay', { sum => 1 })",
    "open my $f, '>', 'pay.pl'; print $f q{Belljar::call('bank.pay', { sum => 1 })}; close $f; do './pay.pl'",
    "use Fcntl; sysopen my $d, '/dev/call', O_RDWR; syswrite $d, qq(call 1 bank.pay {\"sum\":1}\\n); syswrite $d, qq(wait 1 -\\n)",
  ],
  ruby: [
    "tools.bank.pay(sum: 1)",
    "File.write('pay.rb', 'Tools.bank.pay(sum: 1)'); load './pay.rb'",
    "d = File.open('/dev/call', 'r+'); d.syswrite(%(call 1 bank.pay {\"sum\":1}\\n)); d.syswrite(%(wait 1 -\\n))",
  ],
};

/** Programs of a context that keep the tool in one run, and call it in the next one. */
const KEPT: Readonly<Record<string, readonly [keep: string, call: string]>> = {
  javascript: ["globalThis.kept = tools.bank.pay; 0", "await kept({ sum: 1 })"],
  python: ["kept = tools.bank.pay", "kept(sum=1)"],
  perl: ["our $kept = \\&Belljar::call; 0", "$kept->('bank.pay', { sum => 1 })"],
};

const waitingSchema = z.looseObject({
  waiting: z.looseObject({
    run: z.string(),
    calls: z.array(z.looseObject({ key: z.string(), approval: z.string().optional() })),
  }),
});

Deno.test("approvals: no way leads around one", async (test) => {
  const paid: string[] = [];
  await using server = serveTools(({ body, target }) => {
    if (target === "/pay") paid.push(body);
    return Response.json(target);
  });
  const folder = await Deno.makeTempDir();
  const operation = { method: "POST", inputSchema: { type: "object" } };
  await Deno.writeTextFile(
    `${folder}/tools.json`,
    JSON.stringify({
      operations: {
        "bank.pay": { ...operation, url: `${server.url}/pay`, approval: "always" },
        "bank.look": { ...operation, url: `${server.url}/look` },
      },
      tenants: { "*": ["bank.*"] },
      privateAddresses: [server.address],
    }),
  );
  await using program = await startProgram({ env: { TOOLS: `${folder}/tools.json` } });
  const post = async (path: string, body: unknown, init: RequestInit = {}) =>
    await callJson(`${program.url}${path}`, body, init);
  const bank = { tools: ["bank.*"] };
  /** Runs a program that must wait for an approval; gives its run and key. */
  const waits = async (path: string, code: string, init?: RequestInit) => {
    const { body } = await post(path, { code, ...bank }, init);
    const parsed = waitingSchema.safeParse(body);
    assert(parsed.success, JSON.stringify([code, body]));
    const { run, calls: [call] } = parsed.data.waiting;
    assertEquals(call?.approval, "always");
    return { run, key: call?.key ?? "" };
  };
  const answers = ({ run }: { readonly run: string }, answer: unknown) =>
    post(`/runs/${run}/answers`, { answers: [answer] });
  const cancel = async (run: string) => {
    const init = { method: "DELETE", body: null };
    assertEquals((await callJson(`${program.url}/runs/${run}`, undefined, init)).status, 200);
  };

  for (const language of BUNDLED_LANGUAGES) {
    await test.step(`${language}: directly, from a file, and past the driver`, async () => {
      for (const code of WAYS[language]) {
        const { run, key } = await waits(`/execute/${language}`, code);
        for (const answer of [{ key, value: 1 }, { key, error: { message: "x" } }]) {
          assertEquals((await answers({ run }, answer)).status, 400);
        }
        await cancel(run);
      }
      assertEquals(paid, []);
    });
  }

  await test.step("a tool of an earlier run, and one that the request does not name", async () => {
    for (const [language, [keep, call]] of Object.entries(KEPT)) {
      const box = `/languages/${language}/sandboxes/kept/execute`;
      assertEquals((await post(box, { code: keep, ...bank })).body["error"], undefined);
      for (const tools of [undefined, ["bank.look"], [{ name: "bank.pay" }, "bank.look"]]) {
        const { status, body } = await post(box, { code: call, tools });
        const { waiting } = z.looseObject({ waiting: z.unknown() }).parse({
          waiting: null,
          ...body,
        });
        // an own tool of that name is the caller's: the service performs nothing
        if (status !== 200 || waiting === null) continue;
        const { waiting: { run, calls } } = waitingSchema.parse(body);
        assertEquals(calls.map(({ approval }) => approval), [undefined]);
        await cancel(run);
      }
    }
    const twice = await post("/execute/python", {
      code: "1",
      tools: ["bank.*", { name: "bank.pay" }],
    });
    assertEquals(twice.status, 400);
    assertEquals(paid, []);
  });

  await test.step("a result of another tool is sent only with approval", async () => {
    const box = "/languages/python/sandboxes/flow/execute";
    const read = "seen = tools.bank.look()\nopen('seen.txt', 'w').write(seen)";
    assertEquals((await post(box, { code: read, ...bank })).body["error"], undefined);
    for (const value of ["tools.bank.look()", "seen", "open('seen.txt').read()"]) {
      const { run, key } = await waits(box, `tools.bank.pay(sum=${value})`);
      const { body } = await answers({ run }, { key, deny: "no" });
      const { name } = z.looseObject({ name: z.string() }).parse(body["error"]);
      assertEquals([name, paid], ["ToolDenied", []]);
    }
    const approved = await waits(box, "tools.bank.pay(sum=seen)");
    await answers(approved, { key: approved.key, approve: true });
    assertEquals(paid.splice(0), ['{"sum":"/look"}']);
  });

  await test.step("a repeated request and a repeated approval perform one call", async () => {
    const box = "/languages/python/sandboxes/once/execute";
    const init = { headers: { "idempotency-key": "once" } };
    const code = "tools.bank.pay(sum=2)";
    const first = await waits(box, code, init);
    assertEquals(await waits(box, code, init), first);
    const approve = { key: first.key, approve: true };
    const ends = await Promise.all([1, 2, 3].map(() => answers(first, approve)));
    for (const { status } of ends) assertEquals(status, 200);
    const again = await post(box, { code, ...bank }, init);
    assertEquals(again.body["results"], [{ text: "'/pay'" }]);
    assertEquals((await answers(first, { key: first.key, deny: "late" })).status, 409);
    assertEquals(paid.splice(0), ['{"sum":2}']);
  });

  await test.step("forks and checkpoints need approvals of their own", async () => {
    const boxes = "/languages/python/sandboxes";
    await post(`${boxes}/source/execute`, { code: "1" });
    const source = await waits(`${boxes}/source/execute`, "tools.bank.pay(sum=3)");
    assertEquals((await post(`${boxes}/source/fork`, { to: "copy" })).status, 201);
    const saved = await post(`${boxes}/source/checkpoints`, {});
    assertEquals((await answers(source, { key: source.key, approve: true })).status, 200);
    assertEquals(paid.splice(0), ['{"sum":3}']);
    const restored = await post(`${boxes}/source/checkpoints/${saved.body["id"]}/restore`, {});
    assertEquals(restored.status, 200);
    for (const box of ["copy", "source"]) {
      const listed = await callJson(`${program.url}${boxes}/${box}/runs?state=waiting`);
      const { runs } = z.object({ runs: z.array(waitingSchema) }).parse(listed.body);
      const [{ waiting } = { waiting: undefined }] = runs;
      const key = waiting?.calls[0]?.key ?? "";
      assert(key !== "" && key !== source.key);
      const wrong = await answers({ run: waiting?.run ?? "" }, { key: source.key, approve: true });
      assertEquals(wrong.status, 404);
      assertEquals(paid, []);
      assertEquals((await answers({ run: waiting?.run ?? "" }, { key, deny: "no" })).status, 200);
    }
    assertEquals(paid, []);
  });
  await Deno.remove(folder, { recursive: true });
});
