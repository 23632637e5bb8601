/** `node:test` in the guest. */
import { assertEquals } from "@std/assert";
import { runGuest, runInTurn } from "./support.ts";

/** Output without the parts that differ from run to run, and without the lines of details. */
function outline(stdout: string): readonly string[] {
  return stdout.split("\n").filter((line) => /^\s*(?:not ok|ok|#|1\.\.)/.test(line))
    .map((line) => line.replace(/(duration_ms) .*/, "$1"));
}

Deno.test("node:test: tests run in order and are reported as in Node", async () => {
  const { stdout, ending } = await runGuest(`
import test, { describe, it, beforeEach } from 'node:test';
import assert from 'node:assert/strict';
test('passes', () => { assert.equal(1, 1); });
test('fails', () => { assert.equal(1, 2); });
test('waits', async (t) => { await new Promise((r) => setTimeout(r, 5)); await t.test('sub', () => {}); });
test('not now', { skip: true }, () => { throw 1 });
test('some day', { todo: 'later' }, () => { throw 1 });
test('calls back', (t, done) => setTimeout(done, 1));
describe('group', () => { beforeEach(() => {}); it('works', () => {}); it('breaks', () => { throw new Error('boom'); }); });`);
  assertEquals(outline(stdout), [
    ...["# Subtest: passes", "ok 1 - passes", "# Subtest: fails", "not ok 2 - fails"],
    ...["# Subtest: waits", "    # Subtest: sub", "    ok 1 - sub", "    1..1", "ok 3 - waits"],
    ...["# Subtest: not now", "ok 4 - not now # SKIP"],
    ...["# Subtest: some day", "not ok 5 - some day # TODO later"],
    ...["# Subtest: calls back", "ok 6 - calls back"],
    ...["# Subtest: group", "    # Subtest: works", "    ok 1 - works"],
    ...["    # Subtest: breaks", "    not ok 2 - breaks", "    1..2", "not ok 7 - group", "1..7"],
    ...["# tests 9", "# suites 1", "# pass 5", "# fail 2", "# cancelled 0", "# skipped 1"],
    ...["# todo 1", "# duration_ms"],
  ]);
  assertEquals(ending.kind === "error" && ending.error.message, "exit status 1");
});

Deno.test("node:test: hooks run around tests, and mocks record their calls", async () => {
  const { stdout, ending } = await runGuest(`
const { test, describe, it, before, after, beforeEach, afterEach, mock } = require('node:test');
const log = [];
before(() => log.push('before')); after(() => { log.push('after'); console.log(log.join()); });
describe('suite', () => {
  before(() => log.push('b')); after(() => log.push('a'));
  beforeEach(() => log.push('be')); afterEach(() => log.push('ae'));
  it('one', () => log.push('1')); it('two', async () => { await null; log.push('2'); });
});
test('mocks', () => {
  const add = mock.fn((a, b) => a + b); add(1, 2);
  const object = { m() { return 'real' } }; mock.method(object, 'm', () => 'mocked');
  log.push(object.m(), add.mock.callCount(), add.mock.calls[0].arguments.join('+'), add.mock.calls[0].result);
  mock.restoreAll(); log.push(object.m());
});`);
  const [line] = stdout.split("\n").filter((one) => one.startsWith("before,"));
  assertEquals(line, "before,b,be,1,ae,be,2,ae,a,mocked,1,1+2,3,real,after");
  assertEquals(ending.kind, "none");
});

Deno.test("node:test: a later run of the same guest counts its own tests", async () => {
  const program = "require('node:test')('one', () => {}); undefined";
  const runs = await runInTurn([program, program]);
  for (const { stdout } of runs) {
    assertEquals(outline(stdout).slice(0, 4), [
      ...["# Subtest: one", "ok 1 - one", "1..1", "# tests 1"],
    ]);
  }
});
