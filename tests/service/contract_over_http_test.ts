import { assertEquals } from "@std/assert";
import { startService } from "../support/service.ts";

Deno.test("service: the contract tests pass over HTTP, against real engines", async () => {
  await using service = await startService();
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "--allow-all", "--quiet", new URL("../contract/", import.meta.url).pathname],
    env: { CONTRACT_URL: service.url, NO_COLOR: "1" },
    stdout: "piped",
    stderr: "null",
  }).output();
  const text = new TextDecoder().decode(stdout);
  assertEquals(success, true, text.slice(-4_000));
});
