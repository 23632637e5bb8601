console.log("1 sync");
setTimeout(() => console.log("timeout 0"), 0);
setTimeout(() => console.log("timeout 300"), 300);
setTimeout(() => console.log("timeout 200"), 200);
setImmediate(() => console.log("immediate"));
process.nextTick(() => console.log("tick"));
Promise.resolve().then(() => {
  console.log("micro 1");
  process.nextTick(() => console.log("tick from micro"));
}).then(() => console.log("micro 2"));
queueMicrotask(() => console.log("queued micro"));
(async () => {
  console.log("async start");
  await null;
  console.log("after await");
  await new Promise((r) => setTimeout(r, 100));
  console.log("after 100ms");
})();
process.nextTick((a, b) => console.log("tick args", a, b), 1, 2);
let n = 0;
const iv = setInterval(() => {
  console.log("interval", ++n);
  if (n === 3) clearInterval(iv);
}, 400);
const cancelled = setTimeout(() => console.log("never"), 1);
clearTimeout(cancelled);
setTimeout(function (x, y) { console.log("args", x, y, typeof this.unref); }, 150, "a", "b");
process.on("exit", (code) => console.log("exit", code));
process.on("beforeExit", () => console.log("beforeExit"));
console.log("2 sync end");
