/**
 * Deliveries as bytes: those of earlier attempts are a part of `POST /run`, a new one comes on standard
 * input, after the isolate has sent a frame that says that the program waits. Two lengths in four bytes
 * each, then a JSON head, then a text.
 *
 * @module
 */
import type { CallFailure, CallImage, Delivery, IntegerPlaces } from "../../shared/run_calls.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Reads exactly so many bytes. */
export type ReadBytes = (length: number) => Uint8Array;

interface DeliveryHead {
  readonly kind: "value" | "error" | "input" | "end" | "elapsed" | "release";
  readonly atMs: number;
  readonly call?: number;
  readonly error?: CallFailure;
  readonly integers?: IntegerPlaces | undefined;
  readonly images?: readonly CallImage[] | undefined;
}

const LENGTHS_BYTES = 8;
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

function headOf(delivery: Delivery): DeliveryHead {
  const { atMs } = delivery;
  if ("elapsed" in delivery) return { kind: "elapsed", atMs };
  if ("input" in delivery) return { kind: delivery.input === null ? "end" : "input", atMs };
  if ("error" in delivery) {
    return { kind: "error", atMs, call: delivery.call, error: delivery.error };
  }
  const { call, integers, images } = delivery;
  return { kind: "value", atMs, call, integers, images };
}

function textOf(delivery: Delivery): string {
  if ("value" in delivery) return delivery.value;
  return "input" in delivery ? delivery.input ?? "" : "";
}

function encode(head: DeliveryHead, text: string): Bytes {
  const [first, second] = [ENCODER.encode(JSON.stringify(head)), ENCODER.encode(text)];
  const out = new Uint8Array(LENGTHS_BYTES + first.length + second.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, first.length, true);
  view.setUint32(4, second.length, true);
  out.set(first, LENGTHS_BYTES);
  out.set(second, LENGTHS_BYTES + first.length);
  return out;
}

/** A delivery. */
export function encodeDelivery(delivery: Delivery): Bytes {
  return encode(headOf(delivery), textOf(delivery));
}

/** Takes the isolate back. */
export function encodeRelease(): Bytes {
  return encode({ kind: "release", atMs: 0 }, "");
}

/** Several deliveries. */
export function encodeDeliveries(deliveries: readonly Delivery[]): Bytes {
  const all = deliveries.map(encodeDelivery);
  const out = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const bytes of all) {
    out.set(bytes, at);
    at += bytes.length;
  }
  return out;
}

/** Reads one; undefined when the isolate is taken back. */
export function readDelivery(read: ReadBytes): Delivery | undefined {
  const lengths = read(LENGTHS_BYTES);
  const view = new DataView(lengths.buffer, lengths.byteOffset, LENGTHS_BYTES);
  const head: DeliveryHead = JSON.parse(DECODER.decode(read(view.getUint32(0, true))));
  const text = DECODER.decode(read(view.getUint32(4, true)));
  const { kind, atMs, call = 0, error, integers, images } = head;
  switch (kind) {
    case "value":
      return { atMs, call, value: text, integers, images };
    case "error":
      return { atMs, call, error: error ?? { kind: "tool", message: "" } };
    case "input":
      return { atMs, input: text };
    case "end":
      return { atMs, input: null };
    case "elapsed":
      return { atMs, elapsed: true };
    default:
      return undefined;
  }
}

/** Reads all deliveries of a part. */
export function readDeliveries(bytes: Bytes): readonly Delivery[] {
  const all: Delivery[] = [];
  let at = 0;
  const read = (length: number) => bytes.subarray(at, at += length);
  while (at < bytes.length) {
    const delivery = readDelivery(read);
    if (delivery !== undefined) all.push(delivery);
  }
  return all;
}
