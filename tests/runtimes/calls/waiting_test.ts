/** Isolates whose programs wait: they end with their parent, and serve others after they are taken back. */
import { assert, assertEquals } from "@std/assert";
import { attempt, echo, startIsolate } from "../../support/calling_isolate.ts";
import { isAlive } from "../../support/process.ts";
import { until } from "../../support/wait.ts";

Deno.test("waiting isolates: one ends when its parent dies", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  const parent = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--allow-all", "--no-check", "--unstable-kv"],
      new URL("./waiting_parent.ts", import.meta.url).pathname,
    ],
    stdout: "piped",
  }).spawn();
  const reader = parent.stdout.getReader();
  const { value } = await reader.read();
  const pid = Number(new TextDecoder().decode(value));
  assert(await isAlive(pid));
  parent.kill("SIGKILL");
  await parent.status;
  await until(async () => !await isAlive(pid));
  await reader.cancel();
});

const WAITING = {
  javascript: "try { await tools.echo() } finally { console.log('not reached') }",
  python: "try: tools.echo()\nfinally: print('not reached')",
} as const;

for (const language of ["javascript", "python"] as const) {
  Deno.test(`waiting isolates: ${language} goes on with another program when it is taken back`, async () => {
    const isolate = await startIsolate(language);
    const program = { language, code: WAITING[language], script: () => undefined };
    const first = await attempt(isolate, program);
    assertEquals([first.end, first.stdout, isolate.usable], ["released", "", true]);
    const add = language === "python" ? "tools.add(x=2)['x']" : "(await tools.add({ x: 2 })).x";
    const second = await attempt(isolate, { language, code: add, script: echo() });
    assertEquals([second.end, second.result], [undefined, "2"]);
    const leaving = new AbortController();
    const third = await attempt(isolate, {
      ...program,
      signal: leaving.signal,
      script: () => {
        leaving.abort();
        return new Promise(() => undefined);
      },
    });
    assertEquals([third.end, third.stdout, isolate.usable], ["released", "", true]);
    isolate.kill();
    await isolate.ended;
  });
}
