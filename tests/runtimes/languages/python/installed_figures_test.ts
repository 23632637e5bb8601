/**
 * matplotlib and IPython among the installed packages: stand-ins of ours.
 */
import { assertEquals } from "@std/assert";
import { driverSources } from "../../../../runtimes/languages/python/build/builder.ts";
import { decodePythonImage } from "../../../../runtimes/languages/python/host/artifact.ts";
import { bootImage, PYTHON_PATHS } from "../../../../runtimes/languages/python/build/boot.ts";
import { PythonEngine } from "../../../../runtimes/languages/python/engine.ts";
import { trampolineBytes } from "../../../../runtimes/languages/python/host/trampoline.ts";
import { builtIsolate } from "../../../support/built.ts";
import { displayIn } from "./displays.ts";
import { bootableModule } from "./support.ts";
import { PYPLOT_STAND_IN } from "./pyplot_stand_in.ts";

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
};

async function makeEngine(): Promise<PythonEngine> {
  const { artifact } = await builtIsolate("python");
  const encoder = new TextEncoder();
  const installed = Object.entries({ ...PYPLOT_STAND_IN, ...IPYTHON }).map(([path, text]) =>
    [`${PYTHON_PATHS.packages}/${path}`, encoder.encode(text)] as const
  );
  const parts = {
    module: await bootableModule(),
    trampoline: await WebAssembly.compile(trampolineBytes()),
    maximumPages: 4096,
    files: [...decodePythonImage(artifact.image).files, ...installed],
    packages: ["matplotlib 3.10.8", "ipython 9.12.0"],
  };
  return new PythonEngine({
    ...parts,
    image: bootImage({ ...parts, driver: await driverSources() }),
    readOnlyFiles: parts.files,
    time: { now: () => 0, monotonic: () => 0 },
    random: (target) => void target.fill(7),
  });
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

Deno.test("installed figures: a figure that was shown by itself stays open and is displayed at the end", async () => {
  const { displays, stderr } = await ran(`
import matplotlib.pyplot as plt
figure = plt.figure()
figure.show()
plt.plot(1)
x = 1`);
  assertEquals([displays, stderr], [[image("[1]")], ""]);
});

Deno.test("installed figures: show raises the error of drawing", async () => {
  const { ending, displays } = await ran(`
import matplotlib.pyplot as plt
plt.plot("error")
try: plt.show()
except ValueError as error: caught = str(error)
[caught, plt.get_fignums()]`);
  assertEquals([ending, displays], [{ kind: "json", json: '["cannot draw", []]' }, []]);
});

Deno.test("installed IPython: the operator's IPython is used, and displays", async () => {
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
