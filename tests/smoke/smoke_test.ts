// test: long
/**
 * The service as users start it, on whichever Deno runs this file: it builds, listens, and
 * answers a run in each of its languages.
 */
import { assertEquals } from "@std/assert";
import { leave } from "../support/disconnects.ts";
import { execute, startService } from "../support/service.ts";
import { jsonPost } from "../support/json_post.ts";

const PROGRAMS: Readonly<Record<string, { readonly code: string; readonly value: unknown }>> = {
  javascript: {
    code: "console.log('hello'); ({ sum: [1, 2, 3].reduce((a, b) => a + b) })",
    value: { json: { sum: 6 } },
  },
  python: { code: "print('hello')\n{'sum': sum([1, 2, 3])}", value: { json: { sum: 6 } } },
  perl: {
    code: 'print "hello\\n"; my $s = 0; $s += $_ for 1 .. 3; { sum => $s }',
    value: { json: { sum: 6 } },
  },
  ruby: { code: "puts 'hello'\n{ sum: [1, 2, 3].sum }", value: { json: { sum: 6 } } },
};

interface Listing {
  readonly languages: readonly { readonly id: string; readonly enabled: boolean }[];
}

Deno.test("service: a started service answers a run in each enabled language", async () => {
  await using service = await startService();
  const response = await fetch(`${service.url}/languages`);
  const { languages }: Listing = await response.json();
  const enabled = languages.filter((language) => language.enabled);
  assertEquals(enabled.length > 0, true);
  for (const { id } of enabled) {
    const program = PROGRAMS[id];
    const { result } = await execute(service.url, id, program?.code ?? "");
    assertEquals([id, result.logs.stdout, result.results], [id, ["hello"], [program?.value]]);
  }
});

/** Programs of a context: what stays, and files from outside in and back out. */
const CONTEXTS: Readonly<Record<string, readonly [first: string, second: string]>> = {
  javascript: [
    "const fs = require('fs'); let x = 20; fs.writeFileSync('out.txt', fs.readFileSync('in.txt'))",
    "x + 1",
  ],
  python: ["x = 20\nwith open('out.txt', 'w') as f: _ = f.write(open('in.txt').read())", "x + 1"],
  perl: [
    "our $x = 20; open(my $i, '<', 'in.txt'); open(my $o, '>', 'out.txt'); print {$o} <$i>; close $o;",
    "$x + 1",
  ],
};

/** Calls a route of a sandbox; the answer must be a success. */
async function callSandbox(url: string, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${url}${path}`, jsonPost(body));
  const answer: unknown = await response.json();
  assertEquals([path, response.status, answer], [path, 200, answer]);
  return answer;
}

function fieldOf(answer: unknown, name: string): unknown {
  return typeof answer === "object" && answer !== null ? Reflect.get(answer, name) : undefined;
}

Deno.test("service: contexts and files outlive a restart", async () => {
  const data = await Deno.makeTempDir();
  const env = { KV_PATH: `${data}/data.sqlite3` };
  const sandbox = (language: string, route: string) =>
    `/languages/${language}/sandboxes/smoke-${language}/${route}`;
  {
    await using service = await startService(env);
    for (const [language, [first]] of Object.entries(CONTEXTS)) {
      const write = { op: "write", path: "in.txt", content: `for ${language}` };
      await callSandbox(service.url, sandbox(language, "files"), write);
      const ran = await callSandbox(service.url, sandbox(language, "execute"), { code: first });
      assertEquals([language, fieldOf(ran, "error")], [language, undefined]);
    }
  }
  {
    await using service = await startService(env);
    for (const [language, [, second]] of Object.entries(CONTEXTS)) {
      const ran = await callSandbox(service.url, sandbox(language, "execute"), { code: second });
      assertEquals([language, fieldOf(ran, "results")], [language, [{ text: "21" }]]);
      const read = { op: "read", path: "out.txt" };
      const file = await callSandbox(service.url, sandbox(language, "files"), read);
      assertEquals(fieldOf(file, "content"), `for ${language}`);
    }
  }
  await Deno.remove(data, { recursive: true });
});

Deno.test("service: a disconnect ends a run with a program of any length", async () => {
  await using service = await startService({
    LANGUAGES: "javascript",
    ISOLATES: "1",
    WALL_MS: "20000",
    FUEL_JAVASCRIPT: "1000000000000",
  });
  for (const length of [0, 3_000]) {
    const code = `x = 2; for (;;) {} // ${"x".repeat(length)}`;
    const path = "/languages/javascript/sandboxes/leaving/execute";
    await callSandbox(service.url, path, { code: "var x = 1" });
    await leave(service.url, path, { code }, "fetch");
    const began = performance.now();
    const answer = await callSandbox(service.url, path, { code: "x" });
    assertEquals(fieldOf(answer, "results"), [{ text: "1" }]);
    assertEquals(performance.now() - began < 10_000, true);
  }
});
