// test: long
/** A kernel outlives its service, and `JUPYTER=0` switches the protocol off. */
import { assertEquals } from "@std/assert";
import { KillableService } from "../../support/kill_service.ts";
import { startService } from "../../support/service.ts";
import { Channels, rest, startKernel } from "./client.ts";

Deno.test("jupyter: a kernel continues after a kill of its service, also from a cell that asked", async () => {
  const folder = await Deno.makeTempDir();
  const options = {
    kvPath: `${folder}/data.sqlite3`,
    leaseMs: 1_000,
    env: { LANGUAGES: "python" },
  };
  let kernel = "";
  {
    await using service = await KillableService.start(options);
    kernel = await startKernel(service);
    await using channels = await Channels.open(service, kernel);
    assertEquals((await channels.run("x = 41\nopen('f', 'w').write('1')")).reply.status, "ok");
    channels.send("execute_request", { code: "x = input('? ')", allow_stdin: true });
    await channels.next(({ channel }) => channel === "stdin");
    await service.kill(true);
  }
  {
    await using service = await KillableService.start(options);
    const { json } = await rest(service, "GET /kernels");
    assertEquals(json.map(({ id, name }: Record<string, string>) => [id, name]), [
      [kernel, "python3"],
    ]);
    await using channels = await Channels.open(service, kernel);
    const interrupt = channels.send("interrupt_request", {}, "control");
    assertEquals((await channels.reply(interrupt)).content.status, "ok");
    const { messages } = await channels.run("x + len(open('f').read())");
    const value = messages.find(([type]) => type === "execute_result");
    assertEquals(value?.[1].data["text/plain"], "42");
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("jupyter: JUPYTER=0 switches it off", async () => {
  await using service = await startService({ LANGUAGES: "javascript", JUPYTER: "0" });
  assertEquals((await rest(service, "GET /kernels")).status, 404);
});
