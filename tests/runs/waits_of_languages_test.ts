/** Questions, sleeps and time limits of programs in each language, through a real service. */
import { assert, assertEquals } from "@std/assert";
import { BUNDLED_LANGUAGES, type BundledLanguage } from "../../shared/languages.ts";
import { type Service, startService } from "../support/service.ts";
import { SERVICE_LIMITS } from "../support/run_limits.ts";
import { pause } from "../support/wait.ts";

type ByLanguage = { readonly [L in BundledLanguage]: string };

interface State {
  readonly logs: { readonly stdout: readonly string[]; readonly stderr: readonly string[] };
  readonly usage: { readonly fuelConsumed: number; readonly memoryBytes: number };
  readonly error?: { readonly name: string; readonly message: string };
  readonly waiting?: {
    readonly run: string;
    readonly calls: readonly { readonly key: string }[];
    readonly input?: { readonly key: string; readonly prompt: string };
  };
}

async function call<T>(service: Service, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${service.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.text();
  assertEquals(answer.status, 200, text);
  return JSON.parse(text);
}

/** Two questions, then the rest of standard input. */
const QUESTIONS: ByLanguage = {
  javascript:
    `const lines = require("readline/promises").createInterface({ input: process.stdin, output: process.stdout });
const name = await lines.question("Name? ");
const town = await lines.question("Town? ");
let more = 0;
for await (const line of lines) more++;
console.log(name + " of " + town + ", " + more);`,
  python: `import sys
name, town = input("Name? "), input("Town? ")
print(f"{name} of {town}, {len(sys.stdin.readlines())}")`,
  perl: `print "Name? "; chomp(my $name = <STDIN>);
print "Town? "; chomp(my $town = <STDIN>);
my @more = <STDIN>;
print "$name of $town, " . @more . "\\n";`,
  ruby: `print "Name? "; name = gets.chomp
print "Town? "; town = $stdin.readline(chomp: true)
puts "#{name} of #{town}, #{$stdin.each_line.count}"`,
};

/** A limit of half a second for a call that nobody answers. */
const LATE: ByLanguage = {
  javascript: `const late = new Promise((done) => setTimeout(() => done("late"), 500));
console.log(await Promise.race([tools.ask({}), late]));
process.exit(0);`,
  python: `import asyncio
try:
    print(await asyncio.wait_for(tools.ask.start(), 0.5))
except TimeoutError:
    print("late")`,
  perl: `use Time::HiRes "alarm"; $SIG{ALRM} = sub { die "late\\n" };
print eval { alarm 0.5; Belljar::call("ask") } // $@;`,
  ruby: `require "timeout"
puts(Timeout.timeout(0.5) { tools.ask }) rescue puts("late")`,
};

/** A sleep whose length the clock shows. */
const SLEEP: ByLanguage = {
  javascript: `const start = Date.now(); await new Promise((done) => setTimeout(done, 300));
console.log(Date.now() - start >= 300);`,
  python: `import time
start = time.time(); time.sleep(0.3)
print(str(time.time() - start >= 0.299).lower())`,
  perl: `use Time::HiRes qw(sleep time); my $start = time; sleep 0.3;
print time - $start >= 0.299 ? "true" : "false", "\\n";`,
  ruby: `start = Time.now; sleep 0.3; puts Time.now - start >= 0.299`,
};

Deno.test("calls: questions, time limits and sleeps in each language", async (test) => {
  await using service = await startService(SERVICE_LIMITS);
  for (const language of BUNDLED_LANGUAGES) {
    await test.step(`${language} asks for lines until their end`, async () => {
      const execute = { code: QUESTIONS[language], interactive: true };
      let state = await call<State>(service, `/execute/${language}`, execute);
      const prompts: string[] = [];
      for (const value of ["Ada", "London", "more", "and more", null]) {
        const { run, input } = state.waiting ?? {};
        assert(input !== undefined, JSON.stringify(state));
        const { fuelConsumed, memoryBytes } = state.usage;
        assert(fuelConsumed > 0 && memoryBytes >= 2 ** 20 && memoryBytes % 2 ** 16 === 0);
        prompts.push(input.prompt);
        const answers = [{ key: input.key, value }];
        state = await call<State>(service, `/runs/${run}/answers`, { answers });
      }
      assertEquals(prompts, ["Name? ", "Town? ", "", "", ""]);
      assertEquals(state.error, undefined);
      assertEquals(
        state.logs.stdout.at(-1)?.endsWith("Ada of London, 2"),
        true,
        JSON.stringify(state),
      );
    });

    await test.step(`${language} gives up a call after its time`, async () => {
      const execute = { code: LATE[language], tools: [{ name: "ask" }] };
      // on a busy machine the time can be over before the first answer is sent
      let state = await call<State>(service, `/execute/${language}`, execute);
      const run = state.waiting?.run;
      if (run !== undefined) assertEquals(state.waiting?.calls.length, 1);
      while (state.waiting !== undefined) {
        await pause(50);
        state = await call<State>(service, `/runs/${run}/answers`, { answers: [] });
      }
      assertEquals([state.logs.stdout, state.error], [["late"], undefined]);
    });

    await test.step(`${language} sleeps for real`, async () => {
      const execute = { code: SLEEP[language], tools: [] };
      const { logs, error } = await call<State>(service, `/execute/${language}`, execute);
      assertEquals([logs.stdout, error], [["true"], undefined]);
    });
  }
});
