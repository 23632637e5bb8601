/** Calls of the caller's functions from JavaScript, and questions to the caller. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { calling } from "../../calls/calling_programs.ts";

/** Programs, what they tell, and what they ask. */
const CASES: readonly (readonly [code: string, told: string, asked: readonly string[]])[] = [
  ["await tools.add({ a: 1, b: 2 })", "3", ['1 add {"a":1,"b":2}']],
  ["await tools.echo()", "{}", ["1 echo {}"]],
  ["tools.echo({ b: 1 }).then((v) => console.log(v)); 'end'", "{ b: 1 }\n | 'end'", [
    '1 echo {"b":1}',
  ]],
  ["tools.add({ a: 1, b: 1 })", "2", ['1 add {"a":1,"b":1}']],
  [
    "await tools.crm.find({ q: 'x' })",
    '{"name":"x","tags":["a",2.5,null,true]}',
    ['1 crm.find {"q":"x"}'],
  ],
  ["await Promise.all([2, 1].map((a) => tools.add({ a, b: 1 })))", "[3,2]", [
    '1 add {"a":2,"b":1}',
    '2 add {"a":1,"b":1}',
  ]],
  ["await Promise.race([tools.slow(), tools.echo({ a: 1 })])", '{"a":1}', [
    "1 slow {}",
    '2 echo {"a":1}',
  ]],
  ["await tools.echo({ when: new Date(0) })", '{"when":"1970-01-01T00:00:00.000Z"}', [
    '1 echo {"when":"1970-01-01T00:00:00.000Z"}',
  ]],
  // names that are words of the language
  ["[await tools.crm.class(), await tools.start()]", '["class","start"]', [
    "1 crm.class {}",
    "2 start {}",
  ]],
  // the tools themselves
  ["Object.keys(tools)", '["add","echo","crm","fail","deny","expire","slow","start"]', []],
  ["['crm' in tools, 'nope' in tools, typeof tools.then]", '[true,false,"undefined"]', []],
  ["(await tools) === tools", "true", []],
  ["console.log(tools.crm)", "{ find: [Function: crm.find], class: [Function: crm.class] }\n", []],
  // errors
  [
    "await tools.fail().catch((e) => [e.name, e.message, e.tool, e.data.code, e instanceof Error])",
    '["ToolError","no luck","fail",7,true]',
    ["1 fail {}"],
  ],
  [
    "await tools.deny().catch((e) => [e instanceof ToolDenied, e instanceof ToolError, e.message])",
    '[true,true,"not you"]',
    ["1 deny {}"],
  ],
  [
    "await tools.expire().catch((e) => [e instanceof ToolExpired, e.name])",
    '[true,"ToolExpired"]',
    ["1 expire {}"],
  ],
  [
    "const said = []; for (const data of [{ unknown: true }, { unknown: 'yes' }, ['unknown'], undefined]) await tools.fail({ data }).catch((e) => said.push(e.unknown)); said",
    "[true,false,false,false]",
    [
      '1 fail {"data":{"unknown":true}}',
      '2 fail {"data":{"unknown":"yes"}}',
      '3 fail {"data":["unknown"]}',
      "4 fail {}",
    ],
  ],
  ["await tools.fail()", "ToolError: no luck", ["1 fail {}"]],
  [
    "await tools.crm.fnid({})",
    'ToolError: There is no tool "crm.fnid". Did you mean crm.find?',
    [],
  ],
  ["await tools.other.thing()", 'ToolError: There is no tool "other.thing"', []],
  [
    "await tools.echo({ a: 1n })",
    'ToolError: The arguments of a call are JSON, which has no BigInt ("a")',
    [],
  ],
  [
    "await tools.echo({ a: [new Uint8Array(2)] })",
    'ToolError: The arguments of a call are JSON, which has no bytes ("0")',
    [],
  ],
  [
    "await tools.echo({ a: NaN })",
    'ToolError: The arguments of a call are JSON, which has no NaN ("a")',
    [],
  ],
  [
    "await tools.echo({ a: new Map() })",
    'ToolError: The arguments of a call are JSON, which has no Map ("a")',
    [],
  ],
  ["await tools.echo('x')", "ToolError: The arguments of a call are an object", []],
  ["await tools.echo({}, {})", "ToolError: A call has one object of arguments", []],
  [
    "const a = {}; a.a = a; await tools.echo(a)",
    "ToolError: The arguments cannot be written as JSON: circular reference",
    [],
  ],
  [
    "await tools.echo({ a: 'x'.repeat(65_530) })",
    "ToolError: The arguments of a call have at most 65536 bytes of JSON",
    [],
  ],
  // times
  ["const t = Date.now(); await tools.slow(); Date.now() - t", "5000", ["1 slow {}"]],
  [
    "const t = Date.now(); await new Promise((r) => setTimeout(r, 2_500)); Date.now() - t",
    "2500",
    ["sleep 2500"],
  ],
  [
    "await Promise.race([tools.slow(), new Promise((r) => setTimeout(r, 1_000, 'late'))])",
    "'late'",
    ["1 slow {}"],
  ],
  [
    "let n = 0; setInterval(() => n++, 1_000).unref(); await tools.slow(); n",
    "4",
    ["1 slow {}"],
  ],
  // prototypes that the program has changed
  [
    "Array.prototype.push = null; Object.prototype.get = 1; Promise.prototype.then2 = 1; " +
    "Map.prototype.get = null; JSON.parse = null; await tools.add({ a: 2, b: 2 })",
    "4",
    ['1 add {"a":2,"b":2}'],
  ],
];

