/**
 * The time zone database, compiled, as the wheel of Python's `tzdata` holds it. Python's library
 * and Perl's `localtime` are made from it.
 *
 * @module
 */
import { filesIn } from "./zip_archive.ts";

/** Where the zones are in the wheel. */
const FOLDER = "tzdata/zoneinfo/";
const WHEEL = new URL("tzdata-2026.6-py2.py3-none-any.whl", import.meta.url);

/** The wheel as published. */
export async function timeZoneWheel(): Promise<Uint8Array<ArrayBuffer>> {
  return await Deno.readFile(WHEEL);
}

/** The files of the wheel's zones, by name; a few hold something else. */
export async function timeZoneFiles(): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>> {
  return filesIn(await timeZoneWheel(), FOLDER);
}
