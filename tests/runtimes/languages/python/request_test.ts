import { assertEquals } from "@std/assert";
import { encodeRequest, type RunKind } from "../../../../runtimes/languages/python/host/request.ts";

const ENVIRONMENT = new Map([["A", "1"]]);
const text = (value: string) => `u\u0001\0\0\0${value}`;
const tuple = (...values: string[]) =>
  `(${String.fromCharCode(values.length)}\0\0\0${values.join("")}`;
const encoded = (kind: RunKind, notebook = false) =>
  String.fromCharCode(...encodeRequest({ code: "1", env: ENVIRONMENT, notebook }, kind));

Deno.test("request: lengths are bytes, for marshal", () => {
  const bytes = encodeRequest({ code: "é", env: new Map() }, "run");
  assertEquals([...bytes], [0x28, 2, 0, 0, 0, 0x75, 2, 0, 0, 0, 0xc3, 0xa9, 0x28, 0, 0, 0, 0]);
});

Deno.test("request: a context's request has a form that the drivers of all images accept", () => {
  assertEquals(encoded("run"), tuple(text("1"), tuple(text("A"), text("1"))));
});

Deno.test("request: a stateless run is marked as ending its process", () => {
  const end = "u\u0007\0\0\0process";
  assertEquals(encoded("process"), tuple(text("1"), tuple(text("A"), text("1")), end));
});

Deno.test("request: a run of a context that has input is marked", () => {
  const input = "u\u0005\0\0\0input";
  assertEquals(encoded("input"), tuple(text("1"), tuple(text("A"), text("1")), input));
});

Deno.test("request: a run of a notebook is marked, with input or without", () => {
  const rest = [text("1"), tuple(text("A"), text("1"))];
  assertEquals(encoded("run", true), tuple(...rest, "u\u000c\0\0\0run notebook"));
  assertEquals(encoded("input", true), tuple(...rest, "u\u000e\0\0\0input notebook"));
});
