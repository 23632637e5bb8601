/**
 * `TextEncoder` of the Encoding Standard.
 *
 * @module
 */
import { exposeInterface, INSPECT, inspectAs } from "./expose.ts";
import { invalidArgument } from "./node_error.ts";
import { encodeInto, encodeUtf8, type Written } from "./utf8.ts";

/** Encodes text as UTF-8. */
export class TextEncoder {
  get encoding(): string {
    return "utf-8";
  }

  encode(input: unknown = ""): Uint8Array<ArrayBuffer> {
    return encodeUtf8(`${input}`);
  }

  encodeInto(source: unknown, destination: unknown): Written {
    if (typeof source !== "string") throw invalidArgument("src", "of type string", source);
    if (!(destination instanceof Uint8Array)) {
      throw invalidArgument("dest", "an instance of Uint8Array", destination);
    }
    return encodeInto(source, destination);
  }

  [INSPECT](...args: readonly unknown[]): unknown {
    return inspectAs(this, "TextEncoder", { encoding: "utf-8" }, args);
  }
}

/** Sets the name of the class that guests see. */
export function exposeTextEncoder(): void {
  exposeInterface(TextEncoder, "TextEncoder");
}
