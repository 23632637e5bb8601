/**
 * The time zone database, compiled, as the wheel of Python's `tzdata` holds it. Python's library
 * and Perl's `localtime` are made from it.
 *
 * @module
 */
const WHEEL = new URL("tzdata-2026.6-py2.py3-none-any.whl", import.meta.url);

/** The wheel as published. */
export async function timeZoneWheel(): Promise<Uint8Array<ArrayBuffer>> {
  return await Deno.readFile(WHEEL);
}
