const sleep = (ms, v) => new Promise((r) => setTimeout(() => r(v), ms));
console.log("start");
const first = await sleep(10, "first");
console.log(first);
const results = await Promise.all([sleep(20, "a"), sleep(5, "b"), "c"]);
console.log(results);
for await (const x of (async function* () { for (const i of [1, 2, 3]) yield await sleep(i, i * i); })()) console.log(x);
let user;
try {
  user = await Promise.reject(new Error("offline"));
} catch ({ message }) {
  user = { name: "guest", reason: message };
}
console.log(user);
const { value } = await (async () => ({ value: await sleep(1, 99) }))();
console.log(value);
if (value > 50) {
  const more = await sleep(1, "conditional await");
  console.log(more);
}
const lazy = { async *[Symbol.asyncIterator]() { yield "x"; yield "y"; } };
const collected = [];
for await (const v of lazy) collected.push(v);
console.log(collected, await Promise.race([sleep(50, "slow"), sleep(1, "fast")]));
export { user };
console.log("end");
