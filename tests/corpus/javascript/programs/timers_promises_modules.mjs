import { setTimeout as sleep, setInterval as every, setImmediate as immediate, scheduler } from "node:timers/promises";
import { setTimeout as cbTimeout } from "node:timers";
console.log(await sleep(5, "value"), await immediate("now"), typeof scheduler.wait);
let n = 0;
for await (const t of every(10, "tick")) { console.log(t, ++n); if (n === 3) break; }
const ac = new AbortController();
setTimeout(() => ac.abort(), 5);
await sleep(1000, null, { signal: ac.signal }).catch((e) => console.log(e.name, e.code, e.message));
const t = setTimeout(() => console.log("unref'd timer fires only if others keep the loop alive"), 3);
t.unref(); console.log(t.hasRef(), typeof t[Symbol.toPrimitive](), t.constructor.name); t.ref(); console.log(t.hasRef());
await sleep(20);
const r = setTimeout(() => console.log("refreshed once"), 10); await sleep(5); r.refresh(); await sleep(30);
const i = setInterval(() => { console.log("interval", ++n); if (n > 5) clearInterval(i); }, 5);
await sleep(50);
const im = setImmediate(() => console.log("cancelled immediate")); clearImmediate(im); clearTimeout(undefined); clearTimeout(12345); clearInterval(null);
cbTimeout((a, b) => console.log("module timer", a, b), 1, "A", "B");
await scheduler.wait(5); await scheduler.yield?.();
const start = Date.now(), p0 = performance.now(); await sleep(100); const took = Date.now() - start; console.log(took >= 99 && took < 160, performance.now() - p0 >= 99);
const order = []; setTimeout(() => order.push("t0"), 0); setImmediate(() => order.push("im")); process.nextTick(() => order.push("tick")); Promise.resolve().then(() => order.push("p")); queueMicrotask(() => order.push("m")); await sleep(5); console.log(order.sort().join());
for (const bad of [undefined, "code", null]) try { setTimeout(bad, 1); } catch (e) { console.log(e.name, e.code, e.message); }
console.log(await Promise.race([sleep(30, "slow"), sleep(10, "fast"), sleep(20, "mid")])); setTimeout(() => console.log("negative delay"), -5); setTimeout(() => console.log("NaN delay"), NaN); setTimeout(() => console.log("string delay"), "2");
