// test: long
/**
 * The whole service is killed in the middle of runs: the state that the next one finds
 * (docs/contract.md#state-of-a-context).
 */
import { assert, assertEquals } from "@std/assert";
import { connect, getSandbox, type Sandbox, SandboxError } from "../../client/mod.ts";
import { temporaryFolder } from "../client/deno_command.ts";
import { type Program, startProgram } from "../support/program.ts";
import { seeded } from "../support/random.ts";

const ROUNDS = 4;
const SEED = Number(Deno.env.get("SEED") ?? Date.now() % 1_000_000);
const BINDING = { binding: "JAVASCRIPT" } as const;
/** Counts in memory and in a file. */
const COUNT = "globalThis.n = (globalThis.n ?? 0) + 1; require('fs').writeFileSync('n', `${n}`);";
const STATE = "[n, Number(require('fs').readFileSync('n', 'utf8'))]";

/** Counts until the service is gone. Returns the number of answered runs. */
async function countUntilKilled(
  sandbox: Sandbox,
  program: Program,
  next: () => number,
): Promise<number> {
  const enough = 1 + Math.floor(next() * 12);
  let killed: Promise<unknown> | undefined;
  for (let answered = 0;; answered++) {
    if (answered === enough) {
      const delay = next() * 12;
      killed = new Promise((resolve) => setTimeout(resolve, delay))
        .then(() => program.end("SIGKILL"));
    }
    try {
      const { error } = await sandbox.interpreter.runCode(COUNT, { ...BINDING, retry: false });
      assertEquals(error, undefined);
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
      assertEquals([error.httpStatus, killed === undefined], [502, false]);
      await killed;
      return answered;
    }
  }
}

Deno.test(`service: killed ${ROUNDS} times in mid-run, memory, files and count agree, SEED=${SEED}`, async () => {
  await using folder = await temporaryFolder();
  const next = seeded(SEED);
  const env = { LANGUAGES: "javascript", KV_PATH: `${folder.path}/data.sqlite3` };
  let runs = 0;
  let asked = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await using program = await startProgram({ env });
    const sandbox = getSandbox(connect(program.url).Sandbox, "box");
    const answered = await countUntilKilled(sandbox, program, next);
    await using again = await startProgram({ env });
    const { interpreter } = getSandbox(connect(again.url).Sandbox, "box");
    const { results, executionCount } = await interpreter.runCode(STATE, BINDING);
    const state = results[0]?.json;
    assert(Array.isArray(state));
    const counted = Number(state[0]) - runs;
    assertEquals(state[1], state[0]);
    assert(counted === answered || counted === answered + 1, `${counted} of ${answered}`);
    runs += counted;
    assertEquals(executionCount, runs + ++asked);
  }
});
