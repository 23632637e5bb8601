/** `crypto` in the guest: its cost, and what survives a run. The corpus tests its results. */
import { assertEquals, assertLess } from "@std/assert";
import { limitsByLanguage } from "../../../../../shared/limits.ts";
import { runGuest, runInTurn } from "./support.ts";

/** A second's fuel, a tenth of a run's. */
const fuel = limitsByLanguage().javascript.fuel / 10;

/** The share of a second's fuel that a program uses. */
async function share(code: string): Promise<number> {
  const { ending, fuelConsumed } = await runGuest(code, { fuel });
  assertEquals(ending.kind, "text", code);
  return fuelConsumed / fuel;
}

Deno.test("crypto: typical uses take a small part of a run's fuel", async () => {
  const c = "const c = require('crypto'), fs = require('fs');";
  assertLess(await share(`${c} c.pbkdf2Sync('p', 's', 100_000, 64, 'sha512').length`), 0.2);
  assertLess(await share(`${c} c.scryptSync('p', 's', 64).length`), 0.1);
  assertLess(
    await share(`${c} fs.writeFileSync('f', Buffer.alloc(2 ** 22, 'abc'));
c.createHash('sha256').update(fs.readFileSync('f')).digest('hex')`),
    0.05,
  );
  assertLess(
    await share(
      `${c} for (let i = 0; i < 10_000; i++) c.createHash('sha256').update('n' + i).digest('hex');
'done'`,
    ),
    0.2,
  );
});

Deno.test("crypto: a message of many short parts, and one of many large ones, is hashed", async () => {
  const short = `const h = require('crypto').createHash('md5');
for (let i = 0; i < 20_000; i++) h.update('line ' + i + '\\n');
h.digest('hex')`;
  assertLess(await share(short), 0.2);
  const large = `const h = require('crypto').createHash('sha1'), b = Buffer.alloc(2 ** 20, 'x');
for (let i = 0; i < 32; i++) h.update(b);
h.digest('hex')`;
  assertLess(await share(large), 0.3);
});

Deno.test("crypto: encrypting in many parts costs little more than in one call", async () => {
  const code = `const c = require('crypto'), b = Buffer.alloc(2 ** 16, 'x');
const e = c.createCipheriv('aes-256-gcm', Buffer.alloc(32), Buffer.alloc(12));
for (let i = 0; i < 160; i++) e.update(b);
e.final('hex') + e.getAuthTag().toString('hex')`;
  assertLess(await share(code), 0.3);
});

Deno.test("crypto: an unfinished digest and cipher continue in a later run", async () => {
  const runs = await runInTurn([
    `const c = require('crypto'); var h = c.createHash('sha256').update('hel');
var k = Buffer.alloc(32), e = c.createCipheriv('aes-256-ctr', k, Buffer.alloc(16)); e.update('hel', 'utf8', 'hex')`,
    "h.update('lo').digest('base64') + e.update('lo', 'utf8', 'hex')",
    "c.createHash('sha256').update('hello').digest('base64')",
    "c.createCipheriv('aes-256-ctr', k, Buffer.alloc(16)).update('hello', 'utf8', 'hex')",
  ]);
  const [first, second, hash, cipher] = runs.map(({ ending }) =>
    ending.kind === "text" ? ending.text.slice(1, -1) : ""
  );
  assertEquals(second, `${hash}${cipher?.slice(first?.length)}`);
});

Deno.test("crypto: a message that does not fit in memory gives no result", async () => {
  const { stdout, ending } = await runGuest(`
const c = require('crypto'), held = [], message = Buffer.alloc(10 * 2 ** 20, 1);
try { for (;;) held.push(new Uint8Array(2 ** 20)) } catch {}
while (held.length > 0) {
  held.pop();
  try {
    const made = c.createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(message);
    if (made.length !== message.length) console.log('wrong');
  } catch {}
}`);
  assertEquals(stdout, "");
  assertEquals(ending.kind === "limit" ? ending.limit : ending.kind, "memory");
});
