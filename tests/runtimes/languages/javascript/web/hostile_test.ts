// test: long
import { assert, assertEquals, assertLess, assertMatch, assertNotEquals } from "@std/assert";
import { runProgram, valueOf } from "./guest.ts";

/** Replaces everything that a guest can replace, with functions that record their arguments. */
const POISON = `
  const kept = [];
  let keeping = true;
  const spoil = (target, names) => {
    for (const name of names) {
      const original = target[name];
      try {
        Object.defineProperty(target, name, {
          configurable: true,
          value(...args) { if (keeping) kept.push(this, ...args); return Reflect.apply(original, this, args) },
        });
      } catch {}
    }
  };
  const apply = Reflect.apply, defineProperty = Object.defineProperty, getNames = Object.getOwnPropertyNames;
  for (const prototype of [Array, Map, Set, WeakMap, RegExp, Promise, Function, Uint8Array, ArrayBuffer].map((c) => c.prototype)) {
    spoil(prototype, getNames(prototype).filter((n) => typeof Object.getOwnPropertyDescriptor(prototype, n).value === 'function' && n !== 'constructor' && n !== 'push'));
  }
  spoil(JSON, ['parse', 'stringify']);
  Object.prototype.toJSON = function () { return 'poison' };
  Object.defineProperty(Object.prototype, 'get', { configurable: true, get() { return undefined }, set() {} });
  Object.defineProperty(Object.prototype, 'error', { configurable: true, get() { return { name: 'RangeError', message: 'poison' } } });
`;

const USES = `
  const used = [
    (1234.5).toLocaleString('de-DE'),
    new Intl.DateTimeFormat('en-US', { dateStyle: 'short' }).format(0),
    'é'.localeCompare('f'),
    new URL('http://a.b/?c=d').searchParams.get('c'),
    new TextDecoder().decode(new TextEncoder().encode('ü')),
    structuredClone(new Map([[1, { x: [2] }]])).get(1).x[0],
    Buffer.from('hi').toString('hex'),
    require('crypto').createHash('sha1').update('abc').digest('hex'),
    crypto.randomUUID().length,
    new Intl.Segmenter('en').segment('abc').containing(1).segment,
  ];
`;

const EXPECTED = [
  "1.234,5",
  "1/1/70",
  -1,
  "d",
  "ü",
  2,
  "6869",
  "a9993e364706816aba3e25717850c26c9cd0d89d",
  36,
  "b",
];

Deno.test("guest web: interfaces give the expected results in a realm without poison", async () => {
  assertEquals(await valueOf(`${USES} used`), EXPECTED);
});

Deno.test("guest web: a poisoned realm changes no more than its own results", async () => {
  const { ending } = await runProgram(
    `${POISON}\n${USES}\n delete Object.prototype.toJSON; ({ a: 1 })`,
  );
  assertEquals(ending, { kind: "json", json: '{"a":1}' });
  assertEquals(await valueOf(`${USES} used`), EXPECTED);
});

Deno.test("guest web: poisoned built-ins never see the host's function", async () => {
  const found = await valueOf(`${POISON}\n${USES}
    keeping = false;
    const isHost = (value) => typeof value === 'function' && value.name === '__host';
    delete Object.prototype.toJSON;
    const seen = new Set();
    let hosts = 0;
    for (const value of kept) {
      if (isHost(value)) hosts++;
      if (typeof value === 'object' && value !== null && !seen.has(value)) {
        seen.add(value);
        for (const key of Reflect.ownKeys(value)) {
          const inner = Object.getOwnPropertyDescriptor(value, key)?.value;
          if (isHost(inner)) hosts++;
        }
      }
    }
    [hosts, kept.length > 10]`);
  assertEquals(found, [0, true]);
});

