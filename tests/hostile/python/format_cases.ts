/**
 * Crafted files for the libraries that read them: broken pictures and fonts, archives and documents
 * that grow, deep trees, huge fields, pickles.
 */
import type { HostileCase } from "../cases.ts";
import { MUTANTS, named } from "./crafted_files.ts";
import { MARKUP, TREES, WORKBOOKS } from "./document_cases.ts";
import { FIGURES, PICTURES } from "./picture_cases.ts";

/** Cases that need wheels of these names. */
export interface FormatCases {
  readonly wheels: readonly string[];
  readonly cases: readonly HostileCase[];
}

const TABLES = named({
  "a table with a huge field": [
    "error",
    `
import csv, io
list(csv.reader(io.StringIO('"' + "a" * 200_000)))`,
  ],
  "a frame with a quote that never ends": [
    "error",
    `
import io, pandas as pd
pd.read_csv(io.StringIO("a,b\\n" + "1,2\\n" * 1000 + '"' + "x\\n" * 100_000))`,
  ],
  "a frame of ten million columns": [
    "either",
    `
import io, pandas as pd
pd.read_csv(io.StringIO("," * 10_000_000))`,
  ],
  "a frame with a row that is much too long": [
    "error",
    `
import io, pandas as pd
pd.read_csv(io.StringIO("a,b\\n1,2\\n" + "1," * 500_000))`,
  ],
  "an index of every combination": [
    "either",
    `
import pandas as pd
pd.MultiIndex.from_product([range(3000)] * 4)`,
  ],
  "200 broken tables": [
    "value",
    `${MUTANTS}
import pandas as pd
data = b"a,b,c\\n1,2.5,x\\n3,,\\"y,z\\"\\n" * 20
for each in mutants(data, 200):
    for engine in ("c", "python"):
        try: pd.read_csv(io.BytesIO(each), engine=engine).describe(include="all")
        except Exception: pass
True`,
  ],
  "a pickle that calls the system": [
    "error",
    `
import io, pandas as pd
pd.read_pickle(io.BytesIO(b"cos\\nsystem\\n(S'id > /workspace/id'\\ntR."))`,
  ],
  "300 broken pickles of a frame": [
    "any",
    `${MUTANTS}
import pickle, pandas as pd
data = pickle.dumps(pd.DataFrame({"a": [1, 2], "b": ["x", None]}))
for each in mutants(data, 300):
    try: pickle.loads(each)
    except Exception: pass
True`,
  ],
  "an array that says it has 10^18 numbers": [
    "error",
    `
import io, struct, numpy as np
head = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000, 1000000000), }".ljust(117) + b"\\n"
np.load(io.BytesIO(b"\\x93NUMPY\\1\\0" + struct.pack("<H", len(head)) + head + bytes(80)))`,
  ],
  "300 broken arrays": [
    "value",
    `${MUTANTS}
import numpy as np
data = io.BytesIO()
np.savez(data, a=np.arange(20), b=np.array(["x", "y"]))
for each in mutants(data.getvalue(), 300):
    try: [value for value in np.load(io.BytesIO(each)).values()]
    except Exception: pass
True`,
  ],
});

const TEXTS = named({
  "aliases that grow": [
    "either",
    `
import yaml
text = "a0: &a0 [x, x]\\n" + "".join(f"a{n}: &a{n} [*a{n-1}, *a{n-1}, *a{n-1}, *a{n-1}]\\n" for n in range(1, 25))
len(str(yaml.safe_load(text)))`,
  ],
  "lists nested deeply": [
    "error",
    `
import yaml
yaml.safe_load("[" * 100_000)`,
  ],
  "an object that calls the system": [
    "either",
    `
import yaml
yaml.load("!!python/object/apply:os.system ['id > id']", Loader=yaml.UnsafeLoader)
open("id").read()`,
  ],
  "merges of maps that grow": [
    "any",
    `
import yaml
text = "a0: &a0 {k0: 1}\\n" + "".join(f"a{n}: &a{n}\\n  <<: [{', '.join([f'*a{n-1}'] * 9)}]\\n  k{n}: 1\\n" for n in range(1, 9))
len(yaml.safe_load(text))`,
  ],
});

const PATTERNS = named({
  "a pattern that backtracks": [
    "either",
    `
import regex
regex.match(r"(?:(?:a|a)*)*(?:(?:a|a)*)*c(?=b)", "a" * 60 + "b")
regex.fullmatch(r"(a*)*(a*)*(a*)*\\1\\2\\3b", "a" * 400)
raise ValueError("not found")`,
  ],
  "a fuzzy pattern over a long text": [
    "either",
    `
import regex
regex.search(r"(?:(?:abcdefghij){e<=8}){8}z", "abcdefghijk" * 4000)
raise ValueError("not found")`,
  ],
  "a pattern that is nested deeply": [
    "either",
    `
import regex
regex.compile("(" * 50_000 + ")" * 50_000)`,
  ],
});

const FORMULAS = named({
  "a power tower": [
    "either",
    `
from sympy import sympify
len(str(sympify("9**9**9**9").evalf(10**9)))`,
  ],
  "a template that loops for ever": [
    "either",
    `
from jinja2 import Template
Template("{% for a in range(100000) %}{% for b in range(100000) %}{{ a * b }}{% endfor %}{% endfor %}").render()`,
  ],
  "a graph with every edge": [
    "either",
    `
import networkx
networkx.complete_graph(100_000)`,
  ],
});

/** Crafted files, by the wheels that read them. */
export const FORMATS: readonly FormatCases[] = [
  { wheels: ["pillow"], cases: PICTURES },
  { wheels: ["matplotlib", "pillow"], cases: FIGURES },
  { wheels: ["openpyxl"], cases: WORKBOOKS },
  { wheels: ["lxml"], cases: TREES },
  { wheels: ["beautifulsoup4"], cases: MARKUP },
  { wheels: ["pandas", "numpy"], cases: TABLES },
  { wheels: ["pyyaml"], cases: TEXTS },
  { wheels: ["regex"], cases: PATTERNS },
  { wheels: ["sympy", "jinja2", "networkx"], cases: FORMULAS },
];
