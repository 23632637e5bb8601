// test: long
/**
 * Packages of PyPI with native code: what they are for works, and what they cannot do ends as in
 * Python code.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  errorWithWheels,
  runWithWheels,
  valueWithWheels,
  wheelTest,
} from "../../../support/native_wheels.ts";
import { FONT } from "./font_maker.ts";
import { show } from "./support.ts";

const PERSON = `
from pydantic import BaseModel, Field, ValidationError
class Person(BaseModel):
    name: str
    age: int = Field(ge=0)
    friends: list["Person"] = []
`;
const OUT_OF_MEMORY = ["memory", false];

wheelTest(
  "native: a C++ exception is the Python exception that its library says",
  ["numpy", "contourpy"],
  async () => {
    const generator = `
import contourpy, numpy as np
generator = contourpy.contour_generator(z=np.arange(9.).reshape(3, 3))
`;
    assertEquals(await errorWithWheels(`${generator}generator.filled(2.0, 1.0)`), [
      "ValueError",
      "upper_level must be larger than lower_level",
    ]);
    const caught = `${generator}
said = []
for _ in range(3):
    try: generator.filled(2.0, 1.0)
    except ValueError as error: said.append(str(error)[:5])
[said, generator.lines(3.5)[0].tolist()[0]]`;
    assertEquals(await valueWithWheels(caught), [["upper", "upper", "upper"], [0, 3.5 / 3]]);
  },
);

wheelTest(
  "native: C++ that gets no memory is a MemoryError, and the run goes on",
  ["uharfbuzz"],
  async () => {
    const code = `
import uharfbuzz
kept = []
try:
    while True:
        kept.append(uharfbuzz.Buffer())
        kept[-1].add_str("a" * 1_000_000)
except MemoryError:
    n = len(kept); kept.clear()
after = uharfbuzz.Buffer()
after.add_str("ab")
[n > 3, len(after)]`;
    assertEquals(await valueWithWheels(code), [true, 2]);
  },
);

wheelTest(
  "native: Rust that gets no memory aborts, which is the limit of memory",
  ["arro3_core"],
  async () => {
    const code = `
from arro3.core import Array, DataType
try: Array(range(100_000_000), DataType.int64())
except BaseException: pass`;
    const { ending, intact } = await runWithWheels(code);
    assert(ending.kind === "limit", show(ending));
    assertEquals([ending.limit, intact], OUT_OF_MEMORY);
    assertEquals(await valueWithWheels("[1]"), [1]);
  },
);

wheelTest("native: arro3 makes tables and takes them apart", ["arro3_core"], async () => {
  const code = `
from arro3.core import Array, DataType, Table
table = Table.from_pydict({
    "n": Array([1, 2, None], DataType.int64()),
    "s": Array(["a", "é", ""], DataType.utf8()),
})
try: Array(["x"], DataType.int64())
except Exception as error: name = type(error).__name__
[table.num_rows, table.column_names, table["n"].to_pylist(), table.slice(1)["s"].to_pylist(), name]`;
  assertEquals(await valueWithWheels(code), [
    3,
    ["n", "s"],
    [1, 2, null],
    ["é", ""],
    "TypeError",
  ]);
});

wheelTest("native: pydantic validates, and says what is wrong where", ["pydantic"], async () => {
  const code = `${PERSON}
ann = Person.model_validate_json('{"name": "Ann", "age": "7", "friends": [{"name": "Bo", "age": 8}]}')
try: Person(name=1, age=-1, friends=[{"name": "Cy"}])
except ValidationError as error: wrong = [[list(e["loc"]), e["type"]] for e in error.errors()]
[ann.model_dump(), ann.friends[0].model_dump_json(), wrong,
 Person.model_json_schema()["$defs"]["Person"]["required"]]`;
  assertEquals(await valueWithWheels(code), [
    { name: "Ann", age: 7, friends: [{ name: "Bo", age: 8, friends: [] }] },
    '{"name":"Bo","age":8,"friends":[]}',
    [
      [["name"], "string_type"],
      [["age"], "greater_than_equal"],
      [["friends", 0, "age"], "missing"],
    ],
    ["name", "age"],
  ]);
  const [name, message] = await errorWithWheels(`${PERSON}Person(name="Ann", age="old")`);
  assertEquals(name, "ValidationError");
  assertStringIncludes(message, "1 validation error for Person\nage\n  Input should be a valid");
});

wheelTest("native: preloaded pydantic has made its first model", ["pydantic"], async () => {
  const { ending, fuelConsumed } = await runWithWheels(`${PERSON}Person(name="Ann", age=1).age`);
  assert(ending.kind === "text" && ending.text === "1", show(ending));
  const { fuelConsumed: nothing } = await runWithWheels("1");
  assert(fuelConsumed < 30 * nothing, `${fuelConsumed} against ${nothing}`);
});

wheelTest("native: harfbuzz shapes text with kerning, in both directions", [
  "uharfbuzz",
], async () => {
  const code = `
import base64, uharfbuzz
font = uharfbuzz.Font(uharfbuzz.Face(base64.b64decode(${JSON.stringify(FONT.toBase64())})))
def shaped(text, direction="ltr", features={}):
    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    buffer.direction = direction
    uharfbuzz.shape(font, buffer, features)
    return [[info.codepoint, info.cluster, position.x_advance]
            for info, position in zip(buffer.glyph_infos, buffer.glyph_positions)]
[shaped("ABA?"), shaped("AB", features={"kern": False}), shaped("AB", "rtl")]`;
  assertEquals(await valueWithWheels(code), [
    // A and B are 600 and 700 wide, and each gives half of what brings them closer; 0 is missing.
    [[1, 0, 550], [2, 1, 650], [1, 2, 600], [0, 3, 1000]],
    [[1, 0, 600], [2, 1, 700]],
    [[2, 1, 700], [1, 0, 600]],
  ]);
});

/** Deep recursion in native code: it ends as the error, and the next run is right. */
const RECURSIONS: readonly (readonly [what: string, wheels: readonly string[], code: string])[] = [
  [
    "the text of nested object arrays",
    ["numpy"],
    `import numpy as np
a = np.array([None], dtype=object)
for _ in range(20_000):
    b = np.empty(1, dtype=object); b[0] = a; a = b
try: repr(a)
finally: del b`,
  ],
  [
    "the end of nested object arrays",
    ["numpy"],
    `import numpy as np
a = np.array([None], dtype=object)
for _ in range(200_000):
    b = np.empty(1, dtype=object); b[0] = a; a = b
del a, b`,
  ],
  [
    "the hash of a nested structure",
    ["numpy"],
    `import numpy as np
t = np.dtype("f8")
for _ in range(50_000): t = np.dtype([("a", t)])
hash(t)`,
  ],
  [
    "an array that is asked of itself",
    ["numpy"],
    `import numpy as np
class Endless:
    def __array__(self, dtype=None, copy=None): return np.asarray(Endless())
np.asarray(Endless())`,
  ],
  [
    "a function of arrays that calls itself",
    ["numpy"],
    `import numpy as np
again = np.frompyfunc(lambda x: again(x), 1, 1)
again(np.array([1, 2]))`,
  ],
  [
    "the validation of nested models",
    ["pydantic"],
    `${PERSON}
nested = {"name": "a", "age": 1}
for _ in range(100_000): nested = {"name": "a", "age": 1, "friends": [nested]}
Person.model_validate(nested)`,
  ],
  [
    "a schema of nested lists",
    ["pydantic_core"],
    `from pydantic_core import SchemaValidator, core_schema
schema = core_schema.int_schema()
for _ in range(20_000): schema = core_schema.list_schema(schema)
SchemaValidator(schema)`,
  ],
];