/** All objects reachable from the global object by values, accessors and prototypes. */
const REACH = `
  const seen = new Set();
  const queue = [globalThis, require('buffer'), require('crypto'), require('url'), require('string_decoder'),
    require('querystring'), new Intl.NumberFormat(), new Intl.Segmenter().segment('ab'), new URL('http://a/?b'),
    new AbortController(), new Event('x'), Buffer.alloc(1), require('crypto').createHash('md5'), performance.mark('m')];
  const names = [];
  while (queue.length > 0) {
    const value = queue.pop();
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue;
    seen.add(value);
    if (typeof value === 'function' && /^__/.test(value.name)) names.push(value.name);
    queue.push(Object.getPrototypeOf(value));
    for (const key of Reflect.ownKeys(value)) {
      const { value: inner, get, set } = Object.getOwnPropertyDescriptor(value, key) ?? {};
      queue.push(inner, get, set);
      if (key === '__host' || key === '__driver' || key === '__captureGlobals') names.push(key);
    }
  }
`;

Deno.test("guest web: no walk over the realm's objects reaches the host or the driver", async () => {
  const [names, count] = await valueOf(`${REACH} [names, seen.size]`) as [string[], number];
  const allowed = ["__lookupGetter__", "__lookupSetter__", "__defineGetter__", "__defineSetter__"];
  const others = names.filter((name) =>
    !allowed.includes(name) && !/proto__$|belljar_(?:import|use|dispose)/.test(name)
  );
  assertEquals(others, []);
  assert(count > 500);
});

Deno.test("guest web: errors from hostile arguments are the guest's own", async () => {
  const results = await valueOf(`
    const attempt = (f) => { try { f(); return 'none' } catch (e) { return e instanceof Error ? e.message : String(e) } };
    const bad = (name) => ({ get [name]() { throw 'mine ' + name } });
    [
      attempt(() => new Intl.NumberFormat('en', bad('style'))),
      attempt(() => new Intl.DateTimeFormat(bad('length'))),
      attempt(() => (1).toLocaleString('en', { get currency() { throw 'mine' } })),
      attempt(() => new Intl.ListFormat('en').format({ [Symbol.iterator]() { throw 'mine' } })),
      attempt(() => new Intl.NumberFormat('en').format({ valueOf() { throw 'mine' } })),
      attempt(() => new Intl.NumberFormat('en', { style: Symbol('s') })),
      attempt(() => new URL({ toString() { throw 'mine' } })),
      attempt(() => new URLSearchParams({ get a() { throw 'mine' } })),
      attempt(() => structuredClone({ get a() { throw 'mine' } })),
      attempt(() => new Event('x', bad('bubbles'))),
      attempt(() => Buffer.from({ valueOf() { throw 'mine' } })),
      attempt(() => new Blob({ [Symbol.iterator]() { throw 'mine' } })),
      attempt(() => new TextDecoder('utf8', bad('fatal'))),
      attempt(() => performance.mark('x', bad('startTime'))),
    ]`) as string[];
  for (const [index, message] of results.entries()) {
    assertMatch(`${index} ${message}`, /mine|[Ss]ymbol/);
  }
});

Deno.test("guest web: inputs too large for the host are errors of the guest", async () => {
  const results = await valueOf(`
    const attempt = (f) => { try { return f() } catch (e) { return e.name } };
    const marks = '\\u0301'.repeat(30000) + '\\u0316'.repeat(30000);
    [
      attempt(() => 'é'.repeat(300000).localeCompare('é'.repeat(300000) + 'x')),
      attempt(() => ('x' + marks).localeCompare('x\\u0300' + marks)),
      attempt(() => (10n ** 20000n).toLocaleString()),
      attempt(() => new Intl.ListFormat('en').format(Array(20000).fill('a'))),
      attempt(() => new Intl.NumberFormat(Array(100).fill('de'))),
      attempt(() => new Intl.NumberFormat('d'.repeat(1000))),
      attempt(() => 'I'.repeat(300000).toLocaleLowerCase('tr')),
      attempt(() => [...new Intl.Segmenter('en').segment('a'.repeat(50000))].length),
      attempt(() => [...new Intl.Segmenter('en').segment('a' + '\\u0301'.repeat(50000))].length > 0),
      attempt(() => new Intl.Segmenter('en', { granularity: 'word' }).segment('word '.repeat(9000)).containing(44000).segment),
    ]`);
  const error = "RangeError";
  assertEquals(results, [error, error, error, error, error, error, error, 50_000, true, "word"]);
});

