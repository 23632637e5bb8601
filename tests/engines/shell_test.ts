/** The shell's engine: bash and its commands on the guest's files, within the limits of a run. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { LimitName } from "../../runtimes/engine/engine.ts";
import {
  anotherShell,
  runShell,
  SHELL_LIMITS,
  shellEngine,
  shellTest,
} from "../support/shell_engine.ts";

const encoder = new TextEncoder();

shellTest("both streams, and an exit code that is no error", async () => {
  const shell = await shellEngine();
  shell.reset();
  const { stdout, stderr, ending } = runShell(shell, "echo out; echo err >&2; exit 3");
  assertEquals([stdout, stderr], ["out\n", "err\n"]);
  assertEquals(ending, { kind: "none", exitCode: 3 });
});

shellTest("a last line without a newline is told", async () => {
  const shell = await shellEngine();
  shell.reset();
  const { ending } = runShell(shell, "printf a; printf b >&2");
  assertEquals(ending, { kind: "none", exitCode: 0, unterminated: ["stdout", "stderr"] });
});

shellTest("standard input, environment and working directory", async () => {
  const shell = await shellEngine();
  shell.reset();
  shell.state.files.makeDirectory("/workspace/src");
  const { stdout } = runShell(shell, 'cat; echo "$A" "$PWD" "$HOME"; env | grep ^A=', {
    stdin: encoder.encode("in\n"),
    env: new Map([["A", "it's $x"]]),
    cwd: "/workspace/src",
  });
  assertEquals(stdout, "in\nit's $x /workspace/src /workspace\nA=it's $x\n");
});

shellTest("bytes that are not text pass through pipes and files", async () => {
  const shell = await shellEngine();
  shell.reset();
  const { files } = shell.state;
  const file = files.open("/workspace/b", { write: true, create: true });
  files.descriptors.write(file, Uint8Array.of(0xff, 0, 0xfe));
  files.descriptors.close(file);
  const { stdout } = runShell(shell, "cat b > c; cat c | od -An -tx1; cmp b c; wc -c < c");
  assertEquals(stdout, " ff 00 fe\n3\n");
});

shellTest("a reset leaves nothing of the run before", async () => {
  const shell = await shellEngine();
  shell.reset();
  const before = shell.state.memory().slice();
  runShell(shell, "x=1; f() { echo f; }; export y=2; cd /tmp; echo a > /workspace/a; alias z=ls");
  shell.reset();
  assertEquals(shell.state.memory(), before);
  const { stdout } = runShell(shell, "echo [$x$y] $PWD; type f z 2>/dev/null; ls");
  assertEquals(stdout, "[] /workspace\n");
});

shellTest("limits end endless programs, and the next run is right", async () => {
  const shell = await shellEngine();
  const limits = { ...SHELL_LIMITS, fuel: 300_000_000, wallMs: 5_000 };
  const cases: readonly (readonly [code: string, limit: LimitName])[] = [
    ["while :; do :; done", "fuel"],
    ["sleep 3600", "wall clock"],
    ["f() { eval f; }; f", "memory"],
    ["awk 'BEGIN { x = 1; while (1) x = x x }'", "memory"],
  ];
  for (const [code, limit] of cases) {
    shell.reset();
    const { ending } = runShell(shell, code, { limits: { ...limits, fuel: 20 * limits.fuel } });
    assertEquals(ending, { kind: "limit", limit, traceback: [] }, code);
    shell.reset();
    assertEquals(runShell(shell, "echo ok").stdout, "ok\n");
  }
});

shellTest("output that is refused ends the run", async () => {
  const shell = await shellEngine();
  shell.reset();
  const request = { code: "yes", env: new Map(), typescript: false, limits: SHELL_LIMITS };
  const { ending } = shell.run(request, () => false);
  assertEquals(ending, { kind: "limit", limit: "output", traceback: [] });
});

shellTest("the same program costs the same fuel, after any other", async () => {
  const [one, other] = [await shellEngine(), await anotherShell()];
  const clock = Date.UTC(2024, 0, 1);
  const codes = [
    "seq 100 | sort -n | tail -1",
    "x=$((2**10)); echo $x",
    "echo $RANDOM; date",
    "ls -la /",
  ];
  const cost = (shell: typeof one, code: string) => {
    shell.reset();
    return runShell(shell, code, { clock, seed: 7 }).fuel;
  };
  const first = codes.map((code) => cost(one, code));
  assertEquals(codes.toReversed().map((code) => cost(other, code)).toReversed(), first);
});

shellTest("randomness and time come from the run", async () => {
  const shell = await shellEngine();
  const run = (seed: number) => {
    shell.reset();
    return runShell(
      shell,
      "date -u +%s; shuf -i 1-1000 | head -3; mktemp -u; cat /proc/sys/kernel/random/uuid",
      {
        seed,
        clock: 1_700_000_000_000,
      },
    ).stdout;
  };
  assertEquals(run(1), run(1));
  assert(run(1) !== run(2));
  assertStringIncludes(run(1), "1700000000");
});

shellTest("a context keeps variables, functions and the directory", async () => {
  const shell = await shellEngine();
  shell.reset();
  const run = (code: string, env = new Map<string, string>()) =>
    runShell(shell, code, { inContext: true, cwd: shell.state.workingDirectory(), env });
  run("x=1; a=(1 2); f() { echo f$1; }; mkdir d; cd d; set -o pipefail");
  shell.state.endRun();
  assertEquals(shell.state.workingDirectory(), "/workspace/d");
  const { stdout } = run(
    "f 1; echo $x ${#a[@]} $PWD; cd - ; echo ${B-none}",
    new Map([["B", "b"]]),
  );
  assertEquals(stdout, "f1\n1 2 /workspace/d\n/workspace\nb\n");
  shell.state.endRun();
  assertEquals(run("echo ${B-none}").stdout, "none\n");
});

shellTest("commands of elsewhere say what is possible", async () => {
  const shell = await shellEngine();
  shell.reset();
  const { stderr, exitCode } = runShell(shell, "python3 x.py");
  assertEquals(exitCode, 127);
  assertStringIncludes(stderr, "python3: is not in this service");
});
