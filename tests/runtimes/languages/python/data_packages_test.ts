// test: long
/**
 * Packages for data work: each program prints what it prints with native CPython and the same
 * versions. Takes the wheels of `TEST_WHEELS`.
 */
import { assert, assertEquals } from "@std/assert";
import { openStore } from "../../../../store/open.ts";
import type { InterpreterExecuteResponse } from "../../../../shared/run_in_context.ts";
import { type Host, send, startBuilt, TestContext } from "../../contexts/test_host.ts";
import {
  engineWithWheels,
  errorWithWheels,
  isolateWithWheels,
  runWithWheels,
  valueWithWheels,
  wheelTest,
} from "../../../support/native_wheels.ts";
import { runIn, show } from "./support.ts";

/** A program, and its output with native CPython. */
interface DataProgram {
  readonly name: string;
  readonly code: string;
  readonly stdout: string;
}

const FOLDER = new URL("./data_programs/", import.meta.url);
/** Fuel for the import of several large packages. */
const FUEL = 2 ** 40;

async function programs(file: string): Promise<readonly DataProgram[]> {
  const text = await Deno.readTextFile(new URL(file, FOLDER));
  return text.trim().split("\n").map((line) => JSON.parse(line));
}

async function printsTheSame({ name, code, stdout }: DataProgram): Promise<void> {
  const ran = await runWithWheels(code, FUEL);
  assertEquals([name, ran.stdout, ran.stderr], [name, stdout, ""], show(ran.ending));
}

const DATA = ["pandas", "numpy", "openpyxl", "tabulate", "jinja2"];
const LIBRARIES = [
  ...["lxml", "pillow", "openpyxl", "xlsxwriter", "networkx", "sympy", "beautifulsoup4", "jinja2"],
  ...["tabulate", "pyyaml", "regex", "matplotlib"],
];

wheelTest("pandas: each program prints the same as with native CPython", DATA, async () => {
  for (const program of await programs("pandas.jsonl")) await printsTheSame(program);
});

wheelTest("packages: each program prints the same as with native CPython", LIBRARIES, async () => {
  for (const program of await programs("libraries.jsonl")) await printsTheSame(program);
});

/** Two hosts, each with an isolate process of its own, on one store. */
async function withTwoHosts(use: (hosts: readonly Host[]) => Promise<void>): Promise<void> {
  const store = await openStore(":memory:");
  try {
    const built = await isolateWithWheels();
    const options = { store, limits: { fuel: FUEL, wallMs: 300_000 } };
    await using one = await startBuilt(built, options);
    await using other = await startBuilt(built, options);
    await use([one, other]);
    assertEquals([...one.logged, ...other.logged], []);
  } finally {
    store.close();
  }
}

/** Runs steps in a context, each in the process that did not run the one before. */
async function runInTurns(hosts: readonly Host[], steps: readonly string[]) {
  const [first] = hosts;
  assert(first !== undefined);
  let context = await TestContext.create(first);
  const results: InterpreterExecuteResponse[] = [];
  for (const [index, code] of steps.entries()) {
    context = context.on(hosts[index % hosts.length] ?? first);
    results.push(await context.run(code));
  }
  return results;
}

/** A program in two steps: after the statement in its middle that ends its line. */
async function stepsOf(host: Host, code: string): Promise<readonly string[]> {
  const scan = `import ast
[min(part.lineno for part in (node, *getattr(node, "decorator_list", ())))
 for node in ast.parse(${JSON.stringify(code)}).body]`;
  const { body } = await send(host, "POST", "/execute", { code: scan });
  const found: unknown = Object(body)["results"]?.[0]?.json;
  assert(Array.isArray(found), JSON.stringify(body));
  const starts = [...new Set(found.map(Number))];
  const middle = starts[Math.floor(starts.length / 2)] ?? 1;
  const lines = code.split("\n");
  return [lines.slice(0, middle - 1), lines.slice(middle - 1)].map((part) => part.join("\n"));
}

async function printsTheSameInTurns(file: string): Promise<void> {
  await withTwoHosts(async (hosts) => {
    const [host] = hosts;
    assert(host !== undefined);
    for (const { name, code, stdout } of await programs(file)) {
      const results = await runInTurns(hosts, await stepsOf(host, code));
      const errors = results.flatMap(({ error }) => error === undefined ? [] : [error]);
      const lines = (kind: "stdout" | "stderr") => results.flatMap(({ logs }) => logs[kind]);
      assertEquals([name, errors, lines("stderr")], [name, [], []]);
      assertEquals([name, lines("stdout").join("\n").trimEnd()], [name, stdout.trimEnd()]);
    }
  });
}

wheelTest(
  "pandas: the programs print the same in contexts that change the process",
  DATA,
  async () => {
    await printsTheSameInTurns("pandas.jsonl");
  },
);

