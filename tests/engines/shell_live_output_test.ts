/** Output of programs of other languages while they run: where it is live, and its place. */
import { assertEquals } from "@std/assert";
import type {
  CommandOrder,
  CommandPort,
  LiveStreams,
} from "../../runtimes/engine/program_command.ts";
import { runShell, shellEngine, shellTest } from "../support/shell_engine.ts";

const BOTH: LiveStreams = { stdout: "stdout", stderr: "stderr" };
const JOINED: LiveStreams = { stdout: "stdout", stderr: "stdout" };
const STDOUT: LiveStreams = { stdout: "stdout" };
const STDERR: LiveStreams = { stderr: "stderr" };
const NONE: LiveStreams = {};

/** Programs, and the live streams of each command that they start. */
const KINDS: readonly (readonly [code: string, ...live: readonly LiveStreams[]])[] = [
  // alone, and among other commands
  ["python", BOTH],
  ["echo a; python; echo b", BOTH],
  ["echo a && python && echo b", BOTH],
  ["false || python; echo b >&2", BOTH],
  ["if python; then echo a; else echo b; fi; echo c", BOTH],
  ["if echo a; then python; echo b; fi", BOTH],
  ["! python; echo $?", BOTH],
  ["for i in 1 2; do echo $i; python; echo $i >&2; done", BOTH, BOTH],
  ["n=0; while ((n++ < 2)); do echo $n; python; done; echo b", BOTH, BOTH],
  ["case a in a) echo a; python; echo b ;; esac", BOTH],
  ["f() { echo a; python; echo b; }; echo c; f; echo d", BOTH],
  ["f() { echo a; g; echo b; }; g() { echo c; python; echo d; }; f", BOTH],
  ["{ echo a; python; echo b; }; echo c", BOTH],
  ["(echo a; python; echo b); echo c", BOTH],
  ["(echo a; (python); echo b); echo c", BOTH],
  ["echo a; eval 'echo b; python; echo c'; echo d", BOTH],
  ["echo 'echo b; python; echo c' > s; echo a; . ./s; echo d", BOTH],
  ["echo 'echo b; python; echo c' > s; echo a; bash s; echo d", BOTH],
  ["echo a; bash -c 'echo b; python; echo c'; echo d", BOTH],
  ["printf '#!/usr/bin/env python\\n' > s; echo a; ./s; echo b", BOTH],
  ["echo a; command python; X=1 python; env Y=1 python; echo b", BOTH, BOTH, BOTH],
  ["echo a; timeout 9 python; nice python; nohup python; echo b", BOTH, BOTH, BOTH],
  ["echo a; seq 2 | xargs -n1 python; echo b", BOTH, BOTH],
  ["trap 'echo t; python; echo u' EXIT; echo a", BOTH],
  ["trap 'echo t; python' ERR; echo a; false; echo b", BOTH],
  ["set -e; echo a; python; false; echo b", BOTH],
  ["echo a; exec python", BOTH],
  ["echo a; time python; echo b", BOTH],
  // input
  ["echo in | python; echo b", BOTH],
  ["python < /dev/null; python <<< x; python <<E\nx\nE", BOTH, BOTH, BOTH],
  ["seq 2 | while read x; do echo $x; python; done", BOTH, BOTH],
  // both streams are one
  ["echo a; python 2>&1; echo b", JOINED],
  ["python < /dev/null 2>&1", JOINED],
  // one of them goes elsewhere
  ["python > f; echo a; cat f", STDERR],
  ["python >> f; python >> f; cat f", STDERR, STDERR],
  ["python 2> f; cat f", STDOUT],
  ["python 2> /dev/null; echo a", STDOUT],
  ["python > f 2> g; cat f g", NONE],
  ["python > f 2>&1; cat f", NONE],
  ["python 2>&1 > f; cat f", NONE],
  ["python &> f; cat f", NONE],
  ["python >&2; echo a", NONE],
  ["python 1>&2 2> /dev/null; echo a", NONE],
  ["{ echo a; python; echo b; } > f; cat f", NONE],
  ["{ echo a; python; echo b; } 2>&1", NONE],
  ["f() { echo a; python; }; f > g; cat g", NONE],
  ["for i in 1; do python; done 2> f; cat f", NONE],
  ["exec 3>&1; python >&3; echo a", NONE],
  ["exec > f; echo a; python; cat f >&2", NONE],
  ["exec 2> f; python; echo a; cat f", NONE],
  // output that is read
  ["python | cat; echo b", NONE],
  ["touch x y; echo a; find . -type f -exec python {} \\;; echo b", NONE, NONE],
  ["touch x; echo a; find . -type f -exec bash -c 'echo c; python; echo d' \\; -print", NONE],
  ["python |& cat", NONE],
  ["python | python | cat", NONE, NONE],
  ["x=$(echo a; python); echo [$x]", NONE],
  ["x=`python`; echo [$x]", NONE],
  ["echo $(python 2>&1)", NONE],
  ["cat <(python)", NONE],
  ["echo a | (cat; python) | cat", NONE],
  ["f() { python; }; f | cat; echo $(f)", NONE, NONE],
  ["bash -c python | cat", NONE],
  ["echo a $(python) b", NONE],
  ["mapfile -t l < <(python); echo ${l[0]}", NONE],
  // what comes before it is not written yet
  ["set -x; python", NONE],
  ["python $(echo e >&2)", NONE],
  ["echo a; python & wait; echo b", NONE],
];

const TEXT = { stdout: "out 1\nout 2\n", stderr: "err 1\nerr 2\n" };

/** Each program writes the same. `isLive` false: all of it comes with the outcome. */
function programs(isLive: boolean) {
  const orders: CommandOrder[] = [];
  const encoder = new TextEncoder();
  const port: CommandPort = {
    run(order, _files, write) {
      orders.push(order);
      const rest = { stdout: "", stderr: "" };
      for (const stream of ["stdout", "stderr"] as const) {
        const to = isLive ? order.live[stream] : undefined;
        if (to === undefined) rest[stream] = TEXT[stream];
        else for (const line of TEXT[stream].split(/(?<=\n)/)) write(to, encoder.encode(line));
      }
      return {
        exitCode: 0,
        stdout: encoder.encode(rest.stdout),
        stderr: encoder.encode(rest.stderr),
        fuel: 1,
        changes: { removed: [], dirs: [], files: [] },
      };
    },
  };
  return { port, orders };
}

shellTest("live output of a program has the place that it has at its end", async (t) => {
  const shell = await shellEngine();
  for (const [code, ...live] of KINDS) {
    await t.step(code, () => {
      const [whole, pieces] = [programs(false), programs(true)];
      const [expected, ran] = [whole, pieces].map(({ port }) => {
        shell.reset();
        const { stdout, stderr, exitCode } = runShell(shell, code, { commands: port });
        return { stdout, stderr: stderr.replaceAll(/0m\d\.\d+s/g, ""), exitCode };
      });
      assertEquals(ran, expected);
      assertEquals(pieces.orders.map((order) => order.live), live);
    });
  }
});
