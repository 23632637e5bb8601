import { assert, assertEquals, assertGreater, assertLess, assertStringIncludes } from "@std/assert";
import {
  createIntlService,
  intlFuel,
} from "../../../../../runtimes/languages/javascript/host/host_intl.ts";
import {
  MAX_REQUEST_LENGTH,
  MAX_SEGMENTED_LENGTH,
  MAX_TEXT_LENGTH,
} from "../../../../../runtimes/languages/javascript/host/host_intl_request.ts";
import { INTL_SERVICES } from "../../../../../runtimes/languages/javascript/host/host_intl_services.ts";

interface Reply {
  readonly value?: unknown;
  readonly error?: { readonly name: string; readonly message: string };
}

type Host = (request: string) => string;

function ask(
  host: Host,
  service: string,
  method: string,
  rest: {
    readonly locales?: unknown;
    readonly options?: unknown;
    readonly args?: unknown;
  } = {},
): Reply {
  const { locales = [], options = {}, args = [] } = rest;
  return JSON.parse(host(JSON.stringify({ service, method, locales, options, args })));
}

Deno.test("intl host: formats by locale, with en-US and UTC as defaults", () => {
  const host = createIntlService().call;
  assertEquals(ask(host, "NumberFormat", "format", { args: ["n1234.5"] }), { value: "1,234.5" });
  assertEquals(
    ask(host, "NumberFormat", "format", {
      locales: ["de-DE"],
      options: { style: "currency", currency: "EUR" },
      args: ["n1234.5"],
    }),
    { value: "1.234,50\u00a0€" },
  );
  const { value } = ask(host, "DateTimeFormat", "resolvedOptions");
  assertEquals(Reflect.get(Object(value), "locale"), "en-US");
  assertEquals(Reflect.get(Object(value), "timeZone"), "UTC");
  assertEquals(
    ask(host, "DateTimeFormat", "format", {
      options: { timeZone: "America/New_York", dateStyle: "short" },
      args: [0],
    }),
    { value: "12/31/69" },
  );
});

Deno.test("intl host: locales that ICU does not know fall back to en-US, on any machine", () => {
  const host = createIntlService().call;
  const { value } = ask(host, "NumberFormat", "resolvedOptions", { locales: ["xx-YY"] });
  assertEquals(Reflect.get(Object(value), "locale"), "en-US");
  assertEquals(ask(host, "Intl", "getCanonicalLocales", { locales: ["DE-at"] }), {
    value: ["de-AT"],
  });
  assertEquals(
    ask(host, "supportedLocalesOf", "Collator", { locales: ["xx", "de"] }),
    { value: ["de"] },
  );
});

Deno.test("intl host: numbers keep their digits and the sign of zero", () => {
  const host = createIntlService().call;
  const format = (arg: string) => ask(host, "NumberFormat", "format", { args: [arg] }).value;
  assertEquals(
    format("i123456789012345678901234567890"),
    "123,456,789,012,345,678,901,234,567,890",
  );
  assertEquals(format("d12345678901234567890.125"), "12,345,678,901,234,567,890.125");
  assertEquals(format("n-0"), "-0");
  assertEquals(format("nNaN"), "NaN");
  assertEquals(format("n-Infinity"), "-∞");
});

Deno.test("intl host: ICU's own errors are returned as name and message", () => {
  const host = createIntlService().call;
  const style = ask(host, "NumberFormat", "format", { options: { style: "nope" }, args: ["n1"] });
  assertEquals(style.error?.name, "RangeError");
  assertStringIncludes(style.error?.message ?? "", "nope");
  const currency = ask(host, "NumberFormat", "format", {
    options: { style: "currency" },
    args: ["n1"],
  });
  assertEquals(currency.error?.name, "TypeError");
  assertEquals(ask(host, "NumberFormat", "resolvedOptions", { locales: ["a_b"] }), {
    error: { name: "RangeError", message: "Incorrect locale information provided" },
  });
});

