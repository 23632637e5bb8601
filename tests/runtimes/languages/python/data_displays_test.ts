// test: long
/**
 * Displays of packages for data work: frames, series, figures and charts. Takes the wheels
 * of `TEST_WHEELS`.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { connectTo } from "../../../adapters/mcp/client.ts";
import {
  engineWithWheels,
  runWithWheels,
  wheelSettings,
  wheelTest,
} from "../../../support/native_wheels.ts";
import { execute, startService } from "../../../support/service.ts";
import { runIn, show } from "./support.ts";

/** Fuel for the import of several large packages. */
const FUEL = 2 ** 40;
const PNG = "iVBORw0KGgo";

interface Shown {
  readonly data: Readonly<Record<string, unknown>>;
  readonly main?: boolean;
}

/** The displays of a program that prints nothing. */
async function shownBy(code: string): Promise<readonly Shown[]> {
  const { ending, displays, stdout, stderr } = await runWithWheels(code, FUEL);
  assert(ending.kind !== "error" && ending.kind !== "limit", show(ending));
  assertEquals([stdout, stderr], ["", ""], code);
  return displays.map((line) => JSON.parse(line));
}

/** The types of each display. */
async function typesOf(code: string): Promise<readonly (readonly string[])[]> {
  return (await shownBy(code)).map(({ data }) => Object.keys(data).sort());
}

const IMPORT = "import pandas as pd\n";
const PLOT = "import matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\n";

wheelTest("pandas: frames and series are shown as HTML and text", ["pandas"], async () => {
  const values = [
    "pd.DataFrame({'a': [1, 2]})",
    "pd.Series([1, 2], name='a')",
    "pd.Series({'x': 1.5})",
    "pd.DataFrame({'a': [1, 2]}).a",
    "pd.Series([], dtype=float)",
    "pd.DataFrame({'a': [1]}).describe()",
  ];
  for (const value of values) {
    for (const code of [value, `display(${value})`]) {
      const [first, ...others] = await shownBy(IMPORT + code);
      assertEquals(others, [], code);
      assertEquals(Object.keys(first?.data ?? {}).sort(), ["text/html", "text/plain"], code);
      assertStringIncludes(String(first?.data["text/html"]), "<table", code);
      assertEquals(first?.main, code === value ? true : undefined, code);
    }
  }
  const [named] = await shownBy(`${IMPORT}pd.Series([7], name='count')`);
  assertMatch(String(named?.data["text/html"]), /<th>count<\/th>[^]*<td>7<\/td>/);
});

wheelTest("pandas: a series whose frame fails ends with that error", ["pandas"], async () => {
  const code =
    `${IMPORT}class Odd(pd.Series):\n    def to_frame(self, *args, **kwargs): 1 / 0\nOdd([1])`;
  const { ending } = await runWithWheels(code, FUEL);
  assert(ending.kind === "error" && ending.error.name === "ZeroDivisionError", show(ending));
});

wheelTest("matplotlib: figures are shown at the end and by show", ["matplotlib"], async () => {
  const image = ["image/png", "text/plain"];
  assertEquals(await typesOf(`${PLOT}None`), [image]);
  assertEquals(await typesOf(`${PLOT}plt.figure()\nNone`), [image, image]);
  assertEquals(await typesOf(`${PLOT}plt.show()\nplt.plot([1])\nplt.show()`), [image, image]);
  assertEquals(await typesOf(`${PLOT}plt.gcf()`), [image]);
  const [shown] = await shownBy(`${PLOT}plt.show()`);
  assert(String(shown?.data["image/png"]).startsWith(PNG));
});

wheelTest(
  "matplotlib: scripts without a font give one warning in a run",
  ["matplotlib"],
  async () => {
    const titled = (title: string) => `${PLOT}plt.title(${JSON.stringify(title)})\nplt.show()\n`;
    const warningsOf = async (code: string) => {
      const { stderr, ending } = await runWithWheels(code, FUEL);
      assert(ending.kind === "none", show(ending));
      assertEquals(stderr.includes("\n  "), false, stderr);
      return stderr.split("\n").slice(0, -1);
    };
    assertEquals(await warningsOf(titled("Größe, размер, μέγεθος, $\\alpha$")), []);
    const scripts = {
      "大小 and 尺寸": "no Chinese, Japanese or Korean characters of a figure: U+5927",
      "크기": "no Chinese, Japanese or Korean characters of a figure: U+D06C",
      "🚀": "no emoji characters of a figure: U+1F680",
      "आकार": "no Indic characters of a figure: U+0906",
      "\u{10000}": "do not have all characters of a figure: U+10000",
      "حجم": "letters of Arabic text of a figure are drawn apart",
      "גודל": "letters of Hebrew text of a figure are drawn apart",
    };
    for (const [title, message] of Object.entries(scripts)) {
      const [warning = "", ...others] = await warningsOf(titled(title));
      assertStringIncludes(warning, message);
      assertEquals([others, warning.length < 200], [[], true], warning);
    }
    const several = await warningsOf(
      titled("大") + titled("小") + `plt.plot([1], label="🎉")\nplt.legend()\nNone`,
    );
    assertEquals(several.length, 1);
    const silent = `import warnings\nwarnings.simplefilter("ignore")\n${titled("大")}`;
    assertEquals(await warningsOf(silent), []);
  },
);

