import { SHARED_LIMITS } from "../../../shared/limits.ts";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { bundle } from "../../../runtimes/builder/bundle.ts";
import { CallMonitor } from "../../../runtimes/pool/call_monitor.ts";
import { IsolateProcess } from "../../../runtimes/pool/isolate_process.ts";
import { builtIsolate } from "../../support/built.ts";
import { atWork, isAlive } from "../../support/process.ts";
import { until } from "../../support/wait.ts";
import { engineBody, requestOf } from "./fake_isolate.ts";

/** The lying isolate program, bundled into a separate directory. */
async function liarProgram(): Promise<{ readonly path: string } & AsyncDisposable> {
  const directory = await Deno.makeTempDir();
  const path = `${directory}/liar.js`;
  await Deno.writeTextFile(
    path,
    await bundle(new URL("./false_isolate.ts", import.meta.url), "deno"),
  );
  return {
    path,
    [Symbol.asyncDispose]: () => Deno.remove(directory, { recursive: true }),
  };
}

const REFUSED = "An isolate did not start: The isolate answered 500";

function startLiar(program: string, behaviour: string, faults: string[]): Promise<IsolateProcess> {
  return IsolateProcess.start({
    program,
    openEngine: () => Promise.resolve(engineBody(behaviour)),
    limits: { ...SHARED_LIMITS, memoryBytes: 1 << 26 },
    onFault: (fault) => faults.push(fault),
  });
}

/**
 * How an isolate lies, and the log's text, which contains nothing that it sent. Garbage on its pipe
 * may be detected before or after its answer.
 */
const LIES: Readonly<Record<string, RegExp>> = {
  "silent": /^an isolate gave no valid answer(: the answer is cut short)?$/,
  "status 500": /^an isolate gave no valid answer: the answer's status is 500$/,
  "garbage body": /^an isolate gave no valid answer: the message is cut short$/,
  "wrong shape": /^an isolate gave no valid answer: the answer has another shape$/,
  "another run": /^an isolate gave no valid answer: the answer is of another run$/,
  "endless body": /^an isolate gave no valid answer: the answer has no length$/,
  "garbage output": /^an isolate wrote something other than frames: a frame is too large$/,
  "huge frame": /^an isolate wrote something other than frames: a frame is too large$/,
  "output of another run": /: (output of another run|there are more frames than expected)$/,
  "too much output": /: (output over the limit|there are more frames than expected)$/,
  "a display that is none": /: (a display of another shape|there are more frames than expected)$/,
  "too many displays": /: (displays over the limit|there are more frames than expected)$/,
  "claims displays over the limit": /^an isolate answered out of bounds$/,
  "claims output over the limit": /^an isolate answered out of bounds$/,
  "redirect": /^an isolate gave no valid answer: the answer's status is 302$/,
  "a call that nobody may make": /: (an unknown stream|there are more frames than expected)$/,
  "ready again": /: (output of another run|there are more frames than expected)$/,
  "output when nothing runs": /: there are more frames than expected$/,
};

Deno.test("isolate process: an honest isolate's answer has its output", async () => {
  await using program = await liarProgram();
  const faults: string[] = [];
  const isolate = await startLiar(program.path, "honest", faults);
  const { answer, output } = await isolate.run(requestOf(""));
  assertEquals([answer?.value, new TextDecoder().decode(output.stdout)], ["value", "out\n"]);
  assertEquals([isolate.usable, faults], [true, []]);
  isolate.kill();
  await isolate.ended;
});

Deno.test("isolate process: the answer of a lying isolate is discarded; the isolate is killed and reported", async (t) => {
  await using program = await liarProgram();
  for (const [lie, fault] of Object.entries(LIES)) {
    await t.step(lie, async () => {
      const faults: string[] = [];
      const isolate = await startLiar(program.path, lie, faults);
      const watchdog = setTimeout(() => isolate.kill(), 5_000);
      const { answer } = await isolate.run(requestOf(""));
      clearTimeout(watchdog);
      // garbage on the pipe can be detected after a well-formed answer
      if (answer !== undefined) await isolate.ended;
      assertEquals(isolate.usable, false);
      assert(faults.length === 1 && fault.test(faults[0] ?? ""), faults.join());
      await isolate.ended;
    });
  }
});

Deno.test("isolate process: when it is killed in the middle of a run, its output so far is kept", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using program = await liarProgram();
  const isolate = await startLiar(program.path, "busy", []);
  const run = isolate.run(requestOf(""));
  await atWork([isolate.pid]); // it writes before it is busy
  isolate.kill();
  const { answer, output } = await run;
  assertEquals(answer, undefined);
  assertEquals(new TextDecoder().decode(output.stdout), "before\n");
  await isolate.ended;
});

