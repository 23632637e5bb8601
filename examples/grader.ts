/**
 * A grader: submissions of students against test cases. Each run gets a fresh interpreter, so no
 * submission can see or change another. The fuel limit makes the verdict repeatable: an endless
 * loop ends at the same instruction on every machine.
 *
 *     BELLJAR_URL=http://127.0.0.1:8000 deno run --allow-net --allow-env grader.ts
 */
import { connect, runCode } from "@belljar/client";

const env = connect(Deno.env.get("BELLJAR_URL") ?? "http://127.0.0.1:8000", {
  token: Deno.env.get("BELLJAR_TOKEN"),
});

/** The task: read numbers from standard input, print their sum. */
const CASES = [
  { input: "1 2 3", expected: "6" },
  { input: "-5 5", expected: "0" },
  { input: "", expected: "0" },
];

const SUBMISSIONS = {
  ada: "print(sum(map(int, input().split())))",
  grace: "import sys\nprint(sum(map(int, sys.stdin.read().split())))",
  edsger: "while True: pass",
  niklaus: "print(6)",
};

/** The verdict for one case. */
async function judge(code: string, { input, expected }: typeof CASES[number]): Promise<string> {
  const { logs, error } = await runCode(env.PYTHON, code, {
    stdin: input,
    limits: { fuel: 2_000_000_000 }, // a tenth of a second of an empty loop
  });
  if (error?.name === "ExecutionLimitError") return "limit";
  if (error) return error.name;
  return logs.stdout.join("\n") === expected ? "pass" : "wrong";
}

for (const [student, code] of Object.entries(SUBMISSIONS)) {
  const verdicts = await Promise.all(CASES.map((test) => judge(code, test)));
  console.log(`${student}: ${verdicts.join(", ")}`);
}
