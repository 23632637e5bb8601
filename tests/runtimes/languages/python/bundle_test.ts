import { assert, assertEquals } from "@std/assert";
import { bundle } from "../../../../runtimes/builder/bundle.ts";
import { encodeMessage } from "../../../../shared/message.ts";
import { builtIsolate } from "../../../support/built.ts";

Deno.test("bundle: the engine runs from one file, with the permissions of an isolate", async () => {
  const { artifact } = await builtIsolate("python");
  const program = await bundle(new URL("bundle_program.ts", import.meta.url), "deno");
  assert(
    !/_createPyodideModule|pyodide\.asm|npm:/.test(program),
    "the bundle holds more than our own code",
  );
  const directory = await Deno.makeTempDir({ prefix: "belljar-python-" });
  try {
    await Deno.writeTextFile(`${directory}/isolate.js`, program);
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        ...["--no-prompt", "--no-config", "--no-lock", "--no-remote", "--no-npm", "--cached-only"],
        "--allow-net=127.0.0.1:0",
        "--v8-flags=--stack-size=4000",
        `${directory}/isolate.js`,
      ],
      clearEnv: true,
      env: { DENO_DIR: `${directory}/cache` },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(encodeMessage({}, [artifact.module, artifact.image]));
    await writer.close();
    const { stdout, stderr } = await child.output();
    assertEquals(new TextDecoder().decode(stderr), "");
    assertEquals(JSON.parse(new TextDecoder().decode(stdout)), { kind: "text", text: "45" });
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
