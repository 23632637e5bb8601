/**
 * matplotlib and IPython as the operator installs them: stand-ins of ours, in wheels.
 */
import { assertEquals } from "@std/assert";
import type { PythonEngine } from "../../../runtimes/isolate/python/engine.ts";
import { packLibrary } from "../../../runtimes/isolate/python/pack_library.ts";
import { libraryParts } from "../../../runtimes/build/python.ts";
import { displayIn, engineWith, machineParts } from "./displays.ts";
import { PYPLOT_METADATA, PYPLOT_STAND_IN } from "./pyplot_stand_in.ts";
import { makeWheel } from "./wheel_maker.ts";

/** IPython, where nothing displays but in a shell. */
const IPYTHON = {
  "IPython/__init__.py": "real = True\n",
  "IPython/display.py":
    "from IPython.core.display_functions import *\nclass HTML:\n    def _repr_html_(self): return 'real'\n",
  "IPython/core/__init__.py": "",
  "IPython/core/display_functions.py": `
def display(*objs, **kwargs): print(*objs)
def clear_output(wait=False): print(end="\\033[2K\\r")
def update_display(obj, *, display_id, **kwargs): display(obj, display_id=display_id, update=True, **kwargs)
`,
  "ipython-9.12.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: ipython\nVersion: 9.12.0\n",
  "ipython-9.12.0.dist-info/WHEEL":
    "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
};

async function makeEngine(): Promise<PythonEngine> {
  const parts = await machineParts();
  const library = packLibrary(
    parts,
    await libraryParts([
      await makeWheel("matplotlib-3.10.8-py3-none-any.whl", {
        ...PYPLOT_STAND_IN,
        ...PYPLOT_METADATA,
      }),
      await makeWheel("ipython-9.12.0-py3-none-any.whl", IPYTHON),
    ]),
  );
  return await engineWith({ ...parts, ...library });
}

let made: Promise<PythonEngine> | undefined;

async function ran(code: string, env: Readonly<Record<string, string>> = {}) {
  const on = await (made ??= makeEngine());
  on.reset();
  return displayIn(on, code, { env });
}

function image(drawn: string, text = "<Figure 1>") {
  return { data: { "image/png": btoa(`png of ${drawn}`), "text/plain": text } };
}

Deno.test("installed figures: the backend is Agg, and the environment shows nothing of it", async () => {
  const code = `import os, matplotlib\n[matplotlib.get_backend(), dict(os.environ)]`;
  assertEquals((await ran(code)).ending, { kind: "json", json: '["agg", {}]' });
  assertEquals((await ran(code, { MPLBACKEND: "svg" })).ending, {
    kind: "json",
    json: '["svg", {"MPLBACKEND": "svg"}]',
  });
});

Deno.test("installed figures: show displays the open ones at once and closes them, without a warning", async () => {
  const { displays, stderr, ending } = await ran(`
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.pyplot import show
plt.plot(1)
plt.show()
plt.plot(2)
show(block=False)
display("after")
plt.plot(3)
plt.show()`);
  assertEquals(displays, [
    image("[1]"),
    image("[2]"),
    { data: { "text/plain": "'after'" } },
    image("[3]"),
  ]);
  assertEquals([stderr, ending], ["", { kind: "none" }]);
});

Deno.test("installed figures: one that is shown by itself stays open, and is displayed at the end", async () => {
  const { displays, stderr } = await ran(`
import matplotlib.pyplot as plt
figure = plt.figure()
figure.show()
plt.plot(1)
x = 1`);
  assertEquals([displays, stderr], [[image("[1]")], ""]);
});

Deno.test("installed figures: what raises when show draws is raised from show", async () => {
  const { ending, displays } = await ran(`
import matplotlib.pyplot as plt
plt.plot("error")
try: plt.show()
except ValueError as error: caught = str(error)
[caught, plt.get_fignums()]`);
  assertEquals([ending, displays], [{ kind: "json", json: '["cannot draw", []]' }, []]);
});

Deno.test("installed IPython: it is the operator's, and displays", async () => {
  const { displays, stdout, ending } = await ran(`
import IPython
from IPython.display import HTML, clear_output, display as shown, update_display
clear_output()
shown(HTML())
update_display(HTML(), display_id="x")
[IPython.real, shown is display]`);
  const html = { data: { "text/html": "real" } };
  assertEquals([displays, stdout], [[html, html], ""]);
  assertEquals(ending, { kind: "json", json: "[true, true]" });
});
