// test: long
/**
 * A service is killed with SIGKILL at random operations of its store, while it forks sandboxes and
 * makes and restores checkpoints. The next service finds what a plain model has.
 */
import { assert, assertEquals } from "@std/assert";
import { openStore } from "../../store/open.ts";
import { temporaryFolder } from "../client/deno_command.ts";
import {
  type Model,
  type ModelContext,
  type Operation,
  randomOperation,
  textOf,
  withIds,
} from "../sandbox/forks_model.ts";
import type { StoredProgram } from "../sandbox/stored_runtime.ts";
import { TEST_LEASE_MS } from "../support/context_caller.ts";
import { count } from "../support/counts.ts";
import { sweep, wrongKeys } from "../support/kill_keys.ts";
import { KillableService } from "../support/kill_service.ts";
import { printedSeed, seededBelow } from "../support/random.ts";

const KILLS = count(10, 200);
/** Operations between two kills, at most. */
const MOST_BETWEEN = 6;
/** About as many operations of the store as the longest call takes. */
const MOST_OPERATIONS = 30;
const AFTER_END_MS = 11 * 60_000;
const NAMES = ["a", "b", "c"];
const GUESTS = { names: NAMES, binding: "JAVASCRIPT", codeOf };

function codeOf({ add, write }: StoredProgram): string {
  const file = write === undefined
    ? ""
    : `require("fs").writeFileSync(${JSON.stringify(write.path)}, "x".repeat(${write.chars}));`;
  return `${file} globalThis.n = (globalThis.n ?? 0) + ${add}`;
}

/** Sends a request to a sandbox; undefined when the service has gone meanwhile. */
async function ask(
  url: string,
  { box, method, path, body }: Pick<Operation, "box" | "method" | "path" | "body">,
): Promise<{ readonly ok: boolean; readonly status: number; readonly text: string } | undefined> {
  try {
    const answer = await fetch(
      `${url}/languages/javascript/sandboxes/${box}${path === "/" ? "" : path}`,
      {
        method,
        headers: { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
    );
    return { ok: answer.ok, status: answer.status, text: await answer.text() };
  } catch (thrown) {
    if (thrown instanceof TypeError || thrown instanceof Deno.errors.Http) return undefined;
    throw thrown;
  }
}

async function read(url: string, box: string, path: string, body?: object) {
  const method = body === undefined ? "GET" : "POST";
  const answer = await ask(url, { box, method, path, ...(body === undefined ? {} : { body }) });
  assert(answer?.ok, `${box}${path}: ${answer?.status} ${answer?.text.slice(0, 300)}`);
  return JSON.parse(answer.text);
}

/** Reads all sandboxes. Each context has one more run then, which reads its number. */
async function observe(url: string): Promise<{ readonly found: Model; readonly now: Model }> {
  const found = new Map();
  const now = new Map();
  for (const box of NAMES) {
    const info = await read(url, box, "/");
    if (info.createdAt === null) continue;
    const listed = await read(url, box, "/files", {
      op: "list",
      path: "/workspace",
      recursive: true,
      includeHidden: true,
    });
    const files = new Map<string, string>();
    for (const { absolutePath } of listed.files) {
      const { content } = await read(url, box, "/files", { op: "read", path: absolutePath });
      files.set(absolutePath.slice("/workspace/".length), content);
    }
    const contexts: ModelContext[] = [];
    for (const { id, executions } of info.contexts) {
      const code = "globalThis.n ?? null";
      const { results } = await read(url, box, "/execute", { contextId: id, code });
      const { text } = results[0];
      contexts.push({ id, executions, value: text === "null" ? undefined : Number(text) });
    }
    const kept = (await read(url, box, "/checkpoints")).checkpoints;
    const checkpoints = kept.map(({ id }: { id: string }) => ({
      id,
      state: { files: new Map(), env: [], contexts: [] },
    }));
    const env = [...info.envVars].sort();
    found.set(box, { files, env, contexts, checkpoints });
    const again = contexts.map((each) => ({ ...each, executions: each.executions + 1 }));
    now.set(box, { files, env, contexts: again, checkpoints });
  }
  return { found, now };
}

/** The model with the runs that the observation itself made. */
function withRuns(model: Model, now: Model): Model {
  return new Map([...model].map(([name, box]) => {
    const contexts = box.contexts.map((context, index) => ({
      ...context,
      executions: now.get(name)?.contexts[index]?.executions ?? context.executions,
    }));
    return [name, { ...box, contexts }];
  }));
}

Deno.test(`service: after ${KILLS} kills during forks and restores its state equals that of a model`, async () => {
  const seed = printedSeed("forks and kills");
  const below = seededBelow(seed);
  await using folder = await temporaryFolder();
  const kvPath = `${folder.path}/data.sqlite3`;
  const env = { LANGUAGES: "javascript" };
  let model: Model = new Map();
  const log: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    await using service = await KillableService.start({ kvPath, leaseMs: TEST_LEASE_MS, env });
    const between = 1 + below(MOST_BETWEEN);
    let mayBe: readonly (Model | undefined)[] = [];
    for (let step = 0; step <= between; step++) {
      const operation = randomOperation(GUESTS, model, below);
      const after = operation.apply(model);
      if (step === between) {
        const when = below(2) === 0 ? "before" : "after";
        const tree = below(2) === 0;
        await service.arm({ at: "operation", count: 1 + below(MOST_OPERATIONS), when, tree });
      }
      const answer = await ask(service.url, operation);
      log.push(`${operation.text}: ${answer?.status ?? "killed"}`);
      const text = `seed ${seed}:\n${log.slice(-40).join("\n")}\n${answer?.text.slice(0, 300)}`;
      mayBe = answer === undefined
        ? [after, operation.begin?.(model), model]
        : [answer.ok ? after : model];
      if (answer !== undefined) assertEquals(answer.ok, after !== undefined, text);
      if (step < between && answer?.ok === true) {
        const { found, now } = await observe(service.url);
        assertEquals(textOf(found, false), textOf(after ?? model, false), text);
        model = withRuns(withIds(after ?? model, now), now);
      }
    }
    await service.kill(below(2) === 0);
    await using next = await KillableService.start({ kvPath, leaseMs: TEST_LEASE_MS, env });
    const { found, now } = await observe(next.url);
    const same = mayBe.find((each) => each && textOf(each, false) === textOf(found, false));
    const alternatives = mayBe.map((each) => each && textOf(each, false)).join("\nor\n");
    const text = `seed ${seed}:\n${log.slice(-40).join("\n")}\nfound\n${textOf(found, false)}\n`;
    assert(same !== undefined, `${text}not\n${alternatives}`);
    model = withRuns(withIds(same, now), now);
    if (kill === KILLS - 1) {
      for (const box of NAMES) {
        assertEquals((await ask(next.url, { box, method: "DELETE", path: "/" }))?.status, 200);
      }
    }
  }
  const kv = await openStore(kvPath);
  try {
    await sweep(kv, TEST_LEASE_MS, AFTER_END_MS);
    assertEquals(await wrongKeys(kv), [], `seed ${seed}`);
    const kinds = ["sandbox", "sandbox_blob", "sandbox_checkpoint", "interpreter"];
    for (const kind of [...kinds, "interpreter_shared", "interpreter_unswept", "runtime_wipe"]) {
      for await (const { key } of kv.list({ prefix: [kind] })) assert(false, key.join("/"));
    }
  } finally {
    kv.close();
  }
});
