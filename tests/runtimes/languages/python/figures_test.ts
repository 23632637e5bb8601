import { assertEquals } from "@std/assert";
import { type Display, displayIn, displaysOf, pristineEngine, shownBy } from "./displays.ts";
import { errorOf, show } from "./support.ts";
import { PYPLOT_STAND_IN } from "./pyplot_stand_in.ts";

const SOURCES = JSON.stringify(JSON.stringify(PYPLOT_STAND_IN));
/** Puts the stand-in into /workspace, and imports it. */
const INSTALLED = `
import json, os, pathlib
os.makedirs("matplotlib", exist_ok=True)
for path, text in json.loads(${SOURCES}).items():
    pathlib.Path(path).write_text(text)
import matplotlib.pyplot as plt
`;

function image(drawn: string, rest: Partial<Display> = {}, text = "<Figure 1>"): Display {
  return { data: { "image/png": btoa(`png of ${drawn}`), "text/plain": text }, ...rest };
}

Deno.test("figures: open figures are displayed in order at the end of a run", async () => {
  const code = `${INSTALLED}
plt.plot(1, 2)
plt.figure()
plt.plot(3)
plt.figure()
plt.close()
display("first")`;
  assertEquals(await shownBy(code), [
    { data: { "text/plain": "'first'" } },
    image("[1, 2]"),
    image("[3]", {}, "<Figure 2>"),
  ]);
  assertEquals(await shownBy(`${INSTALLED}plt.get_fignums()`), []);
});

Deno.test("figures: the end of a run in a context closes all figures", async () => {
  const on = await pristineEngine();
  const inContext = true;
  assertEquals(displayIn(on, `${INSTALLED}plt.plot(1)\n0`, { inContext }).displays, [image("[1]")]);
  on.state.endRun();
  const { displays, ending } = displayIn(on, "plt.get_fignums()", { inContext });
  assertEquals([displays, ending], [[], { kind: "json", json: "[]" }]);
  on.state.endRun();
  assertEquals(displayIn(on, "plt.plot(2)\nx = 1", { inContext }).displays, [image("[2]")]);
});

Deno.test("figures: one is shown as an image, whether it is given to display or is the value", async () => {
  const figure = `${INSTALLED}from matplotlib.figure import Figure\nf = Figure(5)\n`;
  assertEquals(await shownBy(`${figure}display(f)`), [image("['nothing']", {}, "<Figure 5>")]);
  assertEquals(await shownBy(`${figure}f`), [image("['nothing']", { main: true }, "<Figure 5>")]);
  const own = `${INSTALLED}
class Own(plt.Figure):
    def _repr_png_(self): return b"own"
Own()`;
  assertEquals((await shownBy(own))[0]?.data["image/png"], btoa("own"));
});

Deno.test("figures: an open figure that is the value is displayed once, as the last", async () => {
  assertEquals(
    await shownBy(`${INSTALLED}f = plt.figure()\nplt.plot(1)\nplt.figure()\nplt.plot(2)\nf`),
    [
      image("[2]", {}, "<Figure 2>"),
      image("[1]", { main: true }),
    ],
  );
});

Deno.test("figures: a failing run displays them too, and reports its own error", async () => {
  for (const end of ["1 / 0", "raise SystemExit(1)", "plt.plot('error')\n1 / 0"]) {
    const { displays, ending } = await displaysOf(`${INSTALLED}plt.plot(1)\nplt.figure()\n${end}`);
    assertEquals(displays[0], image("[1]"), end);
    const name = end.includes("/") ? "ZeroDivisionError" : "SystemExit";
    assertEquals(ending.kind === "error" && ending.error.name, name, show(ending));
  }
});

Deno.test("figures: an error while drawing is the program's error, and all are closed", async () => {
  const on = await pristineEngine();
  const { ending } = displayIn(on, `${INSTALLED}plt.plot('error')\n1`, { inContext: true });
  assertEquals(ending.kind === "error" && ending.error.message, "cannot draw");
  on.state.endRun();
  assertEquals(displayIn(on, "plt.get_fignums()", { inContext: true }).ending, {
    kind: "json",
    json: "[]",
  });
});

Deno.test("figures: a module of that name that is nothing like pyplot changes nothing", async () => {
  const modules = [
    "None",
    "5",
    "types.ModuleType('x')",
    "types.SimpleNamespace(get_fignums=5, close=5)",
  ];
  for (const module of modules) {
    const code =
      `import sys, types\nsys.modules["matplotlib.pyplot"] = ${module}\nclass A: pass\nrepr(A)`;
    const { displays, ending } = await displaysOf(code);
    assertEquals([displays, ending.kind], [[], "text"], module);
  }
  const hostile = `import sys
class Evil:
    def __getattr__(self, name): 1 / 0
sys.modules["matplotlib.pyplot"] = Evil()`;
  assertEquals((await errorOf(hostile)).name, "ZeroDivisionError");
});

Deno.test("figures: a savefig with few parameters works", async () => {
  const code = `${INSTALLED}
class Few(plt.Figure):
    def savefig(self, target, format): target.write(b"few")
display(Few())`;
  assertEquals((await shownBy(code))[0]?.data["image/png"], btoa("few"));
});
