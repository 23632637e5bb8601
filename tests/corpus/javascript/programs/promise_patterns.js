// retry, timeout, pool, debounce, deferred
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
async function retry(fn, times, delay) {
  for (let i = 1; ; i++) {
    try {
      return await fn(i);
    } catch (e) {
      console.log(`attempt ${i} failed: ${e.message}`);
      if (i === times) throw new Error("gave up", { cause: e });
      await sleep(delay * 2 ** i);
    }
  }
}
const timeout = (p, ms) => Promise.race([p, new Promise((_, rej) => setTimeout(() => rej(new Error(`timeout after ${ms}ms`)), ms))]);
async function pool(tasks, limit) {
  const results = [];
  let active = 0, peak = 0, index = 0;
  await Promise.all(Array.from({ length: limit }, async () => {
    while (index < tasks.length) {
      const i = index++;
      peak = Math.max(peak, ++active);
      results[i] = await tasks[i]();
      active--;
    }
  }));
  return { results, peak };
}
function debounce(fn, ms) {
  let t;
  return (...args) => { clearTimeout(t); t = setTimeout(() => fn(...args), ms); };
}
(async () => {
  console.log(await retry(async (i) => { if (i < 3) throw new Error("flaky"); return "ok"; }, 5, 1));
  await retry(() => Promise.reject(new Error("always")), 2, 1).catch((e) => console.log(e.message, "<-", e.cause.message));
  await timeout(sleep(50), 10).catch((e) => console.log(e.message));
  console.log(await pool([30, 10, 20, 5, 1].map((ms, i) => async () => { await sleep(ms); return i * 10; }), 2));
  const save = debounce((v) => console.log("saved", v), 5);
  save(1); save(2); save(3);
  await sleep(10);
  let resolve;
  const deferred = new Promise((r) => (resolve = r));
  setTimeout(() => resolve("resolved later"), 3);
  console.log(await deferred);
})();