Deno.test("intl host: requests that are not on the allow-list are refused", () => {
  const host = createIntlService().call;
  const refused: readonly Reply[] = [
    ask(host, "constructor", "format"),
    ask(host, "__proto__", "toString"),
    ask(host, "NumberFormat", "constructor"),
    ask(host, "NumberFormat", "__proto__"),
    ask(host, "NumberFormat", "hasOwnProperty", { args: ["n1"] }),
    ask(host, "Intl", "DateTimeFormat"),
    ask(host, "supportedLocalesOf", "constructor"),
    ask(host, "NumberFormat", "format", { options: { toString: "x" }, args: ["n1"] }),
    ask(host, "NumberFormat", "format", { options: { style: {} }, args: ["n1"] }),
    ask(host, "NumberFormat", "format", { options: { style: ["percent"] }, args: ["n1"] }),
    ask(host, "NumberFormat", "format", { options: { minimumFractionDigits: true }, args: ["n1"] }),
    ask(host, "DateTimeFormat", "format", { options: { hour12: "yes" }, args: [0] }),
    ask(host, "NumberFormat", "format", { locales: "de", args: ["n1"] }),
    ask(host, "NumberFormat", "format", { locales: [{}], args: ["n1"] }),
    ask(host, "NumberFormat", "format", { args: [1] }),
    ask(host, "NumberFormat", "format", { args: [{ valueOf: 1 }] }),
    ask(host, "NumberFormat", "format", { args: ["x1"] }),
    ask(host, "NumberFormat", "format", { args: ["d1e99999999"] }),
    ask(host, "DateTimeFormat", "format", { args: ["0"] }),
    ask(host, "DateTimeFormat", "format", { args: [8.64e15 + 1] }),
    ask(host, "ListFormat", "format", { args: ["abc"] }),
    ask(host, "ListFormat", "format", { args: [[1]] }),
    ask(host, "Collator", "compare", { args: ["a"] }),
    ask(host, "Collator", "compare", { args: ["a", "b", "c"] }),
  ];
  for (const [index, reply] of refused.entries()) {
    assertEquals([index, reply.value, typeof reply.error?.message], [index, undefined, "string"]);
    assert(["TypeError", "RangeError"].includes(reply.error?.name ?? ""), `case ${index}`);
  }
});

Deno.test("intl host: text that is not a request is refused, and nothing is thrown", () => {
  const host = createIntlService().call;
  const broken = ["", "{", "null", "1", '"x"', "[]", "{}", '{"service":"NumberFormat"}', "\u0000"];
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  for (const request of [...broken, deep, `{"service":${deep}}`]) {
    const reply: Reply = JSON.parse(host(request));
    assertEquals(reply.error, { name: "TypeError", message: "Malformed Intl request" });
  }
});

Deno.test("intl host: sizes are capped", () => {
  const host = createIntlService().call;
  const long = "é".repeat(MAX_TEXT_LENGTH + 1);
  const tooLong: readonly Reply[] = [
    JSON.parse(host(" ".repeat(MAX_REQUEST_LENGTH + 1))),
    ask(host, "Collator", "compare", { args: [long, "a"] }),
    ask(host, "String", "toLocaleUpperCase", { args: [long] }),
    ask(host, "Segmenter", "segment", { args: ["a".repeat(MAX_SEGMENTED_LENGTH + 1)] }),
    ask(host, "ListFormat", "format", { args: [Array(10_001).fill("a")] }),
    ask(host, "ListFormat", "format", { args: [["a".repeat(200_000), "b".repeat(200_000)]] }),
    ask(host, "NumberFormat", "format", { args: [`i${"9".repeat(10_001)}`] }),
    ask(host, "NumberFormat", "format", { locales: Array(65).fill("de"), args: ["n1"] }),
    ask(host, "NumberFormat", "format", { locales: ["d".repeat(257)], args: ["n1"] }),
    ask(host, "DisplayNames", "of", {
      options: { type: "region" },
      args: ["U".repeat(257)],
    }),
  ];
  for (const [index, { error }] of tooLong.entries()) {
    assertEquals([index, error?.name], [index, "RangeError"]);
    assertStringIncludes(error?.message ?? "", "longer than");
  }
});

/** ICU sorts marks by insertion: a long run of them costs the square of its length. */
Deno.test("intl host: long runs of combining marks are refused before ICU sees them", () => {
  const host = createIntlService().call;
  const run = "\u0301".repeat(30_000) + "\u0316".repeat(30_000);
  const { error } = ask(host, "Collator", "compare", { args: [`x${run}`, `x\u0300${run}`] });
  assertEquals(error?.name, "RangeError");
  const short = "\u0301".repeat(128) + "\u0316".repeat(127);
  assertEquals(
    ask(host, "Collator", "compare", { args: [`x${short}`, `x${short}`] }),
    { value: 0 },
  );
});