wheelTest(
  "packages: the programs print the same in contexts that change the process",
  LIBRARIES,
  async () => {
    await printsTheSameInTurns("libraries.jsonl");
  },
);

wheelTest("figures are the same in contexts that change the process", ["matplotlib"], async () => {
  await withTwoHosts(async (hosts) => {
    const results = await runInTurns(hosts, [PLOT, PLOT, PLOT]);
    const [first, second, third] = results.map(({ displays }) => displays);
    assert(first !== undefined && first.length === 1);
    assertEquals([second, third], [first, first]);
  });
});

/** Runs programs one after the other in a context; the data of the displays of each. */
async function displaysInContext(...codes: readonly string[]) {
  const on = await engineWithWheels();
  on.reset();
  const found = codes.map((code) => {
    const { ending, stderr, displays } = runIn(on, code, {
      inContext: true,
      limits: { fuel: FUEL },
    });
    on.state.endRun();
    assert(ending.kind !== "error" && ending.kind !== "limit", show(ending));
    assertEquals(stderr, "", code);
    return displays;
  });
  on.reset();
  return found;
}

const PLOT = "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.title('a title'); plt.show()";

wheelTest(
  "matplotlib: a later figure of a context is the same as the first",
  ["matplotlib"],
  async () => {
    const [first, second] = await displaysInContext(PLOT, PLOT);
    assert(first !== undefined && first.length > 0);
    assertEquals(second, first);
  },
);

wheelTest("matplotlib: a run leaves no file in the workspace", ["matplotlib"], async () => {
  const code = `${PLOT}\nimport os\nos.listdir('/workspace')`;
  assertEquals(await valueWithWheels(code), []);
});

wheelTest("Pillow: an image that one run opens can be read in the next", ["pillow"], async () => {
  const codes = [
    "from PIL import Image\nImage.new('RGB', (9, 9), 'red').save('a.png')\nim = Image.open('a.png')\nNone",
    "assert im.resize((3, 3)).getpixel((1, 1)) == (255, 0, 0)",
  ];
  await displaysInContext(...codes);
});

wheelTest("numpy and pandas: archives and workbooks stay open from run to run", DATA, async () => {
  await displaysInContext(
    "import numpy as np, pandas as pd\nnp.savez('a.npz', x=np.arange(3))\nz = np.load('a.npz')\n" +
      "pd.DataFrame({'a': [1, 2]}).to_excel('a.xlsx', index=False)\nbook = pd.ExcelFile('a.xlsx')\nNone",
    "assert z['x'].tolist() == [0, 1, 2]\nassert book.parse().a.tolist() == [1, 2]",
  );
});

wheelTest("requests: a request fails because there is no network", ["requests"], async () => {
  const [name, message] = await errorWithWheels(
    "import requests\nrequests.get('https://example.com')",
  );
  assertEquals(name, "ConnectionError");
  assert(message.includes("there is no network here"), message);
  assertEquals((await runWithWheels("import requests, urllib3", FUEL)).stderr, "");
});

wheelTest("joblib and threadpoolctl are silent", ["joblib", "threadpoolctl"], async () => {
  const code = "import joblib, threadpoolctl\nthreadpoolctl.threadpool_info()\n" +
    "print(joblib.Parallel(n_jobs=2)(joblib.delayed(abs)(i) for i in (-1, 2)))";
  const { stdout, stderr } = await runWithWheels(code);
  assertEquals([stdout, stderr], ["[1, 2]\n", ""]);
});

wheelTest("ctypes: numpy's arrays and those of ctypes share memory", ["numpy"], async () => {
  const code = `
import ctypes, numpy as np
a = np.arange(5, dtype="i4")
p = a.ctypes.data_as(ctypes.POINTER(ctypes.c_int))
p[3] = 7
[a.tolist(), np.ctypeslib.as_array(p, (5,)).tolist(), ctypes.string_at(a.ctypes.data, 4).hex()]`;
  assertEquals(await valueWithWheels(code), [[0, 1, 2, 7, 4], [0, 1, 2, 7, 4], "00000000"]);
});

wheelTest("a missing module: the message is short beside many packages", DATA, async () => {
  const [, message] = await errorWithWheels("import torch");
  assert(message.length <= 300, message);
  assert(/\d+ packages, which GET \/languages lists/.test(message), message);
  assert(message.endsWith("deno task wheels add torch"), message);
});

wheelTest(
  "a missing module: a package that asks for it gets no list",
  ["pandas"],
  async () => {
    const [, message] = await errorWithWheels(
      "import pandas as pd\npd.DataFrame({'a': [1]}).to_parquet('a')",
    );
    assert(!message.includes("Installed here"), message);
  },
);
