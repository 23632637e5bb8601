/**
 * The compiled time zone database from the wheel of Python's `tzdata`. Python's library and Perl's
 * `localtime` use it.
 *
 * @module
 */
import { filesIn } from "./zip_archive.ts";

/** The folder of the zones in the wheel. */
const FOLDER = "tzdata/zoneinfo/";
const WHEEL = new URL(
  "../../third_party/tzdata/tzdata-2026.6-py2.py3-none-any.whl",
  import.meta.url,
);

/** The wheel as published. */
export async function timeZoneWheel(): Promise<Uint8Array<ArrayBuffer>> {
  return await Deno.readFile(WHEEL);
}

/** The zone files of the wheel, by name. A few files hold something else. */
export async function timeZoneFiles(): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>> {
  return filesIn(await timeZoneWheel(), FOLDER);
}
