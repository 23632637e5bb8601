process.on("uncaughtException", (err, origin) => {
  console.log("handler:", err.message ?? err, origin);
});
process.nextTick(() => { throw "a string from a tick"; });
setTimeout(() => { throw new Error("from timer"); }, 50);
setTimeout(() => console.log("after the first"), 100);
setTimeout(() => Promise.resolve().then(() => { throw new TypeError("from promise"); }), 150);
setTimeout(() => { process.exitCode = 0; console.log("done"); }, 200);
