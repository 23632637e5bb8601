/** The choice of the baseline on which a program in Python begins. */
import { assertEquals } from "@std/assert";
import { baselineChoice } from "../../runtimes/imported_packages.ts";

const choose = baselineChoice(["pandas", "matplotlib"]);
const chosen = (code: string) => choose({ code, variables: [] });

Deno.test("baselineChoice() takes the second baseline for an import of one of its packages", () => {
  const programs = [
    "import pandas",
    "import pandas as pd",
    "import json, pandas as pd",
    "import os\nimport matplotlib.pyplot as plt",
    "from pandas import DataFrame",
    "from matplotlib.figure import (\n  Figure)",
    "x = 1; import pandas",
    "try: import pandas\nexcept ImportError: pass",
    "def f():\n    import\tpandas\n",
    "\r\nimport pandas\r\n",
    "import os,pandas",
  ];
  for (const code of programs) assertEquals(chosen(code), true, code);
});

Deno.test("baselineChoice() takes the first baseline for every other program", () => {
  const programs = [
    "",
    "1 + 1",
    "import json",
    "import pandas_datareader",
    "from json import pandas",
    "import my.pandas",
    "from . import pandas",
    "# import pandas",
    "pandas = 1",
    "important pandas",
  ];
  for (const code of programs) assertEquals(chosen(code), false, code);
});

Deno.test("baselineChoice() takes the first baseline where the import would differ", () => {
  const code = "import matplotlib";
  assertEquals(choose({ code, variables: ["HOME", "MPLBACKEND"] }), false);
  assertEquals(choose({ code, variables: ["HOME"] }), true);
  const withFile = (path: string) => choose({ code, variables: [], files: [path] });
  assertEquals(withFile("/workspace/matplotlibrc"), false);
  assertEquals(withFile("/workspace/pandas.py"), false);
  assertEquals(withFile("/workspace/matplotlib/__init__.py"), false);
  assertEquals(withFile("/workspace/pandas_notes.txt"), true);
});

Deno.test("baselineChoice() chooses nothing where there is one baseline", () => {
  assertEquals(baselineChoice()({ code: "import pandas", variables: [] }), undefined);
});

Deno.test("baselineChoice() takes time linear in the text", () => {
  const parts = [
    ";",
    ": ",
    "import ",
    "import a,",
    "from ",
    "\n",
    " \t",
    "import a" + ".b".repeat(9),
  ];
  for (const part of parts) {
    const code = part.repeat(Math.ceil(1_000_000 / part.length));
    assertEquals(chosen(code), false, part);
    assertEquals(chosen(`${code}\nimport pandas`), true, part);
  }
});
