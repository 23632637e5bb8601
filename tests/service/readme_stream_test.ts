// test: long
import { assert, assertEquals } from "@std/assert";
import { SERVICE_LIMITS } from "../support/run_limits.ts";
import { startService } from "../support/service.ts";

const README = Deno.readTextFileSync(new URL("../../README.md", import.meta.url));

Deno.test("README: the example's stream is the service's stream", async () => {
  await using service = await startService({ ...SERVICE_LIMITS, LANGUAGES: "python" });
  const [, command = "", shown = ""] =
    /```sh\n(curl -sN [\s\S]*?)```\n\n```\n([\s\S]*?)```/.exec(README) ?? [];
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", command.replace("http://127.0.0.1:8000", service.url)],
    stdout: "piped",
  }).output();
  const events = new TextDecoder().decode(stdout).trim().split("\n")
    .filter((line) => line !== '{"type":"keepalive"}'); // a busy machine may be silent for long
  const lines = shown.trim().split("\n");
  assertEquals(events.slice(0, -1), lines.slice(0, -1));
  const [beginning = ""] = lines.at(-1)?.split("…") ?? [];
  assert(beginning.length > 20 && events.at(-1)?.startsWith(beginning.trim()), events.at(-1));
});