for (const [what, wheels, code] of RECURSIONS) {
  wheelTest(`native: recursion without end is a RecursionError: ${what}`, wheels, async () => {
    assertEquals((await errorWithWheels(code))[0], "RecursionError");
    const next = `import ${wheels[0]}\n[sum(range(100)), ${wheels[0]}.__name__]`;
    assertEquals(await valueWithWheels(next), [4950, wheels[0]]);
  });
}

wheelTest("native: depth that a library bounds itself is the error it says", [
  "numpy",
  "pydantic",
], async () => {
  assertEquals(
    (await errorWithWheels(`import pydantic_core; pydantic_core.from_json("[" * 1_000_000)`))[0],
    "ValueError",
  );
  const deep = "import numpy\na = []\nfor _ in range(1000): a = [a]\nnumpy.array(a)";
  assertEquals((await errorWithWheels(deep))[0], "ValueError");
});

wheelTest("packages: sympy computes", ["sympy"], async () => {
  const code = `
from sympy import factorint, integrate, symbols, solve
x = symbols("x")
[str(integrate(x**2, x)), [int(root) for root in solve(x**2 - 4, x)], factorint(2**31 + 1)[3]]`;
  assertEquals(await valueWithWheels(code), ["x**3/3", [-2, 2], 1]);
});