Deno.test("intl host: replies are plain JSON without NUL, lone surrogates included", () => {
  const host = createIntlService().call;
  const request = JSON.stringify({
    service: "ListFormat",
    method: "format",
    locales: [],
    options: {},
    args: [["\u0000", "\ud800", "é"]],
  });
  const reply = host(request);
  assertEquals(reply.includes("\u0000"), false);
  assertEquals(JSON.parse(reply), { value: "\u0000, \ud800, and é" });
});

Deno.test("intl host: formatters are kept, charged when made, and collected", () => {
  let collections = 0;
  const { call: host, workFuel } = createIntlService(() => void collections++);
  ask(host, "NumberFormat", "format", { args: ["n1"] });
  const first = workFuel();
  assertGreater(first, 0);
  for (let i = 0; i < 100; i++) ask(host, "NumberFormat", "format", { args: [`n${i % 9}`] });
  assertLess(workFuel(), first / 4); // of replies
  ask(host, "DateTimeFormat", "formatRange", { args: [0, 1] });
  assertGreater(workFuel(), first);
  for (let i = 0; i < 600; i++) {
    ask(host, "NumberFormat", "format", { locales: [`de-x-a${i}`], args: ["n1"] });
  }
  assertEquals(collections, 2);
  assertEquals(workFuel(), 600 * first);
});

Deno.test("intl host: ranges, lunar calendars, many locales and long replies cost more each time", () => {
  const { call: host, workFuel } = createIntlService();
  const priceOf = (service: string, method: string, request: Parameters<typeof ask>[3]) => {
    ask(host, service, method, request);
    const first = workFuel();
    ask(host, service, method, request);
    return { first, again: workFuel() };
  };
  const number = priceOf("NumberFormat", "format", { args: ["n1"] });
  const dates = { args: [0, 1] };
  const date = priceOf("DateTimeFormat", "format", dates);
  for (const method of ["formatRange", "formatRangeToParts"]) {
    const range = priceOf("NumberFormat", method, { args: ["n1", "n2"] });
    assertGreater(range.again, number.again + 1_000_000, method);
    assertGreater(priceOf("DateTimeFormat", method, dates).again, date.again + 1_000_000, method);
  }
  const plural = priceOf("PluralRules", "select", { args: [1] });
  const range = priceOf("PluralRules", "selectRange", { args: [1, 2] });
  assertGreater(range.again, plural.again + 1_000_000);
  const lunar = priceOf("DateTimeFormat", "format", { ...dates, locales: ["zh-u-ca-chinese"] });
  assertGreater(lunar.again, date.again + 1_000_000);
  const locales = Array.from({ length: 60 }, (_, n) => `sr-Latn-BA-x-a${n}`);
  const many = priceOf("Collator", "compare", { args: ["a", "b"], locales });
  const one = priceOf("Collator", "compare", { args: ["a", "b"] });
  assertGreater(many.first, one.first + 5_000_000);
  const list = priceOf("Intl", "getCanonicalLocales", { locales });
  assertGreater(list.again, one.first + 5_000_000);
});

Deno.test("intl host: the price of a request grows with its length, up to the longest", () => {
  assertGreater(intlFuel(0), 0);
  assertGreater(intlFuel(10_000), intlFuel(100));
  assertEquals(intlFuel(Infinity), intlFuel(MAX_REQUEST_LENGTH));
  assertLess(intlFuel(200), 1_000_000);
});

Deno.test("intl host: every method of every service answers or refuses, and throws nothing", () => {
  const host = createIntlService().call;
  const argumentLists = [[], ["n1", "n2"], [0, 1], ["a", "b"], [["a"]], [-1, "day"], ["US"]];
  const methods = [
    ...["resolvedOptions", "format", "formatToParts", "formatRange", "formatRangeToParts"],
    ...["select", "selectRange", "compare", "of", "segment", "describe", "toLocaleUpperCase"],
  ];
  for (const service of INTL_SERVICES.keys()) {
    for (const method of methods) {
      for (const args of argumentLists) {
        const reply = ask(host, service, method, { args });
        assertEquals(Object.keys(reply).length, 1);
      }
    }
  }
});
