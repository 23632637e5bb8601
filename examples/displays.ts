/**
 * Displays: a program draws a chart and a table, and this program writes them to files. With
 * matplotlib installed (`deno task wheels add matplotlib`), `plt.show()` displays a PNG the same way.
 *
 *     BELLJAR_URL=http://127.0.0.1:8000 deno run --allow-net --allow-env --allow-write displays.ts
 *
 * Displays are written by the guest. A page must show HTML and SVG in a frame with an empty
 * `sandbox`, or as `data:` of an image element (docs/contract.md#displays).
 */
import { connect, runCode } from "@belljar/client";

const env = connect(Deno.env.get("BELLJAR_URL") ?? "http://127.0.0.1:8000", {
  token: Deno.env.get("BELLJAR_TOKEN"),
});

const { displays = [], error } = await runCode(
  env.PYTHON,
  `
class Chart:
    def __init__(self, values):
        self.values = values

    def _repr_svg_(self):
        bars = "".join(
            f'<rect x="{20 * i}" y="{100 - v}" width="16" height="{v}" fill="teal"/>'
            for i, v in enumerate(self.values)
        )
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="160" height="100">{bars}</svg>'

class Table:
    def __init__(self, rows):
        self.rows = rows

    def _repr_html_(self):
        return "<table>" + "".join(f"<tr><td>{k}</td><td>{v}</td></tr>" for k, v in self.rows) + "</table>"

display(Table([("mean", 55), ("maximum", 90)]))
Chart([30, 50, 90, 70, 35])  # the value of the last expression is displayed by itself
`,
);
if (error) throw new Error(`${error.name}: ${error.message}`);

const folder = Deno.args[0] ?? ".";
const EXTENSIONS = new Map([["image/svg+xml", "svg"], ["text/html", "html"]]);
for (const [index, { data }] of displays.entries()) {
  for (const [type, content] of Object.entries(data)) {
    const extension = EXTENSIONS.get(type);
    if (extension === undefined || typeof content !== "string") continue;
    await Deno.writeTextFile(`${folder}/display-${index}.${extension}`, content);
    console.log(`display-${index}.${extension}: ${type}`);
  }
}
