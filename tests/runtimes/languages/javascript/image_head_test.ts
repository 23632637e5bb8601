import { assertEquals, assertThrows } from "@std/assert";
import { decodeImage, encodeImage, ImageFormatError } from "../../../../runtimes/engine/image.ts";
import { readImageHead } from "../../../../runtimes/languages/javascript/host/image_head.ts";
import { builtIsolate } from "../../../support/built.ts";

Deno.test("javascript image: its head is the one that was built", async () => {
  const { artifact } = await builtIsolate("javascript");
  const built = decodeImage(artifact.image, (head) => head);
  assertEquals(readImageHead(built.head), built.head);
});

Deno.test("javascript image: a head that lacks a part is refused", async () => {
  const { artifact } = await builtIsolate("javascript");
  const { head } = decodeImage(artifact.image, readImageHead);
  const { driver: _driver, ...withoutDriver } = head;
  const { fire: _fire, ...others } = head.driver;
  const heads = [
    undefined,
    {},
    withoutDriver,
    { ...head, driver: others },
    { ...head, runtime: "1" },
    { ...head, layout: null },
  ];
  for (const wrong of heads) {
    const image = encodeImage({ head: wrong, pages: 1, ranges: [] });
    assertThrows(() => decodeImage(image, readImageHead), ImageFormatError);
  }
});
