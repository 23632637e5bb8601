import { assertEquals, assertThrows } from "@std/assert";
import { timeZoneWheel } from "../../../runtimes/builder/time_zones.ts";
import { filesIn, ZipFormatError } from "../../../runtimes/builder/zip_archive.ts";

Deno.test("zip archive: returns the files below a folder, inflated, by their relative names", async () => {
  const zones = filesIn(await timeZoneWheel(), "tzdata/zoneinfo/Europe/");
  const rome = zones.get("Rome") ?? new Uint8Array();
  assertEquals(new TextDecoder().decode(rome.subarray(0, 4)), "TZif");
  assertEquals(zones.has("America/New_York"), false);
});

Deno.test("zip archive: bytes that are not an archive are refused", () => {
  for (const bytes of [new Uint8Array(), new Uint8Array(100)]) {
    assertThrows(() => filesIn(bytes, ""), ZipFormatError, "no end");
  }
});