Deno.test("guest web: deep nesting is a RangeError, and endless traps end at the limit", async () => {
  const deep = await valueOf(`
    let nested = []; for (let i = 0; i < 100000; i++) nested = [nested];
    let name; try { structuredClone(nested) } catch (e) { name = e.name } [name]`);
  assertEquals(deep, ["RangeError"]);
  for (
    const code of [
      "new Intl.NumberFormat({ get length() { for (;;); } })",
      "new URLSearchParams({ *[Symbol.iterator]() { for (;;) yield ['a', 'b'] } })",
      "Buffer.concat({ get length() { for (;;); }, __proto__: Array.prototype }.length)",
      "require('crypto').pbkdf2Sync('p', 's', 2 ** 31 - 1, 64, 'sha512')",
      "Buffer.alloc(30000000).fill('ab').indexOf('ba'.repeat(5000000) + 'x')",
      "'a'.repeat(5000).localeCompare('a'.repeat(5000)); for (;;) 'ä'.localeCompare('b')",
    ]
  ) {
    const { ending, fuelConsumed } = await runProgram(code, 50_000_000);
    assertEquals([code, ending.kind], [code, "limit"]);
    assertEquals(fuelConsumed, 50_000_000);
  }
});

Deno.test("guest web: clocks follow virtual time, and a pending signal does not delay the end", async () => {
  const slept = await valueOf(`
    const before = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 5000));
    const event = new Event('x');
    const passed = performance.now() - before;
    const drift = () => Math.abs(performance.timeOrigin + performance.now() - Date.now());
    const least = Math.min(...Array.from({ length: 20 }, drift));
    [passed >= 5000 && passed < 9_000, event.timeStamp >= 5000, least < 50]`);
  assertEquals(slept, [true, true, true]);
  const started = performance.now();
  assertEquals(await valueOf("AbortSignal.timeout(3_600_000); [1]"), [1]);
  assertLess(performance.now() - started, 60_000);
  const reason = await valueOf(`
    const signal = AbortSignal.timeout(200);
    await new Promise((resolve) => setTimeout(resolve, 300));
    [signal.aborted, signal.reason.name]`);
  assertEquals(reason, [true, "TimeoutError"]);
});

Deno.test("guest web: a listener's exception is the run's error, after the dispatch", async () => {
  const { ending, output } = await runProgram(`
    const target = new EventTarget();
    target.addEventListener('x', () => { throw new RangeError('from listener') });
    target.addEventListener('x', () => console.log('second listener'));
    target.dispatchEvent(new Event('x'));
    console.log('after');
    1`);
  assertEquals(output, "second listener\nafter\n");
  assert(ending.kind === "error");
  assertEquals([ending.error.name, ending.error.message], ["RangeError", "from listener"]);
});

Deno.test("guest web: a run leaves nothing to the next, and random values differ", async () => {
  const code = `
    performance.mark('left');
    globalThis.left = new URL('http://left/');
    Intl.left = 1; Buffer.left = 1; URL.prototype.left = 1;
    [performance.getEntriesByName('left').length, crypto.randomUUID(), require('crypto').randomBytes(8).toString('hex')]`;
  const [first, second] = [await valueOf(code) as unknown[], await valueOf(code) as unknown[]];
  assertEquals([first[0], second[0]], [1, 1]);
  assertNotEquals(first[1], second[1]);
  assertNotEquals(first[2], second[2]);
  const left = "[typeof left, Intl.left, Buffer.left, URL.prototype.left].map(String)";
  assertEquals(await valueOf(left), ["undefined", "undefined", "undefined", "undefined"]);
});

Deno.test("guest web: console.log shows buffers and URLs as Node does", async () => {
  const { output } = await runProgram(
    "console.log(Buffer.from('hi'), new URLSearchParams('a=1')); console.log([Buffer.alloc(2)])",
  );
  assertEquals(output, "<Buffer 68 69> URLSearchParams { 'a' => '1' }\n[ <Buffer 00 00> ]\n");
});
