// test: long
/**
 * `PYTHON_WARM_UP=1` changes no answer of a service, before and after its isolate is replaced. Takes the
 * wheels of `TEST_WHEELS`.
 */
import { assertEquals } from "@std/assert";
import { wheelSettings, wheelTest } from "../../../support/native_wheels.ts";
import { jsonPost } from "../../../support/json_post.ts";
import { type Service, startService } from "../../../support/service.ts";

/** Time and randomness of each run: with both, a run from the same state is the same to the byte. */
const REPLAY = { seed: 7, clock: 1_700_000_000_000 };
const FIGURE = "import matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\nplt.title('a')\nplt.show()";
const PROGRAMS = [
  "1 + 1",
  "import sys, os\n[m for m in ('numpy', 'pandas', 'matplotlib') if m in sys.modules], os.listdir('.')",
  "import os, pandas\nsorted(os.listdir('.')), sorted(os.listdir('/tmp')), pandas.__version__",
  "import pandas as pd\npd.DataFrame({'a': [1, 1, 2], 'b': [3, 4, 5]}).groupby('a').b.sum()",
  FIGURE,
  `${FIGURE}\nplt.get_fignums(), plt.rcParams['figure.figsize']`,
  "import numpy as np\nfloat(np.random.rand()), __import__('random').random()",
  "import matplotlib.pyplot as plt\nplt.plot([1])\n1 / 0",
];
const STEPS = [
  "import pandas as pd\nframe = pd.DataFrame({'a': [1, 2]})\nopen('f.txt', 'w').write('x')",
  `${FIGURE}\nframe.a.sum()`,
  "import os\nframe.shape, os.listdir('.'), plt.get_fignums()",
];
/** Ends by a limit; the isolate is replaced. */
const ENDLESS = "while True: pass";

interface Answer {
  readonly logs: unknown;
  readonly results: unknown;
  readonly displays?: unknown;
  readonly error?: { readonly name: string; readonly message: string };
  readonly usage?: { readonly fuelConsumed: number };
}

/** The answers of a service, without what differs from run to run, such as times. */
async function answersOf({ url }: Service): Promise<readonly unknown[]> {
  const run = async (code: string, path: string) => {
    const answer = await fetch(`${url}${path}`, jsonPost({ code, ...REPLAY }));
    const { logs, results, displays, error, usage }: Answer = await answer.json();
    const fuel = error?.name === "ExecutionLimitError" ? undefined : usage?.fuelConsumed;
    return { code, status: answer.status, logs, results, displays, error: error?.name, fuel };
  };
  const answers: unknown[] = [];
  for (const code of PROGRAMS) answers.push(await run(code, "/execute/python"));
  const context = "/languages/python/sandboxes/box/execute";
  for (const code of STEPS) answers.push(await run(code, context));
  answers.push(await run(ENDLESS, "/execute/python"));
  for (const code of PROGRAMS) answers.push(await run(code, "/execute/python"));
  answers.push(await run("frame.shape", context));
  return answers;
}

wheelTest("PYTHON_WARM_UP=1 changes no answer", ["numpy", "pandas", "matplotlib"], async () => {
  const answers: (readonly unknown[])[] = [];
  for (const warm of ["0", "1"]) {
    const settings = { ...wheelSettings(), ISOLATES: "1", WALL_MS: "120000" };
    await using service = await startService({
      ...settings,
      FUEL_PYTHON: "60000000000",
      PYTHON_WARM_UP: warm,
    });
    answers.push(await answersOf(service));
  }
  const [plain = [], warmed = []] = answers;
  for (const [at, answer] of plain.entries()) assertEquals(warmed[at], answer);
  assertEquals(warmed.length, 2 * PROGRAMS.length + STEPS.length + 2);
});
