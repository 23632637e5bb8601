/** Contexts that hold objects of native modules. */
import { assert, assertEquals } from "@std/assert";
import { encodeMessage } from "../../../wire/message.ts";
import { Snapshotter } from "../../../runtimes/isolate/snapshot/snapshotter.ts";
import { MEMORY_BYTES } from "../../../wire/limits.ts";
import { runOn, WIDE_LIMITS } from "../../support/engine_runs.ts";
import { newEngineWithWheels, wheelTest } from "../../support/native_wheels.ts";
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
    assertEquals([first.kept, second.kept], [0, 1]);
    assert(second.segment.length * 20 < first.segment.length, `${second.segment.length} bytes`);
    const file = await Deno.makeTempFile();
    try {
      const { memoryBytes, globals } = second;
      await Deno.writeFile(
        file,
        encodeMessage({ memoryBytes, globals }, [first.segment, second.segment]),
      );
      const program = new URL("../../support/native_contexts_program.ts", import.meta.url).href;
      const { stdout } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--quiet", "--allow-all", "--unstable-kv", program, file, PROBE],
      }).output();
      const here = run(PROBE);
      assert(here.kind === "json", show(here));
      assertEquals(new TextDecoder().decode(stdout), here.json);
      assertEquals(JSON.parse(here.json)[4], 2);
    } finally {
      await Deno.remove(file);
    }
  },
);
