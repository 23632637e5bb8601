// test: slow
import { assertEquals } from "@std/assert";
import { type OperationResult, OperationRunner, randomOperations } from "./operations.ts";
import { testFiles } from "./support.ts";

const SEEDS = 24;
const OPERATIONS = 2000;
const DRIVER = new URL("./real_file_system.mjs", import.meta.url);

function hasNode(): boolean {
  try {
    return new Deno.Command("node", { args: ["--version"], stdout: "null" })
      .outputSync().success;
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return false;
    throw cause;
  }
}

async function runReal(operations: unknown): Promise<OperationResult[]> {
  const scratch = await Deno.makeTempDir();
  try {
    const directory = `${scratch}/workspace`;
    await Deno.mkdir(directory, { mode: 0o755 });
    await Deno.writeTextFile(
      `${scratch}/operations.json`,
      JSON.stringify(operations),
    );
    const { stdout } = await new Deno.Command("node", {
      args: [DRIVER.pathname, directory, `${scratch}/operations.json`],
      stderr: "inherit",
    }).output();
    return JSON.parse(new TextDecoder().decode(stdout));
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }
}

Deno.test({
  name: "guest files: random operations end as they do on the real file system",
  ignore: Deno.build.os !== "linux" || !hasNode(),
  async fn() {
    const first = Number(
      Deno.env.get("FILES_SEED") ??
        crypto.getRandomValues(new Uint32Array(1))[0],
    );
    for (let seed = first; seed < first + SEEDS; seed++) {
      const operations = randomOperations(seed, OPERATIONS);
      const expected = await runReal(operations);
      const runner = new OperationRunner(testFiles().files);
      operations.forEach((operation, index) => {
        const story = `FILES_SEED=${seed}, operation ${index}: ${JSON.stringify(operation)}`;
        assertEquals(runner.run(operation), expected[index], story);
      });
      assertEquals(expected.length, operations.length);
    }
  },
});
