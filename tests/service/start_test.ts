import { assertEquals, assertMatch } from "@std/assert";
import { BUNDLED_LANGUAGES as LANGUAGES } from "../../shared/languages.ts";
import { startProgram } from "../support/program.ts";
import { execute, startService } from "../support/service.ts";
import { jsonPost } from "../support/json_post.ts";

Deno.test("start: four languages at once, asked before any has started, all answer", async () => {
  await using service = await startService({ ISOLATES: "1" });
  const health = await (await fetch(`${service.url}/healthz`)).json();
  assertEquals(health.status, "ok");
  const states = health.languages.map(({ state }: { state: string }) => state);
  for (const state of states) assertMatch(state, /^(starting|ready)$/);
  const answers = await Promise.all(
    LANGUAGES.flatMap((language) =>
      Array.from({ length: 3 }, () => execute(service.url, language, "1"))
    ),
  );
  assertEquals(
    answers.filter(({ result }) => result.error === undefined).length,
    3 * LANGUAGES.length,
  );
});

Deno.test("start: a signal while languages start ends the service without an error", {
  ignore: Deno.build.os === "windows",
}, async () => {
  const service = await startProgram({ env: { ISOLATES: "1" } });
  const asked = fetch(`${service.url}/execute/ruby`, jsonPost({ code: "1" })).then(
    async (answer) => {
      await answer.body?.cancel();
      return answer.status;
    },
    () => "closed",
  );
  assertEquals(await service.end("SIGTERM"), 0);
  assertMatch(String(await asked), /^(200|503|closed)$/);
  assertEquals(/"level":"error"/.test(service.output()), false, service.output());
});
