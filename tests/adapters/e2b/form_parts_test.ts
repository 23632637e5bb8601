/** Forms in pieces of any size: their parts, names and faults. */
import { assertEquals, assertRejects } from "@std/assert";
import { formParts } from "../../../adapters/e2b/form_parts.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { joinBytes } from "../../../shared/join_bytes.ts";

type Bytes = Uint8Array<ArrayBuffer>;

async function* inPieces(bytes: Bytes, length: number): AsyncGenerator<Bytes, void> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

/** The parts of a form that arrives in pieces of a length; `x` is the boundary. */
async function partsOf(form: string | Bytes, pieceLength = 7, maxParts = 9) {
  const bytes = typeof form === "string" ? new TextEncoder().encode(form) : form;
  const parts: { readonly name: string; readonly filename?: string; readonly text: string }[] = [];
  for await (const part of formParts(inPieces(bytes, pieceLength), "x", maxParts)) {
    const { content, ...names } = part;
    const text = new TextDecoder().decode(joinBytes(await Array.fromAsync(content)));
    parts.push({ ...names, text });
  }
  return parts;
}

function part(disposition: string, content = "1"): string {
  return `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
}

Deno.test("formParts() gives the same parts for every length of the pieces", async () => {
  const contents = [
    "",
    "1",
    "\r\n",
    "\r\n--",
    "\r\n--y",
    "\r\n--xy\r\n",
    "\r\r\n\r\n--",
    "--x--",
    "é日",
  ];
  const form = contents.map((text, at) => part(`name="file"; filename="f${at}"`, text)).join("");
  const expected = contents.map((text, at) => ({ name: "file", filename: `f${at}`, text }));
  const whole = `before\r\n${form}--x--\r\nafter`;
  for (const length of [1, 2, 3, 5, 11, 64, whole.length]) {
    assertEquals(await partsOf(whole, length), expected, `pieces of ${length}`);
  }
});

Deno.test("formParts() reads names as browsers and other senders write them", async () => {
  const names: readonly (readonly [disposition: string, name: string, filename?: string])[] = [
    [`name="file"; filename="日本/é.txt"`, "file", "日本/é.txt"],
    [`name="file"; filename="a;b=c.txt"`, "file", "a;b=c.txt"],
    [`name="file"; filename="a%22b%0D%0A.txt"`, "file", 'a"b\r\n.txt'],
    [String.raw`name="file"; filename="a\"b\\c;d"`, "file", String.raw`a"b\c;d`],
    [String.raw`name="file"; filename="C:\d\f"`, "file", String.raw`C:\d\f`],
    [`name=file; filename=a.txt`, "file", "a.txt"],
    [`Name="file" ; FileName="a"`, "file", "a"],
    [`filename=""; name="file"`, "file", ""],
    [`name="field"`, "field"],
    [`filename="a"`, "", "a"],
  ];
  for (const [disposition, name, filename] of names) {
    const expected = { name, ...(filename === undefined ? {} : { filename }), text: "1" };
    assertEquals(await partsOf(`${part(disposition)}--x--`), [expected], disposition);
  }
  const others =
    "--x  \r\ncontent-type: text/plain\r\ncontent-disposition: form-data; name=a\r\n\r\n1\r\n";
  assertEquals(await partsOf(`${others}--x\t\r\n\r\n2\r\n--x--`), [
    { name: "a", text: "1" },
    { name: "", text: "2" },
  ]);
});

Deno.test("formParts() skips the content that nobody reads", async () => {
  const form = new TextEncoder().encode(`${part("name=a", "1".repeat(99))}${part("name=b")}--x--`);
  const names: string[] = [];
  for await (const { name, content } of formParts(inPieces(form, 7), "x", 9)) {
    if (name === "a") await content.next();
    names.push(name);
  }
  assertEquals(names, ["a", "b"]);
});

Deno.test("formParts() refuses a malformed form in bounded memory", async () => {
  const malformed = [
    "",
    "--x",
    "no delimiter",
    part("name=a"),
    part("name=a").slice(0, -1),
    `--x\r\n${"a".repeat(17_000)}`,
    `--x\r\n${"a: b\r\n".repeat(4_000)}\r\n1\r\n--x--`,
    `--x${" ".repeat(2_000)}\r\n\r\n1\r\n--x--`,
  ];
  for (const form of malformed) {
    await assertRejects(() => partsOf(form, 100), ServiceError, "not a form");
  }
  assertEquals(await partsOf("--x--"), []);
  const five = part("name=a").repeat(5);
  assertEquals((await partsOf(`${five}--x--`, 7, 5)).length, 5);
  await assertRejects(() => partsOf(five, 7, 4), ServiceError, "more than 4 parts");
});

Deno.test("formParts() passes a fault of the body on", async () => {
  async function* broken(): AsyncGenerator<Bytes, void> {
    yield new TextEncoder().encode(part("name=a").slice(0, -3));
    throw new RangeError("broken");
  }
  const read = async () => {
    for await (const { content } of formParts(broken(), "x", 9)) await Array.fromAsync(content);
  };
  await assertRejects(read, RangeError, "broken");
});
