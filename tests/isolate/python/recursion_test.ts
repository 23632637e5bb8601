import { assertEquals } from "@std/assert";

Deno.test("recursion: Python raises before V8's stack ends, in an isolate's stack", async () => {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--allow-all",
      "--v8-flags=--stack-size=4000",
      new URL("recursion_program.ts", import.meta.url).href,
    ],
    cwd: new URL("../../../", import.meta.url),
  }).output();
  const said = new TextDecoder().decode(stdout);
  assertEquals(said === "" ? new TextDecoder().decode(stderr) : JSON.parse(said), []);
});
