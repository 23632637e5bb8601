/**
 * The host side of conversions between bytes and text that QuickJS lacks: a loop in the guest takes
 * about a hundred times as long per byte. All are stateless functions of bytes.
 *
 * A request is `to base64`, `from base64` (of text in the standard alphabet) or `repair`, which
 * turns any bytes into valid UTF-8 as a decoder would. The data follow.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { HostReply, PaidService } from "./host_calls.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Fuel for a byte, at 12,000 units per microsecond: a byte takes 1 to 5 ns. */
const BYTE_FUEL = 60;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

function bufferOf(bytes: Bytes): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

const OPERATIONS = new Map<string, (data: Bytes) => HostReply>([
  ["to base64", (data) => bufferOf(data).toString("base64")],
  [
    "from base64",
    (data) => new Uint8Array(Buffer.from(bufferOf(data).toString("latin1"), "base64")),
  ],
  ["repair", (data) => encoder.encode(decoder.decode(data))],
]);

/** The service. */
export const TEXT_SERVICE: PaidService = {
  serve(args, pay) {
    const operation = OPERATIONS.get(args.text(1));
    if (operation === undefined) return undefined;
    const data = args.data(2);
    return pay(data.length * BYTE_FUEL) ? operation(data) : undefined;
  },
};