wheelTest("matplotlib: each run of a context may warn", ["matplotlib"], async () => {
  const on = await engineWithWheels();
  on.reset();
  const ends = [
    "plt.show()",
    "None",
    "plt.show()\nraise ValueError",
    "import sys\nplt.show()\nsys.exit()",
  ];
  const counts = [...ends, ...ends].map((end) => {
    const code = `${PLOT}plt.title("大")\n${end}`;
    const { stderr } = runIn(on, code, { inContext: true, limits: { fuel: FUEL } });
    on.state.endRun();
    return stderr.split("Warning").length - 1;
  });
  on.reset();
  assertEquals(counts, counts.map(() => 1));
});

wheelTest("plotly: figures show by their bundles, and no browser opens", ["plotly"], async () => {
  const figure = "import plotly.graph_objects as go\nfig = go.Figure(go.Scatter(y=[1, 3, 2]))\n";
  const types = ["application/vnd.plotly.v1+json", "text/html"];
  for (
    const end of [
      "fig",
      "fig.show()",
      "display(fig)",
      "import plotly.io as io\nio.show(fig.to_dict())",
    ]
  ) {
    const shown = await shownBy(figure + end);
    assertEquals(shown.length, 1, end);
    const data = shown[0]?.data ?? {};
    assertEquals(Object.keys(data).filter((type) => type !== "text/plain").sort(), types, end);
    assertStringIncludes(JSON.stringify(data["application/vnd.plotly.v1+json"]), "scatter");
    assertMatch(String(data["text/html"]), /^<div[ >]/);
  }
  const json = `${figure}import plotly.io as io\nio.renderers.default = "json"\nfig.show()`;
  assert(Object.keys((await shownBy(json))[0]?.data ?? {}).includes("application/json"));
});

wheelTest("altair: charts show by their bundles", ["altair"], async () => {
  const chart = "import altair as alt\n" +
    "chart = alt.Chart(alt.Data(values=[{'a': 1}])).mark_bar().encode(x='a:Q')\n";
  for (const end of ["chart", "chart.show()", "display(chart)"]) {
    const shown = await shownBy(chart + end);
    assertEquals(shown.length, 1, end);
    assertStringIncludes(String(shown[0]?.data["text/html"]), "vega-lite", end);
  }
});

wheelTest("a later run of a context shows its own figures", ["matplotlib"], async () => {
  const on = await engineWithWheels();
  on.reset();
  const counts = [`${PLOT}None`, "1 + 1", "plt.plot([1])\nplt.show()\nNone"].map((code) => {
    const { displays } = runIn(on, code, { inContext: true, limits: { fuel: FUEL } });
    on.state.endRun();
    return displays.length;
  });
  on.reset();
  assertEquals(counts, [1, 0, 1]);
});

wheelTest("figures and frames come as displays over HTTP, and as blocks over MCP", [
  "matplotlib",
  "pandas",
], async () => {
  await using service = await startService(wheelSettings());
  const { result } = await execute(service.url, "python", `${IMPORT}${PLOT}pd.Series([1])`);
  const types = result.displays?.map(({ data }) => Object.keys(data).sort());
  assertEquals(types, [["image/png", "text/plain"], ["text/html", "text/plain"]]);
  await using mcp = await connectTo(service.url);
  const { content, isError } = await mcp.call("run_code", {
    language: "python",
    code: `${PLOT}None`,
  });
  assert(isError !== true, JSON.stringify(content));
  const images = content.filter(({ type }) => type === "image");
  assertEquals(images.length, 1);
  assert(JSON.stringify(images[0]).includes(`"data":"${PNG}`));
});
