const sleep = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));
async function fetchUser(id) {
  await sleep(10 * id);
  if (id === 3) throw new Error(`user ${id} not found`);
  return { id, name: `User${id}` };
}
async function main() {
  console.log("start");
  console.log(await fetchUser(1));
  const all = await Promise.all([1, 2].map(fetchUser));
  console.log(all);
  const settled = await Promise.allSettled([fetchUser(1), fetchUser(3), 42]);
  console.log(settled.map((s) => s.status));
  console.log(settled[0], settled[2], settled[1].reason.message);
  console.log(await Promise.race([sleep(30, "slow"), sleep(5, "fast")]));
  console.log(await Promise.any([Promise.reject(new Error("no")), sleep(1, "any")]));
  try {
    await Promise.any([Promise.reject(new Error("a")), Promise.reject(new TypeError("b"))]);
  } catch (e) {
    console.log(e.constructor.name, e.message, e.errors.map(String));
  }
  try {
    await Promise.all([fetchUser(1), fetchUser(3)]);
  } catch (e) {
    console.log("caught:", e.message);
  } finally {
    console.log("finally");
  }
  return "done";
}
const p = main();
console.log(p);
p.then((v) => console.log(v, p));
console.log(Promise.resolve([1]), Promise.reject(1).catch(() => {}) instanceof Promise, (async () => {})());
const rejected = Promise.reject(new RangeError("later"));
rejected.catch((e) => console.log("handled", e.message));
