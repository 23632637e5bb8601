import { assert, assertEquals, assertRejects } from "@std/assert";
import { ServiceError } from "../../shared/errors.ts";
import { isJsonMediaType } from "../../shared/media_type.ts";
import { readJsonObject } from "../../shared/read_body.ts";

const HEADERS = { "content-type": "application/json" };

function requestOf(body: BodyInit | null, headers: Record<string, string> = {}): Request {
  return new Request("http://test/", { method: "POST", headers: { ...HEADERS, ...headers }, body });
}

/** A body that gives these pieces and then `last` says what happens. */
function bodyOf(
  pieces: readonly string[],
  last: (controller: ReadableStreamDefaultController<Uint8Array>) => void,
  onCancel: () => void = () => undefined,
): ReadableStream<Uint8Array> {
  const left = pieces.map((piece) => new TextEncoder().encode(piece));
  return new ReadableStream({
    pull(controller) {
      const next = left.shift();
      if (next === undefined) last(controller);
      else controller.enqueue(next);
    },
    cancel: onCancel,
  });
}

async function refusal(request: Request, maxBytes: number, deadlineMs = 10_000) {
  const error = await assertRejects(
    () => readJsonObject(request, { maxBytes, deadlineMs }),
    ServiceError,
  );
  assertEquals(error.code, "VALIDATION_FAILED");
  return error.status;
}

Deno.test("read body: gives an object without prototype, own keys only", async () => {
  const body = await readJsonObject(requestOf('{"__proto__":{"a":1},"b":2}'), { maxBytes: 100 });
  assertEquals(Object.getPrototypeOf(body), null);
  assertEquals(Object.keys(body), ["__proto__", "b"]);
  assertEquals(body["a"], undefined);
  assertEquals(body["toString"], undefined);
});

Deno.test("read body: a byte order mark is no part of the text", async () => {
  const body = await readJsonObject(requestOf('\ufeff{"a":1}'), { maxBytes: 100 });
  assertEquals(body["a"], 1);
});

Deno.test("read body: a declared length over the limit is refused even if no byte arrives", async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    cancel: () => {
      cancelled = true;
    },
  }, { highWaterMark: 0 });
  assertEquals(await refusal(requestOf(body, { "content-length": "11" }), 10), 413);
  assert(cancelled);
});

Deno.test("read body: a refused body is read for a while, and its sender sees the answer", async () => {
  let sent = 0;
  const body = bodyOf([], (controller) => {
    sent += 64 * 1024;
    controller.enqueue(new Uint8Array(64 * 1024));
    if (sent >= 6 * 1024 * 1024) controller.close();
  });
  assertEquals(await refusal(requestOf(body, { "content-length": String(sent) }), 1000), 413);
  assertEquals(sent, 6 * 1024 * 1024);
});

Deno.test("read body: without room for its announced length a small body is refused before it is read", async () => {
  const body = bodyOf(['{"a":1}'], (controller) => controller.close());
  const refused = new Error("no room");
  const taken: number[] = [];
  const meter = {
    tenant: "",
    take: (bytes: number) => {
      taken.push(bytes);
      throw refused;
    },
  };
  const request = requestOf(body, { "content-length": "7" });
  const reading = () => readJsonObject(request, { maxBytes: 1000, meter });
  assertEquals([await assertRejects(reading), taken], [refused, [7]]);
});

Deno.test("read body: bytes are counted even when the declared length is smaller", async () => {
  const body = bodyOf(['{"a":', '"bcdef"}'], (controller) => controller.close());
  assertEquals(await refusal(requestOf(body, { "content-length": "2" }), 10), 413);
});

Deno.test("read body: an endless body is cancelled at the first byte too many", async () => {
  let cancelled = false;
  const body = bodyOf([], (controller) => controller.enqueue(new Uint8Array(64)), () => {
    cancelled = true;
  });
  assertEquals(await refusal(requestOf(body), 1000), 413);
  assertEquals(cancelled, true);
});

Deno.test("read body: a stalled body ends at the deadline", async () => {
  let cancelled = false;
  const body = bodyOf(['{"a":'], () => undefined, () => {
    cancelled = true;
  });
  assertEquals(await refusal(requestOf(body), 1000, 20), 400);
  assertEquals(cancelled, true);
});

