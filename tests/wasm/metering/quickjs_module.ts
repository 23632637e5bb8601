/** The published QuickJS module that the JavaScript engine runs. */
export async function quickJsModule(): Promise<Uint8Array<ArrayBuffer>> {
  // Deno fetches the files of a package only if some module of the program imports it.
  await import("quickjs-wasi");
  const url = import.meta.resolve("quickjs-wasi/quickjs.wasm");
  return new Uint8Array(await Deno.readFile(new URL(url)));
}
