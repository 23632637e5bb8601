import { assert, assertEquals, assertRejects } from "@std/assert";
import { bundle } from "../../../runtimes/build/bundle.ts";
import { IsolateProcess } from "../../../runtimes/pool/isolate_process.ts";
import { engineBody, requestOf } from "./fake_isolate.ts";

/** The lying isolate program, bundled into a directory of its own. */
async function liarProgram(): Promise<{ readonly path: string } & AsyncDisposable> {
  const directory = await Deno.makeTempDir();
  const path = `${directory}/liar.js`;
  await Deno.writeTextFile(path, await bundle(new URL("./liar.ts", import.meta.url), "deno"));
  return {
    path,
    [Symbol.asyncDispose]: () => Deno.remove(directory, { recursive: true }),
  };
}

function startLiar(program: string, behaviour: string, faults: string[]): Promise<IsolateProcess> {
  return IsolateProcess.start({
    program,
    openEngine: () => Promise.resolve(engineBody(behaviour)),
    memoryBytes: 1 << 26,
    onFault: (fault) => faults.push(fault),
  });
}

const LIES = [
  "silent",
  "status 500",
  "garbage body",
  "wrong shape",
  "another run",
  "endless body",
  "garbage output",
  "huge frame",
  "output of another run",
  "too much output",
  "claims output over the limit",
  "redirect",
  "ready again",
  "output when nothing runs",
];

Deno.test("isolate process: an honest isolate's answer comes with its output", async () => {
  await using program = await liarProgram();
  const faults: string[] = [];
  const isolate = await startLiar(program.path, "honest", faults);
  const { answer, output } = await isolate.run(requestOf(""));
  assertEquals([answer?.value, new TextDecoder().decode(output.stdout)], ["value", "out\n"]);
  assertEquals([isolate.usable, faults], [true, []]);
  isolate.kill();
  await isolate.ended;
});

Deno.test("isolate process: one that lies gives no answer, is killed, and is reported", async (t) => {
  await using program = await liarProgram();
  for (const lie of LIES) {
    await t.step(lie, async () => {
      const faults: string[] = [];
      const isolate = await startLiar(program.path, lie, faults);
      const watchdog = setTimeout(() => isolate.kill(), 5_000);
      const { answer } = await isolate.run(requestOf(""));
      clearTimeout(watchdog);
      // garbage on the pipe can come to light after a well-formed answer
      if (answer !== undefined) await isolate.ended;
      assertEquals(isolate.usable, false);
      assert(faults.length > 0, "nothing was reported");
      await isolate.ended;
    });
  }
});

Deno.test("isolate process: killed in the middle of a run, its output until then is kept", async () => {
  await using program = await liarProgram();
  const isolate = await startLiar(program.path, "busy", []);
  const run = isolate.run(requestOf(""));
  await new Promise((resolve) => setTimeout(resolve, 200));
  isolate.kill();
  const { answer, output } = await run;
  assertEquals(answer, undefined);
  assertEquals(new TextDecoder().decode(output.stdout), "before\n");
  await isolate.ended;
});

Deno.test("isolate process: killed while somebody else holds its pipe, its run ends", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using program = await liarProgram();
  const isolate = await startLiar(program.path, "busy", []);
  using _held = await Deno.open(`/proc/${isolate.pid}/fd/1`, { write: true });
  const run = isolate.run(requestOf(""));
  await new Promise((resolve) => setTimeout(resolve, 200));
  isolate.kill();
  const { answer, output } = await run;
  assertEquals(answer, undefined);
  assertEquals(new TextDecoder().decode(output.stdout), "before\n");
  await isolate.ended;
});

Deno.test("isolate process: a program that ends before it is ready is a failed start", async () => {
  const directory = await Deno.makeTempDir();
  await Deno.writeTextFile(`${directory}/gone.js`, "Deno.exit(3);");
  await assertRejects(() => startLiar(`${directory}/gone.js`, "", []), Error, "did not start");
  await Deno.remove(directory, { recursive: true });
});

Deno.test("isolate process: one that hangs as it starts is killed, at the deadline or by its signal", async () => {
  const directory = await Deno.makeTempDir();
  const program = `${directory}/hangs.js`;
  await Deno.writeTextFile(program, "setInterval(() => undefined, 1_000);");
  const options = {
    program,
    openEngine: () => Promise.resolve(engineBody("")),
    memoryBytes: 1 << 26,
    onFault: () => undefined,
  };
  for (const end of [{ startDeadlineMs: 200 }, { signal: AbortSignal.abort() }]) {
    const start = IsolateProcess.start({ ...options, ...end });
    await assertRejects(() => start, Error, "did not start");
  }
  await Deno.remove(directory, { recursive: true });
});

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}

Deno.test("isolate process: it dies with its parent, even in the middle of a busy run", async () => {
  await using program = await liarProgram();
  const parent = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--allow-all",
      new URL("./parent.ts", import.meta.url).href,
      program.path,
    ],
    stdout: "piped",
  }).spawn();
  const reader = parent.stdout.getReader();
  const { value } = await reader.read();
  const pid = Number(new TextDecoder().decode(value));
  assert(isAlive(pid));
  parent.kill("SIGKILL");
  await parent.status;
  for (let i = 0; i < 100 && isAlive(pid); i++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assertEquals(isAlive(pid), false);
  await reader.cancel();
});

Deno.test("isolate process: its environment is ours alone, and keeps Deno from calling home", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using program = await liarProgram();
  const isolate = await startLiar(program.path, "honest", []);
  const environment = await Deno.readTextFile(`/proc/${isolate.pid}/environ`);
  isolate.kill();
  await isolate.ended;
  assertEquals(environment.split("\0").filter((entry) => entry !== "").sort(), [
    "DENO_DIR=/dev/null/none",
    "DENO_NO_UPDATE_CHECK=1",
    "NO_COLOR=1",
  ]);
});
