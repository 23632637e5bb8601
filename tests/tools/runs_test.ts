/** Programs that call the operator's tools: without and with approvals, in memory and stored. */
import { assert, assertEquals } from "@std/assert";
import {
  NO_TOOLS,
  type OperatorCall,
  type OperatorTool,
  type OperatorTools,
  type ToolOutcome,
} from "../../shared/operator_tools.ts";
import { ContextCaller } from "../runs/context_caller.ts";
import { type Answered, RunCaller, TOOLS } from "../runs/gateway_fixture.ts";
import { type ProcessOptions, sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { until } from "../support/wait.ts";

const NAMES = ["crm.find", "crm.pay", "crm.ask"] as const;

/** Tools of every tenant but `none`: `crm.ask` needs an approval, `crm.find` is idempotent. */
class FakeTools implements OperatorTools {
  readonly calls: OperatorCall[] = [];
  answer: (call: OperatorCall) => Promise<ToolOutcome> = ({ name }) =>
    Promise.resolve({ value: JSON.stringify(`${name} done`) });
  lost = false;

  of(): readonly OperatorTool[] {
    return this.lost ? [] : NAMES.map((name) => ({
      name,
      inputSchema: { type: "object", properties: { q: { type: "string" } } },
      settings: {
        approval: name === "crm.ask" ? "always" : "never",
        idempotent: name === "crm.find",
        timeoutMs: 10_000,
        revision: "1",
      },
      canSend: (text) => !text.includes(".."),
    }));
  }

  async call(call: OperatorCall): Promise<ToolOutcome> {
    if (this.lost) return await NO_TOOLS.call(call);
    this.calls.push(call);
    return await this.answer(call);
  }
}

const CRM = { tools: ["crm.*"] };

function outcomesOf(journal: Answered) {
  const { calls } = journal;
  assert(Array.isArray(calls));
  return calls.map(({ name, outcome }) => [name, outcome]);
}

Deno.test("operator's tools: a request names them, and what is not available is 400", async () => {
  const box = new RunCaller({}, { tools: new FakeTools() });
  const { tools: listed } = await box.call(200, "GET", "/tools");
  assert(Array.isArray(listed));
  assertEquals(listed.map(({ name, approval, idempotent }) => [name, approval, idempotent]), [
    ["crm.find", "never", true],
    ["crm.pay", "never", false],
    ["crm.ask", "always", false],
  ]);
  const text = await box.send("GET", "/tools?as=text");
  assert((await text.text()).includes("crm.find(q?: string)"));
  const wrong: readonly (readonly [tools: unknown, message: string])[] = [
    [["crm.other"], "tools[0]: 'crm.other' is not available"],
    [["crm.find", "hub.*"], "tools[1]: 'hub.*' is not available"],
    [["a b"], "tools[0] is neither a name nor a pattern such as crm.*"],
    [[1], "tools[0] must be an object, or the name of a tool"],
    [["crm.find", { name: "crm.find" }], "tools has 'crm.find' twice"],
    [["crm.find", { name: "crm" }], "tools has 'crm' and 'crm.find': a tool has no tools below it"],
  ];
  for (const [tools, message] of wrong) {
    const refused = await box.call(400, "POST", "/execute/python", { code: "print x", tools });
    assertEquals(refused.message, message);
    assertEquals((await box.call(400, "POST", "/tools?as=text", { tools })).message, message);
  }
  for (const tools of [["*"], ["crm.find", "crm.*", { name: "own" }]]) {
    await box.call(200, "POST", "/execute/python", { code: "print x", tools });
  }
});

Deno.test("operator's tools: the service performs calls, and nobody else sees or answers them", async () => {
  const tools = new FakeTools();
  const box = new RunCaller({}, { tools });
  const end = await box.run(
    [
      'call crm.find {"q":"a"}',
      "start crm.pay {}",
      "start crm.find {}",
      "gather",
      'call crm.find {"q":1}',
    ],
    CRM,
  );
  assertEquals(end.waiting, undefined);
  assertEquals([...end.logs.stdout].sort(), [
    '1: "crm.find done"',
    '2: "crm.pay done"',
    '3: "crm.find done"',
    "4: tool The arguments of crm.find are not valid: /q must be string",
  ]);
  assertEquals(tools.calls.map(({ tenant, arguments: text }) => [tenant, text]), [
    ["default", '{"q":"a"}'],
    ["default", "{}"],
    ["default", "{}"],
  ]);
  // beside a call of the caller
  const release = Promise.withResolvers<ToolOutcome>();
  tools.answer = () => release.promise;
  const { waiting } = await box.run(["start ping {}", "start crm.pay {}", "gather"], {
    tools: ["crm.*", ...TOOLS.tools.filter(({ name }) => name === "ping")],
  });
  const run = waiting?.run;
  assertEquals(waiting?.calls.map(({ key }) => key), [`${run}/1`]);
  const path = `/runs/${run}/answers`;
  for (const answer of [{ value: 1 }, { approve: true }, { deny: "no" }]) {
    const answers = [{ key: `${run}/2`, ...answer }];
    assertEquals((await box.call(404, "POST", path, { answers }))["code"], "CALL_NOT_FOUND");
  }
  const going = box.answer(run, [{ key: `${run}/1`, value: "own" }]);
  release.resolve({ value: '"late"' });
  assertEquals([...(await going).logs.stdout].sort(), ['1: "own"', '2: "late"']);
  const journal = await box.call(200, "GET", `/journal/${run}`);
  assertEquals(outcomesOf(journal), [["ping", "value"], ["crm.pay", "value"]]);
});

Deno.test("operator's tools: an approval is answered by approve or deny only, once", async () => {
  const tools = new FakeTools();
  const box = new RunCaller({}, { tools });
  const first = await box.run(['start crm.ask {"q":"1"}', "start crm.ask {}", "gather"], CRM);
  const run = first.waiting?.run ?? "";
  const key = (n: number) => `${run}/${n}`;
  assertEquals(first.waiting?.calls, [
    { key: key(1), name: "crm.ask", arguments: { q: "1" }, approval: "always" },
    { key: key(2), name: "crm.ask", arguments: {}, approval: "always" },
  ]);
  const path = `/runs/${run}/answers`;
  for (const answer of [{ value: 1 }, { error: { message: "x" } }, { approve: false }, {}]) {
    const answers = [{ key: key(1), ...answer }];
    assertEquals((await box.call(400, "POST", path, { answers }))["code"], "VALIDATION_FAILED");
  }
  assertEquals(tools.calls.length, 0);
  const { runs } = await box.call(200, "GET", "/runs?state=waiting");
  assert(Array.isArray(runs));
  assertEquals(runs.map(({ id, waiting }) => [id, waiting.calls.length]), [[run, 2]]);
  const second = await box.answer(run, [{ key: key(1), approve: true }]);
  assertEquals(second.waiting?.calls.map(({ key }) => key), [key(2)]);
  assertEquals((await box.answer(run, [{ key: key(1), approve: true }])).waiting?.run, run);
  const changed = await box.call(409, "POST", path, { answers: [{ key: key(1), deny: "no" }] });
  assertEquals(changed["code"], "CALL_ANSWERED");
  const end = await box.answer(run, [{ key: key(2), deny: "not today" }]);
  assertEquals(end.logs.stdout, ['1: "crm.ask done"', "2: denied not today"]);
  assertEquals(tools.calls.length, 1);
  const journal = await box.call(200, "GET", `/journal/${run}`);
  const { calls } = journal;
  assert(Array.isArray(calls));
  const shown = calls.map(({ arguments: { bytes }, decision: { by, approve, deny }, outcome }) => [
    bytes,
    by,
    approve ?? deny,
    outcome,
  ]);
  assertEquals(shown, [[9, "run", true, "value"], [2, "run", "not today", "denied"]]);
  const own = await box.run(["call ping {}"]);
  const answers = [{ key: `${own.waiting?.run}/1`, approve: true }];
  await box.call(400, "POST", `/runs/${own.waiting?.run}/answers`, { answers });
  await box.call(200, "DELETE", `/runs/${own.waiting?.run}`);
});

Deno.test("operator's tools: nobody is asked to approve a call that cannot be sent", async () => {
  const tools = new FakeTools();
  tools.answer = () => Promise.resolve({ error: { kind: "tool", message: "no segment" } });
  const box = new RunCaller({}, { tools });
  const end = await box.run(['call crm.ask {"q":".."}'], CRM);
  assertEquals([end.waiting, end.logs.stdout], [undefined, ["1: tool no segment"]]);
  const { runs } = await box.call(200, "GET", "/runs");
  assert(Array.isArray(runs));
  const journal = await box.call(200, "GET", `/journal/${runs[0].id}`);
  assertEquals(outcomesOf(journal), [["crm.ask", "error"]]);
});

Deno.test("operator's tools: a tool that the tenant has lost is denied, also after its approval", async () => {
  const tools = new FakeTools();
  const box = new RunCaller({}, { tools });
  const { waiting } = await box.run(["call crm.ask {}", "call crm.find {}"], CRM);
  tools.lost = true;
  const end = await box.answer(waiting?.run, [{ key: `${waiting?.run}/1`, approve: true }]);
  assertEquals(end.logs.stdout, [
    "1: denied crm.ask is not available any more",
    "2: denied crm.find is not available any more",
  ]);
});

Deno.test("operator's tools: taken back at each wait, a program calls each once", async () => {
  const tools = new FakeTools();
  const box = new RunCaller({ takenBackAt: () => true }, { tools });
  const end = await box.run(
    ["call crm.pay {}", "start crm.pay {}", "start crm.pay {}", "gather"],
    CRM,
  );
  assertEquals(end.logs.stdout.length, 3);
  assertEquals(tools.calls.length, 3);
});

/** Processes over one store, whose runs end with the test. */
function withProcesses(
  work: (start: (options: ProcessOptions) => ReturnType<typeof sandboxProcess>) => Promise<void>,
): Promise<void> {
  return withStore(async (store) => {
    const started: ReturnType<typeof sandboxProcess>[] = [];
    try {
      await work((options) => {
        const process = sandboxProcess(store, options);
        started.push(process);
        return process;
      });
    } finally {
      await Promise.all(started.map(({ runs }) => runs.close()));
    }
  });
}

Deno.test("operator's tools: after a stop in a call, an idempotent one is repeated, another one is unknown", () =>
  withProcesses(async (start) => {
    for (
      const [name, line, calls] of [
        ["crm.find", '1: "again"', 2],
        [
          "crm.pay",
          "1: tool The outcome of crm.pay is unknown: the service ended before an answer came",
          1,
        ],
      ] as const
    ) {
      const tools = new FakeTools();
      tools.answer = () => new Promise(() => undefined);
      const first = start({ tools });
      const box = new ContextCaller(first, `box-${name}`);
      const going = box.send("POST", "/execute", {
        binding: "PYTHON",
        code: `call ${name} {}\nx = 1\nx`,
        ...CRM,
      }).catch(() => undefined);
      await until(() => tools.calls.length === 1);
      await first.runs.close();
      await (await going)?.body?.cancel();
      tools.answer = () => Promise.resolve({ value: '"again"' });
      const next = new ContextCaller(start({ tools }), `box-${name}`);
      const { runs } = await next.call(200, "GET", "/runs");
      assert(Array.isArray(runs));
      const end = await next.answer(runs[0].id, []);
      assertEquals([end.logs.stdout, end["results"]], [[line], [{ json: 1 }]]);
      assertEquals(tools.calls.length, calls);
      const journal = await next.call(200, "GET", `/journal/${runs[0].id}`);
      assertEquals(outcomesOf(journal), [[name, calls === 2 ? "value" : "unknown"]]);
    }
  }));

Deno.test("operator's tools: an approval outlives its process, and is performed once", () =>
  withProcesses(async (start) => {
    const tools = new FakeTools();
    const box = () => new ContextCaller(start({ tools }));
    const { waiting } = await box().start(["call crm.ask {}", "x = 2", "x"], CRM);
    const run = waiting?.run;
    const answers = [{ key: `${run}/1`, approve: true }];
    const ends = await Promise.all([1, 2, 3].map(() => box().answer(run, answers)));
    for (const end of ends) assertEquals(end["results"], [{ json: 2 }]);
    assertEquals(tools.calls.length, 1);
  }));

Deno.test("operator's tools: a fork of a run asks for an approval of its own", () =>
  withProcesses(async (start) => {
    const tools = new FakeTools();
    const sandboxes = start({ tools });
    const box = new ContextCaller(sandboxes);
    const { waiting } = await box.start(["call crm.ask {}", "x = 2", "x"], CRM);
    await box.call(201, "POST", "/fork", { to: "copy" });
    await box.answer(waiting?.run, [{ key: `${waiting?.run}/1`, approve: true }]);
    const copy = new ContextCaller(sandboxes, "copy");
    const { runs } = await copy.call(200, "GET", "/runs?state=waiting");
    assert(Array.isArray(runs));
    assertEquals(runs[0].waiting.calls.length, 1);
    assertEquals(tools.calls.length, 1);
    const answers = [{ key: runs[0].waiting.calls[0].key, approve: true }];
    await copy.answer(runs[0].id, answers);
    assertEquals(tools.calls.length, 2);
  }));
