/** Broken pictures and fonts, and pictures and figures that grow. */
import type { HostileCase } from "../cases.ts";
import { MUTANTS, named } from "./crafted_files.ts";

const PNG = `
import io, struct, zlib
from PIL import Image
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
def png(width, height, color, data, *others):
    head = struct.pack(">IIBBBBB", width, height, 8, color, 0, 0, 0)
    return b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", head) + b"".join(others) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
`;
/** For Pillow. */
export const PICTURES: readonly HostileCase[] = named({
  "a picture that is cut off": [
    "error",
    `${PNG}
data = io.BytesIO()
Image.effect_noise((200, 200), 90).save(data, "PNG")
Image.open(io.BytesIO(data.getvalue()[:-9000])).load()`,
  ],
  "a picture with a broken checksum": [
    "error",
    `${PNG}
data = bytearray(png(4, 4, 0, zlib.compress(bytes(20))))
data[30] ^= 1
Image.open(io.BytesIO(data)).load()`,
  ],
  "a picture that says it has 3.6 billion pixels": [
    "error",
    `${PNG}
Image.open(io.BytesIO(png(60000, 60000, 2, zlib.compress(bytes(10)))))`,
  ],
  "a picture of 300 MiB in a few KiB": [
    "either",
    `${PNG}
squeezed = zlib.compressobj()
rows = b"".join(squeezed.compress(bytes(30001)) for _ in range(5000)) + squeezed.flush()
Image.open(io.BytesIO(png(10000, 10000, 2, rows))).load()
Image.new("RGB", (20000, 8000))`,
  ],
  "a picture whose text grows": [
    "either",
    `${PNG}
text = chunk(b"zTXt", b"a\\0\\0" + zlib.compress(bytes(100_000_000)))
Image.open(io.BytesIO(png(1, 1, 0, zlib.compress(bytes(2)), text))).load()`,
  ],
  ...Object.fromEntries(
    ["PNG", "JPEG", "GIF", "BMP", "TIFF", "PPM", "ICO", "TGA", "PCX"].map((format) =>
      [
        `200 broken pictures: ${format}`,
        [
          "value",
          `${MUTANTS}
import warnings
from PIL import Image
warnings.simplefilter("ignore")
data = io.BytesIO()
Image.effect_noise((24, 24), 60).convert("L" if "${format}" == "PCX" else "RGB").save(data, "${format}")
for each in mutants(data.getvalue(), 200):
    try:
        picture = Image.open(io.BytesIO(each))
        if picture.width * picture.height < 1_000_000: picture.load()
    except Exception: pass
True`,
        ],
      ] as const
    ),
  ),
});

/** For matplotlib. */
export const FIGURES: readonly HostileCase[] = named({
  "60 broken fonts": [
    "value",
    `${MUTANTS}
import matplotlib.font_manager as fonts
from matplotlib.ft2font import FT2Font
data = open(fonts.findfont("DejaVu Sans"), "rb").read()
for each in mutants(data, 60):
    try:
        font = FT2Font(io.BytesIO(each))
        font.set_size(12, 72)
        font.set_text("Aé1", 0.0)
        font.draw_glyphs_to_bitmap()
    except Exception: pass
True`,
  ],
  "a figure of 10 billion pixels": [
    "either",
    `
import matplotlib.pyplot as plt
plt.figure(figsize=(1000, 1000), dpi=100)
plt.plot([1, 2])
plt.savefig("f.png")`,
  ],
  "mathematics nested deeply": [
    "either",
    `
import matplotlib.pyplot as plt
plt.title("$" + r"\\\\frac{1}{" * 3000 + "1" + "}" * 3000 + "$".replace("x", ""))
plt.show()`,
  ],
});
