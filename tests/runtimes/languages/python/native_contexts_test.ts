// test: long
/** Contexts that hold objects of native modules. */
import { assert, assertEquals } from "@std/assert";
import { encodeMessage } from "../../../../shared/message.ts";
import { type Capture, Snapshotter } from "../../../../runtimes/engine/snapshot/snapshotter.ts";
import { MEMORY_BYTES } from "../../../../shared/limits.ts";
import { runOn, WIDE_LIMITS } from "../../../support/engine_runs.ts";
import { newEngineWithWheels, wheelTest } from "../../../support/native_wheels.ts";
import { show } from "./support.ts";

const MAKE = `
import numpy as np
big = np.arange(1_000_000.).reshape(1000, 1000)
drawn = np.random.default_rng(5)
drawn.random(3)
view = big[::2, 1]
def walk():
    for row in big: yield float(row[0])
walking = walk(); next(walking)
x = 1`;
/** Most bytes that a run writes which changes one variable; the array has 8 million. */
const ONE_VARIABLE_BYTES = 64 * 1024;
const PROBE = "[float(big.sum()), next(walking), float(view[3]), float(drawn.random()), x]";

async function started() {
  const engine = await newEngineWithWheels();
  const snapshotter = new Snapshotter(engine.state, {
    memoryBytes: MEMORY_BYTES.python,
    random: (target) => void crypto.getRandomValues(target),
  });
  const run = (code: string) =>
    runOn(engine, { code, inContext: true, limits: WIDE_LIMITS }).ending;
  return { engine, snapshotter, run };
}

/** The value of a program in another process that goes on with a context, as JSON. */
async function elsewhere(
  { memoryBytes, globals }: Pick<Capture, "memoryBytes" | "globals">,
  segments: readonly Uint8Array<ArrayBuffer>[],
  code: string,
): Promise<string> {
  const file = await Deno.makeTempFile();
  try {
    await Deno.writeFile(file, encodeMessage({ memoryBytes, globals }, segments));
    const program = new URL("../../../support/native_contexts_program.ts", import.meta.url).href;
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--allow-all", "--unstable-kv", program, file, code],
    }).output();
    return new TextDecoder().decode(stdout);
  } finally {
    await Deno.remove(file);
  }
}

wheelTest(
  "native: a context with arrays goes on in another process; a changed variable writes little",
  ["numpy"],
  async () => {
    const { snapshotter, run } = await started();
    const made = run(MAKE);
    assertEquals(made.kind, "none", show(made));
    const first = snapshotter.capture(1 << 28);
    assert(first !== undefined);
    run("x = 2");
    const second = snapshotter.capture(1 << 28);
    assert(second !== undefined);
    assertEquals([first.reusedSegments, second.reusedSegments], [0, 1]);
    assert(first.segment.length > 1024 * 1024, `${first.segment.length} bytes`);
    assert(second.segment.length < ONE_VARIABLE_BYTES, `${second.segment.length} bytes`);
    const there = await elsewhere(second, [first.segment, second.segment], PROBE);
    const here = run(PROBE);
    assert(here.kind === "json", show(here));
    assertEquals(there, here.json);
    assertEquals(JSON.parse(here.json)[4], 2);
  },
);

wheelTest(
  "native: a context with models goes on in another process: they validate, and say what is wrong",
  ["pydantic"],
  async () => {
    const { snapshotter, run } = await started();
    const made = run(`
from pydantic import BaseModel, Field, TypeAdapter, ValidationError
class Node(BaseModel):
    size: int = Field(gt=0)
    inner: list["Node"] = []
tree = Node.model_validate({"size": 3, "inner": [{"size": "4"}]})
sizes = TypeAdapter(list[int])
try: Node(size=0)
except ValidationError as error: kept = error`);
    assertEquals(made.kind, "none", show(made));
    const taken = snapshotter.capture(1 << 28);
    assert(taken !== undefined);
    const probe = `
try: Node(size=1, inner=[{"size": "x"}, {}]); wrong = None
except ValidationError as error: wrong = [[list(e["loc"]), e["type"]] for e in error.errors()]
[tree.model_dump_json(), sizes.validate_python(["1", 2]), wrong, kept.errors()[0]["type"],
 Node(size=5, inner=[tree]).inner[0] is tree]`;
    const there = await elsewhere(taken, [taken.segment], probe);
    assertEquals(JSON.parse(there), [
      '{"size":3,"inner":[{"size":4,"inner":[]}]}',
      [1, 2],
      [[["inner", 0, "size"], "int_parsing"], [["inner", 1, "size"], "missing"]],
      "greater_than",
      true,
    ]);
    const here = run(probe);
    assert(here.kind === "json", show(here));
    assertEquals(there, here.json);
  },
);