for (const headers of [{}, { "content-length": "9" }]) {
  const kind = Object.keys(headers).length === 0 ? "of unknown length" : "of a small length";

  Deno.test(`read body: an interrupted body ${kind} is refused`, async () => {
    const body = bodyOf(['{"a":'], (controller) => controller.error(new Error("gone")));
    assertEquals(await refusal(requestOf(body, headers), 1000), 400);
  });

  Deno.test(`read body: a body ${kind} that never ends is refused at the deadline`, async () => {
    const body = bodyOf(['{"a":'], () => undefined);
    assertEquals(await refusal(requestOf(body, headers), 1000, 20), 400);
  });

  Deno.test(`read body: the signal ends the reading of a body ${kind}`, async () => {
    const body = bodyOf(['{"a":'], () => undefined);
    const caller = new AbortController();
    const reading = readJsonObject(requestOf(body, headers), {
      maxBytes: 1000,
      signal: caller.signal,
    });
    const reason = new Error("left");
    caller.abort(reason);
    assertEquals(await assertRejects(() => reading), reason);
  });

  Deno.test(`read body: a body ${kind} that is complete is counted once`, async () => {
    const counts: number[] = [];
    const meter = { tenant: "", take: (bytes: number) => void counts.push(bytes) };
    const body = bodyOf(['{"a":1}', "  "], (controller) => controller.close());
    await readJsonObject(requestOf(body, headers), { maxBytes: 1000, meter });
    assertEquals(counts.reduce((sum, bytes) => sum + bytes, 0), 9);
  });
}

Deno.test("read body: no body at all is no JSON", async () => {
  assertEquals(await refusal(requestOf(null), 1000), 400);
});

Deno.test("read body: a body with too much structure is refused before it is parsed", async () => {
  const rules = { maxBytes: 1_000_000, maxStructure: 100 };
  const texts = [
    `{"op":"list","x":[${"{},".repeat(1_000)}0]}`,
    `{"op":"list","x":${"[".repeat(1_000)}${"]".repeat(1_000)}}`,
    `{${Array.from({ length: 1_000 }, (_, n) => `"key${n}":0`).join(",")}}`,
    `${"[".repeat(1_000)} no JSON`,
  ];
  for (const text of texts) {
    const error = await assertRejects(() => readJsonObject(requestOf(text), rules), ServiceError);
    const message = "The request body has more than 100 brackets, commas and colons outside of " +
      "strings";
    assertEquals([error.code, error.status, error.message], ["VALIDATION_FAILED", 400, message]);
  }
  const content = '[{,:"\\'.repeat(10_000);
  const body = await readJsonObject(requestOf(JSON.stringify({ content })), rules);
  assertEquals(body["content"], content);
});

const mediaTypes: Record<string, boolean> = {
  "application/json": true,
  " application/json ": true,
  "application/json;": true,
  "application/json;;charset=utf-8": true,
  'application/json;charset="utf-8"': true,
  'application/json;a="\\"; charset=x";charset=utf-8': true,
  "application/json charset=utf-8": false,
  "application/json;charset": false,
  'application/json;charset="utf-8': false,
  "application/json;charset = utf-8": false,
  "application/json;charset=": false,
  "application/json5": false,
  "": false,
};

for (const [mediaType, json] of Object.entries(mediaTypes)) {
  Deno.test(`media type: ${JSON.stringify(mediaType)} is ${json ? "" : "not "}JSON`, () => {
    assertEquals(isJsonMediaType(mediaType), json);
  });
}

Deno.test("read body: a body of endless small chunks that are all there is given up at the deadline", async () => {
  let cancelled = false;
  const one = new Uint8Array(1);
  const body = bodyOf([], (controller) => controller.enqueue(one), () => {
    cancelled = true;
  });
  let turns = 0;
  const others = setInterval(() => turns++, 1);
  assertEquals(await refusal(requestOf(body), 1_000_000_000, 50), 400);
  clearInterval(others);
  assertEquals([cancelled, turns > 3], [true, true]);
});

Deno.test("read body: small chunks of a refused body are taken for a bounded time", async () => {
  let cancelled = false;
  const one = new Uint8Array(1);
  const body = bodyOf([], (controller) => controller.enqueue(one), () => {
    cancelled = true;
  });
  assertEquals(await refusal(requestOf(body), 10), 413);
  assertEquals(cancelled, true);
});

Deno.test("read body: a body in chunks of one byte is whole", async () => {
  const text = JSON.stringify({ content: "ü".repeat(20_000) });
  const pieces = new TextEncoder().encode(text);
  let at = 0;
  const body = bodyOf([], (controller) => {
    if (at === pieces.length) controller.close();
    else controller.enqueue(pieces.slice(at, ++at));
  });
  const read = await readJsonObject(requestOf(body), { maxBytes: 1_000_000 });
  assertEquals(JSON.stringify(read), text);
});
