/** `ctypes` for data: types, structures and the program's own memory, without foreign functions. */
import { assertEquals } from "@std/assert";
import { errorOf, valueOf } from "./support.ts";

const START = "from ctypes import *\nimport ctypes\n";

async function valuesOf(...expressions: readonly string[]): Promise<unknown> {
  return JSON.parse(await valueOf(`${START}[${expressions.join(", ")}]`));
}

Deno.test("ctypes: types have the sizes of the machine", async () => {
  assertEquals(
    await valuesOf("sizeof(c_long)", "sizeof(c_void_p)", "sizeof(c_longlong)", "sizeof(c_wchar)"),
    [4, 4, 8, 4],
  );
});

Deno.test("ctypes: structures, unions, arrays and bit fields hold their values", async () => {
  const code = `${START}
class Point(Structure):
    _fields_ = [("x", c_int), ("y", c_double)]
class Either(Union):
    _fields_ = [("number", c_uint32), ("bytes", c_ubyte * 4)]
class Bits(Structure):
    _fields_ = [("low", c_uint, 3), ("high", c_uint, 5)]
points = (Point * 2)(Point(1, 2.5), Point(3, 4.5))
either = Either(number=0x01020304)
bits = Bits(5, 17)
data = bytearray(16)
shared = Point.from_buffer(data)
shared.x = 7
[sizeof(Point), points[1].y, list(either.bytes), bits.low, bits.high, data[0],
 Point.from_buffer_copy(bytes(data)).x, bytes(points)[:4] == b"\\1\\0\\0\\0"]`;
  assertEquals(JSON.parse(await valueOf(code)), [16, 4.5, [4, 3, 2, 1], 5, 17, 7, 7, true]);
});

Deno.test("ctypes: cast() points to the memory of arrays, pointers, bytes and addresses", async () => {
  assertEquals(
    await valuesOf(
      "cast((c_int * 3)(1, 2, 3), POINTER(c_int))[2]",
      "cast(pointer(c_int(5)), POINTER(c_int)).contents.value",
      "cast(b'text', c_char_p).value.decode()",
      "bool(cast(c_void_p(), POINTER(c_int)))",
      "bool(cast(0, POINTER(c_int)))",
      "cast(addressof(create_string_buffer(b'own')), c_char_p).value is not None",
      "cast(byref((c_int * 3)(1, 2, 3), 4), POINTER(c_int))[0]",
    ),
    [3, 5, "text", false, false, true, 2],
  );
});

Deno.test("ctypes: string_at() and wstring_at() read to the end of a text or to a size", async () => {
  const code = `${START}
text = create_string_buffer(b"hello\\0rest")
wide = create_unicode_buffer("hé😀")
long = create_string_buffer(b"x" * 200_000)
[string_at(text).decode(), string_at(text, 7).hex(), string_at(addressof(text) + 1, 2).decode(),
 wstring_at(wide), wstring_at(wide, 2), len(string_at(long)), bytes(memoryview_at(text, 3)).decode()]`;
  assertEquals(
    JSON.parse(await valueOf(code)),
    ["hello", "68656c6c6f0072", "el", "hé😀", "hé", 200_000, "hel"],
  );
});

Deno.test("ctypes: memmove() copies overlapping places, memset() fills", async () => {
  const code = `${START}
text = create_string_buffer(b"abcdef")
memmove(byref(text, 2), text, 4)
moved = text.raw
memset(text, ord("z"), 3)
[moved.decode(), text.raw.decode(), memmove(text, b"", 0) == addressof(text)]`;
  assertEquals(JSON.parse(await valueOf(code)), ["ababcd\0", "zzzbcd\0", true]);
});

const REFUSED: Readonly<Record<string, string>> = {
  "CDLL('libc.so.6')": "OSError",
  "CDLL(None)": "OSError",
  "PyDLL('x')": "OSError",
  "CFUNCTYPE(c_int)(5)()": "OSError",
  "CFUNCTYPE(c_int)(lambda: 1)": "OSError",
  "PYFUNCTYPE(c_int)(5)()": "OSError",
  "CFUNCTYPE(c_int)(('puts', pythonapi))": "OSError",
  "pythonapi.Py_Exit": "OSError",
  "pythonapi['Py_GetVersion']": "OSError",
  "cdll.LoadLibrary('m')": "OSError",
  "cdll.libc": "AttributeError",
  "string_at(0)": "ValueError",
  "memmove(0, b'a', 1)": "ValueError",
  "cast(1.5, c_void_p)": "ArgumentError",
  "cast(1, c_int)": "TypeError",
};

for (const [expression, name] of Object.entries(REFUSED)) {
  Deno.test(`ctypes: ${expression} raises ${name}`, async () => {
    const { name: raised, message } = await errorOf(`${START}${expression}`);
    assertEquals(raised, name);
    if (name === "OSError") {
      assertEquals(message, "foreign functions and libraries are not available here");
    }
  });
}

Deno.test("ctypes: libraries cannot be found, and looking for them fails nowhere", async () => {
  const code =
    "from ctypes.util import find_library, dllist\n[find_library('c'), find_library('m'), dllist()]";
  assertEquals(JSON.parse(await valueOf(code)), [null, null, []]);
});
