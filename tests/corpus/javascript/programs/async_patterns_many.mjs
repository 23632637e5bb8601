import { setTimeout as sleep } from 'node:timers/promises';
import { EventEmitter, once, on } from 'node:events';
const log = (...a) => console.log(...a);
const retry = async (fn, n, delay = 10) => { for (let i = 1; ; i++) try { return await fn(i); } catch (e) { log('attempt', i, e.message); if (i === n) throw new Error('gave up', { cause: e }); await sleep(delay * 2 ** i); } };
log(await retry(async (i) => { if (i < 3) throw new Error('fail' + i); return 'ok' + i; }, 5));
try { await retry(() => { throw new TypeError('always'); }, 2, 1); } catch (e) { log(e.message, e.cause.message, e.cause instanceof TypeError); }
log(await Promise.all([sleep(30, 'a'), sleep(10, 'b'), 3]), await Promise.race([sleep(30, 'slow'), sleep(5, 'fast')]), await Promise.any([Promise.reject(1), sleep(1, 'any')]), await Promise.allSettled([1, Promise.reject(new Error('x'))]));
try { await Promise.any([Promise.reject(new Error('p')), Promise.reject(2)]); } catch (e) { log(e.name, e.message, e.errors.length); }
const pool = async (tasks, n) => { const out = []; let i = 0, active = 0, max = 0; const worker = async () => { while (i < tasks.length) { const k = i++; active++; max = Math.max(max, active); out[k] = await tasks[k](); active--; } }; await Promise.all(Array.from({ length: n }, worker)); return [out, max]; };
log(await pool([5, 3, 8, 1].map((ms, k) => () => sleep(ms, k)), 2));
const withTimeout = (p, ms) => { const ac = new AbortController(); return Promise.race([p, sleep(ms, null, { signal: ac.signal }).then(() => { throw new Error('timeout'); })]).finally(() => ac.abort()); };
log(await withTimeout(sleep(1, 'in time'), 50), await withTimeout(sleep(100), 5).catch((e) => e.message));
const ac = new AbortController(); setTimeout(() => ac.abort(), 5); try { await sleep(1000, null, { signal: ac.signal }); } catch (e) { log(e.name, e.code, e.message); }
log(await Promise.reject(AbortSignal.abort('why').reason).catch((r) => r), AbortSignal.abort().reason.name, AbortSignal.timeout(5).aborted);
const em = new EventEmitter(); setTimeout(() => em.emit('ready', 1, 2), 3); log(await once(em, 'ready'));
setTimeout(() => { em.emit('d', 1); em.emit('d', 2); em.emit('end'); }, 1); const ender = new AbortController(); em.once('end', () => ender.abort()); try { for await (const [v] of on(em, 'd', { signal: ender.signal })) log('d', v); } catch (e) { log(e.name); }
async function* ticker(n) { try { for (let i = 0; i < n; i++) { await sleep(1); yield i; } } finally { log('cleanup'); } } for await (const t of ticker(5)) { if (t === 2) break; log('tick', t); }
const agg = []; for await (const x of [sleep(2, 'p1'), 'v', Promise.resolve('p2')]) agg.push(x); log(agg);
class Mutex { #p = Promise.resolve(); run(f) { const r = this.#p.then(f); this.#p = r.catch(() => {}); return r; } } const m = new Mutex(); log(await Promise.all([m.run(async () => { await sleep(5); log('first'); return 1; }), m.run(() => { log('second'); return 2; })]));
const deb = (f, ms) => { let t; return (...a) => { clearTimeout(t); t = setTimeout(f, ms, ...a); }; }; const d = deb((v) => log('debounced', v), 5); d(1); d(2); await sleep(10);
let n = 0; const iv = setInterval(() => { if (++n === 3) clearInterval(iv); }, 2); await sleep(20); log(n);
process.nextTick(() => log('tick')); queueMicrotask(() => log('micro')); setImmediate(() => log('immediate')); await null; log('after null'); await sleep(0);
const thenable = { then(res) { res('thenable!'); } }; log(await thenable, await (async () => thenable)());
log(await new Promise((r) => setTimeout(r, 1, 'arg')), await Promise.resolve(1).finally(() => 2), await Promise.reject(1).then(null, (x) => x + 1));
const { promise, resolve } = (() => { let resolve; const promise = new Promise((r) => (resolve = r)); return { promise, resolve }; })(); setTimeout(resolve, 1, 'deferred'); log(await promise);
process.on('exit', (c) => log('exit', c)); process.on('beforeExit', () => log('beforeExit'));