Deno.test("isolate process: when it is killed while another process holds its pipe, its run ends", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using program = await liarProgram();
  const isolate = await startLiar(program.path, "busy", []);
  using _held = await Deno.open(`/proc/${isolate.pid}/fd/1`, { write: true });
  const run = isolate.run(requestOf(""));
  await atWork([isolate.pid]); // it writes before it is busy
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

Deno.test("isolate process: the reason why an engine was refused is a line of visible characters", async () => {
  await using program = await liarProgram();
  const told = await assertRejects(() => startLiar(program.path, "refuses", []), Error);
  assertStringIncludes(told.message, `${REFUSED}: no [31m memory !!!!!!!!`);
  assert(told.message.length < 600, `${told.message.length} characters`);
  const endless = await assertRejects(
    () => startLiar(program.path, "refuses without end", []),
    Error,
  );
  assertEquals(endless.message, REFUSED);
});

Deno.test("isolate process: the isolate program reports why it could not load an engine", async () => {
  const { program } = await builtIsolate("perl");
  const told = await assertRejects(() => startLiar(program, "", []), Error);
  assertEquals(told.message, `${REFUSED}: TypeError: The engine is incomplete`);
});

Deno.test("isolate process: a process that hangs at start is killed, at the deadline or by its signal", async () => {
  const directory = await Deno.makeTempDir();
  const program = `${directory}/hangs.js`;
  await Deno.writeTextFile(program, "setInterval(() => undefined, 1_000);");
  const options = {
    program,
    openEngine: () => Promise.resolve(engineBody("")),
    limits: { ...SHARED_LIMITS, memoryBytes: 1 << 26 },
    onFault: () => undefined,
  };
  const late = IsolateProcess.start({ ...options, startDeadlineMs: 200 });
  await assertRejects(() => late, Error, "An isolate did not start within 200 ms");
  const left = IsolateProcess.start({ ...options, signal: AbortSignal.abort() });
  await assertRejects(() => left, Error, "An isolate did not start:");
  await Deno.remove(directory, { recursive: true });
});

Deno.test("isolate process: the process dies with its parent, even during a run", {
  ignore: Deno.build.os !== "linux",
}, async () => {
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
  await atWork([pid]);
  assert(await isAlive(pid));
  parent.kill("SIGKILL");
  await parent.status;
  await until(async () => !await isAlive(pid));
  await reader.cancel();
});

Deno.test(
  "isolate process: its environment is only the service's, and names no home and no driver",
  {
    ignore: Deno.build.os !== "linux",
  },
  async () => {
    await using program = await liarProgram();
    const isolate = await startLiar(program.path, "honest", []);
    const environment = await Deno.readTextFile(`/proc/${isolate.pid}/environ`);
    isolate.kill();
    await isolate.ended;
    assertEquals(environment.split("\0").filter((entry) => entry !== "").sort(), [
      "DENO_DIR=/dev/null/none",
      "DENO_NO_UPDATE_CHECK=1",
      "DENO_WEBGPU_BACKEND=none",
      "HOME=/proc/none",
      "LIBGL_DRIVERS_PATH=/dev/null/none",
      "MALLOC_TRIM_THRESHOLD_=131072",
      "MESA_SHADER_CACHE_DISABLE=true",
      "NO_COLOR=1",
      "VK_DRIVER_FILES=/dev/null/none",
      "VK_ICD_FILENAMES=/dev/null/none",
      "XDG_CACHE_HOME=/dev/null/none",
      "XDG_CONFIG_HOME=/dev/null/none",
      "XDG_DATA_HOME=/dev/null/none",
    ]);
  },
);

/** The answer, or what is on the pipe, may be noticed first. */
const CALL_FAULTS =
  /: (the answer does not fit the calls|the answer is cut short|a call out of order|there are more frames than expected)$|while its program waits$/;

/** Runs a program with calls that a liar runs; returns the names that were called. */
async function callsOf(isolate: IsolateProcess) {
  const called: string[] = [];
  const monitor = new CallMonitor({
    tools: [],
    interactive: false,
    seed: new Uint8Array(32),
    startMs: 0,
    recorded: [],
    called: ({ name }) => called.push(name),
    wait: () => new Promise(() => undefined),
  }, { blocked: () => undefined, resumed: () => undefined });
  const { answer } = await isolate.run(requestOf(""), undefined, { monitor });
  monitor.close();
  return { called, isAnswered: answer !== undefined };
}

Deno.test("isolate process: an answer that overtakes the frames of calls waits for them", async () => {
  await using program = await liarProgram();
  for (const honest of ["calls", "late call"]) {
    const faults: string[] = [];
    const isolate = await startLiar(program.path, honest, faults);
    assertEquals(await callsOf(isolate), { called: ["a"], isAnswered: true });
    assertEquals([isolate.usable, faults], [true, []]);
    isolate.kill();
    await isolate.ended;
  }
});

Deno.test("isolate process: calls that do not fit the answer, or each other, are a fault", async (t) => {
  await using program = await liarProgram();
  const lies = ["calls, and counts none", "answers while it waits", "a call out of order"];
  for (const lie of lies) {
    await t.step(lie, async () => {
      const faults: string[] = [];
      const isolate = await startLiar(program.path, lie, faults);
      await callsOf(isolate);
      await isolate.ended;
      assertEquals([isolate.usable, faults.length > 0], [false, true]);
      for (const fault of faults) assertMatch(fault, CALL_FAULTS);
    });
  }
});
