// test: long
/**
 * Figures of matplotlib look as with native CPython and the same version: small grey pictures of both
 * are compared. Takes the wheels of `TEST_WHEELS`.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { runWithWheels, wheelTest } from "../../../support/native_wheels.ts";
import { show } from "./support.ts";

/** A program, and of each of its figures width, height and grey values in hexadecimal digits. */
interface FigureProgram {
  readonly name: string;
  readonly code: string;
  readonly pictures: readonly (readonly [width: string, height: string, grey: string])[];
}

const PROGRAMS = new URL("./data_programs/figures.jsonl", import.meta.url);
const FUEL = 2 ** 40;
/** Structural similarity of pictures that differ only by the rounding of edges is above 0.99. */
const LEAST_SIMILARITY = 0.97;
const BEGIN = "import matplotlib.pyplot as plt\nplt.show = lambda *args, **kwargs: None\n";
const END = `
import io
from PIL import Image
for number in plt.get_fignums():
    file = io.BytesIO()
    plt.figure(number).savefig(file, format="png", bbox_inches="tight", dpi=72)
    image = Image.open(file).convert("L")
    print("figure", *image.size, image.resize((48, 32), Image.Resampling.BOX).tobytes().hex())
`;

/** Structural similarity of two pictures as a whole: 1 when they are equal. */
function similarity(one: Uint8Array, other: Uint8Array): number {
  const mean = (values: Iterable<number>) => {
    const all = [...values];
    return all.reduce((sum, value) => sum + value, 0) / all.length;
  };
  const [a, b] = [mean(one), mean(other)];
  const varianceOf = (x: Uint8Array, m: number) => mean(Array.from(x, (v) => (v - m) ** 2));
  const [va, vb] = [varianceOf(one, a), varianceOf(other, b)];
  const covariance = mean(Array.from(one, (v, index) => (v - a) * ((other[index] ?? 0) - b)));
  const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
  return (2 * a * b + c1) * (2 * covariance + c2) / ((a * a + b * b + c1) * (va + vb + c2));
}

wheelTest(
  "matplotlib: fourteen programs draw what they draw with native CPython",
  ["matplotlib", "pandas", "pillow"],
  async () => {
    const programs: readonly FigureProgram[] = (await Deno.readTextFile(PROGRAMS)).trim()
      .split("\n").map((line) => JSON.parse(line));
    assertEquals(programs.length, 14);
    for (const { name, code, pictures } of programs) {
      const { ending, stdout } = await runWithWheels(`${BEGIN}${code}${END}`, FUEL);
      assert(ending.kind !== "error" && ending.kind !== "limit", `${name}: ${show(ending)}`);
      const lines = stdout.split("\n").filter((line) => line.startsWith("figure "));
      assertEquals(lines.length, pictures.length, name);
      for (const [index, [width, height, grey]] of pictures.entries()) {
        const [, ownWidth, ownHeight, own = ""] = lines[index]?.split(" ") ?? [];
        assert(Math.abs(Number(ownWidth) - Number(width)) <= 1, `${name}: ${ownWidth}, ${width}`);
        assert(Math.abs(Number(ownHeight) - Number(height)) <= 1, `${name}: ${ownHeight}`);
        const alike = similarity(Uint8Array.fromHex(own), Uint8Array.fromHex(grey));
        assertGreater(alike, LEAST_SIMILARITY, `${name}, figure ${index + 1}: ${alike}`);
      }
    }
  },
);