Deno.test("javascript calls: programs call, wait and catch", async (t) => {
  for (const [code, told, asked] of CASES) {
    await t.step(
      code,
      async () => assertEquals(await calling("javascript", code), { told, asked }),
    );
  }
});

Deno.test("javascript calls: 64 calls may be without an answer, and no more", async () => {
  const { told, asked } = await calling(
    "javascript",
    "const all = await Promise.allSettled(Array.from({ length: 66 }, () => tools.echo())); " +
      "[all.filter(({ value }) => value).length, all.at(-1).reason.message]",
  );
  assertEquals(told, '[64,"At most 64 calls may be without an answer at a time"]');
  assertEquals(asked.length, 64);
});

Deno.test("javascript calls: the call after the thousandth ends the run, and cannot be caught", async () => {
  const code = "for (;;) await tools.echo().catch(() => 0)";
  const { told, asked } = await calling("javascript", code);
  assertEquals([told, asked.length], ["limit calls", 1_000]);
});

const ASK = "const rl = require('readline/promises').createInterface(" +
  "{ input: process.stdin, output: process.stdout });";

Deno.test("javascript calls: questions are asked one by one, when their answers are wanted", async () => {
  const input = ["Ann\n", "blue\n"];
  const two = `${ASK} const n = await rl.question('Name? '); await tools.echo({ n }); ` +
    "const c = await rl.question('Colour? '); rl.close(); await tools.echo({ c }); [n, c]";
  assertEquals(await calling("javascript", two, { input }), {
    told: 'Name? Colour?  | ["Ann","blue"]',
    asked: ["input", '1 echo {"n":"Ann"}', "input", '2 echo {"c":"blue"}'],
  });
  const lines = "for await (const l of require('readline').createInterface(process.stdin)) " +
    "console.log(l)";
  assertEquals(await calling("javascript", lines, { input }), {
    told: "Ann\nblue\n",
    asked: ["input", "input", "input"],
  });
  const whole = "require('fs').readFileSync(0, 'utf8')";
  assertEquals(await calling("javascript", whole, { input }), {
    told: "'Ann\\nblue\\n'",
    asked: ["input", "input", "input"],
  });
});

Deno.test("javascript calls: nobody is asked where the run is not interactive", async () => {
  const { told, asked } = await calling("javascript", "require('fs').readFileSync(0, 'utf8')");
  assertEquals([told, asked], ["''", []]);
});

Deno.test("javascript calls: a tool named then is called, and makes no promise of its folder", async () => {
  const functions = { then: () => "then", a: () => 1, "b.then": () => "b", "c.then.d": () => 3 };
  const code =
    "const all = await tools; const read = async () => tools.b; const b = await read();" +
    "[await tools.then({ x: 1 }), all.then === undefined, await all.a(), b.then === undefined," +
    " await tools.b.then(), await tools.then(), (await tools.c) === tools.c, await tools.c.then.d()]";
  assertEquals(await calling("javascript", code, { functions }), {
    told: '["then",true,1,true,"b","then",true,3]',
    asked: ['1 then {"x":1}', "2 a {}", "3 b.then {}", "4 then {}", "5 c.then.d {}"],
  });
});

Deno.test("javascript calls: the globals are those of the run", async () => {
  const run = (code: string, plain: boolean) =>
    calling("javascript", code, { inContext: true, plain });
  await calling("javascript", "0", { plain: true });
  const names = "['tools', 'ToolError', 'ToolDenied', 'ToolExpired'].map((n) => n in globalThis)";
  const none = "[false,false,false,false]";
  assertEquals((await run(names, true)).told, none);
  assertEquals(
    (await run("var kept = tools; var failed = tools.nope().catch((e) => e);" + names, false))
      .told,
    "[true,true,true,true]",
  );
  assertEquals((await run(names, true)).told, none);
  const { told } = await run("await kept.add({ a: 1, b: 1 })", true);
  assertEquals(told, "ToolError: The run of this tool has ended");
  assertEquals(
    (await run("[(await failed) instanceof ToolError, await tools.add({ a: 1, b: 1 })]", false))
      .told,
    "[true,2]",
  );
  assertEquals((await run("var tools = [1]; tools", true)).told, "[1]");
  assertEquals((await run("tools", false)).told, "[1]");
  assertEquals((await run("tools", true)).told, "[1]");
});

Deno.test("javascript calls: a program that opens the device gets as far as the driver", async () => {
  const code = `const fs = require('fs'); const fd = fs.openSync('/dev/call', 'r+');
    const send = (line) => { try { fs.writeSync(fd, line); return 'ok'; } catch (e) { return e.code; } };
    const lines = ['call 1 a {}', 'call 1 a {}', 'call 2 a', 'call 2 a []', 'call 2 a b {}', 'x', '',
      'wait 9 -', 'wait 1,1 -', 'wait - -', 'wait 1 x', 'call 2 \\xff {}', 'wait - 1e9'];
    const told = lines.map((line) => send(line + '\\n'));
    [told.join(' '), send('x'.repeat(70_000)), send('wait 1 -\\n'), fs.readFileSync(fd, 'utf8')]`;
  const { told, asked } = await calling("javascript", code, { functions: { a: () => 1 } });
  assertStringIncludes(told, `"EINVAL","EINVAL","value 1 1\\n"`);
  assertEquals(asked, ["1 a {}"]);
  const { told: without } = await calling("javascript", "require('fs').existsSync('/dev/call')", {
    plain: true,
  });
  assertEquals(without, "false");
  assert(told.startsWith('["ok EINVAL EINVAL'));
});
